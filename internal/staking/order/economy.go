package order

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
)

// Time limits of an economy order.
const (
	EconomyDays    = 28                  // longest limit that an owner can choose, in days
	EconomyDefault = 14                  // the limit, in days, if the owner chooses none
	LimitExtension = 14 * 24 * time.Hour // extension by a wait, and time to choose after the limit
	LongestEconomy = 84 * 24 * time.Hour // from the creation until an economy order ends
)

// SmallestRaise is the minimum by which the rate of the difference exceeds the rate of an economy order: 0.1 sat/vB. It
// makes the normal price higher than the economy price, even after rounding.
const SmallestRaise amount.FeeRate = 100

// BlocksPerDay converts an estimate in days to blocks.
const BlocksPerDay = 144

// Economy is the speed of an order that is sent at its own rate when the network's rate is at or below it. An order
// with a zero Until has normal speed; RaisedRate remains once its difference was paid.
type Economy struct {
	Until      time.Time      // limit at which the owner chooses; zero at normal speed
	EndHeight  int64          // the order ends at this height, before a unit can be recovered; 0 without custody outputs
	RaisedRate amount.FeeRate // normal rate at which the difference was set or paid; 0 if it never was
	RaisedAt   time.Time      // start of the time to pay the difference; a pause does not move it
	RaisedFrom int64          // number of the order's last payment before the difference, which only later ones pay
}

// IsEconomy reports whether the order waits for a rate. It is false from the payment of the difference on.
func (o Order) IsEconomy() bool { return !o.Economy.Until.IsZero() }

// RecoveryMargin returns the number of blocks before the recovery of an output at which orders stop sharing payouts and
// economy orders end: 1,008, or a sixth of the recovery delay if that is less.
func RecoveryMargin(delay uint32) int64 { return min(1008, int64(delay)/6) }

// LimitReached reports whether the owner of an economy order can choose to wait longer.
func (o Order) LimitReached(now time.Time) bool { return o.IsEconomy() && now.After(o.Economy.Until) }

// EndsAt returns when an economy order ends if its owner chooses nothing. EndHeight may end it sooner.
func (o Order) EndsAt() time.Time {
	end, last := o.Economy.Until.Add(LimitExtension), o.Created.Add(LongestEconomy)
	if last.Before(end) {
		return last
	}
	return end
}

// Ended reports whether a PAID or CONFIRMED economy order has passed its limits, so that it ends.
func (o Order) Ended(now time.Time, height int64) bool {
	return o.IsEconomy() && (now.After(o.EndsAt()) || o.Economy.EndHeight > 0 && height >= o.Economy.EndHeight)
}

// NextLimit returns the limit that a wait would set, or the zero time if the owner can't choose to wait.
func (o Order) NextLimit(now time.Time, height int64) time.Time {
	next, last := now.Add(LimitExtension).UTC().Truncate(time.Minute), o.Created.Add(LongestEconomy)
	if last.Before(next) {
		next = last
	}
	if o.Status != Paid || !o.LimitReached(now) || o.Ended(now, height) || !next.After(now) {
		return time.Time{}
	}
	return next
}

// limitMoved returns an order that becomes PAID again after SENT or AUDIT. The owner could not choose in these
// statuses, so a limit that passed moves to now. Then the owner has LimitExtension to choose, within LongestEconomy and
// before EndHeight.
func (o Order) limitMoved(now time.Time) Order {
	if o.LimitReached(now) {
		o.Economy.Until = now.UTC().Truncate(time.Minute)
	}
	return o
}

// resumed returns an AUDIT order that becomes PAID again at a time and a height. It returns a *Refusal if the order
// would end at once.
func (o Order) resumed(now time.Time, height int64) (Order, error) {
	o = o.limitMoved(now)
	switch {
	case !o.Ended(now, height):
		return o, nil
	case o.Economy.EndHeight > 0 && height >= o.Economy.EndHeight:
		return o, refuse("its economy delivery ended at block %d, before a unit of it can be recovered: refund it",
			o.Economy.EndHeight)
	}
	return o, refuse("its economy delivery ended %d days after its creation: refund it", int(LongestEconomy.Hours()/24))
}

