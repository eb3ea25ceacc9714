package payout_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// Once payments that were seen in time cover the price, no call raises it.
func TestPayInsteadKeepsThePaidPrice(t *testing.T) {
	w, o, _, _ := sentOneTx(t)
	stuck := live(w).Versions[0].Tx
	w.Rate = amount.SatPerVB(9)
	o = payInstead(w, o, 0)
	w.Step()
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Rate = amount.SatPerVB(15)
	again, err := w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(t, err)
	if again.FeeRate != o.FeeRate {
		t.Errorf("the rate of a paid price is %s, want %s", again.FeeRate, o.FeeRate)
	}
	w.Rate = amount.SatPerVB(9)
	w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
	w.Step()
	w.Step()
	if p := live(w); len(p.Versions) != 2 {
		t.Errorf("%d versions, want 2", len(p.Versions))
	}
	w.Audit()
}

// The payments of an order with thousands of them are read before the write transaction.
func TestPayInsteadReadsAhead(t *testing.T) {
	w, o, _, _ := sentOneTx(t)
	for range 2 {
		coin := wire.NewTxOut(1_000_000, w.Anna.Payment.Script)
		tx := w.Node.Grant(coin)
		w.Send(w.Anna.Spend([]testkit.Coin{{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: coin}},
			slices.Repeat([]*wire.TxOut{wire.NewTxOut(vault.DustSats, o.Script)}, 1600)...))
		w.Step()
	}
	reads, view := 0, w.OneTx.View
	w.OneTx.View = func(ctx context.Context, fn func(payout.Tx) error) error {
		reads++
		return view(ctx, fn)
	}
	w.Rate = amount.SatPerVB(9)
	got, err := w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(t, err)
	if reads != 1 || got.FeeRate != amount.SatPerVB(9) || got.Seen != 3200*vault.DustSats {
		t.Errorf("%d reads, %s, %d sats; want 1, 9 sat/vB, %d sats", reads, got.FeeRate, got.Seen, 3200*vault.DustSats)
	}
}

// The price of a delivery that replaces a transaction always suffices to replace it, also when the fee rate fell since
// the owner signed, or falls after the price was set.
func TestPayInsteadCanReplace(t *testing.T) {
	for name, rates := range map[string][2]amount.FeeRate{
		"the rate fell before": {amount.SatPerVB(2), amount.SatPerVB(2)},
		"the rate falls after": {amount.SatPerVB(12), amount.SatPerVB(2)},
	} {
		t.Run(name, func(t *testing.T) {
			w, o, _ := ordered(t)
			w.Rate = amount.SatPerVB(9)
			w.PayOneTx(w.Anna, o)
			w.Step()
			stuck := live(w).Versions[0].Tx
			w.Rate = rates[0]
			o = payInstead(w, o, 0)
			w.Rate = rates[1]
			w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
			w.Step()
			w.Step()
			if p := live(w); len(p.Versions) != 2 {
				t.Fatalf("%d versions, want 2", len(p.Versions))
			}
			w.Audit()
			w.Settle(order.DeliveryDepth)
			if got := w.WantStatus(o.ID, order.Delivered); got.OneTx.Current {
				t.Error("the delivery did not replace the transaction")
			}
			w.Audit()
		})
	}
}

