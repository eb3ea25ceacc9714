package sim

import (
	"errors"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
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

// economyWithdrawals returns the steps of two withdrawals of units with outputs: the first is undone, delivered and
// undone again, and the second is resumed after a review and ends before its unit can be recovered.
func economyWithdrawals() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(custodyUnit())
	add(economyOrder(action.Withdraw, (*walkthrough).custody)...)
	add(follows("the economy withdrawal is paid, and waits", func(s *walkthrough) { s.payByBert(s.o.Due()); s.Mine(1) }))
	add(follows("a reorg undoes its payment", func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Node.Rewind(1)
		s.Node.MineOnly()
		s.Node.MineOnly()
	}))
	add(follows("its payment confirms again", func(s *walkthrough) { s.wantStatus(order.Confirmed); s.Mine(1) }))
	add(follows("the rate falls, and the economy withdrawal is sent", func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Rate = economyRate
	}))
	add(follows("the rate rises, and the economy withdrawal is delivered at its own", func(s *walkthrough) {
		s.wantStatus(order.Sent)
		s.Rate = networkRate
		s.Mine(3)
	}))
	add(follows("a reorg undoes the economy withdrawal", func(s *walkthrough) {
		s.wantStatus(order.Delivered)
		s.Node.Rewind(3)
		for range 4 {
			s.Node.MineOnly()
		}
	}))
	add(follows("it is delivered again", func(s *walkthrough) { s.wantStatus(order.Sent); s.Mine(6) }))

	add(custodyUnit())
	add(economyOrder(action.Withdraw, (*walkthrough).custody)...)
	add(follows("a part of the economy withdrawal is paid", func(s *walkthrough) {
		s.payByBert(s.o.Due() / 2)
		s.Mine(1)
	}))
	add(follows("the rest is paid", func(s *walkthrough) { s.payByBert(s.Order(s.o.ID).Due()); s.Mine(1) }))
	add(follows("the operator reviews it", func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Request(payout.RequestReview, s.o.ID)
	}))
	add(follows("the operator resumes it after its limit", func(s *walkthrough) {
		s.wantStatus(order.Audit)
		s.Clock.Set(s.Order(s.o.ID).EndsAt().Add(time.Minute))
		s.Request(payout.RequestResume, s.o.ID)
	}))
	add(flowStep{name: "the unit can soon be recovered", before: func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Mine(int(s.Order(s.o.ID).Economy.EndHeight - 1 - s.Node.Height()))
		testkit.Must(s, step(s))
	}, do: func(*walkthrough) error { return nil }})
	add(follows("the economy withdrawal ends", mined(1)))
	add(follows("the rate falls, and the economy withdrawal is refunded", func(s *walkthrough) {
		s.wantStatus(order.Expired)
		s.Rate = economyRate
	}))
	return append(all, follows("the refund of the economy withdrawal confirms", func(s *walkthrough) {
		if o := s.Order(s.o.ID); o.Refunded < o.Fees.Total() {
			s.Fatalf("%d sats are refunded, want at least %d", o.Refunded, o.Fees.Total())
		}
		s.Mine(3)
	}))
}

// custodyUnit returns the step that deposits a unit and unlocks it, without interruptions.
func custodyUnit() flowStep {
	return flowStep{name: "a unit with an output is unlocked", before: func(s *walkthrough) {
		s.unit = s.Unlocked(s.Anna, 5000)
	}, do: func(*walkthrough) error { return nil }}
}

func (s *walkthrough) custody() []string { return []string{s.unit} }

// economyOrder returns the steps that order economy delivery of units while the network's rate is higher.
func economyOrder(kind action.Type, units func(*walkthrough) []string) []flowStep {
	return []flowStep{{name: "ask for economy delivery", draws: true, do: func(s *walkthrough) (err error) {
		s.Rate = networkRate
		a := action.Action{Community: testkit.Prefix, Type: kind, Wallet: s.Anna.Pair()}
		s.requested, err = s.Actions.PostEconomy(s.Context(), a, units(s), "",
			action.EconomyRequest{Rate: amount.FeeRate(economyRate), Days: 1})
		return err
	}}, acts(kind, units)[1]}
}

// paidEconomyClaim returns the steps of a claim of economy delivery until it is paid and waits for its rate.
func paidEconomyClaim() []flowStep {
	return append(economyOrder(action.Claim, (*walkthrough).claimable),
		follows("the economy order is paid, and waits", func(s *walkthrough) {
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
