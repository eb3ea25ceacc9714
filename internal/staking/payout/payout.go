// Package payout is the core of all payouts: deliveries of orders, refunds of payments, returns of quarantined outputs
// and withdrawals of surplus, which have packages of their own. It selects inputs, requests signatures, and stores,
// replaces and records transactions in the ledger. Package dispatch calls the packages of the kinds.
// The caller broadcasts a transaction after the commit. Only confirmations complete a payout.
package payout

import (
	"encoding/hex"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
)

// Kind is the purpose of a payout.
type Kind string

const (
	Delivery Kind = "delivery"   // delivers the runes of one or more orders
	Refund   Kind = "refund"     // refunds payments of one order
	Return   Kind = "return"     // returns a quarantined output to its owner
	Withdraw Kind = "withdrawal" // withdraws surplus from the treasury, for the operator
	Split    Kind = "split"      // divides a rune output of the treasury
	OneTx    Kind = "one_tx"     // delivers one withdrawal, and its owner signs: own coins or payments pay
)

// Payout is a set of transactions of which at most one can confirm: all spend the anchors of the payout's orders, of a
// OneTx the outputs of its units or, if it has no orders, the inputs of its first transaction.
type Payout struct {
	ID        string
	Community string
	Kind      Kind
	OrderIDs  []string // empty for a return, a withdrawal and a split
	Status    Status
	Created   time.Time
	Versions  []Version // oldest first
}

// KnowsFee reports whether the fee of the newest version is known.
func (p Payout) KnowsFee() bool { return p.Last().KnowsFee() }

// Last returns the newest version.
func (p Payout) Last() Version { return p.Versions[len(p.Versions)-1] }

// InBlock reports whether a version is in a block.
func (p Payout) InBlock() bool {
	return slices.ContainsFunc(p.Versions, func(v Version) bool { return v.Height != chain.None })
}

// Height returns the height of the confirmed version, or chain.None.
func (p Payout) Height() int64 {
	for _, v := range p.Versions {
		if v.Height != chain.None {
			return v.Height
		}
	}
	return chain.None
}

// Made reports whether a transaction is a version of the payout.
func (p Payout) Made(txid string) bool {
	return slices.ContainsFunc(p.Versions, func(v Version) bool { return v.Tx.ID.String() == txid })
}

// IsOf reports whether a payout delivers exactly these orders.
func (p Payout) IsOf(orders []order.Order) bool {
	return len(orders) == len(p.OrderIDs) && !slices.ContainsFunc(orders, func(o order.Order) bool {
		return o.PayoutID != p.ID
	})
}

// CheckReplaceable returns a *order.Refusal unless the payout is live and unconfirmed.
func (p Payout) CheckReplaceable() error {
	if p.Status != Live || p.InBlock() {
		return NotReplaceable("it is %s, in block %d", p.Status, p.Height())
	}
	return nil
}

// TxIDs returns the ids of a payout's versions.
func (p Payout) TxIDs() (ids []chainhash.Hash) {
	for _, v := range p.Versions {
		ids = append(ids, v.Tx.ID)
	}
	return ids
}

// SelfPaid reports whether a payout takes nothing from the fee account, because it pays its fee from the sats that it
// refunds or returns, from the surplus, or from coins of its owner.
func (p Payout) SelfPaid() bool {
	return p.Kind == Refund || p.Kind == Withdraw || p.Kind == OneTx ||
		(p.Kind == Return && len(p.Last().Tx.Msg.TxIn) == 1)
}

// Version is one signed transaction of a payout. Fee is its network fee and VBytes its virtual size.
type Version struct {
	Tx      chain.Tx
	Fee     amount.Sats
	VBytes  int64
	Created time.Time
	Height  int64        // chain.None while unconfirmed
	Own     []vault.Coin // the inputs that the owner of the order signed; none except in a OneTx
}

// Hex returns the signed transaction in hex, as nodes broadcast it.
func (v Version) Hex() string { return hex.EncodeToString(v.Tx.Bytes()) }

// KnowsFee reports whether the values of all inputs, and so the fee, are known. They are not known of a version that
// Find stored, until ValueCoins.
func (v Version) KnowsFee() bool {
	return !slices.ContainsFunc(v.Own, func(coin vault.Coin) bool { return len(coin.Output.PkScript) == 0 })
}

// IsOwn reports whether an input is one that the owner of the order signed.
func (v Version) IsOwn(point wire.OutPoint) bool {
	return slices.ContainsFunc(v.Own, func(coin vault.Coin) bool { return coin.OutPoint == point })
}

// ReplaceableBy reports whether nodes accept a transaction with a cost in place of the version: it pays the version's
// fee plus the relay fee of its own size, and a higher fee rate (BIP-125). It returns false if the version's fee is not
// known.
func (v Version) ReplaceableBy(cost vault.PayoutCost) bool {
	return v.KnowsFee() && cost.Fee >= v.Fee+MinRelay.Fee(cost.VBytes) &&
		cost.Fee*amount.Sats(v.VBytes) > v.Fee*amount.Sats(cost.VBytes)
}
