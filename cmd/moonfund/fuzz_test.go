package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"moonfund/api"
	"moonfund/chain"
	"moonfund/vault"
)

// goldenKit is a recovery kit as the server sends it.
func goldenKit(f *testing.F) []byte {
	f.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "api", "testdata", "golden", "recoveryKit.json"))
	if err != nil {
		f.Fatal(err)
	}
	return text
}

// FuzzKit opens anything as a recovery kit. What is opened pays the address that
// the kit names, and belongs to its key.
func FuzzKit(f *testing.F) {
	text := goldenKit(f)
	f.Add(text)
	f.Add([]byte(`{"network":"regtest","destination":"x","outputs":[{}]}`))
	network, err := chain.NetworkByName("regtest")
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "kit.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		kit, err := readKit(path)
		if err != nil {
			return
		}
		to, err := chain.ParseAddress(kit.Destination, network)
		if err != nil {
			return
		}
		for _, o := range kit.Outputs {
			if found, err := openOutput(o, to, network); err == nil && found.stake.Address != o.Address {
				t.Fatalf("opened %s as %s", o.Address, found.stake.Address)
			}
		}
	})
}

// FuzzPSBT finishes anything as a signed PSBT.
func FuzzPSBT(f *testing.F) {
	text := goldenKit(f)
	var golden struct{ Data api.RecoveryKit }
	if err := json.Unmarshal(text, &golden); err != nil {
		f.Fatal(err)
	}
	for _, o := range golden.Data.Outputs {
		f.Add(o.PsbtAnyFee)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := readExported(text); err == nil {
			t.Fatalf("%q was taken for an exported payout", text)
		}
		if tx, err := vault.FinishPSBT(text); err == nil && (len(tx.TxIn) == 0 || len(tx.TxIn[0].Witness)+len(tx.TxIn[0].SignatureScript) == 0) {
			t.Fatalf("an unsigned transaction was taken out of %q", text)
		}
	})
}
