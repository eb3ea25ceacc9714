package statement

import "errors"

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

// Encode returns the canonical JSON of a proof.
func (p Proof) Encode() ([]byte, error) {
	p.Siblings = append([]Node{}, p.Siblings...)
	return canonical(p)
}

// ErrProof means that a proof is not of the statement, or does not lead to its root.
var ErrProof = errors.New("statement: the proof does not lead to the root")

// Verify returns an error unless the proof leads from the owner's leaf to the root of a document's tree.
func (p Proof) Verify(d Document) error {
	id, err := d.ID()
	if err != nil {
		return err
	}
	b := d.Binding()
	if p.Format != ProofFormat || p.Statement != id || b != (Binding{p.Network, p.Community, p.Epoch}) ||
		p.Count != d.Owners.Count || p.Index < 0 || p.Index >= p.Count || p.Owner == "" || len(p.Owner) > maxOwner {
		return ErrProof
	}
	node := Leaf{Owner: p.Owner, Stake: p.Stake, Reward: p.Reward, Owed: p.Owed}.node(b)
	siblings := p.Siblings
	for at, width := p.Index, p.Count; width > 1; at, width = at/2, (width+1)/2 {
		if at^1 >= width {
			continue // the last node of an odd level has no sibling
		}
		if len(siblings) == 0 {
			return ErrProof
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
	if len(siblings) > 0 || node != d.Owners.Node() {
		return ErrProof
	}
	return nil
}
