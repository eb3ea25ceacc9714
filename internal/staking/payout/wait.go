package payout

import "maps"

// waits has the reasons why PAID orders are not sent, by order id.
type waits map[string]string

func (w waits) add(orderID, reason string) { w[orderID] = reason }

// Waiting returns the reasons why the last Prepare did not send PAID orders, by order id, as text for operators.
func (s *Service) Waiting() map[string]string {
	last := s.waits.Load()
	if last == nil {
		return map[string]string{}
	}
	return maps.Clone(*last)
}

// logWait adds the error of an order to w, and logs it if it differs from the reason in the last Prepare.
func (s *Service) logWait(w waits, orderID string, err error) {
	w.add(orderID, err.Error())
	if last := s.waits.Load(); last == nil || (*last)[orderID] != err.Error() {
		s.log.Warn("an order waits", "order", orderID, "reason", err.Error())
	}
}
