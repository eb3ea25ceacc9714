package statement_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/signed/statement"
)

var binding = statement.Binding{Network: "regtest", Community: "lobo", Epoch: 7}

// naive is a node of a simple, slow tree for comparison: the root of n leaves is the parent of the root of the first
// 2^k leaves and the root of the other leaves, where 2^k is the largest power of two below n.
type naive struct {
	hash []byte
	sums [3]*big.Int // stake, reward, owed
}

func tagged(tag string, message []byte) []byte {
	prefix := sha256.Sum256([]byte(tag))
	all := append(append(append([]byte{}, prefix[:]...), prefix[:]...), message...)
	sum := sha256.Sum256(all)
	return sum[:]
}

func wide(sums [3]*big.Int) (all []byte) {
	for _, sum := range sums {
		all = append(all, sum.FillBytes(make([]byte, 16))...)
	}
	return all
}

func sized(text string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(text))), text...)
}

func (n naive) encode() []byte { return append(append([]byte{}, n.hash...), wide(n.sums)...) }

func bound(b statement.Binding) []byte {
	message := append(sized(b.Network), sized(b.Community)...)
	return binary.BigEndian.AppendUint64(message, uint64(b.Epoch))
}

func number(t interface{ Fatal(...any) }, sum statement.Sum) *big.Int {
	n, ok := new(big.Int).SetString(sum.String(), 10)
	if !ok {
		t.Fatal("not a number: ", sum)
	}
	return n
}

func naiveRoot(t interface{ Fatal(...any) }, b statement.Binding, leaves []statement.Leaf) naive {
	switch len(leaves) {
	case 0:
		zero := big.NewInt(0)
		return naive{tagged("moonfund/empty", bound(b)), [3]*big.Int{zero, zero, zero}}
	case 1:
		l := leaves[0]
		sums := [3]*big.Int{number(t, l.Stake), number(t, l.Reward), number(t, l.Owed)}
		return naive{tagged("moonfund/leaf", slices.Concat(bound(b), sized(l.Owner), wide(sums))), sums}
	}
	half := 1
	for half*2 < len(leaves) {
		half *= 2
	}
	left, right := naiveRoot(t, b, leaves[:half]), naiveRoot(t, b, leaves[half:])
	node := naive{hash: tagged("moonfund/node", slices.Concat(left.encode(), right.encode()))}
	for i := range node.sums {
		node.sums[i] = new(big.Int).Add(left.sums[i], right.sums[i])
	}
	return node
}

func sum(t interface{ Fatal(...any) }, text string) (s statement.Sum) {
	if err := s.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return s
}

