package document

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Sums are the three amounts of an owner, or of all owners below a node, in base units.
type Sums struct{ Stake, Reward, Owed Amount }

func (s Sums) add(t Sums) (sum Sums, err error) {
	var stake, reward, owed error
	sum.Stake, stake = s.Stake.Add(t.Stake)
	sum.Reward, reward = s.Reward.Add(t.Reward)
	sum.Owed, owed = s.Owed.Add(t.Owed)
	return sum, errors.Join(stake, reward, owed)
}

func (s Sums) appendTo(message []byte) []byte {
	return s.Owed.appendTo(s.Reward.appendTo(s.Stake.appendTo(message)))
}

// Node is a node of the tree over the owners.
type Node struct {
	Hash Hash
	Sums
}

// Binding is what a tree is of: an epoch of a community.
type Binding struct {
	Network, Community string
	Epoch              int64
}

func (b Binding) message() []byte {
	message := appendSized(appendSized(nil, b.Network), b.Community)
	return binary.BigEndian.AppendUint64(message, uint64(b.Epoch))
}

// Leaf returns the leaf of an owner.
func (b Binding) Leaf(owner string, sums Sums) Node {
	return Node{Tagged("moonfund/leaf", sums.appendTo(appendSized(b.message(), owner))), sums}
}

func appendSized(message []byte, text string) []byte {
	return append(binary.BigEndian.AppendUint16(message, uint16(len(text))), text...)
}

// parent returns the node above two nodes.
func parent(left, right Node) (Node, error) {
	sums, err := left.add(right.Sums)
	if err != nil {
		return Node{}, err
	}
	message := left.appendTo(left.Hash[:])
	message = right.appendTo(append(message, right.Hash[:]...))
	return Node{Tagged("moonfund/node", message), sums}, nil
}

// Root returns the root of the tree over leaves.
func (b Binding) Root(leaves []Node) (Node, error) {
	if len(leaves) == 0 {
		return Node{Hash: Tagged("moonfund/empty", b.message())}, nil
	}
	for len(leaves) > 1 {
		above := make([]Node, 0, (len(leaves)+1)/2)
		for i := 0; i+1 < len(leaves); i += 2 {
			node, err := parent(leaves[i], leaves[i+1])
			if err != nil {
				return Node{}, err
			}
			above = append(above, node)
		}
		if len(leaves)%2 == 1 {
			above = append(above, leaves[len(leaves)-1])
		}
		leaves = above
	}
	return leaves[0], nil
}

// Proof shows what a statement counts for one owner.
type Proof struct {
	Binding
	Statement Hash
	Owner     string
	Sums
	Index, Count int64
	Siblings     []Node
}

func (s Statement) binding() Binding { return Binding{s.Network, s.Community, s.Epoch} }

// ReadProof reads a proof in canonical form.
func ReadProof(text []byte) (p Proof, err error) {
	r := &reader{text: string(text)}
	r.token(`{"community":`)
	p.Community = r.name()
	r.token(`,"count":`)
	p.Count = r.integer()
	r.token(`,"epoch":`)
	p.Epoch = r.integer()
	r.token(`,"format":"moonfund/proof/1","index":`)
	p.Index = r.integer()
	r.token(`,"network":`)
	p.Network = r.network()
	r.token(`,"owed":`)
	p.Owed = r.amount()
	r.token(`,"owner":`)
	p.Owner = r.owner()
	r.token(`,"reward":`)
	p.Reward = r.amount()
	r.token(`,"siblings":`)
	p.Siblings = list(r, r.node)
	r.token(`,"stake":`)
	p.Stake = r.amount()
	r.token(`,"statement":`)
	p.Statement = r.hash()
	r.token("}")
	if r.end(); r.err != nil {
		return Proof{}, fmt.Errorf("not a proof in canonical form: %w", r.err)
	}
	return p, nil
}

func (r *reader) node() (n Node) {
	r.token(`{"hash":`)
	n.Hash = r.hash()
	r.token(`,"owed":`)
	n.Owed = r.amount()
	r.token(`,"reward":`)
	n.Reward = r.amount()
	r.token(`,"stake":`)
	n.Stake = r.amount()
	r.token("}")
	return n
}

func (r *reader) owner() string {
	owner := r.str(maxOwner)
	if owner == "" {
		r.fail("want an owner")
	}
	return owner
}

// Verify returns an error unless the statement counts for the owner what the proof says.
func (p Proof) Verify(s Signed) error {
	switch {
	case p.Statement != s.ID:
		return fmt.Errorf("the proof is for the statement %s, this one is %s", p.Statement, s.ID)
	case p.Binding != s.binding():
		return fmt.Errorf("the proof is for epoch %d of %s on %s, the statement for epoch %d of %s on %s",
			p.Epoch, p.Community, p.Network, s.Epoch, s.Community, s.Network)
	case p.Count != s.Owners.Count:
		return fmt.Errorf("the proof is for a tree of %d owners, the statement has %d", p.Count, s.Owners.Count)
	case p.Index >= p.Count:
		return fmt.Errorf("the proof is for owner %d of %d", p.Index, p.Count)
	}
	node, siblings := p.Leaf(p.Owner, p.Sums), p.Siblings
	for i, n := p.Index, p.Count; n > 1; i, n = i/2, (n+1)/2 {
		if i%2 == 0 && i == n-1 {
			continue
		}
		if len(siblings) == 0 {
			return errors.New("the proof has too few siblings")
		}
		left, right := node, siblings[0]
		if i%2 == 1 {
			left, right = right, left
		}
		var err error
		if node, err = parent(left, right); err != nil {
			return fmt.Errorf("the proof: %w", err)
		}
		siblings = siblings[1:]
	}
	if len(siblings) > 0 {
		return errors.New("the proof has too many siblings")
	}
	if node != s.Owners.Node {
		return errors.New("the proof does not lead to the root of the statement: it is wrong, or of another tree")
	}
	return nil
}
