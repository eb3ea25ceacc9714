package ledger_test

import (
	"math"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// NewRunway counts whole budgets, uses the budget of each epoch, and stops at MaxRunway.
func TestNewRunway(t *testing.T) {
	flat := func(n amount.Runes) func(int64) amount.Runes {
		return func(int64) amount.Runes { return n }
	}
	halving := func(epoch int64) amount.Runes {
		if epoch < 5 {
			return 100
		}
		return 50
	}
	for _, row := range []struct {
		what   string
		free   amount.Runes
		budget func(int64) amount.Runes
		want   int64
	}{
		{"nothing is free", 0, flat(100), 0},
		{"less than one budget", 99, flat(100), 0},
		{"exactly one", 100, flat(100), 1},
		{"nine and a part", 999, flat(100), 9},
		{"more is owed than held", -1, flat(100), 0},
		{"more is owed than held, and no budget", -1, flat(0), 0},
		{"no budget", 0, flat(0), ledger.MaxRunway},
		{"very large", math.MaxInt64, flat(math.MaxInt64), 1},
		{"very long", math.MaxInt64, flat(1), ledger.MaxRunway},
		{"the schedule changes", 2*100 + 3*50, halving, 5},
	} {
		if got := ledger.NewRunway(row.free, 3, row.budget); got.Epochs != row.want || got.Next != 3 || got.Free != row.free {
			t.Errorf("%s: got %+v, want %d epochs", row.what, got, row.want)
		}
	}
}

// Amounts that are owed, reserved or about to be delivered are not free, and each epoch that begins reserves its
// budget.
func TestRunwayOfTreasury(t *testing.T) {
	w := testkit.NewWorld(t)
	read := func() (r ledger.Runway) {
		testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			r, err = ledger.ReadRunway(t.Context(), tx.LedgerTx(), testkit.Prefix, func(int64) amount.Runes {
				return testkit.Budget
			})
			return err
		}))
		return r
	}
	before := read()
	if before.Next != 1 || before.Epochs < 5 || before.Epochs != int64(before.Free/testkit.Budget) {
		t.Fatalf("before any reward: got %+v", before)
	}
	_, reward := w.Rewarded(w.Anna, 5000)
	after := read()
	took := before.Free - after.Free
	if took < 2*testkit.Budget || took%testkit.Budget != 0 { // the rewarded epoch, and the running one
		t.Errorf("reward %s and the running epoch reduced the free amount by %s", reward, took)
	}
	if after.Next <= before.Next || after.Epochs != before.Epochs-int64(took/testkit.Budget) {
		t.Errorf("after reward %s: %+v, before %+v", reward, after, before)
	}
}
