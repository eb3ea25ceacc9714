package order

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"moonfund/internal/state"
)

// FailedEvaluation says that the last evaluation of an order failed, or panicked. Its payments are recorded, and its
// row is older than they are: it is evaluated again in each step, and nothing is sent for it until that succeeds.
type FailedEvaluation struct {
	OrderID string
	At      time.Time // instant of the first evaluation that failed
	Reason  string    // text for operators
}

// EvaluationFails begins the text for operators that says why such an order waits.
const EvaluationFails = "it can't be evaluated: "

// EvaluationStore stores the orders whose evaluation failed.
type EvaluationStore interface {
	FailedEvaluations(ctx context.Context) ([]FailedEvaluation, error) // oldest first
	// PutFailedEvaluation keeps the instant of an order that failed before. It reports whether the reason is new.
	PutFailedEvaluation(ctx context.Context, f FailedEvaluation) (isNew bool, err error)
	DropFailedEvaluation(ctx context.Context, orderID string) error
}

// Attempts undoes what failed without the rest of the transaction.
type Attempts interface {
	// Attempt calls fn, and undoes what fn changed in the database if fn fails. failed is the error of fn, or its
	// panic. err means that the transaction must end.
	Attempt(ctx context.Context, fn func() error) (failed, err error)
}

// RetryEvaluation evaluates an order whose evaluation failed: first as of that instant, so that the order gets no later
// rate or deadline for it, then as of now, at the end of the chain. It returns the order if it changed.
func (s *Service) RetryEvaluation(
	ctx context.Context, tx Tx, f FailedEvaluation, now time.Time,
) (changed []Order, err error) {
	for _, as := range []struct {
		now   time.Time
		atTip bool
	}{{f.At, false}, {now, true}} {
		moved, failed, err := s.tryEvaluate(ctx, tx, []string{f.OrderID}, as.now, as.atTip)
		if err != nil {
			return nil, err
		}
		if failed != nil {
			return changed, s.putFailed(ctx, tx, f.OrderID, failed, now)
		}
		changed = append(changed, moved...)
	}
	return changed, tx.Evaluations.DropFailedEvaluation(ctx, f.OrderID)
}

// tryEvaluate evaluates orders together. If that fails, nothing is changed.
func (s *Service) tryEvaluate(
	ctx context.Context, tx Tx, ids []string, now time.Time, atTip bool,
) (changed []Order, failed, err error) {
	failed, err = tx.Attempts.Attempt(ctx, func() error {
		e, err := s.Prepare(ctx, tx, ids, now, atTip)
		if err != nil {
			return err
		}
		changed = e.Changed
		return e.write(ctx, tx)
	})
	if failed != nil || err != nil {
		return nil, failed, err
	}
	return changed, nil, nil
}

// evaluateEach evaluates orders one by one, and stores which of them fail.
func (s *Service) evaluateEach(
	ctx context.Context, tx Tx, ids []string, now time.Time, atTip bool,
) (changed []Order, err error) {
	for _, id := range ids {
		moved, failed, err := s.tryEvaluate(ctx, tx, []string{id}, now, atTip)
		if failed != nil && err == nil {
			err = s.putFailed(ctx, tx, id, failed, now)
		}
		if err != nil {
			return nil, err
		}
		changed = append(changed, moved...)
	}
	return changed, nil
}

// putFailed stores that the evaluation of an order failed. It logs the reason once, with the stack of a panic.
func (s *Service) putFailed(ctx context.Context, tx Tx, id string, failed error, at time.Time) error {
	isNew, err := tx.Evaluations.PutFailedEvaluation(ctx, FailedEvaluation{id, at, failed.Error()})
	if !isNew || err != nil {
		return err
	}
	args := []any{"order", id, "error", failed}
	if bug := new(state.Panic); errors.As(failed, &bug) {
		args = append(args, "stack", string(bug.Stack))
	}
	log := s.Log
	if log == nil {
		log = slog.Default()
	}
	log.Error("an order could not be evaluated; trying again in each step", args...)
	return nil
}
