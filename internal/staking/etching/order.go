// Package etching mints and etches runes for wallets that can't. A client creates an order and pays one address. The
// service builds, stores, broadcasts and follows the transactions that mint or etch, or refunds the payment.
//
// The funds of orders are separate: each order has an address derived from its terms, its payment covers the network
// fees and the order, and the remainder is returned. These funds never enter the staking ledger.
package etching

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// FundingWindow is the time within which an order must be paid.
const FundingWindow = 6 * time.Hour

// UnconfirmedFor is the time after which an unconfirmed payment no longer pays a waiting order and is no longer
// broadcast. Nodes drop a transaction after the same time. If the payment confirms later, it is refunded.
const UnconfirmedFor = 14 * 24 * time.Hour

// MaxRepeats limits the mints of one order, because nodes relay chains of at most 25 unconfirmed transactions.
const MaxRepeats = 24

// MaxReorg is the number of confirmations after which an order is final.
const MaxReorg = 6

// Kind is the kind of an order, as named in the API.
type Kind string

// The kinds.
const (
	Mint Kind = "rune_mint"
	Etch Kind = "rune_etch"
)

// Order is one order.
type Order struct {
	vault.RuneOrder
	Number       int64
	Kind         Kind
	RuneName     string // with spacers
	FeeRate      amount.FeeRate
	Address      string // payments go here
	Script       []byte
	FundAmount   amount.Sats // if one payment pays; each further payment adds the fee of its input
	State        State
	Cause        Event    // why it failed, or ""
	Reason       string   // Cause as a sentence for the client
	ReasonCode   string   // code of the sentence in package fault; "" if the order did not fail
	ReasonValues []string // values in the sentence
	Executed     string   // txid that the client passed to Execute, or ""
	Quotes       []Quote
	Created      time.Time
	Deadline     time.Time // by which its payment must be seen
	Updated      time.Time
}

// Quote is the additional payment for a higher fee rate. Once paid, the service must apply the rate.
type Quote struct {
	Rate amount.FeeRate `json:"rate"`
	Cost amount.Sats    `json:"cost"`

	Descendants amount.Sats `json:"descendants,omitempty"` // fees of transactions of others that the replacement evicts
}

// Output is an output at an order's address.
type Output struct {
	OutPoint wire.OutPoint
	OrderID  string
	Value    amount.Sats
	Runes    []runes.Balance // known once it is confirmed
	SeenAt   time.Time
	Height   int64
	Vanished bool // a conflicting transaction was seen, or it was unconfirmed for UnconfirmedFor
}

// Role is the purpose of a transaction within an order.
type Role string

// The roles. The payer makes the funding transactions, and the service all others.
const (
	Funding Role = "funding"
	Minting Role = "mint"
	Commit  Role = "commit"
	Reveal  Role = "reveal"
	Refund  Role = "refund"
)

// Tx is a transaction of an order. It is never deleted. The service's own are stored before they are broadcast.
type Tx struct {
	chain.Tx
	OrderID       string
	Role          Role
	Generation    int64 // increases with every replacement; 0 for funding
	Position      int   // index among the mints, from 0
	Fee           amount.Sats
	VBytes        int64
	Created       time.Time
	Height        int64
	Vanished      bool              // funding: see Output.Vanished
	RunesReceived uint128.Uint128   // base units of the order's rune on output 0, once in a block
	Ancestors     map[string]string // funding: the ids of its unconfirmed ancestors, by an outpoint that they spend
}

// Script is the script of an order's address.
type Script struct {
	Number  int64
	OrderID string
	Script  []byte
}

// Store stores the orders within one database transaction.
type Store struct {
	Orders  OrderStore
	Outputs OutputStore
	Txs     TxStore
}

// OrderStore stores orders and their addresses.
type OrderStore interface {
	Insert(o Order) error // assigns its number
	Order(id string) (Order, error)
	Change(o Order, from State) error // state.ErrConflict if its stored state is not from
	Due(now time.Time) ([]Order, error)
	Settle(id string) error // excludes it from Due until one of its outputs or transactions changes
	Scripts(after int64) ([]Script, error)
	NameBusy(name, except string) (bool, error) // another order is etching the name, given without spacers
	Waits(id string) (bool, error)              // a reason of Service.Waits is stored for the order
}

// OutputStore stores the outputs at the addresses of orders.
type OutputStore interface {
	Outputs(orderID string) ([]Output, error)
	PutOutput(o Output) error                 // inserts or replaces, and makes its order Due
	Funds() (map[wire.OutPoint]string, error) // every output, and the id of its order
}

// TxStore stores the transactions of orders and their state on the chain.
type TxStore interface {
	Txs(orderID string) ([]Tx, error)
	PutTx(t Tx) error                  // inserts or replaces, and makes its order Due
	Ours() (map[string]string, error)  // txid → order id of every transaction of the service
	UnconfirmedFunding() ([]Tx, error) // not vanished
	Confirm(txid string, height int64, got uint128.Uint128) error
	Vanish(txid string) error
	Undo(height int64) error // makes the transactions of a block unconfirmed, and their orders Due
	Tip() (int64, error)     // height of the followed chain
	// RefusedSince returns the time since which the node rejects a transaction for a reason other than its fee; zero if
	// it does not.
	RefusedSince(txid string) (time.Time, error)
}

// Database is one database transaction as the service uses it.
type Database interface {
	Etchings(ctx context.Context) Store
	Runes(ctx context.Context) runes.Store
	// Attempt calls fn, and undoes its changes if fn fails: failed is its error or panic. err means that the
	// transaction must end.
	Attempt(ctx context.Context, fn func() error) (failed, err error)
}

// Signer verifies transactions independently and signs them.
type Signer interface {
	SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error)
}
