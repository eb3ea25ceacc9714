package server

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// While following has stopped for any reason, the lag is unknown but never 0.
func TestLag(t *testing.T) {
	at := func(height int64) ledger.Header { return ledger.Header{Height: height} }
	for _, row := range []struct {
		what  string
		state follower.State
		want  int64
	}{
		{"at the tip", follower.State{Tip: at(7), NodeHeight: 7, Synced: true}, 0},
		{"three behind", follower.State{Tip: at(4), NodeHeight: 7}, 3},
		{"stuck at the tip", follower.State{Tip: at(7), NodeHeight: 7, Err: errors.New("a step failed")}, 1},
		{"a step hangs", follower.State{Tip: at(7), NodeHeight: 7, Err: &follower.StallError{For: time.Minute}}, 1},
		{"a step is slow", follower.State{Tip: at(7), NodeHeight: 7, Err: &follower.SlowError{For: time.Minute}}, 1},
		{"the node is away", follower.State{Tip: at(chain.None), NodeHeight: chain.None, Err: errors.New("no node")}, 1},
		{"nothing was followed yet", follower.State{Tip: at(chain.None), NodeHeight: 900}, 1},
	} {
		if got := lag(row.state); got != row.want {
			t.Errorf("%s: lag %d, want %d", row.what, got, row.want)
		}
	}
}

// While a server catches up, its /status and the /status of a server that does not lead report the progress and the
// remaining time. On SQLite there is no other server.
func TestProgressIsAnswered(t *testing.T) {
	w, a := audited(t)
	leader := serverOf(w, a)
	other := &Server{Config: leader.Config, Services: leader.Services}
	other.lead.lease = w.Store.Lease()
	answerOf := func(s *Server) api.Status {
		answer, err := status{s}.Status(t.Context(), "")
		testkit.Must(t, err)
		return answer
	}
	const missed = 200
	began := w.Node.Height()
	w.Mine(missed)
	w.Follower.MaxTransactionTime = 1 // one block in each transaction
	var first, later, elsewhere api.Status
	w.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
		fn func(*store.Tx) error) error {
		switch shown := answerOf(leader); {
		case later.SecondsLeft != nil || shown.TipHeight == began:
		case first.TipHeight == 0:
			first = shown
			time.Sleep(1100 * time.Millisecond) // the speed is unknown within the first second
		case shown.SecondsLeft != nil:
			later = shown
			testkit.Must(t, leader.lead.lease.AcquireOrRenew(ctx, w.Follower.State().Record()))
			testkit.Must(t, other.lead.lease.AcquireOrRenew(ctx, ""))
			if w.Store.Shared() {
				elsewhere = answerOf(other)
			}
		}
		return update(ctx, fn)
	}
	w.Step()
	want := fmt.Sprintf("catching up: block %d of %d", began+1, began+missed)
	if first.Reason == nil || *first.Reason != want || !first.CatchingUp || first.Lag != missed-1 ||
		len(first.Stops) > 0 {
		t.Errorf("after the first block: %+v, want the reason %q", first, want)
	}
	want = fmt.Sprintf("catching up: block %d of %d, about ", began+2, began+missed)
	answers := []api.Status{later}
	if w.Store.Shared() {
		answers = append(answers, elsewhere)
	}
	for _, got := range answers {
		if got.SecondsLeft == nil || *got.SecondsLeft < missed || !got.CatchingUp || got.NodeHeight != began+missed ||
			got.Reason == nil || !strings.HasPrefix(*got.Reason, want) || len(got.Stops) > 0 {
			t.Errorf("after the second block, a second later: %+v, want the reason %q and the time left", got, want)
		}
	}
	if got := answerOf(leader); got.CatchingUp || got.SecondsLeft != nil || got.TipHeight != began+missed {
		t.Errorf("after the last block: %+v", got)
	}
}

// /status says that a community is closed, and nothing else about it changes: it is followed and pays.
func TestClosedCommunityIsAnswered(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	answerOf := func(prefix string) api.Status {
		answer, err := status{s}.Status(t.Context(), prefix)
		testkit.Must(t, err)
		return answer
	}
	unlocked := w.Unlocked(w.Anna, 5000)
	open := answerOf(testkit.Prefix)
	w.Update(func(tx *store.Tx) error { return tx.Retire(t.Context(), testkit.Prefix, w.Clock.Now()) })
	closed := answerOf(testkit.Prefix)
	if open.Closed || !closed.Closed || answerOf("bear").Closed {
		t.Errorf("closed is %v before, %v after, and %v of another community", open.Closed, closed.Closed,
			answerOf("bear").Closed)
	}
	open.Closed, open.Time = true, closed.Time
	if !reflect.DeepEqual(open, closed) {
		t.Errorf("an open and a closed community differ:\n%+v\n%+v", open, closed)
	}
	w.PayInFull(w.Anna, w.Withdrawal(unlocked))
	w.Settle(6)
	got := answerOf(testkit.Prefix)
	if !got.Closed || got.Paused != open.Paused || got.PayoutsWaiting != 0 || len(got.Stops) > 0 {
		t.Errorf("/status after a withdrawal from a closed community: %+v", got)
	}
}

