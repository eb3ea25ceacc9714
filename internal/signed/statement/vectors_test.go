package statement_test

import (
	"encoding/json"
	"os"
	"testing"

	"moonfund/internal/signed/statement"
)

// vectors are the vectors of docs/statements.md, which a Python program wrote from that page alone.
type vectors struct {
	Amounts struct{ Valid, Invalid []string }
	Trees   []struct {
		Network, Community string
		Epoch              int64
		Leaves             []statement.Leaf
		Root               statement.Node
		Siblings           [][]statement.Node
	}
	Chains []struct {
		Key        statement.Key
		Statements []struct {
			ID                         statement.Hash
			Statement, Signed, Details string
			Proofs                     []string
		}
	}
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	text := must(os.ReadFile("../../../verify/testdata/vectors.json"))
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVectorsOfAmountsAndTrees(t *testing.T) {
	v := readVectors(t)
	for _, text := range v.Amounts.Valid {
		var n statement.Sum
		if err := n.UnmarshalText([]byte(text)); err != nil || n.String() != text {
			t.Errorf("%s: got %s, %v", text, n, err)
		}
	}
	for _, text := range v.Amounts.Invalid {
		var n statement.Sum
		if err := n.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as %s", text, n)
		}
	}
	for _, c := range v.Trees {
		of := statement.Binding{Network: c.Network, Community: c.Community, Epoch: c.Epoch}
		tree := must(statement.NewTree(of, c.Leaves))
		if got := tree.Owners().Node(); got != c.Root || tree.Count() != int64(len(c.Leaves)) {
			t.Errorf("%d leaves: the root is %+v, want %+v", len(c.Leaves), got, c.Root)
		}
		for i, leaf := range c.Leaves {
			_, index, siblings, ok := tree.Prove(leaf.Owner)
			if !ok || index != int64(i) || len(siblings) != len(c.Siblings[i]) {
				t.Fatalf("%d leaves: proof of leaf %d: index %d, %d siblings", len(c.Leaves), i, index, len(siblings))
			}
			for k, sibling := range siblings {
				if sibling != c.Siblings[i][k] {
					t.Errorf("%d leaves: sibling %d of leaf %d is %+v", len(c.Leaves), k, i, sibling)
				}
			}
		}
	}
}

func TestVectorsOfChains(t *testing.T) {
	for _, c := range readVectors(t).Chains {
		sequence, id := int64(-1), statement.Hash{}
		for i, vector := range c.Statements {
			signed := must(statement.ParseSigned([]byte(vector.Signed)))
			if err := signed.Verify(c.Key); err != nil {
				t.Error(err)
			}
			if text := must(signed.Document.Encode()); string(text) != vector.Statement {
				t.Errorf("statement %d: got %s, want %s", i, text, vector.Statement)
			}
			if err := signed.Document.Follows(sequence, id); err != nil {
				t.Error(err)
			}
			if sequence, id = signed.Document.Sequence, must(signed.Document.ID()); id != vector.ID {
				t.Errorf("statement %d: id %s, want %s", i, id, vector.ID)
			}
			details := must(statement.ParseDetails([]byte(vector.Details)))
			if err := signed.Document.Match(details); err != nil {
				t.Error(err)
			}
			tree := must((&statement.Document{}).Complete(details))
			for k, owner := range details.Owners {
				proof, _ := statement.ProofOf(tree, id, owner.Owner)
				if text := must(proof.Encode()); string(text) != vector.Proofs[k] {
					t.Errorf("statement %d: proof of %s: got %s, want %s", i, owner.Owner, text, vector.Proofs[k])
				}
			}
		}
	}
}
