// Package payout delivers orders, refunds payments, returns quarantined outputs and takes surplus out of the treasury.
// It builds and checks a transaction, has the signer sign it, and stores it. The caller broadcasts it after the commit.
// Only confirmations complete a payout.
package payout

import (
	"context"
	"encoding/hex"
	"log/slog"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/runes"
	"moonfund/vault"
)

// Kind is the purpose of a payout.
type Kind string

const (
	Delivery Kind = "delivery"   // delivers the runes of one or more orders
	Refund   Kind = "refund"     // refunds payments of one order
	Return   Kind = "return"     // returns a quarantined output to its owner
	Withdraw Kind = "withdrawal" // takes surplus out of the treasury, for the operator
)

// finalDepth is the number of confirmations of a final payout: twice order.FinalDepth.
const finalDepth = 2 * order.FinalDepth

// Payout is a set of transactions that share their orders' anchors, so at most one of them confirms.
type Payout struct {
	ID        string
	Community string
	Kind      Kind
	OrderIDs  []string
	Status    Status
	Created   time.Time
	Versions  []Version // oldest first
}

// Version is one signed transaction of a payout.
type Version struct {
	Tx      chain.Tx
	Fee     amount.Sats
	VBytes  int64
	Created time.Time
	Height  int64 // chain.None while unconfirmed
}

// Hex returns the signed transaction in hex.
func (v Version) Hex() string { return hex.EncodeToString(v.Tx.Bytes()) }

// Proof is the signed message of an order.
type Proof struct {
	Text      string
	Signature string
	Signer    string // the address whose key signed
	Link      *Link  // if Signer is the payment address
}

// Link is a message that both addresses of a wallet signed.
type Link struct {
	Text              string
	OrdinalsSignature string
	PaymentSignature  string
}

// StakeKeys are the data needed to spend a staked output, besides the community's key.
type StakeKeys struct {
	Position uint32
	Leaf     []byte // x-only key of the staker
	Delay    uint32 // recovery delay in blocks
}

// Unsigned is a transaction to sign, with its justification: Orders, Refund, Return or Withdrawal.
type Unsigned struct {
	Community string
	Tx        *wire.MsgTx
	Inputs    []vault.Coin
	Orders    []Owed
	Refund    *RefundOf // nil unless a refund
	Return    *ReturnTo // nil unless a return

	Withdrawal *Withdrawal // nil unless a withdrawal
}

// Owed is the delivery that is owed to one order, with the order's proof.
type Owed struct {
	Order    order.Order
	Delivery vault.Delivery
	Units    []ledger.Unit
	Proof    Proof
}

// Signer verifies and signs payouts. It returns an error if it refuses one.
type Signer interface {
	Sign(ctx context.Context, u Unsigned) (*wire.MsgTx, error)
}

// Terms are the parameters of a community.
type Terms struct {
	Prefix  string
	Rune    runes.ID
	Account vault.Account
	MaxRate amount.FeeRate // maximum fee rate

	MaxWait      time.Duration // longest time that a PAID order waits for other orders
	MaxRunestone int           // maximum size of the runestone's script in bytes; 0 means 83
	// ColdAbove is the amount in base units above which an operator signs the delivery of an order by hand; 0 means no
	// limit.
	ColdAbove amount.Runes
	FeeTopUp  amount.Sats // most that one payout may take from the fee account
	Refunds   RefundLimits
}

// Service builds, stores, replaces and confirms payouts.
type Service struct {
	terms    map[string]Terms
	prefixes []string // of terms, sorted: payouts are built in a defined order
	network  chain.Network
	signer   Signer
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

	refundsFrom map[string]RefundPosition // by community, where the next Prepare begins to examine due refunds
	examined    map[string]RefundPosition // refundsFrom after the current Prepare
}

// Config is the configuration of a Service.
type Config struct {
	Network chain.Network
	Signer  Signer
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
// delay a replacement by descendants, else 2. All inputs are confirmed, as version 3 requires.
func (s *Service) version() int32 {
	if s.relaysV3 != nil && s.relaysV3() {
		return 3
	}
	return 2
}

// NewService returns the payout service of the given communities.
func NewService(c Config) *Service {
	s := &Service{
		terms: map[string]Terms{}, network: c.Network, signer: c.Signer, ledger: c.Ledger, orders: c.Orders,
		allocate: vault.AllocateBy(runes.RulesFor(c.Network)), policy: c.Policy, log: c.Log, newID: c.NewID, export: c.Export,
		relaysV3: c.RelaysV3,
	}
	for _, t := range c.Terms {
		s.terms[t.Prefix] = t
	}
	s.prefixes = slices.Sorted(maps.Keys(s.terms))
	return s
}
