package testkit

import (
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// The methods of this file are what the tests of payouts share.

// Withdrawal opens an order of Anna's that withdraws units.
func (w *World) Withdrawal(unitIDs ...string) order.Order {
	w.Helper()
	return *w.Act(w.Anna, action.Withdraw, unitIDs...).Order
}

// PayInFull pays orders in full and mines the payments.
func (w *World) PayInFull(from *Wallet, orders ...order.Order) {
	w.Helper()
	for _, o := range orders {
		w.Pay(from, o, o.Due())
	}
	w.Settle(1)
}

// UnlockedUnits makes n deposits of Anna's of the same amount that can be withdrawn.
func (w *World) UnlockedUnits(n int, each amount.Runes) (ids []string) {
	w.Helper()
	for range n {
		id, _ := w.Deposit(w.Anna, each)
		ids = append(ids, id)
		w.Mine(1)
	}
	w.Settle(4)
	w.NextEpoch()
	w.Act(w.Anna, action.Unstake, ids...)
	w.NextEpoch()
	w.NextEpoch()
	return ids
}

// PaidClaims gives three wallets a reward each and returns their paid claims.
func (w *World) PaidClaims() (orders []order.Order) {
	w.Helper()
	wallets := []*Wallet{w.Anna, w.Bert, w.Cleo}
	for _, wallet := range wallets {
		w.Deposit(wallet, 5000)
	}
	w.Settle(4)
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	for _, wallet := range wallets {
		o := *w.Act(wallet, action.Claim).Order
		w.Pay(wallet, o, o.Due())
		orders = append(orders, o)
	}
	return orders
}

// PaidInPart returns an EXPIRED order of Anna's that was paid in part, by two outputs of one transaction and one of
// another. Its refund is held for some minutes.
func (w *World) PaidInPart() order.Order {
	w.Helper()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	coin := w.Anna.Sats()
	w.Send(w.Anna.Spend([]Coin{coin}, wire.NewTxOut(700, o.Script), wire.NewTxOut(800, o.Script),
		wire.NewTxOut(coin.Out.Value-2500, w.Anna.Payment.Script)))
	w.Settle(1)
	w.Pay(w.Anna, o, 900)
	w.Settle(1)
	defer w.HoldRefunds()()
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	return w.WantStatus(o.ID, order.Expired)
}

// TooSmall makes a deposit below the minimum, which is quarantined, and returns its outpoint.
func (w *World) TooSmall() string {
	w.Helper()
	_, script := w.StakeAddress(w.Anna, 5000)
	tx := w.Send(w.Transfer(w.Anna, script, 999))
	return wire.OutPoint{Hash: tx.ID}.String()
}

// Cancel cancels an order of Anna's for its owner, as the page does.
func (w *World) Cancel(o order.Order) {
	w.Helper()
	asked, err := w.Actions.PostCancel(w.Context(), Prefix, w.Anna.Pair(), o.ID, "")
	Must(w, err)
	_, err = w.Actions.SignCancel(w.Context(), Prefix, action.SignRequest{
		Wallet: w.Anna.Pair(), ActionID: asked.ActionID, Signature: w.Anna.Sign(asked.Message),
	}, o.ID)
	Must(w, err)
	w.WantStatus(o.ID, order.Canceled)
}

// EmptyBlocks mines blocks without transactions, a minute apart, and follows each.
func (w *World) EmptyBlocks(n int) {
	w.Helper()
	for range n {
		w.Clock.Advance(time.Minute)
		w.Node.MineOnly()
		w.Step()
	}
}

// PausedPayouts pauses the payouts, as after a restore, and returns w.
func (w *World) PausedPayouts() *World {
	w.Helper()
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "restored") })
	return w
}

// PayoutsIn returns the payouts in any of the statuses.
func (w *World) PayoutsIn(statuses ...payout.Status) (found []payout.Payout) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		found, err = tx.PayoutsIn(w.Context(), statuses...)
		return err
	})
	return found
}

// RefundsOf returns the refunds of an order.
func (w *World) RefundsOf(orderID string) (all []payout.Payout) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		all, err = tx.RefundsOf(w.Context(), orderID)
		return err
	})
	return all
}

