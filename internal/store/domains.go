package store

import (
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// LedgerTx returns t as a ledger.Tx.
func (t *Tx) LedgerTx() ledger.Tx {
	return ledger.Tx{
		Units: t, UnitLists: t, Outputs: t, Tracked: t, Headers: t, Epochs: t, Rewards: t, Unexplained: t, Journal: t,
		Instructions: t,
	}
}

// OrderTx returns t as an order.Tx.
func (t *Tx) OrderTx() order.Tx {
	return order.Tx{Tx: t.LedgerTx(), Orders: t, Payments: t, Evaluations: t, Attempts: t}
}

// ActionTx returns t as an action.Tx.
func (t *Tx) ActionTx() action.Tx {
	return action.Tx{Tx: t.OrderTx(), Actions: t, Stakes: t, Links: t, Pauses: t, Statements: t}
}

// PayoutTx returns t as a payout.Tx.
func (t *Tx) PayoutTx() payout.Tx {
	return payout.Tx{Tx: t.OrderTx(), Payouts: t, Requests: t, Treasury: t, Proofs: t, Pauses: t, Index: t,
		Sessions: t}
}

// FollowerTx returns t as a follower.Tx.
func (t *Tx) FollowerTx() follower.Tx {
	return follower.Tx{
		Tx: t.PayoutTx(), Watched: t, Stakes: t, Etching: t, Actions: t, Lease: t, Refusals: t, Rebuild: t, Adopted: t,
		Unevaluated: t, Waits: t,
	}
}
