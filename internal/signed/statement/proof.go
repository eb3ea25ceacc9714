package statement

import (
	"errors"
	"fmt"
)

// ProofFormat is the format of a proof, in its field format.
const ProofFormat = "moonfund/proof/1"

// Proof shows that a statement contains the sums of an owner.
type Proof struct {
	Community string `json:"community"`
	Count     int64  `json:"count"` // of the leaves
	Epoch     int64  `json:"epoch"`
	Format    string `json:"format"`
	Index     int64  `json:"index"` // of the leaf
	Network   string `json:"network"`
	Owed      Sum    `json:"owed"`
	Owner     string `json:"owner"`
	Reward    Sum    `json:"reward"`
	Siblings  []Node `json:"siblings"` // from the leaf to the root
	Stake     Sum    `json:"stake"`
	Statement Hash   `json:"statement"` // id
}

// ProofOf returns the proof of an owner in the tree of the statement with an id. ok is false if the tree does not
// contain the owner.
func ProofOf(t *Tree, statement Hash, owner string) (p Proof, ok bool) {
	leaf, index, siblings, ok := t.Prove(owner)
	return Proof{
		Format: ProofFormat, Network: t.binding.Network, Community: t.binding.Community, Epoch: t.binding.Epoch,
		Statement: statement, Owner: leaf.Owner, Stake: leaf.Stake, Reward: leaf.Reward, Owed: leaf.Owed,
		Index: index, Count: t.Count(), Siblings: siblings,
	}, ok
}

// Encode returns the canonical JSON of a proof, or an error if the proof is invalid.
func (p Proof) Encode() ([]byte, error) {
	switch {
	case p.Format != ProofFormat || !isName(p.Community) || !isNetwork(p.Network) || !isOwner(p.Owner):
		return nil, fmt.Errorf("statement: not a proof: %q for %q of %q on %q", p.Format, p.Owner, p.Community, p.Network)
	case min(p.Count, p.Epoch, p.Index) < 0 || max(p.Count, p.Epoch, p.Index) > maxInteger:
		return nil, fmt.Errorf("statement: an integer of a proof is out of range")
	}
	p.Siblings = append([]Node{}, p.Siblings...)
	return canonical(p)
}

// ParseProof parses the canonical JSON of a proof.
func ParseProof(text []byte) (p Proof, err error) {
	if err := decode(text, &p); err != nil {
		return Proof{}, err
	}
	return p, same(text, p.Encode)
}

// ErrProof means that a proof belongs to another statement, or does not lead to the statement's root.
var ErrProof = errors.New("statement: the proof does not lead to the root")

// Verify returns an error unless the proof leads from the owner's leaf to the root of a document's tree.
func (p Proof) Verify(d Document) error {
	id, err := d.ID()
	if err != nil {
		return err
	}
	b := d.Binding()
	switch {
	case p.Format != ProofFormat || !isOwner(p.Owner):
		return fmt.Errorf("%w: format %q, owner %q", ErrProof, p.Format, p.Owner)
	case p.Statement != id:
		return fmt.Errorf("%w: the proof is for the statement %s, this one is %s", ErrProof, p.Statement, id)
	case b != Binding{p.Network, p.Community, p.Epoch}:
		return fmt.Errorf("%w: the proof is for epoch %d of %s on %s, the statement for epoch %d of %s on %s", ErrProof,
			p.Epoch, p.Community, p.Network, d.Epoch, d.Community, d.Network)
	case p.Count != d.Owners.Count || p.Index < 0 || p.Index >= p.Count:
		return fmt.Errorf("%w: the proof is for owner %d of %d, the statement has %d owners", ErrProof, p.Index, p.Count,
			d.Owners.Count)
	}
	node := Leaf{Owner: p.Owner, Stake: p.Stake, Reward: p.Reward, Owed: p.Owed}.node(b)
	siblings := p.Siblings
	for at, width := p.Index, p.Count; width > 1; at, width = at/2, (width+1)/2 {
		if at^1 >= width {
			continue // the last node of an odd level has no sibling
		}
		if len(siblings) == 0 {
			return fmt.Errorf("%w: the proof has too few siblings", ErrProof)
		}
		left, right := node, siblings[0]
		if at%2 == 1 {
			left, right = right, left
		}
		if node, err = parent(left, right); err != nil {
			return err
		}
		siblings = siblings[1:]
	}
	if len(siblings) > 0 {
		return fmt.Errorf("%w: the proof has too many siblings", ErrProof)
	}
	if node != d.Owners.Node() {
		return ErrProof
	}
	return nil
}
