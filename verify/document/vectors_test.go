package document

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// vectorFile is testdata/vectors.json, which a Python program wrote from docs/statements.md.
type vectorFile struct {
	Tagged []struct {
		Tag, Message string
		Hash         string
	}
	Amounts struct{ Valid, Invalid []string }
	Splits  []struct {
		Budget string
		Inputs []struct{ Unit, Owner, Amount string }
		Owners []leafVector
	}
	Trees []struct {
		Network, Community string
		Epoch              int64
		Leaves             []leafVector
		LeafHashes         []string `json:"leaf_hashes"`
		Root               nodeVector
		Siblings           [][]nodeVector
	}
	Secret string
	Chains []chainVector

	ReceiptSecret string `json:"receipt_secret"`
	Receipts      []receiptVector
}

type leafVector struct{ Owner, Stake, Reward, Owed string }

func (l leafVector) sums(t testing.TB) Sums {
	return Sums{Stake: amountOf(t, l.Stake), Reward: amountOf(t, l.Reward), Owed: amountOf(t, l.Owed)}
}

type nodeVector struct{ Hash, Stake, Reward, Owed string }

func (n nodeVector) node(t testing.TB) Node {
	hash, err := ParseHash(n.Hash)
	must(t, err)
	return Node{hash, leafVector{Stake: n.Stake, Reward: n.Reward, Owed: n.Owed}.sums(t)}
}

type chainVector struct {
	Key        string
	Statements []statementVector
}

type statementVector struct {
	ID, Statement, Signed, Details string
	Proofs                         []string
	Messages                       []string // of instructions
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func amountOf(t testing.TB, text string) Amount {
	t.Helper()
	n, err := ParseAmount(text)
	must(t, err)
	return n
}

func vectors(t testing.TB) (v vectorFile) {
	t.Helper()
	text, err := os.ReadFile("../testdata/vectors.json")
	must(t, err)
	must(t, json.Unmarshal(text, &v))
	return v
}

func TestVectorsOfHashesAndAmounts(t *testing.T) {
	v := vectors(t)
	for _, c := range v.Tagged {
		message, err := hex.DecodeString(c.Message)
		must(t, err)
		if got := Tagged(c.Tag, message); got.String() != c.Hash {
			t.Errorf("%s %s: got %s", c.Tag, c.Message, got)
		}
	}
	for _, text := range v.Amounts.Valid {
		if n, err := ParseAmount(text); err != nil || n.String() != text {
			t.Errorf("%s: got %s, %v", text, n, err)
		}
	}
	for _, text := range v.Amounts.Invalid {
		if n, err := ParseAmount(text); err == nil {
			t.Errorf("%q is accepted as %s", text, n)
		}
	}
}

func TestVectorsOfSplits(t *testing.T) {
	for _, c := range vectors(t).Splits {
		var inputs []Input
		for _, i := range c.Inputs {
			inputs = append(inputs, Input{Unit: i.Unit, Owner: i.Owner, Amount: amountOf(t, i.Amount)})
		}
		shares, err := Split(amountOf(t, c.Budget), inputs)
		must(t, err)
		var want []Share
		for _, o := range c.Owners {
			want = append(want, Share{Owner: o.Owner, Stake: amountOf(t, o.Stake), Reward: amountOf(t, o.Reward)})
		}
		if !slices.Equal(shares, want) {
			t.Errorf("budget %s of %v: got %v, want %v", c.Budget, c.Inputs, shares, want)
		}
	}
}

func TestVectorsOfTrees(t *testing.T) {
	for _, c := range vectors(t).Trees {
		b := Binding{c.Network, c.Community, c.Epoch}
		var leaves []Node
		for i, l := range c.Leaves {
			leaves = append(leaves, b.Leaf(l.Owner, l.sums(t)))
			if leaves[i].Hash.String() != c.LeafHashes[i] {
				t.Errorf("%d leaves: leaf %d is %s", len(c.Leaves), i, leaves[i].Hash)
			}
		}
		root, err := b.Root(leaves)
		must(t, err)
		if want := c.Root.node(t); root != want {
			t.Errorf("%d leaves: the root is %v, want %v", len(c.Leaves), root, want)
		}
		s := Signed{Statement: Statement{Network: c.Network, Community: c.Community, Epoch: c.Epoch}}
		s.Owners = Owners{int64(len(leaves)), root}
		for i, l := range c.Leaves {
			p := Proof{Binding: b, Owner: l.Owner, Sums: l.sums(t), Index: int64(i), Count: int64(len(leaves))}
			for _, n := range c.Siblings[i] {
				p.Siblings = append(p.Siblings, n.node(t))
			}
			if err := p.Verify(s); err != nil {
				t.Errorf("%d leaves: the proof of leaf %d: %v", len(leaves), i, err)
			}
		}
	}
}

func TestVectorsOfChains(t *testing.T) {
	v := vectors(t)
	for _, c := range v.Chains {
		var before Signed
		var earlier Details
		for i, vector := range c.Statements {
			s, err := ReadSigned([]byte(vector.Signed))
			must(t, err)
			if s.ID.String() != vector.ID || s.Key.String() != c.Key || len(s.Shortfalls()) != 0 {
				t.Errorf("statement %d: got id %s, key %s, shortfalls %v", i, s.ID, s.Key, s.Shortfalls())
			}
			if signed := sign(t, v.Secret, []byte(vector.Statement)); signed != vector.Signed {
				t.Errorf("statement %d: our signature differs:\n%s\n%s", i, signed, vector.Signed)
			}
			if i > 0 {
				must(t, s.Follows(before))
			}
			before = s
			d, err := ReadDetails([]byte(vector.Details))
			must(t, err)
			must(t, d.Verify(s))
			must(t, d.VerifyContinues(earlier))
			earlier = d
			if len(vector.Messages) != len(d.Instructions) {
				t.Errorf("statement %d: %d messages of %d instructions", i, len(vector.Messages), len(d.Instructions))
			}
			for _, message := range vector.Messages {
				_, err := d.InstructionOf(message)
				must(t, err)
			}
			if len(vector.Proofs) != len(d.Owners) {
				t.Errorf("statement %d: %d proofs of %d owners", i, len(vector.Proofs), len(d.Owners))
			}
			for _, text := range vector.Proofs {
				p, err := ReadProof([]byte(text))
				must(t, err)
				must(t, p.Verify(s))
			}
		}
	}
}

// sign returns the signed statement of canonical bytes, signed with 32 zero bytes of auxiliary randomness.
func sign(t testing.TB, secret string, body []byte) string {
	t.Helper()
	bytes, err := hex.DecodeString(secret)
	must(t, err)
	private, public := btcec.PrivKeyFromBytes(bytes)
	id := Tagged("moonfund/statement", body)
	signature, err := schnorr.Sign(private, id[:], schnorr.CustomNonce([32]byte{}))
	must(t, err)
	return `{"key":"` + hex.EncodeToString(schnorr.SerializePubKey(public)) + `","signature":"` +
		hex.EncodeToString(signature.Serialize()) + `","statement":` + string(body) + "}"
}

// tree is JSON that a test changes.
type tree = map[string]any

// parse reads JSON for a change.
func parse(t testing.TB, text string) (value tree) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	must(t, decoder.Decode(&value))
	return value
}

// canonical writes JSON in canonical form: encoding/json sorts maps, and the strings are printable ASCII.
func canonical(t testing.TB, value any) []byte {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	must(t, encoder.Encode(value))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
