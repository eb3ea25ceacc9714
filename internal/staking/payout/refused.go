package payout

import (
	"errors"
	"fmt"

	"moonfund/internal/staking/order"
)

// Refuse returns a *order.Refusal with the reason why a request is not carried out.
func Refuse(reason string) error { return &order.Refusal{Reason: reason} }

// Refusef is Refuse with a formatted reason.
func Refusef(format string, args ...any) error { return Refuse(fmt.Sprintf(format, args...)) }

// NotReplaceable returns a *order.Refusal with the reason why a payout is not replaced.
func NotReplaceable(format string, args ...any) error {
	return Refuse("it is not replaced: " + fmt.Sprintf(format, args...))
}

// WaitError is the reason why a payout can't be sent yet.
type WaitError struct {
	Reason string
	Limit  bool // whether the reason is a limit of the signer
}

func (w *WaitError) Error() string { return w.Reason }

// Waitf returns a *WaitError.
func Waitf(format string, args ...any) error { return &WaitError{Reason: fmt.Sprintf(format, args...)} }

// notSigned returns the error for a payout that the signer refused: a *order.Refusal for a withdrawal, else a
// *WaitError. Its text names the command to sign by hand a withdrawal, or a refund or return above the signer's limits.
func notSigned(err error, kind Kind, u Unsigned) error {
	if paused := new(WaitError); errors.As(err, &paused) {
		return paused
	}
	waiting := &WaitError{Reason: fmt.Sprintf("it is not signed: %v", err)}
	var refused interface{ OverLimit() bool }
	isRefused := errors.As(err, &refused)
	if isRefused && kind == Withdraw {
		return Refuse(waiting.Reason + ". You can sign it by hand: repeat the command with --by-hand withdrawal.psbt")
	}
	if waiting.Limit = isRefused && refused.OverLimit(); waiting.Limit {
		subject := u.Inputs[0].OutPoint.String() // of a return
		if u.Refund != nil {
			subject = u.Refund.Order.ID
		}
		waiting.Reason += fmt.Sprintf("; it is tried again, or sign it by hand: "+
			`moonfund payout export %s %s.psbt --why "above the limit"`, subject, kind)
	}
	return waiting
}
