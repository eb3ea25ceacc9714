package decisions

import (
	"fmt"
	"time"

	"moonfund/internal/staking/order"
)

// EconomyView is the speed of an order of economy delivery, which is sent when the network's fee rate is at or below
// its own.
type EconomyView struct {
	Limit     time.Time `json:"limit"`      // when its owner chooses to wait, to pay the difference or to cancel
	Ends      time.Time `json:"ends"`       // when it ends if its owner chooses nothing
	EndHeight int64     `json:"end_height"` // it ends at this block if that is sooner; 0: no such block
	Waits     bool      `json:"waits"`      // it is paid and waits for the network's fee rate
}

// viewEconomy returns the view of an order's speed, or nil at normal speed.
func viewEconomy(o order.Order) *EconomyView {
	if !o.IsEconomy() {
		return nil
	}
	return &EconomyView{o.Economy.Until, o.EndsAt(), o.Economy.EndHeight, o.Status == order.Paid}
}

// Speed returns the name of the order's speed, for an economy order with its rate and the condition that it waits for.
func (v OrderView) Speed() string {
	switch {
	case v.Economy == nil:
		return "normal"
	case v.Economy.Waits:
		return fmt.Sprintf("economy: waits for the network's fee rate to fall to %s sat/vB", v.FeeRate)
	}
	return fmt.Sprintf("economy: at %s sat/vB", v.FeeRate)
}

// Limits describes the limit and the end of an economy order.
func (v EconomyView) Limits() string {
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }
	text := fmt.Sprintf("limit %s, ends %s", at(v.Limit), at(v.Ends))
	if v.EndHeight > 0 {
		text += fmt.Sprintf(" or at block %d", v.EndHeight)
	}
	return text
}
