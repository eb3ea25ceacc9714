package sim

import (
	"errors"
	"time"

	"moonfund/action"
	"moonfund/amount"
	"moonfund/fault"
	"moonfund/order"
	"moonfund/store"
	"moonfund/testkit"
)

const (
	economyRate = 2000   // sats per 1,000 vB that the orders choose
	networkRate = 10_000 // sats per 1,000 vB while they wait
)

// economyClaims returns the steps of three claims of economy delivery: the first is sent when the rate falls, the
// second ends after its limit and is refunded, and the third becomes a normal order when its difference is paid.
func economyClaims() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(paidEconomyClaim()...)
	add(follows("the rate falls, and the economy order is sent", func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Rate = economyRate
	}))
	add(follows("the economy order is delivered", func(s *walkthrough) {
		s.wantStatus(order.Sent)
		s.Mine(6)
	}))

	add(paidEconomyClaim()...)
	add(flowStep{name: "wait longer", before: func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Clock.Set(s.Order(s.o.ID).Economy.Until.Add(time.Minute))
	}, do: waitLonger})
	add(follows("the economy order ends", func(s *walkthrough) {
		s.Clock.Set(s.Order(s.o.ID).EndsAt().Add(time.Minute))
	}))
	add(follows("the rate falls, and the economy order is refunded", func(s *walkthrough) {
		s.wantStatus(order.Expired)
		s.Rate = economyRate
	}))
	add(follows("the refund of the economy order confirms", func(s *walkthrough) {
		if o := s.Order(s.o.ID); o.Refunded != o.Fees.Total() {
			s.Fatalf("%d sats are refunded, want %d", o.Refunded, o.Fees.Total())
		}
		s.Mine(3)
	}))

	add(paidEconomyClaim()...)
	add(flowStep{name: "ask for the difference", do: func(s *walkthrough) error {
		return s.changeOrder(func(tx order.Tx) error {
			_, err := s.Orders.Raise(s.Context(), tx, testkit.Prefix, s.o.Owner, s.o.ID, s.Rate, s.Clock.Now())
			return err
		})
	}})
	add(follows("the difference is paid", func(s *walkthrough) {
		s.Clock.Advance(time.Minute)
		s.payByBert(s.difference().Due)
	}))
	add(follows("the difference confirms, and the order is sent", mined(1)))
	add(follows("a reorg undoes the difference", func(s *walkthrough) {
		s.wantStatus(order.Sent)
		s.Node.Rewind(1)
		s.Node.MineOnly()
		s.Node.MineOnly()
	}))
	add(follows("the order whose difference was paid is delivered", mined(6)))
	return append(all, follows("the rate falls", func(s *walkthrough) {
		s.wantStatus(order.Consolidated)
		s.Rate = economyRate
	}))
}

// paidEconomyClaim returns the steps of a claim of economy delivery until it is paid and waits for its rate.
func paidEconomyClaim() (all []flowStep) {
	ask, sign := flowStep{name: "ask for economy delivery", draws: true, do: func(s *walkthrough) (err error) {
		s.Rate = networkRate
		a := action.Action{Community: testkit.Prefix, Type: action.Claim, Wallet: s.Anna.Pair()}
		s.requested, err = s.Actions.PostEconomy(s.Context(), a, s.claimable(), "",
			action.EconomyRequest{Rate: amount.FeeRate(economyRate), Days: 1})
		return err
	}}, acts(action.Claim, (*walkthrough).claimable)[1]
	return append(all, ask, sign, follows("the economy order is paid, and waits", func(s *walkthrough) {
		s.payByBert(s.o.Due())
		s.Mine(1)
	}))
}

// waitLonger moves the limit of the order. The service refuses a second call, which is not an error here.
func waitLonger(s *walkthrough) error {
	err := s.changeOrder(func(tx order.Tx) error {
		_, err := s.Orders.Wait(s.Context(), tx, testkit.Prefix, s.o.Owner, s.o.ID, s.Clock.Now())
		return err
	})
	var refused *fault.Error
	if errors.As(err, &refused) && refused.Code == fault.OrderNotAtLimit.Code &&
		s.Order(s.o.ID).Economy.Until.After(s.Clock.Now()) {
		return nil
	}
	return err
}

// changeOrder runs change in one database transaction, as a call of the API does.
func (s *walkthrough) changeOrder(change func(tx order.Tx) error) error {
	return s.TryChange(func(tx *store.Tx) error { return change(tx.OrderTx()) })
}

func (s *walkthrough) difference() (d order.Difference) {
	o := s.Order(s.o.ID)
	s.Update(func(tx *store.Tx) (err error) {
		d, err = s.Orders.DifferenceOf(s.Context(), tx.OrderTx(), o)
		return err
	})
	return d
}

// payByBert pays Anna's order: Anna's own coins are spent by the steps before.
func (s *walkthrough) payByBert(sats amount.Sats) { s.Pay(s.Bert, s.Order(s.o.ID), sats) }

func (s *walkthrough) wantStatus(want order.Status) { s.WantStatus(s.o.ID, want) }
