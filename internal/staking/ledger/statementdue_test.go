package ledger_test

import (
	"strings"
	"testing"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// An epoch settles only after the statement of the previous epoch was recorded. Each has its own transaction.
func TestStatementIsRecordedBeforeTheNextEpochSettles(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 5000)
	pause := func(why string) {
		w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, why) })
	}
	pause("the epochs settle in the test")
	for range 2 {
		w.NextEpoch()
		w.Settle(ledger.SettleDepth)
	}
	settled := func() int {
		return strings.Count(w.Rows(`SELECT epoch FROM epoch_account WHERE settled = 1`), "epoch=")
	}
	settle := func() (epochs int, due bool) {
		before := settled()
		due = settleDirectly(w)
		return settled() - before, due
	}
	record := func() {
		w.Update(func(tx *store.Tx) error { return w.Ledger.RecordStatement(t.Context(), tx.LedgerTx(), testkit.Prefix) })
	}
	recorded := func() int { return strings.Count(w.Rows(`SELECT sequence FROM statement`), "sequence") }
	before := recorded()
	for epoch := range 3 { // the one in which the stake was made, and two more
		if n, due := settle(); n != 1 || !due {
			t.Errorf("epoch %d: %d epochs were settled, a statement is due: %t", epoch, n, due)
		}
		if n, due := settle(); n != 0 || !due {
			t.Errorf("epoch %d: %d epochs were settled before its statement, a statement is due: %t", epoch, n, due)
		}
		if n := recorded(); n != before+epoch {
			t.Errorf("epoch %d: %d statements with the settlement, want %d", epoch, n, before+epoch)
		}
		record()
		record()
		if n := recorded(); n != before+epoch+1 {
			t.Errorf("epoch %d: %d statements, want %d", epoch, n, before+epoch+1)
		}
	}
	if n, due := settle(); n != 0 || due {
		t.Errorf("%d more epochs were settled, a statement is due: %t", n, due)
	}
}

// settleDirectly settles the epoch that is due, and reports whether a statement is due then.
func settleDirectly(w *testkit.World) (due bool) {
	w.Update(func(tx *store.Tx) error {
		tip, err := tx.Tip(w.Context())
		if err == nil {
			_, due, err = w.Ledger.Settle(w.Context(), tx.LedgerTx(), testkit.Prefix, tip, w.Clock.Now())
		}
		return err
	})
	return due
}

// After a crash between an epoch's settlement and its statement, the next Step records the statement and settles all
// epochs that are due.
func TestStatementAfterACrash(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 5000)
	twin := w.Copy()
	for range 2 {
		w.NextEpoch()
		w.Settle(ledger.SettleDepth)
	}
	twin.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, "the step is interrupted") })
	twin.Step()
	settleDirectly(twin)
	twin.Restart()
	twin.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, "") })
	twin.Step()
	if a, b := w.Dump(), twin.Dump(); a != b {
		t.Errorf("ledger after the crash: got\n%s\nwant\n%s", b, a)
	}
	statements := `SELECT epoch, owner, owed FROM statement JOIN statement_owner
		ON statement_owner.community = statement.community AND statement_owner.sequence = statement.sequence
		ORDER BY epoch, owner`
	if a, b := w.Rows(statements), twin.Rows(statements); b == "" || a != b {
		t.Errorf("statements after the crash: got\n%s\nwant\n%s", b, a)
	}
}
