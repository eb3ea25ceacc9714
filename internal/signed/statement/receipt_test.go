package statement_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"moonfund/internal/signed/statement"
)

// TestVectorsOfReceipts builds the batches of the vectors again and compares every byte outside of the signatures.
func TestVectorsOfReceipts(t *testing.T) {
	v := readVectors(t)
	if len(v.Receipts) < 5 {
		t.Fatalf("only %d batches", len(v.Receipts))
	}
	for _, vector := range v.Receipts {
		var receipts []statement.Receipt
		for _, text := range vector.Receipts {
			receipts = append(receipts, must(statement.ParseReceipt([]byte(text))))
		}
		for i, file := range vector.Files {
			signed := must(statement.ParseReceipts([]byte(file)))[0]
			noError(t, signed.Verify())
			if signed.Key != vector.Key || signed.Index != int64(i) {
				t.Errorf("receipt %d: got %+v", i, signed)
			}
			changed := signed.Certificate
			changed.To++
			if err := changed.Verify(vector.Key, signed.CertificateSignature); err == nil {
				t.Error("a changed certificate is accepted")
			}
			batch := signed.Batch
			batch.Format, batch.Count, batch.Root = "", 0, statement.Hash{}
			batch, texts, paths, err := statement.NewBatch(batch, receipts)
			if err != nil || batch != signed.Batch || texts[i] != vector.Receipts[i] {
				t.Errorf("batch of %d: got %+v, %v", len(receipts), batch, err)
			}
			signed.Path, signed.Receipt = paths[i], receipts[i]
			if text := must(signed.Encode()); string(text) != file {
				t.Errorf("receipt %d: got %s, want %s", i, text, file)
			}
			_, batchSignature := signID(t, v.ReceiptSecret, vector.BatchID)
			_, certificateSignature := signID(t, v.Secret, vector.CertificateID)
			if fmt.Sprintf("%x", signed.BatchSignature) != batchSignature ||
				fmt.Sprintf("%x", signed.CertificateSignature) != certificateSignature {
				t.Errorf("receipt %d: our signatures differ", i)
			}
		}
		all, err := statement.ParseReceipts([]byte("[" + strings.Join(vector.Files, ",") + "]"))
		if err != nil || len(all) != len(vector.Files) {
			t.Errorf("an array of %d receipts: %d, %v", len(vector.Files), len(all), err)
		}
	}
}

func TestReceiptsThatCantBeEncoded(t *testing.T) {
	right := statement.Receipt{
		Format: statement.ReceiptFormat, Network: "regtest", Community: "lobo", Kind: "claim", Owner: "bcrt1p",
		TxID: statement.NoTx,
	}
	if _, err := right.Encode(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*statement.Receipt){
		"kind":      func(r *statement.Receipt) { r.Kind = "Claim" },
		"owner":     func(r *statement.Receipt) { r.Owner = "" },
		"txid":      func(r *statement.Receipt) { r.TxID = "" },
		"height":    func(r *statement.Receipt) { r.Height = -1 },
		"address":   func(r *statement.Receipt) { r.Address = "\u00e9" },
		"community": func(r *statement.Receipt) { r.Community = "" },
	} {
		wrong := right
		if change(&wrong); wrong == right {
			t.Fatal(name)
		}
		if _, err := wrong.Encode(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, _, err := statement.NewBatch(statement.Batch{}, nil); err == nil {
		t.Error("a batch without receipts")
	}
}

// readReceipts parses and verifies receipts.
func readReceipts(text []byte) error {
	all, err := statement.ParseReceipts(text)
	for _, s := range all {
		err = errors.Join(err, s.Verify())
	}
	return err
}

// A receipt with any change is refused, and so is another key for its signatures.
func TestEachChangeOfAReceiptIsRefused(t *testing.T) {
	for _, b := range readVectors(t).Receipts[3:5] {
		for _, file := range b.Files[2:4] {
			all := changes(t, file)
			for _, c := range all {
				if err := readReceipts(c.text); err == nil {
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
func resigned(t testing.TB, v vectors, file string, change func(file object)) []byte {
	t.Helper()
	root := parse(t, file)
	change(root)
	batch := statement.TaggedHash("moonfund/receipt-batch", canonical(t, root["batch"]))
	certificate := statement.TaggedHash("moonfund/receipt-key", canonical(t, root["certificate"]))
	_, root["batch_signature"] = signID(t, v.ReceiptSecret, batch)
	_, root["certificate_signature"] = signID(t, v.Secret, certificate)
	return canonical(t, root)
}

// Receipts whose parts do not belong together are refused, even if the operator signs them again.
func TestReceiptsWhosePartsDoNotFit(t *testing.T) {
	v := readVectors(t)
	file, other := v.Receipts[3].Files[1], parse(t, v.Receipts[4].Files[1])
	set := func(path ...any) func(object) {
		return func(root object) {
			at, names := root, path[:len(path)-1]
			for _, name := range names[:len(names)-1] {
				at = at[name.(string)].(object)
			}
			at[names[len(names)-1].(string)] = path[len(path)-1]
		}
	}
	if err := readReceipts(resigned(t, v, file, func(object) {})); err != nil {
		t.Fatalf("the unchanged receipt, signed again: %v", err)
	}
	start := parse(t, file)["certificate"].(object)["from"]
	for name, c := range map[string]struct {
		change func(object)
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
		"batch of a community":       {set("batch", "community", "my-wolf"), "in a batch of my-wolf"},
		"receipt of a community":     {set("receipt", "community", "my-wolf"), "a receipt of my-wolf"},
		"receipt of a network":       {set("receipt", "network", "signet"), "on signet"},
		"another receipt key":        {set("certificate", "key", v.Chains[0].Key), "certificate is of the key"},
		"changed receipt":            {set("receipt", "sats", "1"), "does not lead to the root"},
	} {
		err := readReceipts(resigned(t, v, file, c.change))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A receipt is valid in its own batch only, even if index and count are adapted.
func TestPathOfAnotherBatch(t *testing.T) {
	var all []statement.SignedReceipt
	for _, b := range readVectors(t).Receipts {
		for _, file := range b.Files {
			all = append(all, must(statement.ParseReceipts([]byte(file)))...)
		}
	}
	for _, a := range all {
		for _, b := range all {
			mixed := a
			mixed.Batch, mixed.Index, mixed.Path = b.Batch, b.Index, b.Path
			if err := statement.VerifyPath(mixed); (err == nil) != (a.Receipt == b.Receipt && a.Index == b.Index) {
				t.Errorf("receipt %d of %d at %d of %d: %v", a.Index, a.Batch.Count, b.Index, b.Batch.Count, err)
			}
		}
	}
}
