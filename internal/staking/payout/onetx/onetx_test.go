package onetx_test

import (
	"errors"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/onetx"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// ordered returns a world with a withdrawal of one of Anna's units.
func ordered(t *testing.T) (w *testkit.World, o order.Order, unit string) {
	t.Helper()
	w = testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	unit = w.UnlockedUnits(1, 5000)[0]
	return w, w.Withdrawal(unit), unit
}

// sentOneTx returns a world in which a transaction of Anna's own coins delivers an order.
func sentOneTx(t *testing.T) (w *testkit.World, o order.Order, unit string, own []testkit.Coin) {
	t.Helper()
	w, o, unit = ordered(t)
	own = w.PayOneTx(w.Anna, o)
	w.Step()
	return w, w.WantStatus(o.ID, order.Sent), unit, own
}

func wantOneTxFault(t *testing.T, err error, want fault.Sentence) {
	t.Helper()
	if got := new(fault.Error); !errors.As(err, &got) || got.Code != want.Code {
		t.Errorf("got %v, want %s", err, want.Code)
	}
}

func session(w *testkit.World, id string) (s payout.Session) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		s, err = tx.SessionOf(w.Context(), id)
		return err
	})
	return s
}

func live(w *testkit.World) payout.Payout {
	w.Helper()
	all := w.PayoutsIn(payout.Live)
	if len(all) != 1 {
		w.Fatalf("%d live payouts, want 1", len(all))
	}
	return all[0]
}

// The owner's coins pay the fee and nothing else: the runes, 546 sats and the unit's sats are on output 0, the rest
// returns to the payment address, and the fee account does not change.
func TestOneTxDelivers(t *testing.T) {
	w, o, unit, own := sentOneTx(t)
	tx := live(w).Versions[0].Tx.Msg
	value := int64(546 + w.Unit(unit).Value)
	if out := tx.TxOut[0]; out.Value != value || string(out.PkScript) != string(w.Anna.Ordinals.Script) {
		t.Errorf("output 0 has %d sats, want %d to the ordinals address", out.Value, value)
	}
	change, fee := tx.TxOut[2], int64(live(w).Versions[0].Fee)
	if want := own[0].Out.Value - 546 - fee; len(own) != 1 || change.Value != want ||
		string(change.PkScript) != string(w.Anna.Payment.Script) {
		t.Errorf("%d own coins, change of %d sats, want 1 and %d", len(own), change.Value, want)
	}
	if got := w.RunesOn(wire.OutPoint{Hash: tx.TxHash(), Index: 0}); got != 0 {
		t.Errorf("%d base units before a block", got)
	}
	w.Settle(order.DeliveryDepth)
	w.WantStage(unit, ledger.Withdrawn)
	if got := w.RunesOn(wire.OutPoint{Hash: tx.TxHash(), Index: 0}); got != o.Amount {
		t.Errorf("output 0 holds %s base units, want %s", got, o.Amount)
	}
	w.Settle(2 * order.FinalDepth)
	if got := w.WantStatus(o.ID, order.Consolidated); got.Seen != 0 || got.Owed.Sats != 0 || !got.OneTx {
		t.Errorf("got %+v", got)
	}
	w.Update(func(tx *store.Tx) error {
		if balance, err := tx.FeeBalance(t.Context(), testkit.Prefix); err != nil || balance != 100_000 {
			t.Errorf("the fee account has %d sats (%v), want 100000", balance, err)
		}
		return nil
	})
	w.Audit()
}

// A payment that is seen before the server signed wins: the session ends unsigned.
func TestOneTxPaymentWins(t *testing.T) {
	w, o, _ := ordered(t)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "a test") })
	w.PayOneTx(w.Anna, o)
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Sent); got.OneTx {
		t.Error("own coins pay for an order that a payment paid")
	}
	if s := session(w, o.ID); s.Signed || s.Ended.Reason != order.OneTxStatus {
		t.Errorf("the session is %+v", s)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
}

