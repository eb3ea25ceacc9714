// Package action handles the actions of stakers: it issues the messages to sign, verifies the proofs, and applies the
// effects.
package action

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/order"
)

// Type is the type of an action.
type Type string

// The actions, and the cancel of an order. All except a stake are signed.
const (
	Stake    Type = "STAKE"
	Unstake  Type = "UNSTAKE"
	Restake  Type = "RESTAKE"
	Claim    Type = "CLAIM"
	Compound Type = "COMPOUND"
	Withdraw Type = "WITHDRAW"
	// AutoCompound and EndAutoCompound begin and end automatic compounding. They name no units.
	AutoCompound    Type = message.AutoCompound
	EndAutoCompound Type = message.EndAutoCompound
	cancel          Type = "CANCEL" // requested by PostCancel and signed like an action
)

// Validity is the time from issuing a message until it expires.
const Validity = 30 * time.Minute

// Wallet is the pair of addresses that a caller acts for.
type Wallet struct {
	Payment  string
	Ordinals string
}

// Action is one action of an owner. It can be used once.
type Action struct {
	ID        string
	Community string
	Type      Type
	Wallet    Wallet
	UnitIDs   []string
	Amount    amount.Runes // sum of the units, or the intended deposit of a STAKE
	OrderID   string       // the order that it opened, or that it cancels
	Message   string       // the message to sign; "" for STAKE, and while only Brief is stored
	Statement string       // id of the statement that the message names, in hex; "" if it names none
	First     int64        // AUTO_COMPOUND: first and last epoch of the instruction
	Last      int64
	Ends      string // END_AUTO_COMPOUND: id of the instruction that it ends
	Economy   Speed  // CLAIM and WITHDRAW: the speed of the order; as stored, it is in Message or Brief
	Brief     string // stored in place of Message and UnitIDs until the action is used, then ""
	Created   time.Time
	Expires   time.Time
	Used      bool
	UsedAt    time.Time
	Signature string
	Signer    string // the address whose key signed the message
	TxID      string // STAKE: the deposit's txid according to the client, unverified
}

// Requested is the response to a new action.
type Requested struct {
	ActionID string
	Message  string   // the message to sign
	UnitIDs  []string // the units of the action
}

// StakeRequest is a request for a stake address.
type StakeRequest struct {
	Wallet      Wallet
	PaymentKey  []byte       // public key of the payment address
	OrdinalsKey []byte       // public key of the ordinals address
	Amount      amount.Runes // the intended deposit
	Self        bool         // self-custody; else operator custody, where the community allows it
}

// StakeAddress is the address for a deposit.
type StakeAddress struct {
	Address  string
	ActionID string
	// What the address is derived from, with the public key of the ordinals address.
	Self         bool
	CommunityKey string // x-only, hex
	Delay        uint32 // blocks
}

// SignRequest is a submitted proof of an action.
type SignRequest struct {
	Wallet           Wallet
	ActionID         string
	Type             Type
	TxID             string // STAKE only: the deposit's txid, unverified
	Signature        string
	PaymentSignature string // optional: proves that the payment address belongs to the same owner
}

// Signed is the result of a proof. Submitting the proof again returns the same result.
type Signed struct {
	Applied bool         // the effect is applied (STAKE: a deposit is recorded)
	Order   *order.Order // the order of a claim or withdrawal; nil for other actions
}
