package signer

import "fmt"

// Reason is the rule by which the signer refused a request.
type Reason string

// The reasons.
const (
	BadRequest   Reason = "bad request"        // not a transaction that this signer signs
	NotOurs      Reason = "not ours"           // an input's script or kind does not match its key path
	BadProof     Reason = "bad proof"          // the staker's message or its signature is invalid
	OtherOrder   Reason = "another order"      // the message is not the one that opened this order
	NotOwner     Reason = "not the owner"      // the leaf of a stake does not hold the key of the proof's ordinals address
	WrongUnits   Reason = "wrong units"        // the spent stakes differ from the proof's units
	WrongTarget  Reason = "wrong destination"  // an output pays another destination than required
	WrongRunes   Reason = "wrong runes"        // the runestone does not pay the amounts due
	NoPayment    Reason = "no payment"         // an order's own payment is not spent, so it could be paid twice
	WrongCharge  Reason = "wrong charge"       // an order of economy delivery pays more or less than its own delivery
	FeeTooHigh   Reason = "fee too high"       // in total or per virtual byte
	Unlisted     Reason = "unlisted address"   // a withdrawal to an address that is not configured
	OverLimit    Reason = "over the limit"     // the limit of the last 24 hours
	LimitsLost   Reason = "limits lost"        // the record of the last 24 hours is missing
	UnsafeBatch  Reason = "unsafe batch"       // requires an index to verify
	NeedsHand    Reason = "needs a person"     // the amount requires signing by hand
	Paused       Reason = "paused"             // the signer's own pause switch is set
	BadStatement Reason = "bad statement"      // not a valid statement of this community
	NotSuccessor Reason = "not the successor"  // of the last statement that was signed
	HeadsLost    Reason = "head lost"          // the record of the last statement is missing or contradicts another one
	BadSignature Reason = "signature unusable" // a signature, the signer's or of an own coin, does not verify
)

// Refusal is the error of a refused request. Nothing was signed.
type Refusal struct {
	Reason Reason
	Detail string
}

func (r *Refusal) Error() string { return fmt.Sprintf("signer: %s: %s", r.Reason, r.Detail) }

// OverLimit reports whether the reason is a limit of the last 24 hours.
func (r *Refusal) OverLimit() bool { return r.Reason == OverLimit }

func refuse(reason Reason, format string, args ...any) error {
	return &Refusal{reason, fmt.Sprintf(format, args...)}
}
