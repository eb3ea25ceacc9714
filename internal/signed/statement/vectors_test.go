package statement_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"moonfund/internal/signed/statement"
)

// vectors are the vectors of docs/statements.md, from a Python program that implements only that page.
type vectors struct {
	Tagged []struct {
		Tag, Message string
		Hash         statement.Hash
	}
	Amounts struct{ Valid, Invalid []string }
	Splits  []struct {
		Budget statement.Sum
		Inputs []statement.Input
		Owners []statement.Leaf
	}
	Trees []struct {
		Network, Community string
		Epoch              int64
		Leaves             []statement.Leaf
		LeafHashes         []statement.Hash `json:"leaf_hashes"`
		Root               statement.Node
		Siblings           [][]statement.Node
	}
	Secret string
	Chains []struct {
		Key        statement.Key
		Statements []statementVector
	}
	ReceiptSecret string `json:"receipt_secret"`
	Receipts      []receiptVector
}

type statementVector struct {
	ID                         statement.Hash
	Statement, Signed, Details string
	Proofs                     []string
	Messages                   []string // of instructions
}

// receiptVector is a batch.
type receiptVector struct {
	Key                     statement.Key
	Batch, Certificate      string
	Receipts, Leaves, Files []string
	BatchID                 statement.Hash `json:"batch_id"`
	CertificateID           statement.Hash `json:"certificate_id"`
}

func readVectors(t testing.TB) (v vectors) {
	t.Helper()
	text := must(os.ReadFile("testdata/vectors.json"))
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestVectorsOfHashesAndAmounts(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.Tagged {
		if got := statement.TaggedHash(c.Tag, must(hex.DecodeString(c.Message))); got != c.Hash {
			t.Errorf("%s %s: got %s", c.Tag, c.Message, got)
		}
	}
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
}

func TestVectorsOfSplits(t *testing.T) {
	for _, c := range readVectors(t).Splits {
		shares := must(statement.Split(c.Budget, c.Inputs))
		want := map[string]statement.Sums{}
		for _, o := range c.Owners {
			want[o.Owner] = o.Sums()
		}
		if !maps.Equal(shares, want) {
			t.Errorf("budget %s of %v: got %v, want %v", c.Budget, c.Inputs, shares, want)
		}
	}
}

func TestVectorsOfTrees(t *testing.T) {
	for _, c := range readVectors(t).Trees {
		of := statement.Binding{Network: c.Network, Community: c.Community, Epoch: c.Epoch}
		tree := must(statement.NewTree(of, c.Leaves))
		if got := tree.Owners().Node(); got != c.Root || tree.Count() != int64(len(c.Leaves)) {
			t.Errorf("%d leaves: the root is %+v, want %+v", len(c.Leaves), got, c.Root)
		}
		if hashes := tree.LeafHashes(); !slices.Equal(hashes, c.LeafHashes) {
			t.Errorf("%d leaves: their hashes are %s", len(c.Leaves), hashes)
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
	v := readVectors(t)
	for _, c := range v.Chains {
		var before statement.Signed
		var earlier statement.Details
		for i, vector := range c.Statements {
			signed := must(statement.ParseSigned([]byte(vector.Signed)))
			noError(t, signed.Verify(c.Key))
			d := signed.Document
			if text := must(d.Encode()); string(text) != vector.Statement || must(d.ID()) != vector.ID {
				t.Errorf("statement %d: got %s, want %s", i, text, vector.Statement)
			}
			if again := sign(t, v.Secret, []byte(vector.Statement)); again != vector.Signed {
				t.Errorf("statement %d: our signature differs:\n%s\n%s", i, again, vector.Signed)
			}
			details := must(statement.ParseDetails([]byte(vector.Details)))
			noError(t, details.Verify(d))
			if i > 0 {
				noError(t, signed.Continues(before))
				noError(t, details.Continues(earlier))
			}
			before, earlier = signed, details
			if len(vector.Messages) != len(details.Instructions) {
				t.Errorf("statement %d: %d messages of %d instructions", i, len(vector.Messages), len(details.Instructions))
			}
			for _, message := range vector.Messages {
				must(details.InstructionOf(message))
			}
			tree := must((&statement.Document{}).Complete(details))
			for k, owner := range details.Owners {
				proof, _ := statement.ProofOf(tree, vector.ID, owner.Owner)
				if text := must(proof.Encode()); string(text) != vector.Proofs[k] {
					t.Errorf("statement %d: proof of %s: got %s, want %s", i, owner.Owner, text, vector.Proofs[k])
				}
				noError(t, must(statement.ParseProof([]byte(vector.Proofs[k]))).Verify(d))
			}
		}
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// signID signs an id with 32 zero bytes of auxiliary randomness, and returns the key and the signature.
func signID(t testing.TB, secret string, id statement.Hash) (public, signature string) {
	t.Helper()
	private, key := btcec.PrivKeyFromBytes(must(hex.DecodeString(secret)))
	signed := must(schnorr.Sign(private, id[:], schnorr.CustomNonce([32]byte{})))
	return hex.EncodeToString(schnorr.SerializePubKey(key)), hex.EncodeToString(signed.Serialize())
}

// sign returns the signed statement of canonical bytes.
func sign(t testing.TB, secret string, body []byte) string {
	t.Helper()
	key, signature := signID(t, secret, statement.TaggedHash("moonfund/statement", body))
	return `{"key":"` + key + `","signature":"` + signature + `","statement":` + string(body) + "}"
}

// readSigned parses a signed statement and verifies it with the key in it.
func readSigned(text string) (statement.Signed, error) {
	s, err := statement.ParseSigned([]byte(text))
	if err != nil {
		return s, err
	}
	return s, s.Verify(s.Key)
}

// object is JSON that a test changes.
type object = map[string]any

// parse reads JSON for a change.
func parse(t testing.TB, text string) (value object) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	noError(t, decoder.Decode(&value))
	return value
}

// canonical writes JSON in canonical form: encoding/json sorts maps, and the strings are printable ASCII.
func canonical(t testing.TB, value any) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	noError(t, encoder.Encode(value))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
