package order_test

import (
	"errors"
	"testing"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
)

// A prepared evaluation writes nothing if a request changed its order meanwhile. Otherwise it writes the same as
// Evaluate, even if its transaction is retried.
func TestPreparedEvaluation(t *testing.T) {
	w, o, id := begin(t)
	w.Clock.Advance(order.FeeValid + 1)
	prepare := func() (e *order.Evaluation) {
		if err := w.Store.View(w.Context(), func(tx *store.Tx) (err error) {
			e, err = w.Orders.Prepare(w.Context(), tx.OrderTx(), []string{o.ID}, w.Clock.Now(), true)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return e
	}
	write := func(e *order.Evaluation) error {
		return w.Store.Update(w.Context(), func(tx *store.Tx) error { return e.Write(w.Context(), tx.OrderTx()) })
	}
	e := prepare()
	if len(e.Changed) != 1 || e.Changed[0].Status != order.Expired || e.IsEmpty() {
		t.Fatalf("changes: got %+v", e.Changed)
	}
	pending := w.WantStatus(o.ID, order.Pending)
	w.Change(func(tx *store.Tx) error {
		_, err := w.Orders.Apply(w.Context(), tx.OrderTx(), pending, order.CanceledByOwner,
			ledger.Cause{Kind: "order", ID: o.ID, At: w.Clock.Now()}, nil)
		return err
	})
	if err := write(e); !errors.Is(err, order.ErrStale) {
		t.Errorf("after a change: got error %v, want %v", err, order.ErrStale)
	}
	w.WantStatus(o.ID, order.Canceled)
	w.WantStage(id, ledger.Unlocked)

	w, o, id = begin(t)
	w.Clock.Advance(order.FeeValid + 1)
	e = prepare()
	rolledBack := errors.New("rolled back")
	if err := w.Store.Update(w.Context(), func(tx *store.Tx) error {
		return errors.Join(e.Write(w.Context(), tx.OrderTx()), rolledBack)
	}); !errors.Is(err, rolledBack) {
		t.Fatal(err)
	}
	if err := write(e); err != nil {
		t.Fatal(err)
	}
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(id, ledger.Unlocked)
	if e := prepare(); !e.IsEmpty() {
		t.Errorf("a second evaluation changes %+v", e.Changed)
	}
}