// A stranger's payment that does not pay the price, between the issue and the signature, stops nothing. It is refunded
// after the delivery.
func TestOneTxStrangerStopsNothing(t *testing.T) {
	w, o, _ := ordered(t)
	signed, _ := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, o).PSBT)
	w.Pay(w.Bert, o, 1500)
	w.Settle(1)
	w.WantStatus(o.ID, order.Confirmed)
	w.BeginOneTx(w.Anna, o)
	testkit.Must(t, w.TrySendOneTx(w.Anna, o, signed))
	w.Step()
	if got := w.WantStatus(o.ID, order.Sent); !got.OneTx {
		t.Errorf("got %+v, want a withdrawal in one transaction", got)
	}
	w.Audit()
	w.Settle(2 * order.FinalDepth)
	if got := w.WantStatus(o.ID, order.Consolidated); got.Refunded != 1500 {
		t.Errorf("%d sats are refunded, want 1500", got.Refunded)
	}
	w.Audit()
}

// Nothing is locked for longer than the order itself if the owner never sends a signature, or sends it too late.
func TestOneTxEndsByTime(t *testing.T) {
	w, o, unit := ordered(t)
	signed, _ := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, o).PSBT)
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(unit, ledger.Unlocked)
	wantOneTxFault(t, w.TrySendOneTx(w.Anna, o, signed), fault.OneTxLate)
	again := w.Withdrawal(unit)
	w.PayOneTx(w.Anna, again)
	w.Step()
	w.WantStatus(again.ID, order.Sent)
	w.Audit()
}

// A coin that the owner spends elsewhere before the server signs ends the session. Nothing is signed, and the owner can
// try again or pay.
func TestOneTxCoinSpentBeforeSigning(t *testing.T) {
	w, o, _ := ordered(t)
	own := w.PayOneTx(w.Anna, o)
	w.Send(w.SpendToSelf(w.Anna, 1000, own...))
	w.Step()
	if got := w.WantStatus(o.ID, order.Pending); got.PayoutID != "" {
		t.Errorf("it has payout %s", got.PayoutID)
	}
	if s := session(w, o.ID); s.Signed || s.Ended.Reason != order.OneTxCoin || s.Ended.Value != own[0].OutPoint.String() {
		t.Errorf("the session is %+v", s)
	}
	w.PayOneTx(w.Anna, o)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// The owner of a stuck transaction signs another one at a higher rate. Whichever confirms delivers the order once.
func TestOneTxIsSignedAgain(t *testing.T) {
	for name, first := range map[string]bool{"and the second confirms": false, "and the first confirms": true} {
		t.Run(name, func(t *testing.T) {
			w, o, unit, _ := sentOneTx(t)
			if _, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, w.Anna.Pair(), o.ID, nil); err != nil {
				t.Fatal(err) // a replacement costs more, also at the same rate
			}
			w.Rate = amount.SatPerVB(9)
			w.PayOneTx(w.Anna, o)
			w.Step()
			p := live(w)
			if len(p.Versions) != 2 || rateOf(p.Versions[1]) < w.Rate {
				t.Fatalf("%d versions", len(p.Versions))
			}
			if got := w.WantStatus(o.ID, order.Sent); got.PayoutTx != p.Versions[1].Tx.ID.String() {
				t.Errorf("its transaction is %s", got.PayoutTx)
			}
			w.Audit()
			if first {
				w.Node.MineOnly(p.Versions[0].Tx)
				w.Step()
				if got := w.WantStatus(o.ID, order.Sent); got.PayoutTx != p.Versions[0].Tx.ID.String() {
					t.Errorf("its transaction is %s", got.PayoutTx)
				}
				w.Audit()
			}
			w.Settle(order.DeliveryDepth)
			w.WantStatus(o.ID, order.Delivered)
			w.WantStage(unit, ledger.Withdrawn)
			w.Audit()
		})
	}
}

// The minimum of the node's mempool rises after a transaction was signed. The node would not relay it, so it is neither
// stored nor the current version, and its owner is told. At the present rate the owner can sign again.
func TestOneTxBelowTheMempoolIsNotStored(t *testing.T) {
	for name, replaces := range map[string]bool{"the first transaction": false, "a replacement": true} {
		t.Run(name, func(t *testing.T) {
			w, o, _ := ordered(t)
			if replaces {
				w.PayOneTx(w.Anna, o)
				w.Step()
				w.Rate = amount.SatPerVB(9)
			}
			before := w.Rows(`SELECT txid FROM payout_version`)
			w.PayOneTx(w.Anna, o)
			w.MempoolMin = amount.SatPerVB(20)
			w.Step()
			if after := w.Rows(`SELECT txid FROM payout_version`); after != before {
				t.Errorf("stored: %s, before: %s", after, before)
			}
			s := session(w, o.ID)
			if s.Signed || s.Ended.Reason != order.OneTxMempool || s.Ended.Value != "20" {
				t.Errorf("the session is %+v", s)
			}
			wantOneTxFault(t, onetx.EndFault(s.Ended), fault.OneTxMempool)
			w.Rate = amount.SatPerVB(25)
			w.PayOneTx(w.Anna, o)
			w.Step()
			w.WantStatus(o.ID, order.Sent)
			if v := live(w).Last(); rateOf(v) < w.MempoolMin {
				t.Errorf("it pays %s sat/vB", rateOf(v))
			}
			w.Audit()
		})
	}
}

