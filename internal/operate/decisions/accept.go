package decisions

import (
	"context"
	"time"

	"moonfund/internal/audit"
	"moonfund/internal/store"
)

// AcceptViolation returns the change that accepts a violation that the audit found. The audit goes on finding it, but
// it stops nothing any more. The change is in the operator log and, without the reason, in the public incident log. A
// pause that the violation began is ended with Resume.
func AcceptViolation(a Author, v audit.Violation) Change[audit.ViolationView] {
	return Change[audit.ViolationView]{
		Preview: func(context.Context, *store.Tx) (string, error) {
			return v.String() + "\nAfter this it no longer stops anything; it " + v.Stops() + " now. If a value in it " +
				"changes, it is another violation, and stops the same again.", nil
		},
		Apply: func(ctx context.Context, tx *store.Tx, at time.Time, shown string) (audit.ViolationView, error) {
			line, err := tx.Log(ctx, a.Line(at, "audit accept", v.Subject, shown))
			if err != nil {
				return v.View(), err
			}
			return v.View(), tx.AcceptViolation(ctx, v.ID(), v.Community, line)
		},
	}
}
