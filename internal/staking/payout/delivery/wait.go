package delivery

import (
	"errors"
	"log/slog"
	"maps"
	"sync/atomic"

	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// waits has the reasons why PAID orders are not sent, by order id.
type waits struct {
	now  map[string]string                 // reasons of the running Prepare
	last atomic.Pointer[map[string]string] // reasons of the last one
}

func (w *waits) add(orderID, reason string) { w.now[orderID] = reason }

// log adds the error of an order, and logs it if it differs from the reason in the last Prepare.
func (w *waits) log(log *slog.Logger, orderID string, err error) {
	w.add(orderID, err.Error())
	if last := w.last.Load(); last == nil || (*last)[orderID] != err.Error() {
		args := []any{"order", orderID, "reason", err.Error()}
		if bug := new(state.Panic); errors.As(err, &bug) {
			args = append(args, "stack", string(bug.Stack))
		}
		log.Warn("an order waits", args...)
	}
}

// Begin begins to collect the reasons why PAID orders are not sent, until End.
func (s *Service) Begin() { s.waits.now = map[string]string{} }

// End ends a Begin: Waiting returns the collected reasons from now on.
func (s *Service) End() {
	reasons := s.waits.now
	s.waits.last.Store(&reasons)
}

// Hold gives a reason why orders are not sent.
func (s *Service) Hold(orders []order.Order, reason string) {
	for _, o := range orders {
		s.waits.add(o.ID, reason)
	}
}

// Waiting returns the reasons why the last Prepare did not send PAID orders, by order id, as text for operators.
func (s *Service) Waiting() map[string]string {
	last := s.waits.last.Load()
	if last == nil {
		return map[string]string{}
	}
	return maps.Clone(*last)
}