// /readyz and /status report why the node can't be used. Stored data can still be read.
func TestUnfitNodeIsNotReady(t *testing.T) {
	w, a := audited(t)
	w.Follower.Inspect = func(context.Context) (follower.Inspection, error) {
		return follower.Inspection{NoRunes: fmt.Sprintf(fault.NodeRefusesRunes, "tokens-runes", "rejecttokens=0")}, nil
	}
	w.Step()
	s := serverOf(w, a)
	err := status{s}.Ready(t.Context())
	if unfit := new(fault.Error); !errors.As(err, &unfit) || !strings.Contains(unfit.Message, "rejecttokens=0") {
		t.Errorf("readyz: %v", err)
	}
	answer, err := status{s}.Status(t.Context(), testkit.Prefix)
	if err != nil || answer.Reason == nil || !strings.Contains(*answer.Reason, "tokens-runes") {
		t.Errorf("/status: %+v, %v", answer, err)
	}
}

// /status counts the orders that wait for their fee rate, for an operator, and for a refund.
func TestStatusCountsWhatWaits(t *testing.T) {
	w, a := audited(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	o := w.Economy(w.Anna, action.Withdraw, amount.FeeRate(2500), w.Unlocked(w.Anna, 50_000))
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	check := func(economy, inAudit, refunds int64) {
		t.Helper()
		answer, err := status{serverOf(w, a)}.Status(t.Context(), testkit.Prefix)
		if err != nil || answer.EconomyWaiting != economy || answer.OrdersInAudit != inAudit ||
			answer.RefundsWaiting != refunds {
			t.Errorf("/status: %+v, %v; want %d, %d and %d", answer, err, economy, inAudit, refunds)
		}
	}
	check(1, 0, 0)
	w.Decide(payout.RequestReview, o.ID)
	w.WantStatus(o.ID, order.Audit)
	check(0, 1, 1)
}

// A payout that the node does not accept is shown in /status, in the order and in the metrics, until it is accepted.
func TestRefusedPayoutIsAnswered(t *testing.T) {
	w, a := audited(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 50_000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Node.FailSend(&chain.Refusal{Code: -26, Reason: "tokens-runes"}, false)
	w.Settle(1)
	w.WantStatus(o.ID, order.Sent)
	check := func(refused bool) {
		t.Helper()
		s := serverOf(w, a)
		answer, err := status{s}.Status(t.Context(), testkit.Prefix)
		testkit.Must(t, err)
		orders, err := views{s}.Orders(t.Context(), testkit.Prefix, action.Wallet{Ordinals: w.Anna.Ordinals.Text})
		testkit.Must(t, err)
		if found := answer.RefusedReason != nil && strings.Contains(*answer.RefusedReason, "tokens-runes"); found != refused {
			t.Errorf("/status: %+v", answer)
		}
		if found := orders[0].Refusal != nil && strings.Contains(orders[0].Refusal.Reason, "tokens-runes"); found != refused {
			t.Errorf("the order: %+v", orders[0].Refusal)
		}
		reason, err := s.refusedForGood(t.Context())
		testkit.Must(t, err)
		if (reason == "tokens-runes") != refused {
			t.Errorf("a refusal that is not temporary: %q", reason)
		}
		if strings.Contains(scraped(w, a), "moonfund_transactions_refused 0") == refused {
			t.Errorf("the metrics are wrong, refused: %v", refused)
		}
	}
	check(true)
	w.Node.FailSend(nil, false)
	w.Settle(1)
	check(false)
}

// /status of a community and the metrics report the number of further epochs that its treasury rewards in full. Without
// a community /status does not report the number.
func TestRunwayIsAnswered(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	var want ledger.Runway
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		want, err = ledger.ReadRunway(t.Context(), tx.LedgerTx(), testkit.Prefix, s.Communities[0].Budget)
		return err
	}))
	answer, err := status{s}.Status(t.Context(), testkit.Prefix)
	testkit.Must(t, err)
	if covered := answer.RewardEpochsCovered; covered == nil || *covered != want.Epochs || want.Epochs == 0 {
		t.Errorf("/status: %+v, want %+v", answer, want)
	}
	line := fmt.Sprintf(`moonfund_reward_runway_epochs{community="lobo"} %d`, want.Epochs)
	if !strings.Contains(scraped(w, a), line) {
		t.Errorf("the metrics lack %s", line)
	}
	answer, err = status{s}.Status(t.Context(), "")
	testkit.Must(t, err)
	if answer.RewardEpochsCovered != nil {
		t.Errorf("/status of no community: %+v", answer)
	}
}

// /status contains the commit of the source if the build has it.
func TestCommitIsAnswered(t *testing.T) {
	w, a := audited(t)
	s := serverOf(w, a)
	s.Version = "1.2.3"
	for _, commit := range []string{"", "4f0c1d"} {
		s.Commit = commit
		answer, err := status{s}.Status(t.Context(), testkit.Prefix)
		testkit.Must(t, err)
		if answer.Version != "1.2.3" || (answer.Commit != nil) != (commit != "") ||
			answer.Commit != nil && *answer.Commit != commit {
			t.Errorf("version %q, commit %v", answer.Version, answer.Commit)
		}
	}
}
