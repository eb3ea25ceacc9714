package publisher_test

import (
	"slices"
	"testing"

	"moonfund/internal/server/publisher"
	"moonfund/internal/signed/statement"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// detailsAt returns the details of a published statement.
func detailsAt(w *testkit.World, p *publisher.Publisher, sequence int64) statement.Details {
	w.Helper()
	text, err := p.Details(w.Context(), testkit.Prefix, sequence)
	testkit.Must(w, err)
	details, err := statement.ParseDetails([]byte(text))
	testkit.Must(w, err)
	return details
}

// TestStatementsListInstructions checks that details list an instruction in its state when the epoch settled, and the
// rewards that it compounded, even after it has ended.
func TestStatementsListInstructions(t *testing.T) {
	w := testkit.NewWorld(t)
	p := w.Publisher(w.StatementSigner(t.TempDir()), t.TempDir())
	w.Rewarded(w.Anna, 5000)
	w.Rewarded(w.Bert, 3000)
	w.Act(w.Anna, action.AutoCompound)
	w.Act(w.Bert, action.AutoCompound)
	message := w.Rows(`SELECT message FROM action WHERE type = 'AUTO_COMPOUND' AND ordinals = ?`, w.Anna.Ordinals.Text)
	for range 2 {
		w.NextEpoch()
		w.Settle(ledger.SettleDepth)
	}
	w.Act(w.Anna, action.EndAutoCompound)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	all := published(w, p)
	var ends []string
	compounded := map[int64][]int64{}
	for _, signed := range all {
		d := detailsAt(w, p, signed.Document.Sequence)
		if d.Format != statement.DetailsFormat {
			t.Errorf("the details of epoch %d have the format %s", d.Epoch, d.Format)
		}
		for _, i := range d.Instructions {
			if i.Owner != w.Anna.Ordinals.Text {
				continue
			}
			ends, compounded[d.Epoch] = append(ends, i.End), i.Rewards
			if hash := statement.MessageHash(message[len("message=") : len(message)-2]); i.Message != hash {
				t.Errorf("the message hash is %s, want %s", i.Message, hash)
			}
		}
	}
	// A compounded reward earns from the epoch after its compounding on.
	if want := []string{"active", "active", "ended"}; !slices.Equal(ends, want) {
		t.Errorf("Anna's instruction is %v, want %v", ends, want)
	}
	last := all[len(all)-1].Document.Epoch
	if got := compounded[last]; !slices.Contains(got, last-2) {
		t.Errorf("epoch %d rewards the compounded rewards of %v", last, got)
	}
	again := detailsAt(w, p, all[len(all)-2].Document.Sequence)
	w.Act(w.Bert, action.EndAutoCompound)
	if later := detailsAt(w, p, all[len(all)-2].Document.Sequence); len(later.Instructions) != len(again.Instructions) {
		t.Errorf("the instructions of a published statement were %v and are %v", again.Instructions, later.Instructions)
	}
	published(w, p)
}
