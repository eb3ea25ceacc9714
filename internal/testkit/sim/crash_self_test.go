package sim

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
)

// TestCrashPointsOfSelfCustody interrupts in the same way as TestEveryCrashPoint withdrawals of units in self-custody:
// by order, replaced, in one transaction, never signed, and found by a ledger that was restored.
func TestCrashPointsOfSelfCustody(t *testing.T) { interruptSteps(t, &walkthrough{}, selfWithdrawals()) }

func selfWithdrawals() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(selfByOrder()...)
	add(selfInOneTx()...)

	add(paidSelf()...)
	add(follows("nobody signs, and the order expires", func(s *walkthrough) {
		s.wantStatus(order.Paid)
		s.Clock.Advance(paymentWeek + time.Hour)
	}))
	add(follows("its payment is refunded", mined(1)))
	add(follows("the refund confirms", func(s *walkthrough) {
		s.wantStatus(order.Expired)
		if o := s.Order(s.o.ID); o.Refunded == 0 {
			s.Fatalf("the payment is not refunded: %+v", o)
		}
		s.Mine(3)
	}))

	add(paidSelf()...)
	add(follows("a restored ledger finds the delivery", func(s *walkthrough) {
		s.wantStatus(order.Paid)
		before := s.Copy() // of the database that was lost
		before.GiveSignerIndex()
		before.PayOneTx(s.owner(), s.o)
		before.Step()
		before.WantStatus(s.o.ID, order.Sent)
	}))
	add(follows("the delivery that was found confirms", func(s *walkthrough) { s.wantStatus(order.Sent); s.Mine(3) }))
	add(follows("the delivery that was found is final", func(s *walkthrough) { s.wantStatus(order.Delivered); s.Mine(9) }))
	return append(all, receipts())
}

// selfByOrder returns the steps of a paid withdrawal that its owner signs: its first transaction is stuck and replaced,
// confirms nevertheless, and a reorg undoes it.
func selfByOrder() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(paidSelf()...)
	add(signOwn("of a paid order")...)
	add(follows("the signer signs the delivery", func(*walkthrough) {}))
	add(follows("rates rise, and the delivery is stuck", func(s *walkthrough) {
		s.wantStatus(order.Sent)
		s.stuck, s.Rate = s.current(), amount.SatPerVB(9)
	}))
	add(signOwn("a stuck delivery")...)
	add(follows("the signer signs its replacement", func(*walkthrough) {}))
	add(follows("the replacement is in a block", func(s *walkthrough) {
		if s.current().ID == s.stuck.ID {
			s.Fatal("the delivery is not replaced")
		}
		s.Mine(1)
	}))
	add(follows("a reorg lets the first delivery confirm", func(s *walkthrough) {
		s.Node.Rewind(1)
		s.Node.MineOnly(s.stuck)
		s.Mine(1)
	}))
	add(blocks("the signed delivery is delivered", 2)...)
	add(follows("a reorg undoes the signed delivery", func(s *walkthrough) {
		s.wantStatus(order.Delivered)
		s.Node.Rewind(4)
		for range 5 {
			s.Node.MineOnly()
		}
	}))
	add(follows("it is delivered again", func(s *walkthrough) { s.wantStatus(order.Sent); s.Mine(9) }))
	return append(all, follows("rates fall", func(s *walkthrough) {
		s.wantStatus(order.Consolidated)
		s.Rate = amount.SatPerVB(2)
	}))
}

// selfInOneTx returns the steps of a withdrawal of units of both kinds of custody that the owner's own coins pay.
func selfInOneTx() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(selfUnit())
	add(acts(action.Withdraw, func(s *walkthrough) []string { return append(s.custody(), s.unlocked()...) })...)
	add(signOwn("units of both kinds of custody")...)
	add(follows("the signer signs it", func(*walkthrough) {}))
	add(follows("it is delivered", func(s *walkthrough) { s.wantStatus(order.Sent); s.Mine(3) }))
	return append(all, follows("it is final", func(s *walkthrough) { s.wantStatus(order.Delivered); s.Mine(9) }))
}

// selfUnit returns the step that deposits a unit in self-custody and unlocks it, without interruptions.
func selfUnit() flowStep {
	deposit := custodyUnit()
	return flowStep{name: "a unit in self-custody is unlocked", before: func(s *walkthrough) {
		s.Anna.Self = true
		deposit.before(s)
		s.Anna.Self = false
	}, do: deposit.do}
}

// paidSelf returns the steps of a withdrawal of a unit in self-custody until it is PAID.
func paidSelf() []flowStep {
	all := append([]flowStep{selfUnit()}, acts(action.Withdraw, (*walkthrough).custody)...)
	return append(all, follows("it is paid", func(s *walkthrough) {
		s.payByBert(s.o.Due() + 20_000)
		s.Mine(1)
	}))
}
