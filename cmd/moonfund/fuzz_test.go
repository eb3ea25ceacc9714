package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/ledger"
)

// golden is an answer of the server as its own tests keep it.
func golden(f *testing.F, name string) []byte {
	f.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "api", "testdata", "golden", name+".json"))
	if err != nil {
		f.Fatal(err)
	}
	return text
}

func orFatal(f *testing.F, err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// FuzzPublished reads anything as what a server publishes of an epoch. What is taken has a cut, and amounts that can be counted.
func FuzzPublished(f *testing.F) {
	for _, name := range []string{"epochs.46", "epochs.48", "epochs", "postInfoWallet.unknown"} {
		f.Add(golden(f, name))
	}
	right := string(golden(f, "epochs.46"))
	for from, to := range map[string]string{
		`"amount": "100000000000"`: `"amount": "-1"`, `"budget": "`: `"budget": "9223372036854775808`, `"cut_height": `: `"cut_height": -`, `"settled": true`: `"settled": false`,
		`"inputs": [`: `"inputs": [null,`, `"cut_hash": "`: `"cut_hash": null, "x": "`, `"stake": "`: `"stake": "1e`, `"start": "`: `"start": "x`,
	} {
		changed := strings.Replace(right, from, to, 1)
		if changed == right {
			f.Fatalf("the record has no %s", from)
		}
		f.Add([]byte(changed))
	}
	if p, err := readPublished(strings.NewReader(right)); err != nil || len(p.Inputs) == 0 || len(p.Rewards) == 0 {
		f.Fatalf("%+v, %v", p, err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := readPublished(bytes.NewReader(text))
		if err != nil {
			return
		}
		least := p.Budget
		for _, unit := range p.Inputs {
			least = min(least, unit.Amount)
		}
		for _, r := range p.Rewards {
			least = min(least, r.Stake, r.Reward)
		}
		if least < 0 || p.StartCut != ledger.None {
			t.Fatalf("%q is taken for %+v", text, p)
		}
	})
}
