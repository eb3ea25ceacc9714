package auditor

import (
	"errors"
	"strings"
	"testing"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// The runbook of a deep reorg, until a payout is delivered again: an epoch settled on blocks that the network replaced.
// The operator rebuilds the ledger from the new chain, accepts each difference that the audit names, and resumes.
func TestRunbookOfADeepReorg(t *testing.T) {
	w, a := watched(t)
	withdrawn := w.Unlocked(w.Bert, 7000)
	_, reward := w.Rewarded(w.Anna, 5000)
	w.Settle(1)
	w.Node.Rewind(11)
	w.Mine(14)
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, follower.ErrDeepReorg) {
		t.Fatalf("got %v, want ErrDeepReorg", err)
	}
	olga := decisions.Author{By: "olga", Why: "deep reorg"}
	do := func(change decisions.Change[decisions.PauseView]) {
		t.Helper()
		_, err := change.Make(t.Context(), w.Store, func(string) error { return nil })
		testkit.Must(t, err)
	}
	do(decisions.Pause(olga, "all"))
	_, err := w.Follower.Rebuild(t.Context(), nil, func(int64, int64) {})
	testkit.Must(t, err)
	step(w)
	do(decisions.Resume(olga, "all"))

	// The audit stops only what the differences concern, and names them again until they are accepted.
	named := ""
	for range 5 {
		for range 3 {
			w.Mine(1)
			step(w)
		}
		report, _ := a.Latest()
		if report.OK() {
			break
		}
		for _, v := range report.Violations {
			named += v.String() + "\n"
			_, err := decisions.AcceptViolation(olga, v).Make(t.Context(), w.Store, func(string) error { return nil })
			testkit.Must(t, err)
		}
		if paused(w) != "" {
			do(decisions.Resume(olga, decisions.PayoutsOf(testkit.Prefix)))
		}
	}
	if report, _ := a.Latest(); !report.OK() || !strings.Contains(named, "epoch") || paused(w) != "" {
		t.Fatalf("paused: %q; found %v; accepted before:\n%s", paused(w), report.Violations, named)
	}
	claim := w.Act(w.Anna, action.Claim, reward).Order
	withdrawal := w.Act(w.Bert, action.Withdraw, withdrawn).Order
	w.Pay(w.Anna, *claim, claim.Due())
	w.Pay(w.Bert, *withdrawal, withdrawal.Due())
	for range 4 {
		w.Mine(1)
		step(w)
	}
	w.WantStatus(claim.ID, order.Delivered)
	w.WantStatus(withdrawal.ID, order.Delivered)
	w.Update(func(tx *store.Tx) error {
		public, err := tx.Incidents(t.Context(), testkit.Prefix, 50)
		accepted := 0
		for _, i := range public {
			if i.Kind == store.IncidentAccepted {
				accepted++
			}
		}
		if accepted != strings.Count(named, "\n") {
			t.Errorf("%d accepted violations in the incident log, want %d: %+v", accepted, strings.Count(named, "\n"), public)
		}
		return err
	})
}
