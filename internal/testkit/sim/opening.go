package sim

import (
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// rareSchedules reach rows of the state tables that the other schedules and random choice do not reach in every 200
// scenarios.
var rareSchedules = []schedule{
	{"a part of an order is refunded, and an older copy finds that", func(sc *scenario) { sc.refundAfterCopy(2) }},
	{"an order that needs a new rate is reviewed and closed", (*scenario).closeReviewed},
	{"a stranger pays a part while an owner signs", (*scenario).partWhileSigning},
	{"the unit of a withdrawal in one transaction is recovered", (*scenario).recoverOwn},
	{"a coin of one of two versions is spent elsewhere", (*scenario).loseOneVersion},
}

// rareEvery is the number of scenarios of which one starts with a rare schedule.
const rareEvery = 40

// singleEvery is the number of scenarios of which one starts with a treasury of one rune output.
const singleEvery = 50

func (p Plan) single() bool { return p.Seed%singleEvery == 17 }

// opening returns the schedule that the seed determines. It is the first step of every scenario, while there are
// unlocked units and claimable rewards, so that consecutive seeds run every schedule.
func (sc *scenario) opening() schedule {
	if sc.plan.single() {
		return schedule{"an economy claim waits until the treasury is split", (*scenario).splitTreasury}
	}
	if seed := int(sc.plan.Seed); seed%rareEvery == rareEvery-1 {
		return rareSchedules[seed/rareEvery%len(rareSchedules)]
	}
	return schedules[sc.plan.Seed%uint64(len(schedules))]
}

// closeReviewed puts an order that needs a new rate under review, double-spends its part payment, and closes it.
func (sc *scenario) closeReviewed() {
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	s := sc.paying(o, from, max(o.Due()/2, smallPayment(o)))
	sc.followAndCheck()
	sc.pass(rateValid + time.Minute)
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.PendingRerate)
	sc.requestOnce(payout.RequestReview, o.ID)
	sc.followAndCheck()
	sc.doubleSpend(s)
	sc.followAndCheck()
	sc.requestOnce(payout.RequestClose, o.ID)
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Canceled)
}
