package published_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/published"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestEpochVerify verifies two settled epochs, the second with a compounded reward among its units.
func TestEpochVerify(t *testing.T) {
	w := testkit.NewWorld(t)
	first := int64(1)
	w.Deposit(w.Anna, 70_001)
	w.Deposit(w.Bert, 29_999)
	w.Step()
	w.Settle(4)
	w.NextEpoch() // 1
	w.NextEpoch() // 2
	w.Settle(2 * ledger.SettleDepth)
	w.Act(w.Anna, action.Compound)
	w.NextEpoch() // 3
	w.NextEpoch() // 4
	w.Settle(2 * ledger.SettleDepth)

	source := func(ctx context.Context, n int64) (p audit.Published, err error) {
		err = w.Store.View(ctx, func(tx *store.Tx) error {
			p, err = published.Recorded(ctx, tx, testkit.Prefix, n)
			return err
		})
		return p, err
	}
	verifier := audit.Verifier{Node: w.Chain(), Rules: runes.RulesFor(w.Network), Rune: testkit.Rune, Earlier: source}
	read := func(n int64) audit.Published {
		p, err := source(t.Context(), n)
		testkit.Must(t, err)
		before, err := source(t.Context(), n-1)
		testkit.Must(t, err)
		p.StartCut = before.Cut
		return p
	}
	for n, units := range map[int64]int{first: 2, first + 1: 2, first + 2: 3} {
		verdict, err := verifier.Verify(t.Context(), read(n))
		testkit.Must(t, err)
		if len(verdict.Findings) > 0 || verdict.Units != units || verdict.Owners != 2 ||
			verdict.Rewarded != int64(testkit.Budget) {
			t.Errorf("epoch %d has a wrong verdict: %+v", n, verdict)
		}
	}
	for want, change := range map[string]func(p *audit.Published){
		"is due":          func(p *audit.Published) { p.Rewards[0].Reward++ },
		"without a stake": func(p *audit.Published) { p.Rewards[0].Owner = "somebody" },
		"its output held": func(p *audit.Published) { edit(p, ":", func(u *audit.PublishedUnit) { u.Amount++ }) },
		"no such output": func(p *audit.Published) {
			edit(p, ":", func(u *audit.PublishedUnit) { u.ID = strings.Repeat("ab", 32) + ":0" })
		},
		"listed twice": func(p *audit.Published) { p.Inputs = append(p.Inputs, p.Inputs[0]) },
		"neither an output nor": func(p *audit.Published) {
			edit(p, "reward:", func(u *audit.PublishedUnit) { u.Owner = "somebody" })
		},
		"epoch 1 rewarded": func(p *audit.Published) {
			edit(p, "reward:", func(u *audit.PublishedUnit) { u.Amount++ })
		},
		"its last block":            func(p *audit.Published) { p.CutHash = strings.Repeat("0", 64) },
		"block before its end is":   func(p *audit.Published) { p.Cut++ },
		"block before its start is": func(p *audit.Published) { p.StartCut = 3 },
		"too late":                  func(p *audit.Published) { p.StartCut = 3 },
	} {
		p := read(first + 2)
		change(&p)
		verdict, err := verifier.Verify(t.Context(), p)
		testkit.Must(t, err)
		if !strings.Contains(strings.Join(verdict.Findings, "\n"), want) {
			t.Errorf("want a finding that contains %q, got %q", want, verdict.Findings)
		}
	}
}

// edit changes the first unit whose id contains a text.
func edit(p *audit.Published, text string, change func(*audit.PublishedUnit)) {
	for i := range p.Inputs {
		if strings.Contains(p.Inputs[i].ID, text) && (text != ":" || !strings.HasPrefix(p.Inputs[i].ID, "reward:")) {
			change(&p.Inputs[i])
			return
		}
	}
}

// golden returns a response of the server from the golden files of the server's tests.
func golden(f *testing.F, name string) []byte {
	f.Helper()
	text, err := os.ReadFile(filepath.Join("../../api/testdata/golden", name+".json"))
	if err != nil {
		f.Fatal(err)
	}
	return text
}

// FuzzPublished reads arbitrary bytes as a published record. An accepted record has a cut and amounts whose sum does
// not overflow.
func FuzzPublished(f *testing.F) {
	for _, name := range []string{"epochs.46", "epochs.48", "epochs", "postInfoWallet.unknown"} {
		f.Add(golden(f, name))
	}
	right := string(golden(f, "epochs.46"))
	for from, to := range map[string]string{
		`"amount": "100000000000"`: `"amount": "-1"`, `"budget": "`: `"budget": "9223372036854775808`,
		`"cut_height": `: `"cut_height": -`, `"settled": true`: `"settled": false`,
		`"inputs": [`: `"inputs": [null,`, `"cut_hash": "`: `"cut_hash": null, "x": "`, `"stake": "`: `"stake": "1e`,
		`"start": "`: `"start": "x`,
	} {
		changed := strings.Replace(right, from, to, 1)
		if changed == right {
			f.Fatalf("the record has no %s", from)
		}
		f.Add([]byte(changed))
	}
	if p, err := published.Read(strings.NewReader(right)); err != nil || len(p.Inputs) == 0 || len(p.Rewards) == 0 {
		f.Fatalf("%+v, %v", p, err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := published.Read(bytes.NewReader(text))
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
		if least < 0 || p.StartCut != chain.None {
			t.Fatalf("%q is accepted as %+v", text, p)
		}
	})
}
