package payout

import "maps"

// waits has the reasons why PAID orders are not sent, by order.
type waits map[string]string

func (w waits) add(orderID, reason string) { w[orderID] = reason }

// Waiting returns the reasons why PAID orders were not sent by the last Prepare, by order, as text for operators.
func (s *Service) Waiting() map[string]string {
	last := s.waits.Load()
	if last == nil {
		return map[string]string{}
	}
	return maps.Clone(*last)
}

// logWait adds the error of an order to w. It logs a reason that is new.
func (s *Service) logWait(w waits, orderID string, err error) {
	w.add(orderID, err.Error())
	if last := s.waits.Load(); last == nil || (*last)[orderID] != err.Error() {
		s.log.Warn("an order waits", "order", orderID, "reason", err.Error())
	}
}
