package sim

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
)

// doubleSpendLate double-spends a full payment after its rate expired.
func (sc *scenario) doubleSpendLate() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		s := sc.paying(o, from, o.Due())
		sc.followAndCheck()
		sc.pass(rateValid + time.Minute)
		sc.doubleSpend(s)
		sc.followAndCheck()
	}
}

// smallPayment returns the value of a small payment that counts.
func smallPayment(o order.Order) amount.Sats { return vault.PaymentFloor(o.FeeRate) + 10 }

func (sc *scenario) doubleSpendPart() {
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		s := sc.paying(o, from, smallPayment(o))
		sc.followAndCheck()
		sc.pass(rateValid + time.Minute)
		sc.followAndCheck()
		sc.doubleSpend(s)
		sc.followAndCheck()
	}
}

func (sc *scenario) paySmallPart() {
	sc.Rate = amount.SatPerVB(20)
	if o, from, ok := sc.newOrder(action.Withdraw); ok {
		sc.paying(o, from, smallPayment(o))
		sc.followAndCheck()
		sc.pass(paymentWeek + time.Hour)
		sc.followAndCheck()
	}
}

// mineLate pays an order in full while its rate is valid, and mines the payment after the rate expired. The rate is so
// high that the payment counts at every rate. The order must keep its rate.
func (sc *scenario) mineLate() {
	sc.Rate = amount.SatPerVB(40)
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	sc.paying(o, from, o.Due())
	sc.followAndCheck()
	for range 2 {
		sc.pass(rateValid + time.Minute)
		sc.followAndCheck()
	}
	sc.mineAll()
	sc.followAndCheck()
}
