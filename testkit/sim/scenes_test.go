package sim

import (
	"moonfund/action"
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/etching"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/testkit"
)

// story is what happens to Anna and Bert, from a deposit to the last delivery, and
// then to Cleo, who has runes etched and minted.
type story struct {
	*testkit.World
	script    []byte
	requested action.Requested
	unit      string
	o         order.Order

	ordered etching.Order
	payment chain.Tx    // of it
	more    amount.Sats // that a faster one costs
}

// scene is a part of the story: what happens in the world, and what the server
// then does, which it does again when it was cut off.
type scene struct {
	name   string
	before func(s *story)
	do     func(s *story) error
	draws  bool // done again, it draws other ids
	looks  bool // done again, it finds nothing to do
}

// step lets the server look until it finds nothing to do any more: a refund that
// one look stores may be what the next one consolidates an order by.
func step(s *story) error {
	for {
		changed, err := s.Follower.Step(s.Context())
		if err != nil || !changed {
			return err
		}
	}
}

// follows are scenes in which the server looks, after what happened.
func follows(name string, before func(s *story)) scene {
	return scene{name: name, before: before, do: step, looks: true}
}

func mined(blocks int) func(*story) { return func(s *story) { s.Mine(blocks) } }

// blocks are scenes of one block each.
func blocks(name string, n int) (all []scene) {
	for range n {
		all = append(all, follows(name, mined(1)))
	}
	return all
}

// nextEpoch goes to the first block of the next epoch.
func nextEpoch(s *story) {
	at := s.Clock.Now()
	s.Clock.Set(testkit.Genesis.Add(at.Sub(testkit.Genesis).Truncate(testkit.EpochLength) + testkit.EpochLength))
	s.Node.Mine()
}

// acts are the two halves of an action: the message is asked for, and signed.
func acts(kind action.Type, units func(s *story) []string) []scene {
	return []scene{
		{name: "ask to " + string(kind), draws: true, do: func(s *story) (err error) {
			s.requested, err = s.Actions.Post(s.Context(), testkit.Prefix, s.Anna.Pair(), kind, units(s))
			return err
		}},
		{name: "sign " + string(kind), do: func(s *story) error {
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

func (s *story) pay(sats amount.Sats) { s.Pay(s.Anna, s.Order(s.o.ID), sats) }

func (s *story) unlocked() []string { return s.Units(s.Anna, ledger.Unlocked)[:1] }

func (s *story) claimable() []string { return s.Units(s.Anna, ledger.Claimable)[:1] }

// scenes is the whole story: stake, settle, unstake, restake, compound, claim, pay,
// deliver, withdraw, bump, refund, return, and reorgs of each of them; then the mint
// and etch service's.
func scenes() (all []scene) {
	tell := func(scenes ...scene) { all = append(all, scenes...) }
	tell(scene{name: "ask for a stake address", draws: true, do: func(s *story) error {
		given, err := s.Actions.NewStake(s.Context(), testkit.Prefix, s.Anna.Request(testkit.MinimumStake))
		if err != nil {
			return err
		}
		to, err := chain.ParseAddress(given.Address, s.Network)
		s.script = to.Script
		return err
	}})
	tell(follows("deposit", func(s *story) { s.unit = s.Send(s.Transfer(s.Anna, s.script, 5000)).ID.String() + ":0" }))
	tell(blocks("the deposit confirms", 4)...)
	tell(follows("an epoch begins", nextEpoch))
	tell(acts(action.Unstake, func(s *story) []string { return []string{s.unit} })...)
	tell(follows("the cooldown runs", nextEpoch), follows("the cooldown ends", nextEpoch))
	tell(blocks("epochs settle", 8)...)
	tell(acts(action.Restake, func(s *story) []string { return []string{s.unit} })...)
	tell(acts(action.Compound, (*story).claimable)...)
	tell(follows("they earn again", nextEpoch))

	tell(acts(action.Claim, (*story).claimable)...)
	tell(follows("the claim is paid in part", func(s *story) { s.pay(s.o.Due() / 2) }))
	tell(follows("the claim is paid", func(s *story) { s.pay(s.Order(s.o.ID).Due()) }))
	tell(blocks("the claim is delivered", 6)...)

	tell(acts(action.Withdraw, (*story).unlocked)...)
	tell(follows("the withdrawal is paid, and more", func(s *story) { s.pay(s.o.Due() + 20_000) }))
	tell(follows("its payout is sent", mined(1)))
	tell(follows("its payout is replaced", func(s *story) {
		s.Rate = amount.SatPerVB(6)
		s.Ask(payout.AskBump, s.Order(s.o.ID).PayoutID)
	}))
	tell(blocks("the withdrawal is delivered", 3)...)
	tell(follows("a reorg undoes the delivery", func(s *story) { s.Node.Rewind(2); s.Mine(3) }))
	tell(blocks("it is delivered again", 4)...)
	tell(follows("its surplus is refunded", func(s *story) {
		s.Rate = amount.SatPerVB(2)
		s.Ask(payout.AskRefund, s.o.ID)
	}))
	tell(blocks("the surplus arrives", 3)...)

	tell(acts(action.Withdraw, (*story).unlocked)...)
	tell(follows("it expires", func(s *story) { s.Clock.Advance(order.FeeValid + 1e9) }))
	tell(follows("it is paid late", func(s *story) { s.pay(s.o.Due()) }))
	tell(blocks("the late payment confirms", 1)...)
	tell(follows("it is refunded", func(s *story) { s.Ask(payout.AskRefund, s.o.ID) }))
	tell(blocks("the refund arrives", 3)...)
	tell(follows("a reorg undoes the refund", func(s *story) { s.Node.Rewind(3); s.Node.MineOnly(); s.Mine(4) }))

	tell(follows("sats at a stake address", func(s *story) {
		_, script := s.StakeAddress(s.Anna, testkit.MinimumStake)
		s.unit = s.Send(s.Transfer(s.Anna, script, 700)).ID.String() + ":0"
	}))
	tell(blocks("they confirm", 3)...)
	tell(follows("they are returned", func(s *story) { s.Ask(payout.AskReturn, s.unit) }))
	tell(blocks("the return arrives", 3)...)
	tell(follows("an epoch ends again", nextEpoch))
	tell(blocks("and settles", 8)...)
	tell(follows("a reorg of its boundary", func(s *story) { s.Node.Rewind(6); s.Mine(7) }))
	tell(etchings()...)
	return all
}