// Versions returns the versions of an order's payout that is not dead.
func (w *World) Versions(orderID string) []payout.Version {
	w.Helper()
	for _, p := range w.PayoutsIn(payout.Live, payout.Confirmed, payout.Final) {
		if slices.Contains(p.OrderIDs, orderID) {
			return p.Versions
		}
	}
	w.Fatal("no payout")
	return nil
}

// TreasuryBalance returns the runes and the plain sats of the treasury, and the balance of the fee account.
func (w *World) TreasuryBalance() (runes amount.Runes, sats, fees amount.Sats) {
	w.Helper()
	w.Update(func(tx *store.Tx) (err error) {
		if runes, err = tx.Treasury(w.Context(), Prefix); err != nil {
			return err
		}
		if fees, err = tx.FeeBalance(w.Context(), Prefix); err != nil {
			return err
		}
		outputs, err := tx.UnspentOutputs(w.Context(), Prefix)
		for _, output := range outputs {
			if output.Kind == ledger.SatsKind {
				sats += output.Value
			}
		}
		return err
	})
	return runes, sats, fees
}

// Decide stores an operator's request about an order or an output, and runs a Step.
func (w *World) Decide(kind payout.RequestKind, subject string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		r := payout.Request{Kind: kind, OrderID: subject, By: "olga", Why: "she asked for it", At: w.Clock.Now()}
		_, err := tx.InsertRequest(w.Context(), r, "")
		return err
	})
	w.Step()
}

// LastRequest returns the latest request about an order or an output.
func (w *World) LastRequest(subject string) payout.Request {
	w.Helper()
	var all []payout.Request
	w.Update(func(tx *store.Tx) (err error) {
		all, err = tx.RequestsAbout(w.Context(), subject)
		return err
	})
	return all[len(all)-1]
}

// WantRequest compares the status and the note of the latest request. The note must contain note, or be empty.
func (w *World) WantRequest(subject string, status payout.RequestStatus, note string) {
	w.Helper()
	r := w.LastRequest(subject)
	if r.Status != status || !strings.Contains(r.Note, note) || (note == "") != (r.Note == "") {
		w.Fatalf("request: got %s, %q; want %s, %q", r.Status, r.Note, status, note)
	}
}

// WantNote decides, and compares the status and the note of the request.
func (w *World) WantNote(kind payout.RequestKind, subject string, status payout.RequestStatus,
	note string) payout.Request {
	w.Helper()
	w.Decide(kind, subject)
	r := w.LastRequest(subject)
	if r.Status != status || !strings.Contains(r.Note, note) {
		w.Fatalf("%s: got %s, %q; want %s, %q", kind, r.Status, r.Note, status, note)
	}
	return r
}

// SignByHand signs the draft of an order's payout, as the operator does by hand.
func (w *World) SignByHand(orderID string, rate amount.FeeRate) *wire.MsgTx {
	w.Helper()
	var signed *wire.MsgTx
	w.Change(func(tx *store.Tx) error {
		u, _, err := w.Payouts.Draft(w.Context(), tx.PayoutTx(), orderID, rate)
		if err != nil {
			return err
		}
		signed, err = w.Signer.Sign(w.Context(), u)
		return err
	})
	return signed
}

// Hex returns a transaction in hex.
func Hex(tx *wire.MsgTx) string { return hex.EncodeToString(chain.NewTx(tx).Bytes()) }

// Submit submits a signed transaction in hex to be sent, and returns the request.
func (w *World) Submit(subject, raw string) (r payout.Request) {
	w.Helper()
	var number int64
	w.Update(func(tx *store.Tx) (err error) {
		number, err = tx.InsertRequest(w.Context(), payout.Request{
			Kind: payout.RequestSend, OrderID: subject, Tx: raw, By: "test", Why: "signed by hand", At: w.Clock.Now(),
		}, "")
		return err
	})
	w.Step()
	w.Update(func(tx *store.Tx) error {
		all, err := tx.RequestsAbout(w.Context(), subject)
		for _, one := range all {
			if one.Number == number {
				r = one
			}
		}
		return err
	})
	return r
}
