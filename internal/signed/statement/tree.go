package statement

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Binding ties a tree to one epoch of one community, so that a proof is valid for that epoch only.
type Binding struct {
	Network, Community string
	Epoch              int64
}

// message returns the start of the messages of a tree's leaves.
func (b Binding) message() []byte {
	message := appendSized(appendSized(nil, b.Network), b.Community)
	return binary.BigEndian.AppendUint64(message, uint64(b.Epoch))
}

// Leaf is the entry of one owner in the tree.
type Leaf struct {
	Owed   Sum    `json:"owed"`
	Owner  string `json:"owner"` // ordinals address
	Reward Sum    `json:"reward"`
	Stake  Sum    `json:"stake"`
}

// Sums returns the amounts of the owner.
func (l Leaf) Sums() Sums { return Sums{Owed: l.Owed, Reward: l.Reward, Stake: l.Stake} }

// Node is a node of the tree: the hash and the sums of everything below it.
type Node struct {
	Hash Hash `json:"hash"`
	Sums
}

// maxOwner is the maximum length of an owner in bytes.
const maxOwner = 255

// node returns the node of a leaf.
func (l Leaf) node(b Binding) Node {
	message := appendSized(b.message(), l.Owner)
	return Node{taggedHash(tagLeaf, l.Sums().appendTo(message)), l.Sums()}
}

// parent returns the node of two children. It commits to the hashes and the sums of both, so that amounts can't be
// moved between them.
func parent(left, right Node) (Node, error) {
	sums, err := left.Sums.Add(right.Sums)
	if err != nil {
		return Node{}, err
	}
	message := left.Sums.appendTo(slices.Clone(left.Hash[:]))
	message = right.Sums.appendTo(append(message, right.Hash[:]...))
	return Node{taggedHash(tagNode, message), sums}, nil
}

// Tree is the Merkle-sum tree over the owners of one epoch.
type Tree struct {
	binding Binding
	leaves  []Leaf
	levels  [][]Node // from the leaves to the root; none without leaves
}

// NewTree builds the tree of leaves that are strictly ascending by the bytes of their owners. It returns an error if
// they are not, or if the sums overflow. The tree refers to leaves, which must not change afterwards.
//
// The last node of a level with an odd number of nodes becomes a node of the next level unchanged. It is not
// duplicated, because then two lists of leaves would have the same root.
func NewTree(b Binding, leaves []Leaf) (*Tree, error) {
	if b.Epoch < 0 {
		return nil, fmt.Errorf("statement: epoch %d", b.Epoch)
	}
	t := &Tree{binding: b, leaves: leaves}
	if len(leaves) == 0 {
		return t, nil
	}
	level := make([]Node, len(leaves))
	for i, leaf := range leaves {
		if leaf.Owner == "" || len(leaf.Owner) > maxOwner || (i > 0 && leaf.Owner <= leaves[i-1].Owner) {
			return nil, fmt.Errorf("statement: the owner %q is not above the one before", leaf.Owner)
		}
		level[i] = leaf.node(b)
	}
	t.levels = append(t.levels, level)
	for len(level) > 1 {
		next := make([]Node, 0, (len(level)+1)/2)
		for i := 0; i+1 < len(level); i += 2 {
			node, err := parent(level[i], level[i+1])
			if err != nil {
				return nil, err
			}
			next = append(next, node)
		}
		if len(level)%2 == 1 {
			next = append(next, level[len(level)-1])
		}
		t.levels, level = append(t.levels, next), next
	}
	return t, nil
}

// Root returns the root of the tree. Without owners it is a hash with a tag of its own, with sums of 0.
func (t *Tree) Root() Node {
	if len(t.levels) == 0 {
		return Node{Hash: taggedHash(tagEmpty, t.binding.message())}
	}
	return t.levels[len(t.levels)-1][0]
}

// Leaves returns the leaves, which the caller must not change.
func (t *Tree) Leaves() []Leaf { return t.leaves }

// Count returns the number of leaves.
func (t *Tree) Count() int64 { return int64(len(t.leaves)) }

// Owners returns the root and the number of leaves as a document contains them.
func (t *Tree) Owners() Owners {
	root := t.Root()
	return Owners{Count: t.Count(), Root: root.Hash, Owed: root.Owed, Reward: root.Reward, Stake: root.Stake}
}

// Prove returns the siblings of the nodes on the way from an owner's leaf to the root, without a sibling for nodes that
// have none, and the index of the leaf. ok is false if the tree does not contain the owner.
func (t *Tree) Prove(owner string) (leaf Leaf, index int64, siblings []Node, ok bool) {
	at, ok := slices.BinarySearchFunc(t.leaves, owner, func(l Leaf, owner string) int {
		return strings.Compare(l.Owner, owner)
	})
	if !ok {
		return Leaf{}, 0, nil, false
	}
	leaf, index, siblings = t.leaves[at], int64(at), []Node{}
	for _, level := range t.levels {
		if sibling := at ^ 1; sibling < len(level) {
			siblings = append(siblings, level[sibling])
		}
		at /= 2
	}
	return leaf, index, siblings, true
}
