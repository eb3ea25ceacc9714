package sim

import (
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// walkthrough is the state of one run through all main flows: stakes and orders of Anna and Bert, then mints and
// etchings of Cleo.
type walkthrough struct {
	*testkit.World
	script    []byte
	requested action.Requested
	unit      string
	o         order.Order

	ordered etching.Order
	coin    testkit.Coin // coin that paid for o
	payment chain.Tx     // payment of ordered
	more    amount.Sats  // price of the higher rate

	psbt  string   // transaction that Bert signs with own coins
	stuck chain.Tx // that Bert's own coins pay

	refundsLimited bool   // the limits for refunds are low
	recoveryDelay  uint32 // recovery delay of later stake addresses, in blocks; 0: the snapshot's
}

// flowStep is a part of the walkthrough: before changes the chain, the clock or requests, and do runs the server. An
// interrupted do is repeated.
type flowStep struct {
	name   string
	before func(s *walkthrough)
	do     func(s *walkthrough) error
	draws  bool // a repetition draws new random ids
	looks  bool // do may be run again after it succeeded, without effect
}

// step runs the follower until it changes nothing. One run may not be enough: an order is consolidated in the run after
// the one that stores its refund.
func step(s *walkthrough) error {
	for {
		changed, err := s.Follower.Step(s.Context())
		if err != nil || !changed {
			return err
		}
	}
}

// follows returns a flowStep in which the follower runs after before.
func follows(name string, before func(s *walkthrough)) flowStep {
	return flowStep{name: name, before: before, do: step, looks: true}
}

func mined(blocks int) func(*walkthrough) { return func(s *walkthrough) { s.Mine(blocks) } }

// blocks returns n flowSteps of one block each.
func blocks(name string, n int) (all []flowStep) {
	for range n {
		all = append(all, follows(name, mined(1)))
	}
	return all
}

// nextEpoch sets the clock to the next epoch boundary and mines a block.
func nextEpoch(s *walkthrough) {
	at := s.Clock.Now()
	s.Clock.Set(testkit.Genesis.Add(at.Sub(testkit.Genesis).Truncate(testkit.EpochLength) + testkit.EpochLength))
	s.Node.Mine()
}

// acts returns the two flowSteps of an action: request the message, and submit its signature.
func acts(kind action.Type, units func(s *walkthrough) []string) []flowStep {
	return []flowStep{
		{name: "ask to " + string(kind), draws: true, do: func(s *walkthrough) (err error) {
			s.requested, err = s.Ask(s.Anna, kind, units(s)...)
			return err
		}},
		{name: "sign " + string(kind), do: func(s *walkthrough) error {
			signed, err := s.Actions.Sign(s.Context(), testkit.Prefix, action.SignRequest{
				Wallet: s.Anna.Pair(), ActionID: s.requested.ActionID, Type: kind, Signature: s.Anna.Sign(s.requested.Message),
			})
			if err == nil && signed.Order != nil {
				s.o = *signed.Order
			}
			return err
		}},
	}
}

// canceled returns the steps of a withdrawal that is paid in part and canceled: its refund is sent, voided by a reorg
// that replaces the payment, and sent again for another payment.
func canceled() (all []flowStep) {
	all = acts(action.Withdraw, (*walkthrough).unlocked)
	all = append(all, follows("the withdrawal is paid in part", func(s *walkthrough) {
		s.coin = s.Anna.Sats()
		s.Send(s.World.Payment(s.Anna, s.coin, s.Order(s.o.ID), s.o.Due()/2, 1000))
		s.Mine(1)
	}))
	all = append(all, flowStep{name: "ask to cancel", draws: true, do: func(s *walkthrough) (err error) {
		s.requested, err = s.Actions.PostCancel(s.Context(), testkit.Prefix, s.Anna.Pair(), s.o.ID, "")
		return err
	}}, flowStep{name: "sign the cancel", do: func(s *walkthrough) error {
		_, err := s.Actions.SignCancel(s.Context(), testkit.Prefix, action.SignRequest{
			Wallet: s.Anna.Pair(), ActionID: s.requested.ActionID, Signature: s.Anna.Sign(s.requested.Message),
		}, s.o.ID)
		return err
	}})
	all = append(all, follows("the part is refunded", func(*walkthrough) {}))
	all = append(all, follows("a reorg replaces the part", func(s *walkthrough) {
		s.Node.Rewind(1)
		s.Node.MineOnly(s.SpendToSelf(s.Anna, 9000, s.coin))
		s.Mine(1)
	}))
	all = append(all, blocks("the refund is void", 6)...)
	all = append(all, follows("another part comes late", func(s *walkthrough) { s.pay(s.o.Due() / 2); s.Mine(1) }))
	return append(all, blocks("the late part is refunded", 3)...)
}

// refundedByRule returns the steps of withdrawals that the server refunds automatically: a partial payment after its
// week, payments below the minimum, and a payment of an order whose unit was recovered.
func refundedByRule() (all []flowStep) {
	all = acts(action.Withdraw, (*walkthrough).unlocked)
	all = append(all, follows("a part is paid", func(s *walkthrough) { s.pay(s.o.Due() / 2); s.Mine(1) }))
	all = append(all, follows("its week ends, and it is refunded", func(s *walkthrough) {
		s.Clock.Advance(paymentWeek + time.Second)
	}))
	all = append(all, blocks("the refund of the part confirms", 3)...)

	all = append(all, acts(action.Withdraw, (*walkthrough).unlocked)...)
	all = append(all, follows("parts come that count nothing", func(s *walkthrough) {
		coin := s.Anna.Sats()
		outs := []*wire.TxOut{wire.NewTxOut(coin.Out.Value-10_000, s.Anna.Payment.Script)}
		for range 8 {
			outs = append(outs, wire.NewTxOut(500, s.o.Script))
		}
		s.Send(s.Anna.Spend([]testkit.Coin{coin}, outs...))
		s.Mine(1)
	}))
	all = append(all, follows("the order expires, and they are refunded", func(s *walkthrough) {
		s.Clock.Advance(rateValid + time.Second)
	}))
	all = append(all, blocks("the refund of the parts confirms", 3)...)

	all = append(all, acts(action.Withdraw, (*walkthrough).unlocked)...)
	all = append(all, follows("its unit is recovered", func(s *walkthrough) {
		s.Mature(s.o.UnitIDs[0])
		s.Send(s.Recover(s.Anna, s.o.UnitIDs[0]))
	}))
	all = append(all, blocks("the unit is lost", 3)...)
	all = append(all, follows("it is paid, and refunded", func(s *walkthrough) { s.pay(s.o.Due()); s.Mine(1) }))
	return append(all, blocks("the refund of the payment confirms", 3)...)
}

// heldRefund returns the steps of a late payment whose refund exceeds the limit of its owner: the server holds it, the
// operator approves it, and a reorg undoes it.
func heldRefund() (all []flowStep) {
	all = append(all, follows("a late payment above the limit comes", func(s *walkthrough) {
		s.o = *s.Act(s.Anna, action.Withdraw, s.unlocked()...).Order
		s.Clock.Advance(rateValid + time.Second)
		testkit.Must(s, step(s))
		s.pay(refundsPerOwnerDay + 10_000)
		s.Mine(1)
	}))
	all = append(all, blocks("the refund is held", 1)...)
	all = append(all, follows("the operator approves the refund", func(s *walkthrough) {
		if held := s.Order(s.o.ID).Owed; held.Hold != order.HoldLimit {
			s.Fatalf("the refund is not held by the limit: %+v", held)
		}
		s.Request(payout.RequestRefund, s.o.ID)
	}))
	all = append(all, blocks("the approved refund arrives", 3)...)
	return append(all, follows("a reorg undoes the approved refund", func(s *walkthrough) {
		s.Node.Rewind(3)
		s.Node.MineOnly()
		s.Mine(4)
	}))
}

func (s *walkthrough) pay(sats amount.Sats) { s.Pay(s.Anna, s.Order(s.o.ID), sats) }

func (s *walkthrough) unlocked() []string { return s.Units(s.Anna, ledger.Unlocked)[:1] }

func (s *walkthrough) claimable() []string { return s.Units(s.Anna, ledger.Claimable)[:1] }

// receipts returns the step that signs the receipts that are due, by a server that has just started.
func receipts() flowStep {
	return flowStep{name: "receipts are signed", looks: true, do: func(s *walkthrough) error {
		return s.Receipts(s.StatementSigner(s.TempDir())).Issue(s.Context())
	}}
}

// flowSteps returns the whole walkthrough: stake, settle, unstake, restake, compound, claim, pay, deliver, withdraw,
// bump, refund, return, one transaction, economy delivery, and reorgs of each; then the mint and etch service.
func flowSteps() (all []flowStep) {
	add := func(flowSteps ...flowStep) { all = append(all, flowSteps...) }
	add(flowStep{name: "ask for a stake address", draws: true, do: func(s *walkthrough) error {
		given, err := s.Actions.NewStake(s.Context(), testkit.Prefix, s.Anna.Request(testkit.MinimumStake))
		if err != nil {
			return err
		}
		to, err := chain.ParseAddress(given.Address, s.Network)
		s.script = to.Script
		return err
	}})
	add(follows("deposit", func(s *walkthrough) {
		s.unit = s.Send(s.Transfer(s.Anna, s.script, 5000)).ID.String() + ":0"
	}))
	add(blocks("the deposit confirms", 4)...)
	add(follows("an epoch begins", nextEpoch))
	add(acts(action.Unstake, func(s *walkthrough) []string { return []string{s.unit} })...)
	add(receipts())
	add(follows("the cooldown runs", nextEpoch), follows("the cooldown ends", nextEpoch))
	add(blocks("epochs settle", 8)...)
	add(acts(action.Restake, func(s *walkthrough) []string { return []string{s.unit} })...)
	add(acts(action.Compound, (*walkthrough).claimable)...)
	none := func(*walkthrough) []string { return nil }
	add(acts(action.AutoCompound, none)...)
	add(follows("they earn again", nextEpoch))
	add(blocks("an epoch settles, and its reward is compounded", 8)...)
	add(acts(action.EndAutoCompound, none)...)

	add(acts(action.Claim, (*walkthrough).claimable)...)
	add(follows("the claim is paid in part", func(s *walkthrough) { s.pay(s.o.Due() / 2) }))
	add(follows("the claim is paid", func(s *walkthrough) { s.pay(s.Order(s.o.ID).Due()) }))
	add(blocks("the claim is delivered", 6)...)
	add(receipts())

	add(acts(action.Withdraw, (*walkthrough).unlocked)...)
	add(follows("the withdrawal is paid, and more", func(s *walkthrough) { s.pay(s.o.Due() + 20_000) }))
	add(follows("its payout is sent", mined(1)))
	add(follows("its payout is replaced", func(s *walkthrough) {
		s.Rate = amount.SatPerVB(6)
		s.Request(payout.RequestBump, s.Order(s.o.ID).PayoutID)
	}))
	add(follows("the replacement is in a block, and rates rise", func(s *walkthrough) {
		s.Mine(1)
		s.Rate = amount.SatPerVB(200) // a rate at which the refund of an overpayment costs more than its value
	}))
	add(blocks("the withdrawal is delivered", 2)...)
	add(follows("a reorg undoes the delivery", func(s *walkthrough) { s.Node.Rewind(2); s.Mine(3) }))
	add(blocks("it is delivered again", 4)...)
	add(follows("rates fall, and its overpayment is refunded", func(s *walkthrough) { s.Rate = amount.SatPerVB(2) }))
	add(blocks("the overpayment arrives", 3)...)

	add(acts(action.Withdraw, (*walkthrough).unlocked)...)
	add(follows("it expires", func(s *walkthrough) { s.Clock.Advance(rateValid + 1e9) }))
	add(follows("it is paid late", func(s *walkthrough) { s.pay(s.o.Due()) }))
	add(blocks("the late payment confirms and is refunded", 1)...)
	add(blocks("the refund arrives", 3)...)
	add(follows("a reorg undoes the refund", func(s *walkthrough) { s.Node.Rewind(3); s.Node.MineOnly(); s.Mine(4) }))
	add(canceled()...)
	add(refundedByRule()...)

	add(follows("sats at a stake address", func(s *walkthrough) {
		_, script := s.StakeAddress(s.Anna, testkit.MinimumStake)
		s.unit = s.Send(s.Transfer(s.Anna, script, 700)).ID.String() + ":0"
	}))
	add(blocks("they confirm", 3)...)
	add(follows("they are returned", func(s *walkthrough) { s.Request(payout.RequestReturn, s.unit) }))
	add(blocks("the return arrives", 3)...)
	add(follows("an epoch ends again", nextEpoch))
	add(blocks("and settles", 8)...)
	add(follows("a reorg of its boundary", func(s *walkthrough) { s.Node.Rewind(6); s.Mine(7) }))
	add(receipts())
	add(oneTransactions()...)
	add(economyClaims()...)
	add(etchings()...)
	return all
}
