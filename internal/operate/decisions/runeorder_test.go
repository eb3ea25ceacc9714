package decisions_test

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/etching"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestRuneOrders lists and reads an etch order with a payment.
func TestRuneOrders(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Etch()
	o, err := w.Etching.Create(t.Context(), etching.Request{Etch: &etching.EtchRequest{Common: etching.Common{
		RuneName: "WOLVES•HOWL•AT•NIGHT", Destination: w.Anna.Ordinals.Text, Refund: w.Anna.Payment.Text, FeeRate: 3,
	}, Divisibility: 2, Symbol: "🐺", Premine: "1000"}})
	testkit.Must(t, err)
	to, err := chain.ParseAddress(o.Address, w.Network)
	testkit.Must(t, err)
	w.Node.Grant(wire.NewTxOut(int64(o.FundAmount), to.Script))
	w.Step()
	testkit.Must(t, w.Store.View(t.Context(), func(tx *store.Tx) error {
		for in, want := range map[etching.State]int{"": 1, etching.Complete: 0} {
			orders, err := decisions.RuneOrders(t.Context(), tx, in, 50)
			if err != nil || len(orders) != want || want > 0 && orders[0].ID != o.ID {
				t.Errorf("RuneOrders in state %q: got %+v, %v", in, orders, err)
			}
		}
		view, err := decisions.ReadRuneOrder(t.Context(), tx, o.ID)
		if err != nil || len(view.Payments) != 1 || view.Payments[0].Value != o.FundAmount || view.Address != o.Address {
			t.Errorf("ReadRuneOrder: got %+v, %v, want the order with one payment", view, err)
		}
		if _, err := decisions.ReadRuneOrder(t.Context(), tx, "x"); err == nil || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("ReadRuneOrder of an unknown order: got error %v", err)
		}
		return nil
	}))
}
