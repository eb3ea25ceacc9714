package order_test

import (
	"errors"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// wantRefused makes an operator's request about an order, and expects a refusal with these words.
func wantRefused(w *testkit.World, kind payout.RequestKind, o order.Order, words string) {
	w.Helper()
	ask(w, kind, o)
	if r := lastRequest(w, o); r.Status != payout.RequestRefused || !strings.Contains(r.Note, words) {
		w.Errorf("%s: %s, %q; want it refused with %q", kind, r.Status, r.Note, words)
	}
}

// An AUDIT order is resumed only if all of its units are free.
func TestResumeNeedsTheUnits(t *testing.T) {
	t.Run("taken back by the staker", func(t *testing.T) {
		w, o, unit := begin(t)
		undecided(w, o)
		w.Mature(unit)
		w.Send(w.Recover(w.Anna, unit))
		w.Step()
		wantRefused(w, payout.RequestResume, o, "is spent by another transaction")
		w.Settle(ledger.RecoveryDepth)
		wantRefused(w, payout.RequestResume, o, "is WITHDRAWN")
		w.WantStatus(o.ID, order.Audit)
	})
	t.Run("its deposit is replaced", func(t *testing.T) {
		w := testkit.NewWorld(t).InjectFaults()
		unit, elsewhere := unlocked(w)
		o := *w.Act(w.Anna, action.Withdraw, unit).Order
		undecided(w, o)
		replaced(w, 5, elsewhere)
		w.Settle(1)
		w.WantStage(unit, "")
		wantRefused(w, payout.RequestResume, o, "1 of its 1 units do not exist any more")
	})
}

// Resume ignores a vanished payment and counts a later one.
func TestResumeIgnoresVanishedPayments(t *testing.T) {
	w, o, unit := begin(t)
	elsewhere := payWith(w, o, o.Due())
	ask(w, payout.RequestReview, o)
	w.WantStatus(o.ID, order.Audit)
	elsewhere(9000)
	wantRefused(w, payout.RequestResume, o, "its first payment is not confirmed")
	w.Pay(w.Anna, o, 2000)
	w.Settle(1)
	wantRefused(w, payout.RequestResume, o, "2000 sats of it are confirmed, it costs")
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	ask(w, payout.RequestResume, o)
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(unit, ledger.Withdrawn)
	w.Audit()
}

// A request about an unknown order is refused.
func TestCloseOfNoOrder(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	wantRefused(w, payout.RequestClose, order.Order{ID: "unknown"}, "there is no such order")
	wantRefused(w, payout.RequestResume, order.Order{ID: "unknown"}, "there is no such order")
}

// Orders of a community that the server does not serve are not changed.
func TestOrdersOfACommunityNotServed(t *testing.T) {
	w, o, _ := begin(t)
	undecided(w, o)
	other := order.NewService(w.Network)
	cause := ledger.Cause{Kind: "operator", ID: "olga", At: w.Clock.Now()}
	w.Change(func(tx *store.Tx) error {
		_, err := other.Resume(w.Context(), tx.OrderTx(), o.ID, cause)
		if refused := new(order.Refusal); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "not served here") {
			return errors.Join(errors.New("the order was resumed"), err)
		}
		return nil
	})
	w.WantStatus(o.ID, order.Audit)

	w, o, _ = begin(t)
	w.Clock.Advance(over)
	w.Change(func(tx *store.Tx) error {
		changed, err := other.Evaluate(w.Context(), tx.OrderTx(), []string{o.ID}, w.Clock.Now(), true)
		if len(changed) != 0 {
			t.Errorf("changed: got %+v", changed)
		}
		return err
	})
	w.WantStatus(o.ID, order.Pending)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
}

// A request that can't be priced, or has too many units, opens no order and locks nothing.
func TestOpenRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	unit := w.Unit(id)
	huge := unit
	huge.Amount = 1<<63 - 1
	good := order.Request{
		ID: strings.Repeat("0", 32), Community: testkit.Prefix, Reason: ledger.ForWithdraw, Owner: w.Anna.Ordinals.Text,
		Payment: w.Anna.Payment.Text, ActionID: "none", Units: []ledger.Unit{unit}, Rate: amount.SatPerVB(2),
	}
	before := w.Dump()
	for name, change := range map[string]func(*order.Request){
		"no address":         func(r *order.Request) { r.Owner = "nonsense" },
		"more than a ledger": func(r *order.Request) { r.Units = []ledger.Unit{huge, huge} },
		"too many units":     func(r *order.Request) { r.Units = make([]ledger.Unit, order.MaxUnits+1) },
	} {
		r := good
		change(&r)
		err := w.Store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := w.Orders.Open(t.Context(), tx.OrderTx(), r, w.Clock.Now())
			return err
		})
		if err == nil || w.Dump() != before {
			t.Errorf("%s: got %v, want an error and no change", name, err)
		}
	}
}
