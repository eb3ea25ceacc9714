package store

import (
	"moonfund/action"
	"moonfund/follower"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
)

// LedgerTx returns the transaction as the ledger uses it.
func (t *Tx) LedgerTx() ledger.Tx {
	return ledger.Tx{
		Units: t, UnitLists: t, Outputs: t, Tracked: t, Headers: t, Epochs: t, Rewards: t, Unexplained: t, Journal: t,
	}
}

// OrderTx returns the transaction as orders use it.
func (t *Tx) OrderTx() order.Tx {
	return order.Tx{Tx: t.LedgerTx(), Orders: t, Payments: t}
}

// ActionTx returns the transaction as actions use it.
func (t *Tx) ActionTx() action.Tx {
	return action.Tx{Tx: t.OrderTx(), Actions: t, Stakes: t, Links: t, Pauses: t}
}

// PayoutTx returns the transaction as payouts use it.
func (t *Tx) PayoutTx() payout.Tx {
	return payout.Tx{Tx: t.OrderTx(), Payouts: t, Requests: t, Treasury: t, Proofs: t, Pauses: t, Index: t}
}

// FollowerTx returns the transaction as the follower uses it.
func (t *Tx) FollowerTx() follower.Tx {
	return follower.Tx{
		Tx: t.PayoutTx(), Watched: t, Stakes: t, Etching: t, Actions: t, Lease: t, Refusals: t, Rebuild: t, Adopted: t,
	}
}