// A payment of an order that its owner's coins deliver is refunded in full.
func TestOneTxRefundsPayment(t *testing.T) {
	w, o, unit, _ := sentOneTx(t)
	sent := live(w).Versions[0].Tx
	const paid = 20_000
	w.Pay(w.Anna, o, paid)
	for range 3 {
		w.Node.MineSome(func(tx chain.Tx) bool { return tx.ID != sent.ID })
		w.Step()
	}
	if p := live(w); len(p.Versions) != 1 {
		t.Fatalf("%d versions, want 1", len(p.Versions))
	}
	w.Audit()
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(unit, ledger.Withdrawn)
	w.Settle(2 * order.FinalDepth)
	if got := w.WantStatus(o.ID, order.Consolidated); got.PayoutTx != sent.ID.String() || got.Refunded != paid {
		t.Errorf("transaction %s, %d sats refunded of %d", got.PayoutTx, got.Refunded, paid)
	}
	w.Audit()
}

// A payment of another order vanishes when a transaction that the owner's coins pay spends the same coin.
func TestOneTxSpendsCoinOfPayment(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	ids := w.UnlockedUnits(2, 5000)
	first, second := w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
	coin := w.Anna.Sats()
	payment := w.Send(w.Payment(w.Anna, coin, first, 5000, 1000))
	w.Step()
	w.WantStatus(first.ID, order.Confirmed)
	w.Node.Forget()
	w.Node.Refuse("too-long-mempool-chain", payment.ID)
	w.Anna.Hold(coin)
	w.PayOneTx(w.Anna, second)
	w.Step()
	w.WantStatus(second.ID, order.Sent)
	w.Settle(order.DeliveryDepth)
	if got := w.WantStatus(first.ID, order.Pending); got.Seen != 0 {
		t.Errorf("%d sats are seen", got.Seen)
	}
	w.WantStatus(second.ID, order.Delivered)
	w.Audit()
}

// If a coin that only the replacement spends is spent elsewhere for good, the first transaction is sent again.
func TestOneTxFallsBackToFirst(t *testing.T) {
	w, o, unit := ordered(t)
	coin := w.Anna.Sats()
	parts := w.Send(w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(3000, w.Anna.Payment.Script),
		wire.NewTxOut(coin.Out.Value-4000, w.Anna.Payment.Script)))
	w.Settle(3)
	part := func(i uint32) testkit.Coin {
		return testkit.Coin{OutPoint: wire.OutPoint{Hash: parts.ID, Index: i}, Out: parts.Msg.TxOut[i]}
	}
	w.Anna.Hold(part(0))
	w.PayOneTx(w.Anna, o)
	w.Step()
	w.Anna.Hold(part(1))
	w.Rate = amount.SatPerVB(40)
	if own := w.PayOneTx(w.Anna, o); len(own) != 2 {
		t.Fatalf("the replacement spends %d coins, want 2", len(own))
	}
	w.Step()
	p := live(w)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 30_000, part(1)))
	w.Step()
	w.Settle(order.FinalDepth - 2)
	if got := w.WantStatus(o.ID, order.Sent); got.PayoutTx != p.Versions[1].Tx.ID.String() {
		t.Errorf("its transaction is %s", got.PayoutTx)
	}
	w.Node.MineOnly()
	w.Step()
	if got := w.WantStatus(o.ID, order.Sent); got.PayoutTx != p.Versions[0].Tx.ID.String() {
		t.Errorf("its transaction is %s, want the first one", got.PayoutTx)
	}
	w.Audit()
	w.Settle(order.DeliveryDepth)
	w.WantStatus(o.ID, order.Delivered)
	w.WantStage(unit, ledger.Withdrawn)
	w.Audit()
}
