// Package action is the door of intent: what an owner asks for, the message
// that he signs, and the effect that the proof has.
package action

import (
	"time"

	"moonfund/amount"
	"moonfund/order"
)

// Type is what an owner may intend.
type Type string

const (
	Stake    Type = "STAKE"
	Unstake  Type = "UNSTAKE"
	Restake  Type = "RESTAKE"
	Claim    Type = "CLAIM"
	Compound Type = "COMPOUND"
	Withdraw Type = "WITHDRAW"
	cancel   Type = "CANCEL" // a message of its own (cancelPO), not one of the six
)

// Validity is how long a message may be signed after it was made.
const Validity = 30 * time.Minute

// Wallet is the pair of addresses a caller acts for.
type Wallet struct {
	Payment  string
	Ordinals string
}

// Action is one intent, used once.
type Action struct {
	ID        string
	Community string
	Type      Type
	Wallet    Wallet
	UnitIDs   []string
	Amount    amount.Runes
	OrderID   string // the order that it made, or that it cancels
	Message   string // what the owner is asked to sign; "" for STAKE, and while only the brief is known
	Brief     string // what is stored in place of Message and UnitIDs until it is signed; "" once it is
	Created   time.Time
	Expires   time.Time
	Used      bool
	UsedAt    time.Time
	Signature string
	Signer    string // the address whose key signed
	TxID      string // STAKE: the client's hint
}

// Requested is the answer to a new intent.
type Requested struct {
	ActionID string
	Message  string
	UnitIDs  []string // the units that the action is about
}

// StakeRequest asks for a stake address.
type StakeRequest struct {
	Wallet      Wallet
	PaymentKey  []byte
	OrdinalsKey []byte
	Amount      amount.Runes
}

// StakeAddress is where to send the runes to be staked.
type StakeAddress struct {
	Address  string
	ActionID string
}

// SignRequest is a signed message on its way in.
type SignRequest struct {
	Wallet           Wallet
	ActionID         string
	Type             Type
	TxID             string // STAKE only, a hint
	Signature        string
	PaymentSignature string // optional: proof that the payment address belongs to the same owner
}

// Signed is what a proof brought about. Asked again, the first answer comes again.
type Signed struct {
	Applied bool         // the effect stands (STAKE: the deposit was seen)
	Order   *order.Order // of a claim or withdrawal
}
