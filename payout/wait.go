package payout

import "maps"

// waits says of each PAID order that was not sent why it waits.
type waits map[string]string

func (w waits) add(orderID, reason string) { w[orderID] = reason }

// Waiting returns the PAID orders that the last Prepare did not send, each with
// the reason, in words for the operator.
func (c *Service) Waiting() map[string]string {
	last := c.waits.Load()
	if last == nil {
		return map[string]string{}
	}
	return maps.Clone(*last)
}

// hold notes that something is wrong with an order; a reason is logged when it is new.
func (c *Service) hold(w waits, orderID string, err error) {
	w.add(orderID, err.Error())
	if last := c.waits.Load(); last == nil || (*last)[orderID] != err.Error() {
		c.log.Warn("an order waits", "order", orderID, "reason", err.Error())
	}
}
