package testkit

import (
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// Markup is text that a browser must not interpret. Busy puts it wherever an operator or the node can put text.
const Markup = `<script>alert("x")</script><img src=x onerror=alert(1)>'`

// Busy is the work that World.Busy left for the operator.
type Busy struct {
	Audited     order.Order // in AUDIT
	Refundable  order.Order // its refund waits, because the signer refused it
	Sent        order.Order // its payout is not confirmed, and the node refused it
	Requested   order.Order // in AUDIT; a request about it is not carried out
	Quarantined string      // an output that can be returned
	Unexplained string      // a transaction
	Paying      order.Order // its payment is not confirmed

	ReleaseRefunds func() // lets the signer sign refunds again
}

// Busy brings the ledger into the states that need an operator: orders in AUDIT, a held refund, a refused payout, an
// output in quarantine, a deposit to credit, an unexplained spend, an open request and a pause.
func (w *World) Busy() (b Busy) {
	w.Helper()
	w.Rewarded(w.Cleo, 5000)
	b.Audited, _ = w.OrderInAudit()
	b.Requested, _ = w.OrderInAudit()
	b.Refundable = *w.Act(w.Bert, action.Withdraw, w.Unlocked(w.Bert, 5000)).Order
	b.ReleaseRefunds = w.HoldRefunds()
	w.Clock.Advance(31 * time.Minute)
	w.Settle(1)
	w.Pay(w.Bert, b.Refundable, b.Refundable.Due())
	_, script := w.StakeAddress(w.Anna, 5000)
	small := w.Send(w.Transfer(w.Anna, script, MinimumStake-1))
	b.Quarantined = small.ID.String() + ":0"
	held, _ := w.Account.TreasuryRunes()
	w.Send(w.Transfer(w.Anna, held.Script, 700))
	w.Settle(3)
	first, second := w.Unlocked(w.Cleo, 5000), w.Unlocked(w.Cleo, 5000)
	b.Sent = *w.Act(w.Cleo, action.Withdraw, first).Order
	w.Pay(w.Cleo, b.Sent, b.Sent.Due())
	w.Settle(1)
	w.Step()
	b.Sent = w.Order(b.Sent.ID)
	b.Unexplained = small.ID.String() // any transaction that the ledger follows
	w.Request(payout.RequestRefund, b.Requested.ID)
	w.Update(func(tx *store.Tx) error {
		now := w.Clock.Now()
		if err := tx.PutRefusal(w.Context(), ledger.Refusal{TxID: b.Sent.PayoutTx, Reason: Markup, Since: now}); err != nil {
			return err
		}
		if err := tx.PutUnexplainedSpend(w.Context(), ledger.UnexplainedSpend{Community: Prefix, TxID: b.Unexplained,
			Owner: w.Bert.Ordinals.Text, Amount: 700, Height: w.Node.Height(), Status: ledger.SpendOpen}); err != nil {
			return err
		}
		if _, err := tx.Log(w.Context(), store.OperatorLine{At: now, By: Markup, Command: "pause", Subject: Markup,
			Why: Markup}); err != nil {
			return err
		}
		return tx.Pause(w.Context(), store.PausePayouts, Markup, now)
	})
	b.Paying = *w.Act(w.Cleo, action.Withdraw, second).Order
	w.Pay(w.Cleo, b.Paying, b.Paying.Due())
	w.Step()
	b.Paying = w.WantStatus(b.Paying.ID, order.Confirmed)
	return b
}
