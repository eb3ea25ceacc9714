// Package payout delivers orders, refunds payments, returns quarantined outputs and withdraws surplus from the
// treasury. It builds and checks a transaction, has the signer sign it, and stores it. The caller broadcasts the
// transaction after the commit. Only confirmations complete a payout.
package payout

import (
	"context"
	"encoding/hex"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Kind is the purpose of a payout.
type Kind string

const (
	Delivery Kind = "delivery"   // delivers the runes of one or more orders
	Refund   Kind = "refund"     // refunds payments of one order
	Return   Kind = "return"     // returns a quarantined output to its owner
	Withdraw Kind = "withdrawal" // withdraws surplus from the treasury, for the operator
	OneTx    Kind = "one_tx"     // delivers one withdrawal; its owner's own coins pay at least its first version
)

// finalDepth is the number of confirmations of a final payout: twice order.FinalDepth.
const finalDepth = 2 * order.FinalDepth

// Payout is a set of transactions of which at most one can confirm: all spend the anchors of the payout's orders, of a
// OneTx the outputs of its units or, if it has no orders, the inputs of its first transaction.
type Payout struct {
	ID        string
	Community string
	Kind      Kind
	OrderIDs  []string // empty for a return and a withdrawal
	Status    Status
	Created   time.Time
	Versions  []Version // oldest first
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

// StakeKeys are the data needed to spend a staked output, besides the community's key.
type StakeKeys struct {
	Position uint32 // index in the community's key path
	Leaf     []byte // x-only public key of the staker, 32 bytes
	Delay    uint32 // recovery delay in blocks
}

// Unsigned is a transaction to sign, with the data by which the signer verifies it: exactly one of Orders, Refund,
// Return and Withdrawal is set.
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

// Terms are the parameters of a community.
type Terms struct {
	Prefix  string // identifies the community
	Rune    runes.ID
	Account vault.Account  // derives the treasury's addresses and the keys of the inputs
	MaxRate amount.FeeRate // maximum fee rate of its payouts

	MaxWait      time.Duration // longest time that a PAID order waits for other orders
	MaxRunestone int           // maximum size of the runestone's script in bytes; 0 means 83
	// ColdAbove is the amount in base units above which an operator signs the delivery of an order by hand; 0 means no
	// limit.
	ColdAbove amount.Runes
	FeeTopUp  amount.Sats // maximum amount that one payout may take from the fee account
	Refunds   RefundLimits
}

// Service builds, stores, replaces and confirms payouts. Only Waiting is safe for concurrent use.
type Service struct {
	terms    ledger.Communities[Terms]
	network  chain.Network
	signer   Signer
	own      OwnCoins // nil: no OneTx
	ledger   *ledger.Service
	orders   *order.Service
	allocate vault.Allocate
	policy   chain.PolicyLimits
	log      *slog.Logger
	newID    func() (string, error)
	export   func(Unsigned) (string, error)
	relaysV3 func() bool
	waits    atomic.Pointer[waits]

	signatures vault.Signatures // of the payouts that the last Prepare built

	ended []string // orders whose sessions the last Prepare ended unsigned

	refundsFrom map[string]RefundPosition // by community, where the next Prepare begins to examine due refunds
	examined    map[string]RefundPosition // refundsFrom after the current Prepare
}

// Config is the configuration of a Service.
type Config struct {
	Network chain.Network
	Signer  Signer
	Own     OwnCoins // nil: withdrawals in one transaction are off
	Ledger  *ledger.Service
	Orders  *order.Service
	Policy  chain.PolicyLimits
	Log     *slog.Logger
	NewID   func() (string, error) // random ids
	Terms   []Terms
	Export  func(Unsigned) (string, error) // encodes a PSBT to sign by hand; nil: no exports
	// RelaysV3 reports whether the node is known to relay transactions of version 3; nil means that it does not.
	RelaysV3 func() bool
}

// version returns the version of new transactions: 3 (TRUC, BIP-431) if the node relays it, so that recipients can't
// delay a replacement by descendants, else 2. Payouts spend only confirmed outputs, so they comply with the limit of
// version 3 for unconfirmed ancestors.
func (s *Service) version() int32 {
	if s.relaysV3 != nil && s.relaysV3() {
		return 3
	}
	return 2
}

// NewService returns the payout service of the given communities.
func NewService(c Config) *Service {
	s := &Service{
		network: c.Network, signer: c.Signer, own: c.Own, ledger: c.Ledger, orders: c.Orders,
		allocate: vault.AllocateBy(runes.RulesFor(c.Network)), policy: c.Policy, log: c.Log, newID: c.NewID, export: c.Export,
		relaysV3: c.RelaysV3,
	}
	for _, t := range c.Terms {
		s.terms.Add(t.Prefix, t)
	}
	return s
}