// Wait moves the limit of an economy order that has reached its limit, so at most once in LimitExtension. Callers do
// not prove ownership. After any call, the owner can still cancel with the same refund, and the order still ends
// LongestEconomy after its creation. Wait returns a fault if the owner can't choose to wait.
func (s *Service) Wait(ctx context.Context, tx Tx, community, owner, id string, now time.Time) (Order, error) {
	o, err := s.Find(ctx, tx, community, owner, id)
	if err != nil {
		return o, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return o, err
	}
	next := o.NextLimit(now, tip.Height)
	if next.IsZero() {
		return o, fault.Refuse(fault.OrderNotAtLimit)
	}
	o.Economy.Until = next
	return o, tx.Orders.UpdateOrders(ctx, Change{Order: o, From: o.Status})
}

// Raise sets the rate of the difference by which an economy order becomes a normal one, for FeeValid. Callers do not
// prove ownership, so a call never raises a valid rate, and payments that were seen in time keep counting. If such
// payments pay the difference but are unconfirmed after FeeValid, a call restarts the time at the same or a lower rate,
// so that a payment that never confirms can be replaced. Raise returns a fault if the order is not a PAID economy
// order, or if rate is less than SmallestRaise above its own.
func (s *Service) Raise(ctx context.Context, tx Tx, community, owner, id string, rate amount.FeeRate,
	now time.Time) (Order, error) {
	o, err := s.Find(ctx, tx, community, owner, id)
	switch {
	case err != nil:
		return o, err
	case o.Status != Paid || !o.IsEconomy():
		return o, fault.Refuse(fault.OrderNotWaiting)
	case rate < o.FeeRate+SmallestRaise:
		return o, fault.Refuse(fault.OrderSentSoon)
	}
	d, err := s.DifferenceOf(ctx, tx, o)
	if err != nil {
		return o, err
	}
	e, valid := &o.Economy, !now.After(o.Economy.RaisedAt.Add(FeeValid))
	if valid && (d.Seen || rate >= e.RaisedRate) {
		return o, nil
	}
	if !valid {
		e.RaisedAt = now.UTC().Truncate(time.Second)
	}
	if d.Seen {
		rate = min(rate, e.RaisedRate)
	} else if !valid {
		if e.RaisedFrom, err = lastPayment(ctx, tx, o.ID); err != nil {
			return o, err
		}
	}
	e.RaisedRate = rate
	return o, tx.Orders.UpdateOrders(ctx, Change{Order: o, From: o.Status})
}

// lastPayment returns the number of the payment of an order that arrived last, or 0.
func lastPayment(ctx context.Context, tx Tx, orderID string) (number int64, err error) {
	payments, err := tx.Payments.PaymentsOf(ctx, orderID)
	if len(payments) > 0 {
		number = payments[len(payments)-1].Number
	}
	return number, err
}

// Difference is what an owner pays to make an economy order a normal one.
type Difference struct {
	Rate  amount.FeeRate
	Total amount.Sats // normal price of the order, if one more payment pays the difference
	Due   amount.Sats // value of one more payment that pays it; if Seen, in place of the unconfirmed ones
	Until time.Time   // by which the payment must be seen
	Seen  bool        // the difference was seen in time
	Paid  bool        // the difference is confirmed
}

// DifferenceOf returns the difference that was set last, or the zero value if none was set.
func (s *Service) DifferenceOf(ctx context.Context, tx Tx, o Order) (Difference, error) {
	if !o.IsEconomy() || o.Economy.RaisedRate == 0 {
		return Difference{}, nil
	}
	_, payments, _, err := s.refresh(ctx, tx, o)
	if err != nil {
		return Difference{}, err
	}
	tip, err := tx.Headers.Tip(ctx)
	if err != nil {
		return Difference{}, err
	}
	_, d, err := s.raised(o, payments, tip)
	return d, err
}

