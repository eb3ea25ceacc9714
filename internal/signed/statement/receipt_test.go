package statement_test

import (
	"encoding/json"
	"os"
	"testing"

	"moonfund/internal/signed/statement"
)

// TestVectorsOfReceipts builds the batches of the vectors again and compares every byte but those of the signatures.
func TestVectorsOfReceipts(t *testing.T) {
	var v struct {
		Receipts []struct {
			Key                statement.Key
			Receipts, Files    []string
			Batch, Certificate string
			BatchID            statement.Hash `json:"batch_id"`
			CertificateID      statement.Hash `json:"certificate_id"`
		}
	}
	if err := json.Unmarshal(must(os.ReadFile("../../../verify/testdata/vectors.json")), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Receipts) < 5 {
		t.Fatalf("only %d batches", len(v.Receipts))
	}
	for _, vector := range v.Receipts {
		var receipts []statement.Receipt
		for _, text := range vector.Receipts {
			receipts = append(receipts, must(statement.ParseReceipt([]byte(text))))
		}
		for i, file := range vector.Files {
			signed := must(statement.ParseSignedReceipt([]byte(file)))
			if err := signed.Certificate.Verify(vector.Key, signed.CertificateSignature); err != nil {
				t.Error(err)
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
