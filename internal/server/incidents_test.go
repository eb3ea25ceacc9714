package server

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// wantIncidents checks the kinds and details of the incidents in /status, newest first.
func wantIncidents(s *Server, w *testkit.World, want ...string) {
	w.Helper()
	answer, err := status{s}.Status(w.Context(), testkit.Prefix)
	testkit.Must(w, err)
	got := make([]string, len(answer.Incidents))
	for i, incident := range answer.Incidents {
		got[i] = incident.Kind + " " + incident.Detail
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.Errorf("incidents in /status:\n%q, want\n%q", got, want)
	}
}

// /status shows an operator's pauses and resumes without the operator's reasons.
func TestPausesAreIncidents(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	wantIncidents(s, w)
	author := decisions.Author{By: "anna", Why: "a secret reason"}
	at := time.Now()
	w.Update(func(tx *store.Tx) error {
		for _, what := range []string{"payouts", "all"} {
			if _, err := decisions.Pause(author, what).Apply(t.Context(), tx, at, ""); err != nil {
				return err
			}
		}
		_, err := decisions.Resume(author, "all").Apply(t.Context(), tx, at.Add(time.Minute), "")
		return err
	})
	wantIncidents(s, w, "resume all", "pause all", "pause payouts")
}

// /status shows a transaction that the node refused.
func TestRefusedPayoutIsAnIncident(t *testing.T) {
	w, a := audited(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 50_000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "tokens-runes"}, false)
	w.Settle(2)
	sent := w.WantStatus(o.ID, order.Sent)
	wantIncidents(serverOf(w, a), w, "refused "+sent.PayoutTx)
}

// /status shows a reorg that stops the follower.
func TestDeepReorgIsAnIncident(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	w.Deposit(w.Anna, 5000)
	w.Settle(follower.MaxReorg + 1)
	height := w.Follower.State().Tip.Height
	w.Node.Rewind(follower.MaxReorg + 1)
	w.Node.Forget()
	w.Mine(follower.MaxReorg + 3)
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, follower.ErrDeepReorg) {
		t.Fatalf("got %v, want ErrDeepReorg", err)
	}
	for range 2 {
		testkit.Must(t, s.noteDeepReorg(t.Context()))
	}
	wantIncidents(s, w, fmt.Sprintf("reorg more than %d blocks up to block %d were replaced", follower.MaxReorg, height))
}

// /status shows the newest incidents, and no more than incidentsShown.
func TestIncidentsAreBounded(t *testing.T) {
	w, a := audited(t)
	var want []string
	w.Update(func(tx *store.Tx) error {
		for i := range incidentsShown + 2 {
			detail := fmt.Sprint(i)
			if err := tx.RecordIncident(t.Context(), "", store.IncidentRestore, detail, time.Now()); err != nil {
				return err
			}
			want = append([]string{"restore " + detail}, want...)
		}
		return tx.RecordIncident(t.Context(), "wolf", store.IncidentRestore, "of another community", time.Now())
	})
	wantIncidents(serverOf(w, a), w, want[:incidentsShown]...)
}