// raised returns an economy order as the normal order that it becomes when the difference is paid, and the difference.
// Only payments that arrived after the difference was set pay it. Otherwise anyone could have an earlier overpayment
// spent on a higher rate instead of refunded.
func (s *Service) raised(o Order, payments []Payment, tip ledger.Header) (Order, Difference, error) {
	normal := o
	normal.FeeRate, normal.RateDate = o.Economy.RaisedRate, o.Economy.RaisedAt
	normal.Economy = Economy{RaisedRate: o.Economy.RaisedRate} // the least rate of a rerate
	// Whoever pays the difference, and when: an owner who must sign has as long as before.
	if !o.NeedsSignature() {
		normal.Deadline = normal.RateDate.Add(PaymentWindow)
	}
	normal.Status = Confirmed // so that its price is computed
	terms, err := s.terms.Of(o.Community)
	if err != nil {
		return o, Difference{}, err
	}
	normal.Fees.Listed = terms.ServiceFee // what payments lacked may have lowered the order's
	before, err := s.quoteOf(o)
	if err != nil {
		return o, Difference{}, err
	}
	after, err := s.quoteOf(normal)
	if err != nil {
		return o, Difference{}, err
	}
	normal, st, err := s.tallied(normal, payments, tip)
	normal.Status = o.Status
	if err != nil {
		return o, Difference{}, err
	}
	d := Difference{Rate: normal.FeeRate, Until: normal.RateDate.Add(FeeValid)}
	var earlier, added, confirmed []Payment
	for _, p := range payments {
		switch spent := p.Kept || p.Refunded || p.Late || !p.Counted; {
		case spent:
		case p.Number <= o.Economy.RaisedFrom:
			earlier = append(earlier, p)
		case !p.SeenAt.After(d.Until):
			added = append(added, p)
			if p.IsConfirmed(tip.Height) {
				confirmed = append(confirmed, p)
			}
		}
	}
	used, fees, _ := before.cover(largest(earlier, before.most-1))
	d.Total = after.fees.Total() + after.spending(used).inputs
	more, limit := d.Total-fees.Total(), max(1, after.most-len(used)-1)
	added, confirmed = largest(added, limit), largest(confirmed, limit)
	d.Seen = st.covered && st.inTime && after.worth(added) >= more
	d.Paid = d.Seen && st.paid && after.worth(confirmed) >= more // an earlier overpayment may have covered the price alone
	counted := added
	if d.Seen {
		counted = confirmed
	}
	if !d.Paid {
		d.Due = max(more+after.spending(counted).inputs-sumOf(counted), vault.PaymentFloor(normal.FeeRate))
	}
	return normal, d, nil
}

// payDifference makes a PAID economy order a normal one if the difference is paid, and reports whether it changed the
// order. fresh must be o, tallied.
func (e *Evaluation) payDifference(o *loaded, fresh Order, now time.Time) (paid bool, err error) {
	if fresh.Status != Paid || !fresh.IsEconomy() || fresh.Economy.RaisedRate == 0 {
		return false, nil
	}
	normal, d, err := e.raised(fresh, o.payments, e.tip)
	if err != nil || !d.Paid {
		return false, err
	}
	normal.Updated = now
	o.Order = e.updateSums(o.Order, normal, o.payments, now)
	return true, nil
}

// termsOf returns the terms of an order's community. The service fee of an order may fall while it waits, and the fee
// of an economy order also by what its payments lacked at a time, but it does not rise: a paid order would be unpaid.
func (s *Service) termsOf(o Order) (Terms, error) {
	terms, err := s.terms.Of(o.Community)
	limit := o.Fees.Listed
	if o.IsEconomy() {
		limit = o.Fees.Service
	}
	terms.ServiceFee = min(terms.ServiceFee, limit)
	return terms, err
}
