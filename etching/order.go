// Package etching is the service that mints and etches runes for wallets that
// can't: somebody orders, pays one address, and the service builds, stores, sends
// and watches the transactions that mint or etch, or gives the money back.
//
// An order's money is its own: it is taken at an address that is derived from all
// that the order promises, pays the network fees and what was ordered, and what is
// left goes back. Nothing of it ever meets the staking ledger.
package etching

import (
	"context"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/runes"
	"moonfund/vault"
)

// FundingWindow is how long an order waits for its money.
const FundingWindow = 6 * time.Hour

// MaxRepeats bounds the mints of one order: nodes relay at most 25 transactions
// that build on each other.
const MaxRepeats = 24

// MaxReorg is how deep an order must lie before nobody looks after it any more.
const MaxReorg = 6

// Kind is what is ordered, by the names of the wire.
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
	Address      string // takes the money
	Script       []byte
	FundAmount   amount.Sats // with one payment; each further one adds its input's fee
	State        State
	Cause        Event    // why it failed, "" when it did not
	Reason       string   // the same as a sentence
	ReasonCode   string   // of the sentence in package fault; "" for orders that failed before there were codes
	ReasonValues []string // what the sentence names
	Executed     string   // txid that its client named, "" before
	Quotes       []Quote
	Created      time.Time
	Deadline     time.Time // for its money to be seen
	Updated      time.Time
}

// Quote is what was asked for a higher fee rate: paid, it is a promise.
type Quote struct {
	Rate amount.FeeRate `json:"rate"`
	Cost amount.Sats    `json:"cost"`
}

// Output is money that came in at an order's address.
type Output struct {
	OutPoint wire.OutPoint
	OrderID  string
	Value    amount.Sats
	Runes    []runes.Balance // known once it is in a block
	SeenAt   time.Time
	Height   int64
	Vanished bool // a conflicting transaction was seen
}

// Role is what a transaction does for an order.
type Role string

// The roles. Funding is the payer's, all others are ours.
const (
	Funding Role = "funding"
	Minting Role = "mint"
	Commit  Role = "commit"
	Reveal  Role = "reveal"
	Refund  Role = "refund"
)

// Tx is a transaction of an order, kept for life: ours are stored before the
// network sees them.
type Tx struct {
	chain.Tx
	OrderID    string
	Role       Role
	Generation int64 // ours: rises with every replacement; 0 for funding
	Position   int   // among the mints, from 0
	Fee        amount.Sats
	VBytes     int64
	Created    time.Time
	Height     int64
	Vanished   bool            // funding: a conflicting transaction was seen
	Got        uint128.Uint128 // base units of the order's rune on output 0, once in a block
}

// Script is an address that was handed out.
type Script struct {
	Number  int64
	OrderID string
	Script  []byte
}

// Store keeps the orders within one database transaction.
type Store struct {
	Orders  OrderStore
	Outputs OutputStore
	Txs     TxStore
}

// OrderStore keeps orders and the addresses that they were given.
type OrderStore interface {
	Insert(o Order) error // numbers it
	Order(id string) (Order, error)
	Change(o Order, from State) error // state.ErrConflict if its stored state is not from
	Due(now time.Time) ([]Order, error)
	Settle(id string) error // removes it from what is Due, until an output or a transaction of it changes
	Scripts(after int64) ([]Script, error)
	NameBusy(name, except string) (bool, error) // another order is etching the name, given without spacers
}

// OutputStore keeps the outputs at the addresses of orders.
type OutputStore interface {
	Outputs(orderID string) ([]Output, error)
	PutOutput(o Output) error                 // inserts or replaces, and makes its order Due
	Funds() (map[wire.OutPoint]string, error) // every output, and the id of its order
}

// TxStore keeps the transactions of orders, and what the chain says of them.
type TxStore interface {
	Txs(orderID string) ([]Tx, error)
	PutTx(t Tx) error                  // inserts or replaces, and makes its order Due
	Ours() (map[string]string, error)  // txid → order id of every transaction that is ours
	UnconfirmedFunding() ([]Tx, error) // not vanished
	Confirm(txid string, height int64, got uint128.Uint128) error
	Vanish(txid string) error
	Undo(height int64) error // makes the transactions of a block unconfirmed, and their orders Due
	Tip() (int64, error)     // height of the followed chain
	// RefusedSince returns since when the node refuses a transaction for what it is; zero when it does not.
	RefusedSince(txid string) (time.Time, error)
}

// Database is one database transaction, as the service needs it.
type Database interface {
	Etchings(ctx context.Context) Store
	Runes(ctx context.Context) runes.Store
}

// Signer signs what it can verify by itself.
type Signer interface {
	SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error)
}
