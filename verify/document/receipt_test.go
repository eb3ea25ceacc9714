package document

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
)

// receiptVector is a batch of testdata/vectors.json.
type receiptVector struct {
	Key, Batch, Certificate string
	Receipts, Leaves, Files []string
	BatchID                 string `json:"batch_id"`
	CertificateID           string `json:"certificate_id"`
}

// signID signs an id with 32 zero bytes of auxiliary randomness and returns the signature.
func signID(t testing.TB, secret string, id Hash) string {
	t.Helper()
	bytes, err := hex.DecodeString(secret)
	must(t, err)
	private, _ := btcec.PrivKeyFromBytes(bytes)
	signature, err := schnorr.Sign(private, id[:], schnorr.CustomNonce([32]byte{}))
	must(t, err)
	return hex.EncodeToString(signature.Serialize())
}

func TestVectorsOfReceipts(t *testing.T) {
	v := vectors(t)
	if len(v.Receipts) < 5 {
		t.Fatalf("only %d batches", len(v.Receipts))
	}
	for _, b := range v.Receipts {
		for i, file := range b.Files {
			all, err := ReadReceipts([]byte(file))
			must(t, err)
			s := all[0]
			if len(all) != 1 || s.Key.String() != b.Key || s.leaf.String() != b.Leaves[i] || s.Index != int64(i) {
				t.Errorf("receipt %d: got %+v", i, all)
			}
			if s.batchID.String() != b.BatchID || s.certificateID.String() != b.CertificateID {
				t.Errorf("receipt %d: batch %s, certificate %s", i, s.batchID, s.certificateID)
			}
			if !strings.Contains(file, `"receipt":`+b.Receipts[i]+`}`) || !strings.Contains(file, b.Batch) ||
				!strings.Contains(file, b.Certificate) {
				t.Errorf("receipt %d: the file has other texts: %s", i, file)
			}
			if s.batchSignature != signID(t, v.ReceiptSecret, s.batchID) ||
				s.certificateSignature != signID(t, v.Secret, s.certificateID) {
				t.Errorf("receipt %d: our signatures differ", i)
			}
		}
		all, err := ReadReceipts([]byte("[" + strings.Join(b.Files, ",") + "]"))
		if err != nil || len(all) != len(b.Files) {
			t.Errorf("an array of %d receipts: %d, %v", len(b.Files), len(all), err)
		}
	}
}

// A change of a receipt is refused, and so is the change of the signatures' key.
func TestEachChangeOfAReceiptIsRefused(t *testing.T) {
	for _, b := range vectors(t).Receipts[3:5] {
		for _, file := range b.Files[2:4] {
			all := changes(t, file)
			for _, c := range all {
				if _, err := ReadReceipts(c.text); err == nil {
					t.Errorf("%s is accepted", c.path)
				}
			}
			if len(all) < 300 {
				t.Errorf("only %d changes", len(all))
			}
		}
	}
}

// resigned returns the file with the batch and the certificate signed again, after a change.
func resigned(t testing.TB, v vectorFile, file string, change func(file tree)) []byte {
	t.Helper()
	root := parse(t, file)
	change(root)
	batch := Tagged("moonfund/receipt-batch", canonical(t, root["batch"]))
	certificate := Tagged("moonfund/receipt-key", canonical(t, root["certificate"]))
	root["batch_signature"] = signID(t, v.ReceiptSecret, batch)
	root["certificate_signature"] = signID(t, v.Secret, certificate)
	return canonical(t, root)
}

// Receipts whose parts do not belong together are refused, also if the operator signs them again.
func TestReceiptsWhosePartsDoNotFit(t *testing.T) {
	v := vectors(t)
	file, other := v.Receipts[3].Files[1], parse(t, v.Receipts[4].Files[1])
	set := func(path ...any) func(tree) {
		return func(root tree) {
			at, names := root, path[:len(path)-1]
			for _, name := range names[:len(names)-1] {
				at = at[name.(string)].(tree)
			}
			at[names[len(names)-1].(string)] = path[len(path)-1]
		}
	}
	if _, err := ReadReceipts(resigned(t, v, file, func(tree) {})); err != nil {
		t.Fatalf("the unchanged receipt, signed again: %v", err)
	}
	start := parse(t, file)["certificate"].(tree)["from"]
	for name, c := range map[string]struct {
		change func(tree)
		want   string
	}{
		"path of another batch":      {set("path", other["path"]), "does not lead to the root"},
		"long path":                  {set("path", append(other["path"].([]any), v.Chains[0].Key)), "too many"},
		"short path":                 {set("path", []any{}), "too few"},
		"batch of another tree":      {set("batch", "root", strings.Repeat("ab", 32)), "does not lead to the root"},
		"another batch":              {set("batch", other["batch"]), "does not lead to the root"},
		"beyond the batch":           {set("batch", "count", 1), "receipt 1 of 1"},
		"certificate ended":          {set("certificate", "to", 1_790_000_101), "certificate is valid"},
		"certificate not yet valid":  {set("certificate", "from", 1_790_000_200), "certificate is valid"},
		"empty validity":             {set("certificate", "to", start), "ends before it starts"},
		"certificate of a community": {set("certificate", "community", "my-wolf"), "certified for my-wolf"},
		"certificate of a network":   {set("certificate", "network", "mainnet"), "on mainnet"},
		"batch of a community":       {set("batch", "community", "my-wolf"), "its batch of my-wolf"},
		"receipt of a community":     {set("receipt", "community", "my-wolf"), "it is of my-wolf"},
		"receipt of a network":       {set("receipt", "network", "signet"), "on signet"},
		"another receipt key":        {set("certificate", "key", v.Chains[0].Key), "certificate is of the key"},
		"changed receipt":            {set("receipt", "sats", "1"), "does not lead to the root"},
	} {
		_, err := ReadReceipts(resigned(t, v, file, c.change))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A receipt is in its own batch only, also if index and count are adapted.
func TestPathOfAnotherBatch(t *testing.T) {
	var all []SignedReceipt
	for _, b := range vectors(t).Receipts {
		for _, file := range b.Files {
			read, err := ReadReceipts([]byte(file))
			must(t, err)
			all = append(all, read...)
		}
	}
	for _, a := range all {
		for _, b := range all {
			mixed := a
			mixed.Batch, mixed.Index, mixed.Path = b.Batch, b.Index, b.Path
			if err := mixed.verifyPath(); (err == nil) != (a.leaf == b.leaf && a.Index == b.Index) {
				t.Errorf("receipt %d of %d at %d of %d: %v", a.Index, a.Batch.Count, b.Index, b.Batch.Count, err)
			}
		}
	}
}
