package order

import (
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// Time limits of an order, from the specification.
const (
	FeeValid = 30 * time.Minute // validity of a fee rate, and of a PENDING order
	// PaymentWindow is the time from the rate date at the first payment until the price must be paid. An order can be
	// PAID for weeks; if a payment is undone after that time, it begins again.
	PaymentWindow = 7 * 24 * time.Hour
	Unconfirmed   = 14 * 24 * time.Hour // until a normal order expires whose price never confirms, see lastConfirmed
	LastRerate    = 28 * 24 * time.Hour // from the creation until the last rerate
)

// MaxUnits is the maximum number of units in one order, and MaxSelfUnits of units in self-custody, whose inputs are
// larger.
const (
	MaxUnits     = 150
	MaxSelfUnits = 80
)

// Numbers of confirmations.
const (
	PaymentDepth  = 1   // of a payment that counts as confirmed
	CoinbaseDepth = 100 // of a payment in a coinbase transaction that counts as confirmed
	DeliveryDepth = 3   // of a payout whose orders are DELIVERED
	FinalDepth    = 6   // of a payout whose orders can be CONSOLIDATED, and of a conflict that makes a payout DEAD
)

// Fees is the price of an order, in sats.
type Fees struct {
	Dust     amount.Sats // 546, which the delivery output has in addition to the sats of the unit outputs
	Network  amount.Sats // network fee of delivering this order alone, with its payment inputs, without its unit inputs
	Service  amount.Sats // fee of the operator
	Listed   amount.Sats // what Service is without being lowered: the community's fee when the price was computed
	Rutxos   amount.Sats // network fee of its unit inputs
	PerRutxo amount.Sats // network fee of one input that our key alone signs: a unit in operator custody, or a payment
}

// Total returns the price of the order.
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
	RealUnits int64        // number of units with a custody output
	SelfUnits int64        // number of those in self-custody; their owner signs the delivery (ADR 68)
	Amount    amount.Runes // sum of the units

	FeeRate amount.FeeRate
	Fees    Fees
	Address string // address of this server at which the order is paid
	Script  []byte // output script of Address

	Status    Status
	Created   time.Time
	RateDate  time.Time   // start of the validity of FeeRate
	Economy   Economy     // its Until is zero at normal speed
	OneTx     bool        // the owner's coins pay in the transaction that delivers the order (ADR 67)
	Deadline  time.Time   // when a PENDING order, one that is not paid in full, or one that its owner must sign expires
	Seen      amount.Sats // counted payments, except vanished, late and refunded ones
	Usable    amount.Sats // the part of Seen that one delivery can spend together
	Confirmed amount.Sats // the part of Seen that one delivery can spend together and that is confirmed
	Late      amount.Sats // counted payments that are late, except vanished and refunded ones
	Refunded  amount.Sats // payments that a refund spends; not part of the sums above
	Returned  amount.Sats // refunded part of the overpayment that the delivery kept
	Owed      Refund      // the refund that is due
	ByRefund  bool        // it is CANCELED because its refund confirmed while it was in AUDIT
	Anchor    string      // outpoint of the payment that its payouts spend, set when the first is built
	PayoutID  string      // id of the live or delivered payout, or ""
	PayoutTx  string      // id of that payout's current transaction, or ""
	Updated   time.Time   // time of the last event, or of Extend
	Number    int64       // order of creation

	// Refusal is the node's refusal of PayoutTx, or nil. It is not stored with the order, and set only for views.
	Refusal *ledger.Refusal
}

// NeedsOwner reports whether the order waits for its owner: to pay the rest, to request a new fee rate, or to sign the
// delivery.
func (o Order) NeedsOwner() bool {
	switch o.Status {
	case Confirmed:
		return o.Usable < o.Fees.Total()
	case PendingRerate:
		return true
	case Paid:
		return o.SelfUnits > 0
	}
	return false
}

// Due returns the value of one more payment that completes the price: the missing part of the price, which is less than
// 546 sats only if the service fee is. It returns 0 if the seen payments pay the price, and for an order that can't be
// paid.
func (o Order) Due() amount.Sats {
	missing := o.Fees.Total() - o.Usable
	if missing <= 0 || !o.Status.payable() {
		return 0
	}
	return max(missing, vault.DustSats)
}

// Overpayment returns the seen sats that exceed the price and are not refunded. It returns 0 if the delivery, which the
// owner signs, returns them.
func (o Order) Overpayment() amount.Sats {
	if o.SelfUnits > 0 && !o.Status.payable() && !o.Status.Closed() {
		return 0
	}
	return max(0, o.Seen-o.Fees.Total()-o.Returned)
}

// HasRefunds reports whether a refund is due, or was signed and is not DEAD, including refunds of the overpayment that
// a delivery kept.
func (o Order) HasRefunds() bool { return o.Owed.Sats > 0 || o.Refunded > 0 || o.Returned > 0 }

// Balance returns the sum of the payments that pay the price. Until they pay it in full, the price without Balance is
// Due.
func (o Order) Balance() amount.Sats {
	if o.Usable < o.Fees.Total() {
		return o.Usable
	}
	return o.Seen
}

// Payment is one output to an order's address.
type Payment struct {
	OutPoint wire.OutPoint
	OrderID  string
	Value    amount.Sats
	SeenAt   time.Time
	Counted  bool    // it counts towards the price: see judge and countWaiting
	Waiting  Waiting // why it does not count yet
	Plain    bool    // holds no runes and is not quarantined
	Late     bool    // arrived after the deadline of a PENDING order, or after the order was closed; see postArrival too
	Height   int64   // chain.None while unconfirmed
	Position int64   // index of its transaction in its block
	Coinbase bool
	Vanished bool   // see ledger.Output.Vanished
	SpentBy  string // id of the transaction that spends it, or ""
	Refunded bool   // SpentBy is a refund of this server
	Kept     bool   // not a payment, but the part of the overpayment that the order's delivery kept, to be refunded
	Number   int64  // order of arrival
}

// Seen reports whether the owner sees the payment: it is one and did not vanish. It may not count yet.
func (p Payment) Seen() bool { return !p.Vanished && !p.Kept }
