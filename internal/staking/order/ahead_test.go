package order_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A request reads the payments of an order with thousands of them before its transaction, and again if the order
// changed meanwhile. The result is the same as with a read within the transaction.
func TestReadAhead(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "test") })
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	pay := func(n int) {
		coin := wire.NewTxOut(int64(n*vault.DustSats+100_000), w.Anna.Payment.Script)
		tx := w.Node.Grant(coin)
		w.Send(w.Anna.Spend([]testkit.Coin{{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: coin}},
			slices.Repeat([]*wire.TxOut{wire.NewTxOut(vault.DustSats, o.Script)}, n)...))
		w.Mine(1)
		w.Step()
	}
	pay(1600)
	pay(1600)
	reads := 0
	view := func(ctx context.Context, fn func(order.Tx) error) error {
		reads++
		return w.Store.View(ctx, func(tx *store.Tx) error { return fn(tx.OrderTx()) })
	}
	compare := func(ahead order.Ahead) error {
		return w.Store.Update(t.Context(), func(tx *store.Tx) error {
			got, err := ahead.Use(tx.OrderTx()).Payments.PaymentsOf(t.Context(), o.ID)
			if err != nil {
				return err
			}
			want, err := tx.PaymentsOf(t.Context(), o.ID)
			if err == nil && !slices.Equal(got, want) {
				t.Errorf("got %d payments, which differ from the stored %d", len(got), len(want))
			}
			return err
		})
	}
	testkit.Must(t, order.ReadAhead(t.Context(), o.ID, view, compare))
	if reads != 1 {
		t.Errorf("read %d times, want once", reads)
	}
	reads = 0
	testkit.Must(t, order.ReadAhead(t.Context(), o.ID, view, func(ahead order.Ahead) error {
		if reads == 1 {
			pay(1)
		} else if reads == 2 {
			w.Mine(1)
			w.Step()
		}
		return compare(ahead)
	}))
	if reads != 3 {
		t.Errorf("the order changed twice: read %d times, want 3", reads)
	}
	err := order.ReadAhead(t.Context(), o.ID, view, func(ahead order.Ahead) error {
		w.Mine(1)
		w.Step()
		return compare(ahead)
	})
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Unavailable {
		t.Errorf("the order always changes: got %v, want that the server can't answer now", err)
	}
}
