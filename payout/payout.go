// Package payout delivers what paid orders are owed: it chooses orders, builds
// and checks one transaction for them, has it signed, stores it, and only then
// lets the network see it. The chain alone says when it is done.
package payout

import (
	"context"
	"encoding/hex"
	"log/slog"
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

// Kind is what a payout is for.
type Kind string

const (
	Delivery Kind = "delivery" // brings the runes of one or more orders
	Refund   Kind = "refund"   // gives the payments of one order back
	Return   Kind = "return"   // gives a quarantined output back to its owner
)

// finalDepth is twice the deepest reorg that is followed.
const finalDepth = 2 * order.FinalDepth

// Payout is a family of transactions that share their orders' anchors: at most one of them confirms.
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

// Hex returns the signed bytes as the node takes them.
func (v Version) Hex() string { return hex.EncodeToString(v.Tx.Bytes()) }

// Proof is the signed message behind an order.
type Proof struct {
	Text      string
	Signature string
	Signer    string // the address whose key signed
	Link      *Link  // when that is the payment address
}

// Link is the message that both addresses of a wallet signed.
type Link struct {
	Text              string
	OrdinalsSignature string
	PaymentSignature  string
}

// StakeKeys are what is needed to spend a staked output, besides the community's key.
type StakeKeys struct {
	Position uint32
	Leaf     []byte // x-only key of the staker
	Delay    uint32 // blocks
}

// Unsigned is what the signer is asked for: a transaction and the reasons for it.
type Unsigned struct {
	Community string
	Tx        *wire.MsgTx
	Inputs    []vault.Coin
	Orders    []Owed
	Refund    *RefundOf // instead of orders
	Return    *ReturnTo // instead of orders
}

// Owed is what one order is owed by a payout, and the proof of it.
type Owed struct {
	Order    order.Order
	Delivery vault.Delivery
	Units    []ledger.Unit
	Proof    Proof
}

// Signer signs a payout after checks of its own.
type Signer interface {
	Sign(ctx context.Context, u Unsigned) (*wire.MsgTx, error)
}

// Terms are what payouts need to know of a community.
type Terms struct {
	Prefix  string
	Rune    runes.ID
	Account vault.Account
	MaxRate amount.FeeRate // never pays more per vbyte

	MaxWait      time.Duration // nobody's paid order waits longer for company
	MaxRunestone int           // bytes of the runestone's script; 0 means 83
	// base units; what delivers more to one order is signed by the operator's own hand, 0: nothing
	ColdAbove amount.Runes
	FeeTopUp  amount.Sats // most that one payout may take from the fee account
	Refunds   RefundLimits
}

// Service builds, stores, replaces and confirms payouts.
type Service struct {
	terms    map[string]Terms
	network  chain.Network
	signer   Signer
	book     *ledger.Book
	orders   *order.Service
	allocate vault.Allocate
	policy   chain.PolicyLimits
	log      *slog.Logger
	newID    func() (string, error)
	export   func(Unsigned) (string, error)
	relaysV3 func() bool
	waits    atomic.Pointer[waits]

	signatures vault.Signatures // of the payouts that one caller of Prepare prepares
}

// Config is the configuration of a Service.
type Config struct {
	Network chain.Network
	Signer  Signer
	Book    *ledger.Book
	Orders  *order.Service
	Policy  chain.PolicyLimits
	Log     *slog.Logger
	NewID   func() (string, error) // random ids
	Terms   []Terms
	Export  func(Unsigned) (string, error) // as a PSBT for a signer elsewhere; nil: nothing is exported
	// RelaysV3 says whether the node is known to relay transactions of version 3; nil: it does not.
	RelaysV3 func() bool
}

// version is the version of new transactions: 3 where the node relays it, so that
// nobody who is paid by one can hold its replacement up by what they build on it
// (TRUC, BIP-431). All of its inputs are confirmed, as that asks. Else 2.
func (c *Service) version() int32 {
	if c.relaysV3 != nil && c.relaysV3() {
		return 3
	}
	return 2
}

// NewService returns the payout service of the given communities.
func NewService(c Config) *Service {
	s := &Service{
		terms: map[string]Terms{}, network: c.Network, signer: c.Signer, book: c.Book, orders: c.Orders,
		allocate: vault.AllocateBy(runes.RulesFor(c.Network)), policy: c.Policy, log: c.Log, newID: c.NewID, export: c.Export,
		relaysV3: c.RelaysV3,
	}
	for _, t := range c.Terms {
		s.terms[t.Prefix] = t
	}
	return s
}