// A payment that paid for the replacement is undone by a reorg and never returns. The transaction of own coins is sent
// again, and can be paid instead again.
func TestPayInsteadAgain(t *testing.T) {
	w, o, unit, _ := sentOneTx(t)
	stuck := live(w).Versions[0].Tx
	w.Rate = amount.SatPerVB(9)
	o, err := w.OneTx.PayInstead(w.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(w, err)
	coin := w.Anna.Sats()
	payment := w.Send(w.Payment(w.Anna, coin, o, o.Due(), 500))
	w.Node.MineOnly(payment)
	w.Step()
	w.Step()
	p := live(w)
	if len(p.Versions) != 2 {
		t.Fatal("not replaced")
	}
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
	w.Node.MineOnly()
	w.Step()
	w.Audit()
	for range 8 {
		w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
		w.Step()
		w.Audit()
	}
	got := w.Order(o.ID)
	if !got.OneTx.Current || got.PayoutTx != stuck.ID.String() {
		t.Fatalf("its transaction is %s, want %s", got.PayoutTx, stuck.ID)
	}
	w.Clock.Advance(order.FeeValid + time.Minute) // the price was valid for the rate of the first replacement
	w.Rate = amount.SatPerVB(20)
	payInstead(w, got, 0)
	w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
	w.Step()
	w.Step()
	w.Audit()
	if len(live(w).Versions) != 3 {
		t.Error("it can't be paid instead again")
	}
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(unit, ledger.Withdrawn)
	w.Audit()
}

// A payment that arrived before its owner asked for a price counts for it. Nothing spends it before, and it is refunded
// if the owner never asks.
func TestPayInsteadCountsEarlierPayment(t *testing.T) {
	for name, asks := range map[string]bool{"the owner asks": true, "the owner never asks": false} {
		t.Run(name, func(t *testing.T) {
			w, o, _, _ := sentOneTx(t)
			stuck := live(w).Versions[0].Tx
			const early = 2000
			w.Pay(w.Anna, o, early)
			block := func() {
				w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != stuck.ID })
				w.Step()
			}
			for range 3 {
				block()
			}
			if p := live(w); len(p.Versions) != 1 {
				t.Fatalf("%d versions without a price, want 1", len(p.Versions))
			}
			if asks {
				w.Rate = amount.SatPerVB(9)
				priced, err := w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
				testkit.Must(t, err)
				if want := priced.Fees.Total() - early; priced.Seen != early || priced.Due() != want {
					t.Errorf("%d sats are due after a payment of %d, want %d", priced.Due(), priced.Seen, want)
				}
				w.Pay(w.Anna, o, priced.Due())
				block()
				w.Step()
				if p := live(w); len(p.Versions) != 2 || len(p.Versions[1].Tx.Msg.TxIn) != 3 {
					t.Errorf("got %+v, want a delivery that spends the unit and two payments", p.Versions)
				}
			}
			w.Audit()
			w.Settle(order.DeliveryDepth)
			w.WantStatus(o.ID, order.Delivered)
			w.Settle(2 * order.FinalDepth)
			if got := w.Order(o.ID); !asks && got.Refunded+got.Owed.Sats != early || asks && got.Refunded != 0 {
				t.Errorf("%d sats refunded and %d due", got.Refunded, got.Owed.Sats)
			}
			w.Audit()
		})
	}
}

// A price that may not suffice to replace the version that its owner signed last is withdrawn, and the next one
// suffices. Payments of the withdrawn price count.
func TestPayInsteadAfterNewSignature(t *testing.T) {
	w, o, _, _ := sentOneTx(t)
	first := live(w).Versions[0].Tx
	w.Rate = amount.SatPerVB(4)
	priced, err := w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(t, err)
	w.Pay(w.Anna, priced, priced.Due())
	w.Rate = amount.SatPerVB(30)
	w.PayOneTx(w.Anna, o)
	w.Step()
	p := live(w)
	if got := w.Order(o.ID); len(p.Versions) != 2 || !got.InsteadUntil().IsZero() {
		t.Fatalf("%d versions, and the price is valid until %s", len(p.Versions), got.InsteadUntil())
	}
	w.Rate = amount.SatPerVB(4)
	again := payInstead(w, o, 0)
	if again.Fees.Network+again.Fees.Rutxos < p.Fee() {
		t.Errorf("the price has a network fee of %d sats, that of the transaction is %d", again.Fees.Network, p.Fee())
	}
	w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != first.ID && tx.ID != p.Versions[1].Tx.ID })
	w.Step()
	w.Step()
	if p := live(w); len(p.Versions) != 3 || len(p.Versions[2].Own) != 0 {
		t.Errorf("%d versions, want 3", len(p.Versions))
	}
	w.Audit()
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// No price is above the maximum rate of payouts. There is none if only a higher rate could replace the transaction.
func TestPayInsteadKeepsMaxRate(t *testing.T) {
	w, o, _, _ := sentOneTx(t)
	limit := w.Rate + amount.SatPerVB(3)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.MaxRate = limit })
	w.Rate = amount.SatPerVB(40)
	priced, err := w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	testkit.Must(t, err)
	if priced.FeeRate != limit {
		t.Errorf("the rate of the price is %s, want %s", priced.FeeRate, limit)
	}
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.MaxRate = amount.SatPerVB(2) })
	w.Clock.Advance(order.FeeValid + time.Minute)
	w.Rate = amount.SatPerVB(2)
	_, err = w.OneTx.PayInstead(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID)
	wantOneTxFault(t, err, fault.OneTxMaxRate)
}
