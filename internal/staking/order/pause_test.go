package order_test

import (
	"testing"
	"time"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
)

// A pause of everything moves deadlines by its length, and a payment that is late only because of the pause is
// accepted.
func TestPauseMovesDeadlines(t *testing.T) {
	w, o, id := begin(t)
	w.Clock.Advance(20 * time.Minute)
	w.Update(func(tx *store.Tx) error { return tx.Pause(t.Context(), store.PauseAll, "olga: a move", w.Clock.Now()) })
	w.Clock.Advance(2 * time.Hour)
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	if got := w.WantStatus(o.ID, order.Pending); got.Late != o.Due() {
		t.Errorf("late: got %d sats, want all", got.Late)
	}
	var moved int
	w.Change(func(tx *store.Tx) (err error) {
		moved, err = tx.Resume(t.Context(), store.PauseAll, ledger.Cause{Kind: "operator", ID: "olga: moved",
			At: w.Clock.Now()})
		return err
	})
	if moved != 1 {
		t.Errorf("got %d orders moved, want 1", moved)
	}
	w.Step()
	if got := w.WantStatus(o.ID, order.Confirmed); got.Late != 0 || got.Seen != o.Due() ||
		!got.RateDate.Equal(o.RateDate.Add(2*time.Hour)) {
		t.Errorf("after the pause: got %+v", got)
	}
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(id, ledger.Withdrawn)
}

// After a pause, an unpaid order has the rest of its 30 minutes.
func TestPausedOrderExpiresLater(t *testing.T) {
	w, o, _ := begin(t)
	w.Clock.Advance(20 * time.Minute)
	w.Update(func(tx *store.Tx) error { return tx.Pause(t.Context(), store.PauseAll, "olga: a move", w.Clock.Now()) })
	w.Clock.Advance(24 * time.Hour)
	w.Step()
	w.WantStatus(o.ID, order.Pending)
	w.Change(func(tx *store.Tx) error {
		_, err := tx.Resume(t.Context(), store.PauseAll, ledger.Cause{Kind: "operator", ID: "olga: moved", At: w.Clock.Now()})
		return err
	})
	w.Clock.Advance(10 * time.Minute)
	w.Step()
	w.WantStatus(o.ID, order.Pending)
	w.Clock.Advance(time.Second)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
}

// If an owner pays during a pause and cancels before the next Step, the payment is refunded.
func TestCancelAfterPauseSeesPayment(t *testing.T) {
	w, o, _ := begin(t)
	w.Update(func(tx *store.Tx) error { return tx.Pause(t.Context(), store.PauseAll, "olga: a move", w.Clock.Now()) })
	w.Clock.Advance(2 * time.Hour)
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Change(func(tx *store.Tx) error {
		_, err := tx.Resume(t.Context(), store.PauseAll, ledger.Cause{Kind: "operator", ID: "olga: moved", At: w.Clock.Now()})
		return err
	})
	cancel(w, o)
	if got := w.WantStatus(o.ID, order.Canceled); got.Owed.Sats != o.Due() || got.Owed.Reason != order.RefundCanceled {
		t.Errorf("due refund: got %+v", got.Owed)
	}
	w.Audit()
}
