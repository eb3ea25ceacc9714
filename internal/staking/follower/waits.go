package follower

import (
	"context"
	"maps"
	"time"

	"moonfund/internal/staking/order"
)

// Wait is something that is not sent or carried out now: a PAID order by its id, else a kind and an id as in
// payout.Book.Attempt, such as "refund ID", "rune-order ID" or "community PREFIX".
type Wait struct {
	Subject string    `json:"-"`
	Reason  string    `json:"reason"` // text for operators
	Since   time.Time `json:"since"`
}

// Kinds and subjects of Wait that payout.Book.Attempt does not record.
const (
	RuneOrder    = "rune-order" // of the mint and etch service
	AnyRuneOrder = RuneOrder + " any"
	AllPayouts   = "payouts all"
)

// WaitStore stores what waits, for commands that do not ask the server.
type WaitStore interface {
	Waits(ctx context.Context) ([]Wait, error)
	PutWait(ctx context.Context, w Wait) error // replaces the reason of a known subject
	DropWait(ctx context.Context, subject string) error
}

// waitReasons returns what waits now, and why. held is the reason why no payout is prepared, or "".
func (f *Follower) waitReasons(ctx context.Context, held string) (reasons map[string]string, err error) {
	reasons = f.Payouts.Waiting()
	if f.Etching != nil {
		for id, reason := range f.Etching.Waits() {
			reasons[RuneOrder+" "+id] = reason
		}
		if f.etchings != "" {
			reasons[AnyRuneOrder] = "mint and etch orders are delayed: " + f.etchings
		}
	}
	if held != "" {
		reasons[AllPayouts] = held
	}
	if err = f.View(ctx, func(tx Tx) error {
		failed, err := tx.Evaluations.FailedEvaluations(ctx)
		for _, one := range failed {
			reasons["order "+one.OrderID] = order.EvaluationFails + one.Reason
		}
		return err
	}); err == nil && f.Held != nil {
		maps.Copy(reasons, f.Held())
	}
	return reasons, err
}

// payoutsHeld returns why no payout is prepared, or "". An audit is mentioned if it lasts: each block causes one.
func (f *Follower) payoutsHeld(noRunes string, now time.Time) string {
	switch {
	case noRunes != "":
		return "the node does not relay payouts: " + noRunes
	case !f.auditing.IsZero() && now.Sub(f.auditing) >= longAudit:
		return "the audit of the ledger before payouts is not finished"
	}
	return ""
}

// longAudit is the time after which an audit that delays payouts is mentioned.
const longAudit = time.Minute

// recordWaits stores what waits after a Step. It writes only changes, and keeps the time since when a subject waits.
// noRunes is State.NoRunes.
func (f *Follower) recordWaits(ctx context.Context, noRunes string) error {
	m, err := f.Moment()
	if err != nil {
		return err
	}
	reasons, err := f.waitReasons(ctx, f.payoutsHeld(noRunes, m.Now))
	if err != nil {
		return err
	}
	if f.waits == nil {
		if err := f.View(ctx, func(tx Tx) error {
			stored, err := tx.Waits.Waits(ctx)
			f.waits = map[string]Wait{}
			for _, w := range stored {
				f.waits[w.Subject] = w
			}
			return err
		}); err != nil {
			f.waits = nil
			return err
		}
	}
	waits, changed := map[string]Wait{}, len(reasons) != len(f.waits)
	for subject, reason := range reasons {
		w, known := f.waits[subject]
		if !known {
			w.Since = m.Now
		}
		changed = changed || w.Reason != reason
		waits[subject] = Wait{subject, reason, w.Since}
	}
	if !changed {
		return nil
	}
	if err := f.Transact(ctx, func(tx Tx) error {
		for subject := range f.waits {
			if _, waiting := waits[subject]; !waiting {
				if err := tx.Waits.DropWait(ctx, subject); err != nil {
					return err
				}
			}
		}
		for subject, w := range waits {
			if f.waits[subject].Reason == w.Reason {
				continue
			}
			if err := tx.Waits.PutWait(ctx, w); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	f.waits = waits
	return nil
}
