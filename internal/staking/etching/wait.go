package etching

import (
	"errors"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/state"
)

// Waits returns why orders were not carried out by the last Advance, as texts for the operator, by the orders' ids.
func (s *Service) Waits() map[string]string { return s.waits }

// wait records why an order is not carried out now.
func (s *Service) wait(id string, reason error) {
	text := reason.Error()
	s.waits[id] = text
	if s.waited[id] == text {
		return
	}
	args := []any{"order", id, "reason", text}
	if bug := new(state.Panic); errors.As(reason, &bug) {
		args = append(args, "stack", string(bug.Stack))
	}
	s.Log.Warn("a rune order waits", args...)
}

// What an order waits for.
var (
	errNotFollowed = errors.New("the rune index follows only some runes, so the order can't be verified")
	errRefundDear  = errors.New("its refund costs more than it returns at the network's fee rate")
)

// RefusalPatience is how long an order waits for the node to relay its transactions before it is refunded.
const RefusalPatience = 24 * time.Hour

// waitForNode leaves a paid order unsigned while the node would not relay it, and fails it RefusalPatience after its
// deadline.
func (s *step) waitForNode() error {
	if s.now.Before(s.order.Deadline.Add(RefusalPatience)) {
		s.wait(s.order.ID, errors.New(s.unrelayedOrder(s.order)))
		return nil
	}
	return s.move(Impossible, fault.Reject(fault.RuneOrderRefused))
}

// refusedForLong reports whether the node has rejected a transaction of the order for RefusalPatience, for a reason
// other than its fee.
func (s *step) refusedForLong() (bool, error) {
	for _, t := range s.pending() {
		since, err := s.store.Txs.RefusedSince(t.ID.String())
		if err != nil || !since.IsZero() && !s.now.Before(since.Add(RefusalPatience)) {
			return err == nil, err
		}
	}
	return false, nil
}

// refuse fails the order if a rule forbids it. If the cause is the server or its signer, refuse leaves the order
// unchanged, to be retried.
func (s *step) refuse(problem error) error {
	var f *fault.Error
	if errors.As(problem, &f) && f.Kind == fault.Invalid {
		return s.move(Impossible, f)
	}
	s.wait(s.order.ID, problem)
	return nil
}
