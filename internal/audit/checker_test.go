package audit_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/audit"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit"
)

// newChecker returns a Checker that t closes.
func newChecker(t testing.TB, db *sql.DB, node audit.Node, c audit.Config) *audit.Checker {
	checker := audit.NewChecker(db, node, c)
	t.Cleanup(func() { testkit.Must(t, checker.Close()) })
	return checker
}

// checkOnce makes one audit with a new Checker, which continues the walk in a file.
func checkOnce(t testing.TB, db *sql.DB, node audit.Node, c audit.Config) (audit.Report, error) {
	t.Helper()
	checker := audit.NewChecker(db, node, c)
	report, err := checker.Check(t.Context())
	testkit.Must(t, checker.Close())
	return report, err
}

// A Checker that follows blocks and reorgs step by step finds the same violations as an audit that walks the whole
// chain, even if the server restarts after each audit.
func TestGuardIsAsGoodAsAWholeAudit(t *testing.T) {
	w := newAudited(t)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	checker := newChecker(t, db, w.Node, w.config())
	config := w.config()
	config.WalkFile = filepath.Join(t.TempDir(), "walk.db")
	compare := func() {
		t.Helper()
		short, err := checker.Check(t.Context())
		testkit.Must(t, err)
		restarted, err := checkOnce(t, db, w.Node, config)
		testkit.Must(t, err)
		whole, err := audit.Run(t.Context(), db, w.Node, w.config())
		testkit.Must(t, err)
		for what, report := range map[string]audit.Report{"the Checker": short, "a restarted one": restarted} {
			if !reflect.DeepEqual(report.Violations, whole.Violations) || report.Height != whole.Height ||
				report.Checked != whole.Checked || report.Totals[testkit.Prefix] != whole.Totals[testkit.Prefix] {
				t.Fatalf("%s found\n%+v\na full audit found\n%+v", what, report, whole)
			}
		}
		if !whole.OK() {
			t.Fatal(whole.Violations)
		}
	}
	compare()
	unit, _ := w.Deposit(w.Anna, 50_000)
	w.Step()
	compare()
	for range 4 {
		w.Settle(1)
		compare()
	}
	for depth := 1; depth <= 4; depth++ { // the last reorg removes the deposit from its block
		w.Node.Rewind(depth)
		w.Mine(depth + 1)
		w.Step()
		compare()
	}
	w.Settle(4)
	w.NextEpoch()
	compare()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	compare()
	w.Act(w.Anna, action.Unstake, unit)
	claim := w.Act(w.Anna, action.Claim).Order
	compare()
	w.Pay(w.Anna, *claim, claim.Due())
	w.Settle(1)
	compare()
	w.Settle(3)
	compare()
	w.Node.Rewind(3)
	w.Mine(4)
	w.Step()
	compare()
}

// counted is a node that counts the requested hashes.
type counted struct {
	audit.Node
	asked int
}

func (c *counted) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	c.asked++
	return c.Node.BlockHash(ctx, height)
}

// After its first walk a Checker requests only new blocks, and blocks that a reorg replaced, regardless of the length
// of the chain.
func TestGuardAsksForNewBlocksOnly(t *testing.T) {
	w := newAudited(t)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	node := &counted{Node: w.Node}
	checker := newChecker(t, db, node, w.config())
	look := func(most int) {
		t.Helper()
		node.asked = 0
		report, err := checker.Check(t.Context())
		testkit.Must(t, err)
		if !report.OK() || node.asked > most {
			t.Errorf("requested %d hashes of %d blocks, want %d at most; found %v", node.asked, report.Height, most,
				report.Violations)
		}
	}
	w.Mine(30)
	w.Step()
	look(1_000)
	look(1)
	w.Mine(2)
	w.Step()
	look(3)
	w.Node.Rewind(4)
	w.Mine(5)
	w.Step()
	look(6)
	look(1)
}

// No snapshot is open during the first walk of a long chain, so the audit includes rows that are written meanwhile.
func TestLongWalkAuditsANewSnapshot(t *testing.T) {
	w := newAudited(t)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	w.Mine(audit.MaxHeldWalk + 1)
	w.Step()
	checker := newChecker(t, db, w.Node, w.config())
	begin := func() *audit.Pass {
		t.Helper()
		pass, err := checker.Begin(t.Context())
		testkit.Must(t, err)
		w.Deposit(w.Anna, 50_000)
		w.Settle(1)
		return pass
	}
	long, err := begin().Run(t.Context())
	testkit.Must(t, err)
	short, err := begin().Run(t.Context())
	testkit.Must(t, err)
	if !long.OK() || long.Checked.Units != 1 || !short.OK() || short.Height != long.Height {
		t.Errorf("after a long walk %d units at block %d, then block %d; found %v %v",
			long.Checked.Units, long.Height, short.Height, long.Violations, short.Violations)
	}
}
