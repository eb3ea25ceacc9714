// Package order handles payment orders: the price in sats of a claim or a withdrawal, its payments, and its status.
package order

import (
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/vault"
)

// Time limits of an order, from the specification.
const (
	FeeValid      = 30 * time.Minute    // validity of a fee rate, and of a PENDING order
	PaymentWindow = 7 * 24 * time.Hour  // from the rate date until the price must be paid
	Unconfirmed   = 14 * 24 * time.Hour // from the rate date until an order with unconfirmed payments in full expires
	LastRerate    = 28 * 24 * time.Hour // from the creation until the last rerate
)

// MaxUnits is the maximum number of units in one order.
const MaxUnits = 150

// Confirmations required of payments and payouts.
const (
	PaymentDepth  = 1
	CoinbaseDepth = 100
	DeliveryDepth = 3
	FinalDepth    = 6
)

// Fees is the price of an order, in sats.
type Fees struct {
	Dust     amount.Sats // carried by the delivery output, 546
	Network  amount.Sats // for delivering this order alone, without its unit inputs
	Service  amount.Sats
	Rutxos   amount.Sats // for spending the outputs of its units
	PerRutxo amount.Sats // for one such input
}

// Total returns the whole price.
func (f Fees) Total() amount.Sats { return f.Dust + f.Network + f.Service + f.Rutxos }

// Order is a payment order for one claim or withdrawal.
type Order struct {
	ID        string // 32 hex digits, derived from the signed message
	Community string
	Reason    ledger.Reason // ForClaim or ForWithdraw
	Owner     string        // ordinals address, which receives the runes
	Payment   string        // payment address of the signed message, which receives refunds
	ActionID  string
	UnitIDs   []string
	RealUnits int64 // number of units with a custody output
	Amount    amount.Runes

	FeeRate amount.FeeRate
	Fees    Fees
	Address string // payment address of the order itself
	Script  []byte

	Status    Status
	Created   time.Time
	RateDate  time.Time
	Deadline  time.Time
	Seen      amount.Sats // counted payments, not vanished and not late
	Usable    amount.Sats // the part of Seen that one delivery can spend together
	Confirmed amount.Sats // the part of Seen that one delivery can spend together and that is confirmed
	Late      amount.Sats // payments that arrived after the order was closed or completed
	Refunded  amount.Sats // payments that a refund spends; not part of the sums above
	Returned  amount.Sats // refunded part of the surplus that the delivery kept
	Owed      Refund      // the refund that is due
	ByRefund  bool        // it is CANCELED because its refund confirmed
	Anchor    string      // outpoint of the payment that its payouts spend, set when the first is built
	PayoutID  string      // the live or delivered payout, or ""
	PayoutTx  string      // its latest transaction id, or ""
	Updated   time.Time
	Number    int64

	// Refusal of PayoutTx by the node; set only for views.
	Refusal *ledger.Refusal
}

// Due returns the sats that one more payment must bring: the missing part of the price, at least the spending floor;
// 0 if the price is seen in full.
func (o Order) Due() amount.Sats {
	missing := o.Fees.Total() - o.Usable
	if missing <= 0 {
		return 0
	}
	return max(missing, vault.PaymentFloor(o.FeeRate))
}

// Surplus returns the sats received beyond the price and not refunded.
func (o Order) Surplus() amount.Sats { return max(0, o.Seen-o.Fees.Total()-o.Returned) }

// HasRefunds reports whether a refund is due, or was signed and is not DEAD. It includes refunds of the surplus that a
// delivery kept.
func (o Order) HasRefunds() bool { return o.Owed.Sats > 0 || o.Refunded > 0 || o.Returned > 0 }

// Balance returns the sum of the counted payments that did not vanish.
func (o Order) Balance() amount.Sats { return o.Seen + o.Late + o.Refunded }

// Payment is one output to an order's address.
type Payment struct {
	OutPoint wire.OutPoint
	OrderID  string
	Value    amount.Sats
	SeenAt   time.Time
	Counted  bool // above the spending floor, more than a small part, and without runes
	Waiting  Waiting
	Plain    bool  // holds no runes
	Late     bool  // arrived after the deadline or after the order was closed
	Height   int64 // chain.None while unconfirmed
	Position int64 // index of its transaction in its block
	Coinbase bool
	Vanished bool   // a conflicting transaction was seen
	SpentBy  string // the payout or refund that spends it, or ""
	Refunded bool   // SpentBy is a refund
	Kept     bool   // not a payment, but the part of the surplus that the order's delivery kept, to be refunded
	Number   int64  // order of arrival
}
