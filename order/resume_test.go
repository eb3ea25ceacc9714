package order_test

import (
	"errors"
	"strings"
	"testing"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
)

// wantRefused asks an operator's question about an order and wants it refused with
// these words, and the order as it was.
func wantRefused(w *testkit.World, kind payout.RequestKind, o order.Order, words string) {
	w.Helper()
	ask(w, kind, o)
	if r := asked(w, o); r.Status != payout.RequestRefused || !strings.Contains(r.Note, words) {
		w.Errorf("%s: %s, %q; want it refused with %q", kind, r.Status, r.Note, words)
	}
}

// An AUDIT order is taken up again only for units that are all still there.
func TestResumeWantsTheUnits(t *testing.T) {
	t.Run("taken back by the staker", func(t *testing.T) {
		w, o, unit := begin(t)
		undecided(w, o)
		w.Mature(unit)
		w.Send(w.Recover(w.Anna, unit))
		w.Step()
		wantRefused(w, payout.AskResume, o, "is spent by somebody else")
		w.Settle(ledger.RecoveryDepth)
		wantRefused(w, payout.AskResume, o, "is WITHDRAWN")
		w.WantStatus(o.ID, order.Audit)
	})
	t.Run("its deposit is replaced", func(t *testing.T) {
		w := testkit.NewWorld(t).Stumbling()
		unit, elsewhere := unlocked(w)
		o := *w.Act(w.Anna, action.Withdraw, unit).Order
		undecided(w, o)
		replaced(w, 5, elsewhere)
		w.Settle(1)
		w.WantStage(unit, "")
		wantRefused(w, payout.AskResume, o, "1 of its 1 units are gone")
	})
}

// A payment that was replaced is none, and one that came after it is.
func TestResumePassesOverWhatVanished(t *testing.T) {
	w, o, unit := begin(t)
	elsewhere := payWith(w, o, o.Due())
	ask(w, payout.AskReview, o)
	w.WantStatus(o.ID, order.Audit)
	elsewhere(9000)
	wantRefused(w, payout.AskResume, o, "its first payment is not confirmed")
	w.Pay(w.Anna, o, 2000)
	w.Settle(1)
	wantRefused(w, payout.AskResume, o, "2000 sats of it are confirmed, it costs")
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	ask(w, payout.AskResume, o)
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(unit, ledger.Withdrawn)
	w.Audit()
}

// Who asks about an order that never was is told so.
func TestCloseOfNoOrder(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
	wantRefused(w, payout.AskClose, order.Order{ID: "nobody"}, "there is no such order")
	wantRefused(w, payout.AskResume, order.Order{ID: "nobody"}, "there is no such order")
}

// Orders of a community that is not served wait as they are.
func TestOrdersOfACommunityNotServed(t *testing.T) {
	w, o, _ := begin(t)
	undecided(w, o)
	other := order.NewService(w.Network)
	cause := ledger.Cause{Kind: "operator", ID: "olga", At: w.Clock.Now()}
	w.Change(func(tx *store.Tx) error {
		_, err := other.Resume(w.Context(), tx.OrderTx(), o.ID, cause)
		if refused := new(order.Refusal); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "not served here") {
			return errors.Join(errors.New("it was taken up"), err)
		}
		return nil
	})
	w.WantStatus(o.ID, order.Audit)

	w, o, _ = begin(t)
	w.Clock.Advance(over)
	w.Change(func(tx *store.Tx) error {
		changed, err := other.Evaluate(w.Context(), tx.OrderTx(), []string{o.ID}, w.Clock.Now(), true)
		if len(changed) != 0 {
			t.Errorf("changed: %+v", changed)
		}
		return err
	})
	w.WantStatus(o.ID, order.Pending)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
}

// What can't be priced, or is too much for one order, opens none and locks nothing.
func TestOpenRefused(t *testing.T) {
	w := testkit.NewWorld(t).Stumbling()
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
			t.Errorf("%s: %v", name, err)
		}
	}
}
