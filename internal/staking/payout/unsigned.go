package payout

import (
	"context"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Proof is the signed message that opened an order.
type Proof struct {
	Text      string
	Signature string
	Signer    string // the address whose key signed
	Link      *Link  // nil unless Signer is the payment address and differs from the ordinals address
}

// Link is a message that both addresses of a wallet signed, which proves that they belong to the same owner.
type Link struct {
	Text              string
	OrdinalsSignature string
	PaymentSignature  string
}

// Unsigned is a transaction to sign, with the data by which the signer verifies it: one of Orders, Refund, Return and
// Withdrawal is set, and none for a split.
type Unsigned struct {
	Community string
	Tx        *wire.MsgTx
	Inputs    []vault.Coin // in the order of Tx
	Orders    []Owed       // empty unless a delivery
	Refund    *RefundOf    // nil unless a refund
	Return    *ReturnTo    // nil unless a return

	Withdrawal *Withdrawal // nil unless a withdrawal

	// Replaced has the transactions of the payout that a OneTx replaces. They may spend its owner's coins.
	Replaced []chainhash.Hash
}

// Owed is an order with its delivery, its units and its signed message.
type Owed struct {
	Order    order.Order
	Delivery vault.Delivery
	Units    []ledger.Unit
	Proof    Proof
}

// Raised reports whether the message of an order chose economy delivery, and its owner paid the difference to the
// normal price.
func (o Owed) Raised() bool {
	intent, err := message.Parse(o.Proof.Text)
	return err == nil && intent.Rate > 0 && !o.Order.IsEconomy()
}

// RefundOf justifies a refund: the order, and its signed message, which contains the payment address.
type RefundOf struct {
	Order order.Order
	Proof Proof
}

// ReturnTo justifies a return.
type ReturnTo struct {
	Owner string // ordinals address, which receives the output
	Proof Proof  // signed message of the order if the output is at an order's payment address, else zero
}

// Withdrawal is an amount that the operator withdraws from a treasury: either sats or runes, and the other is 0. The
// network fee is paid in addition, from the surplus of sats.
type Withdrawal struct {
	Sats  amount.Sats
	Runes amount.Runes
	To    string // address; "" in requests without a withdrawal
}

// Signer verifies and signs payouts.
type Signer interface {
	// Sign returns the signed transaction, or an error if the signer refuses it or does not answer.
	Sign(ctx context.Context, u Unsigned) (*wire.MsgTx, error)
}

// OwnCoins checks the coins of stakers.
type OwnCoins interface {
	// Check returns a *vault.UnfitCoin if a coin can't pay in a transaction, and another error if it can't find out. It
	// ignores spends by the given transactions.
	Check(ctx context.Context, own []vault.Coin, spenders []chainhash.Hash) error
}
