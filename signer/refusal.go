package signer

import "fmt"

// Reason says which of its rules the signer refused by.
type Reason string

// The reasons for a refusal.
const (
	BadRequest   Reason = "bad request"        // not a transaction this signer signs at all
	NotOurs      Reason = "not ours"           // an input's script or kind is not the one of its key path
	BadProof     Reason = "bad proof"          // the staker's message or its signature
	OtherOrder   Reason = "another order"      // the message is not the one that opened this order
	NotOwner     Reason = "not the owner"      // the leaf under a stake is not the proof's ordinals address's
	WrongUnits   Reason = "wrong units"        // the stakes spent are not those of the proof
	WrongTarget  Reason = "wrong destination"  // an output does not go where it must
	WrongRunes   Reason = "wrong runes"        // the runestone does not pay what is owed
	NoPayment    Reason = "no payment"         // an order's own payment is not spent, so it could be paid twice
	FeeTooHigh   Reason = "fee too high"       // absolute, or per virtual byte
	OverLimit    Reason = "over the limit"     // of the last 24 hours
	LimitsLost   Reason = "limits lost"        // the record of the last 24 hours is missing
	UnsafeBatch  Reason = "unsafe batch"       // cannot be checked without an index of its own
	NeedsHand    Reason = "needs a person"     // so much is signed by hand, elsewhere
	Paused       Reason = "paused"             // by the signer's own switch
	BadSignature Reason = "signature unusable" // our own signature does not verify
)

// Refusal is the signer's "no": nothing was signed.
type Refusal struct {
	Reason Reason
	Detail string
}

func (r *Refusal) Error() string { return fmt.Sprintf("signer: %s: %s", r.Reason, r.Detail) }

func refuse(reason Reason, format string, args ...any) error {
	return &Refusal{reason, fmt.Sprintf(format, args...)}
}
