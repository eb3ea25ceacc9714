// Package order keeps the payment orders: what a claim or a withdrawal costs in
// satoshis, what was paid for it, and where it stands.
package order

import (
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/vault"
)

// Windows of an order's life, from the specification.
const (
	FeeValid      = 30 * time.Minute    // a rate holds this long; so does a PENDING order
	PaymentWindow = 7 * 24 * time.Hour  // from the rate date, to complete a begun payment
	Unconfirmed   = 14 * 24 * time.Hour // after which an order that was seen in full and never confirmed expires
	LastRerate    = 28 * 24 * time.Hour // from the creation: no rerate after that
)

// MaxUnits is the most units that one order may deliver.
const MaxUnits = 150

// Confirmations that count: a payment's, and a payout's.
const (
	PaymentDepth  = 1
	CoinbaseDepth = 100
	DeliveryDepth = 3
	FinalDepth    = 6
)

// Fees is the price of an order, in sats.
type Fees struct {
	Dust     amount.Sats // 546, carried by the delivery output
	Network  amount.Sats // delivering this order alone, without its unit inputs
	Service  amount.Sats
	Rutxos   amount.Sats // spending its units' own outputs
	PerRutxo amount.Sats // one such input
}

// Total is everything the order costs.
func (f Fees) Total() amount.Sats { return f.Dust + f.Network + f.Service + f.Rutxos }

// Order is a payment order for one claim or withdrawal.
type Order struct {
	ID        string // 128 random bits, hex
	Community string
	Reason    ledger.Reason // ForClaim or ForWithdraw
	Owner     string        // ordinals address: where the runes go
	Payment   string        // payment address of the signed message: where a refund goes
	ActionID  string
	UnitIDs   []string
	RealUnits int64 // how many of them are custody outputs
	Amount    amount.Runes

	FeeRate amount.FeeRate
	Fees    Fees
	Address string // where it is paid
	Script  []byte

	Status    Status
	Created   time.Time
	RateDate  time.Time
	Deadline  time.Time
	Seen      amount.Sats // counted payments seen and not vanished
	Usable    amount.Sats // of Seen, what one delivery can spend together
	Confirmed amount.Sats // of Seen, what one delivery can spend together and is in a block deep enough
	Late      amount.Sats // payments that arrived after it was closed or completed
	Refunded  amount.Sats // payments that a refund spends; in none of the three sums before
	Returned  amount.Sats // of the surplus that its delivery kept for it, what a refund gave back
	Owed      Refund      // what is due to its payer
	ByRefund  bool        // it is CANCELED since its refund was confirmed
	Anchor    string      // outpoint of the payment that its payouts spend, once the first was built
	PayoutID  string      // the live or delivered payout, or ""
	PayoutTx  string      // its latest transaction id, or ""
	Updated   time.Time
	Number    int64

	// Refusal of PayoutTx by the node; set only for views.
	Refusal *ledger.Refusal
}

// Due is what one more payment must bring, never below the floor under which a
// payment counts nothing; 0 when the order was seen in full.
func (o Order) Due() amount.Sats {
	missing := o.Fees.Total() - o.Usable
	if missing <= 0 {
		return 0
	}
	return max(missing, vault.PaymentFloor(o.FeeRate))
}

// Surplus is what was received beyond the price and not given back.
func (o Order) Surplus() amount.Sats { return max(0, o.Seen-o.Fees.Total()-o.Returned) }

// Balance is every counted payment that was seen and not replaced, whatever became of it.
func (o Order) Balance() amount.Sats { return o.Seen + o.Late + o.Refunded }

// Payment is one output to an order's address.
type Payment struct {
	OutPoint wire.OutPoint
	OrderID  string
	Value    amount.Sats
	SeenAt   time.Time
	Counted  bool // worth spending, more than a small part, and bearing no runes
	Waiting  Waiting
	Plain    bool  // bears no runes
	Late     bool  // arrived after the deadline or after the order was closed
	Height   int64 // chain.None while unconfirmed
	Position int64 // of its transaction in its block
	Coinbase bool
	Vanished bool   // a conflicting transaction was seen
	SpentBy  string // the payout or refund that spends it, or ""
	Refunded bool   // SpentBy is a refund
	Kept     bool   // no payment: what the order's own delivery kept of its surplus, to be refunded
	Number   int64  // order of arrival
}