// drawLeaves draws sorted leaves with sums of up to 120 bits.
func drawLeaves(t *rapid.T) (leaves []statement.Leaf) {
	owners := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9]{1,20}`), 0, 40, rapid.ID).Draw(t, "owners")
	slices.Sort(owners)
	draw := func(name string) statement.Sum {
		n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 15).Draw(t, name))
		return sum(t, n.String())
	}
	for _, owner := range owners {
		leaves = append(leaves, statement.Leaf{
			Owner: owner, Stake: draw("stake"), Reward: draw("reward"), Owed: draw("owed"),
		})
	}
	return leaves
}

func TestTreeIsTheNaiveTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leaves := drawLeaves(t)
		tree, err := statement.NewTree(binding, leaves)
		if err != nil {
			t.Fatal(err)
		}
		want, got := naiveRoot(t, binding, leaves), tree.Root()
		sums := [3]*big.Int{number(t, got.Stake), number(t, got.Reward), number(t, got.Owed)}
		if got.Hash.String() != fmt.Sprintf("%x", want.hash) || string(wide(sums)) != string(wide(want.sums)) {
			t.Fatalf("root: got %+v, want %x %v", got, want.hash, want.sums)
		}
	})
}

// documentOf returns a valid document with a tree of the leaves.
func documentOf(t interface{ Fatal(...any) }, leaves []statement.Leaf) (statement.Document, *statement.Tree) {
	d := document()
	tree, err := d.Complete(statement.Details{
		Format: statement.DetailsFormat, Network: d.Network, Community: d.Community, Epoch: d.Epoch, Owners: leaves,
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Budget.Amount = d.Owners.Reward
	d.Liabilities = liabilities(d.Owners.Owed)
	if d.Owners.Stake.IsZero() && !d.Owners.Reward.IsZero() {
		return documentOf(t, nil)
	}
	return d, tree
}

// liabilities returns one liability of each kind. The whole sum owed is in stakes.
func liabilities(owed statement.Sum) (all []statement.Liability) {
	for _, kind := range []string{
		statement.Contested, statement.Delivering, statement.Payments, statement.Refunds, statement.Unpaid,
	} {
		all = append(all, statement.Liability{Kind: kind})
	}
	return append(all, statement.Liability{Kind: statement.Stakes, Runes: owed})
}

// Each owner's proof is accepted, and no proof with a change is.
func TestProofs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, tree := documentOf(t, drawLeaves(t))
		id, err := d.ID()
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := statement.ProofOf(tree, id, "nobody."); ok {
			t.Fatal("a proof of an owner who is not in the tree")
		}
		if tree.Count() == 0 {
			return
		}
		leaves := d.Owners.Count
		at := rapid.Int64Range(0, leaves-1).Draw(t, "at")
		proof, ok := statement.ProofOf(tree, id, tree.Leaves()[at].Owner)
		if !ok || proof.Verify(d) != nil {
			t.Fatalf("proof %d of %d: %v", at, leaves, proof.Verify(d))
		}
		one, _ := statement.SumOf(amount.Runes(1))
		for name, change := range map[string]func(p *statement.Proof, d *statement.Document) bool{
			"format":    func(p *statement.Proof, _ *statement.Document) bool { p.Format = ""; return true },
			"owner":     func(p *statement.Proof, _ *statement.Document) bool { p.Owner += "x"; return true },
			"stake":     func(p *statement.Proof, _ *statement.Document) bool { p.Stake, _ = p.Stake.Add(one); return true },
			"owed":      func(p *statement.Proof, _ *statement.Document) bool { p.Owed, _ = p.Owed.Add(one); return true },
			"reward":    func(p *statement.Proof, _ *statement.Document) bool { p.Reward, _ = p.Reward.Add(one); return true },
			"community": func(p *statement.Proof, _ *statement.Document) bool { p.Community = "wolf"; return true },
			"network":   func(p *statement.Proof, _ *statement.Document) bool { p.Network = "signet"; return true },
			"epoch":     func(p *statement.Proof, _ *statement.Document) bool { p.Epoch++; return true },
			"statement": func(p *statement.Proof, _ *statement.Document) bool { p.Statement[0] ^= 1; return true },
			"count":     func(p *statement.Proof, _ *statement.Document) bool { p.Count++; return true },
			"index":     func(p *statement.Proof, _ *statement.Document) bool { p.Index ^= 1; return leaves > 1 },
			"beyond":    func(p *statement.Proof, _ *statement.Document) bool { p.Index = leaves; return true },
			"below":     func(p *statement.Proof, _ *statement.Document) bool { p.Index = -1; return true },
			"longer": func(p *statement.Proof, _ *statement.Document) bool {
				p.Siblings = append(slices.Clone(p.Siblings), statement.Node{})
				return true
			},
			"shorter": func(p *statement.Proof, _ *statement.Document) bool {
				p.Siblings = p.Siblings[:max(0, len(p.Siblings)-1)]
				return leaves > 1
			},
			"moved": func(p *statement.Proof, _ *statement.Document) bool {
				p.Siblings = slices.Clone(p.Siblings)
				if leaves < 2 || p.Siblings[0].Stake == p.Stake {
					return false
				}
				p.Stake, p.Siblings[0].Stake = p.Siblings[0].Stake, p.Stake
				return true
			},
			"another epoch": func(p *statement.Proof, d *statement.Document) bool {
				d.Epoch++
				p.Epoch, p.Statement = d.Epoch, must(d.ID())
				return true
			},
		} {
			p, other := proof, d
			if change(&p, &other) && p.Verify(other) == nil {
				t.Fatalf("a proof with another %s is accepted", name)
			}
		}
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestTreeRefuses(t *testing.T) {
	most := sum(t, "340282366920938463463374607431768211455")
	one := must(statement.SumOf(amount.Runes(1)))
	for name, leaves := range map[string][]statement.Leaf{
		"a duplicate": {{Owner: "a"}, {Owner: "a"}},
		"disorder":    {{Owner: "b"}, {Owner: "a"}},
		"no owner":    {{Owner: ""}},
		"overflow":    {{Owner: "a", Owed: most}, {Owner: "b", Owed: one}},
	} {
		if _, err := statement.NewTree(binding, leaves); err == nil {
			t.Errorf("a tree with %s is accepted", name)
		}
	}
	if _, err := statement.NewTree(statement.Binding{Epoch: -1}, nil); err == nil {
		t.Error("a tree of epoch -1 is accepted")
	}
	for _, text := range []string{"", "-1", "+1", "01", "1e3", " 1", "340282366920938463463374607431768211456", "0x1"} {
		var s statement.Sum
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("the amount %q is accepted", text)
		}
	}
	if _, err := statement.SumOf(amount.Sats(-1)); err == nil {
		t.Error("a negative amount is accepted")
	}
}

// A tree with a duplicate of its last leaf has another root, since an odd node is not duplicated.
func TestOddNodeIsPromoted(t *testing.T) {
	three := []statement.Leaf{{Owner: "a"}, {Owner: "b"}, {Owner: "c"}}
	tree := must(statement.NewTree(binding, three))
	if got := must(statement.NewTree(binding, three[:2])).Root(); got == tree.Root() {
		t.Error("two lists of leaves have the same root")
	}
	_, index, siblings, ok := tree.Prove("c")
	if !ok || index != 2 || len(siblings) != 1 {
		t.Errorf("proof of the last leaf: index %d, %d siblings", index, len(siblings))
	}
}
