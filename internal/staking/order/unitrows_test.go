package order_test

import (
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// unitStory plays rows of the stage table on the chain. The rows in through count as played although the journal does
// not have them, because the unit passes another stage in the same Step.
type unitStory struct {
	name    string
	play    func(w *testkit.World)
	through []ledger.Row
}

// movedIn adds the rows of the stage table that occur in this world's journal.
func movedIn(w *testkit.World, moved map[ledger.Row]bool) {
	w.Helper()
	outside := func(s ledger.Stage) string {
		if s == "" {
			return ledger.Outside
		}
		return string(s)
	}
	for _, r := range ledger.Stages.Rows {
		if w.Rows(`SELECT number FROM journal WHERE asset = ? AND event = ? AND from_account = ? AND to_account = ?`,
			string(ledger.RuneAsset), string(r.Event), outside(r.From), outside(r.To)) != "" {
			moved[r] = true
		}
	}
}

// deposited makes a deposit of Anna's with three confirmations, and returns a function that replaces it.
func deposited(w *testkit.World) (id string, elsewhere func() chain.Tx) {
	w.Helper()
	_, script := w.StakeAddress(w.Anna, 5000)
	sats := w.Anna.Sats()
	tx := w.Send(w.TransferOf(w.Anna, []testkit.Coin{w.Anna.Runes(), sats}, script, 5000, 1000))
	w.Settle(3)
	return wire.OutPoint{Hash: tx.ID}.String(), func() chain.Tx { return w.SpendToSelf(w.Anna, 9000, sats) }
}

// replaced undoes depth blocks, and mines a replacement of the deposit in the first new block.
func replaced(w *testkit.World, depth int, elsewhere func() chain.Tx) {
	w.Helper()
	w.Node.Rewind(depth)
	w.Node.MineOnly(elsewhere())
	for range depth {
		w.Node.MineOnly()
	}
	w.Step()
}

// staked and the functions below it bring a deposit to a stage, with as few blocks as possible.
func staked(w *testkit.World) (id string, elsewhere func() chain.Tx) {
	w.Helper()
	id, elsewhere = deposited(w)
	w.NextEpoch()
	w.WantStage(id, ledger.Staked)
	return id, elsewhere
}

func unlocking(w *testkit.World) (id string, elsewhere func() chain.Tx) {
	w.Helper()
	id, elsewhere = staked(w)
	w.Act(w.Anna, action.Unstake, id)
	w.WantStage(id, ledger.PendingUnlock)
	return id, elsewhere
}

func unlocked(w *testkit.World) (id string, elsewhere func() chain.Tx) {
	w.Helper()
	id, elsewhere = unlocking(w)
	w.Clock.Advance(2 * testkit.EpochLength)
	w.Step()
	w.WantStage(id, ledger.Unlocked)
	return id, elsewhere
}

// vanishes returns a scenario that replaces a deposit after reach brought it to a stage.
func vanishes(reach func(*testkit.World) (string, func() chain.Tx), depth int) func(*testkit.World) {
	return func(w *testkit.World) {
		id, elsewhere := reach(w)
		replaced(w, depth, elsewhere)
		w.WantStage(id, "")
	}
}

// recovers returns a scenario in which the staker recovers a deposit after reach brought it to a stage.
func recovers(reach func(*testkit.World) (string, func() chain.Tx)) func(*testkit.World) {
	return func(w *testkit.World) {
		id, _ := reach(w)
		stage := w.Stage(id)
		w.Mature(id)
		w.WantStage(id, stage)
		recovered(w, id)
		w.WantStage(id, ledger.Withdrawn)
		w.Node.Rewind(ledger.RecoveryDepth)
		for range ledger.RecoveryDepth + 1 {
			w.Node.MineOnly()
		}
		w.Step()
		w.WantStage(id, stage)
	}
}

// claiming pauses payouts and returns an unpaid claim of Anna's.
func claiming(w *testkit.World) (reward string, o order.Order) {
	w.Helper()
	_, reward = w.Rewarded(w.Anna, 5000)
	pausePayouts(w)
	return reward, *w.Act(w.Anna, action.Claim, reward).Order
}

var unitStories = []unitStory{
	{name: "a deposit is replaced before it is staked", play: vanishes(deposited, 3)},
	// The reorg undoes the boundary's block before the deposit's block, so the unit passes PENDING_STAKE.
	{name: "a deposit is replaced after it is staked", play: vanishes(staked, 4),
		through: []ledger.Row{{From: ledger.Staked, Event: ledger.DepositVanished}}},
	{name: "a deposit is replaced while it cools down", play: vanishes(unlocking, 4)},
	{name: "a deposit is replaced when it is unlocked", play: vanishes(unlocked, 4)},

	{name: "recovered before it is staked", play: recovers(func(w *testkit.World) (string, func() chain.Tx) {
		id, _ := w.Deposit(w.Anna, 5000)
		w.Settle(1)
		return id, nil
	})},
	{name: "recovered while it is staked", play: recovers(staked)},
	{name: "recovered while it cools down", play: recovers(unlocking)},
	{name: "recovered when it is unlocked", play: recovers(unlocked)},

	{name: "the block of the epoch's start is undone", play: func(w *testkit.World) {
		id, _ := staked(w)
		w.Node.Rewind(1)
		w.Clock.Advance(-time.Hour)
		w.Node.MineOnly()
		w.Node.MineOnly()
		w.Step()
		w.WantStage(id, ledger.PendingStake)
	}},

	{name: "restaked", play: func(w *testkit.World) {
		id := w.Unlocked(w.Anna, 5000)
		w.Act(w.Anna, action.Restake, id)
		w.WantStage(id, ledger.PendingStake)
	}},
	{name: "a reward is compounded", play: func(w *testkit.World) {
		_, reward := w.Rewarded(w.Anna, 5000)
		w.Act(w.Anna, action.Compound, reward)
		w.WantStage(reward, ledger.PendingStake)
		w.NextEpoch()
		w.WantStage(reward, ledger.Staked)
	}},

	{name: "paid and confirmed between two looks", play: func(w *testkit.World) {
		id := w.Unlocked(w.Anna, 5000)
		o := *w.Act(w.Anna, action.Withdraw, id).Order
		pausePayouts(w)
		w.Pay(w.Anna, o, o.Due())
		w.Mine(1)
		w.WantStage(id, ledger.POLocked)
		w.Step()
		w.WantStage(id, ledger.BatchLocked)
	}, through: []ledger.Row{{From: ledger.POLocked, Event: ledger.PaymentComplete, For: ledger.ForWithdraw,
		To: ledger.BatchLocked}}},

	{name: "a claim is paid, and the block goes away", play: func(w *testkit.World) {
		reward, o := claiming(w)
		w.WantStage(reward, ledger.POClaimed)
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		w.WantStage(reward, ledger.BatchLocked)
		undo(w, 1)
		w.WantStage(reward, ledger.POClaimed)
	}},
	{name: "a claim is doubted by the operator, and delivered after all", play: func(w *testkit.World) {
		_, reward := w.Rewarded(w.Anna, 5000)
		o := *w.Act(w.Anna, action.Claim, reward).Order
		undecided(w, o)
		w.WantStage(reward, ledger.Claimable)
		ask(w, payout.RequestResume, o)
		w.WantStage(reward, ledger.BatchLocked)
		w.Settle(3)
		w.WantStage(reward, ledger.Withdrawn)
	}},
	{name: "a claim's payment is replaced while it is on its way", play: func(w *testkit.World) {
		_, reward := w.Rewarded(w.Anna, 5000)
		o := *w.Act(w.Anna, action.Claim, reward).Order
		coin := w.Anna.Sats()
		w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000))
		w.Settle(1)
		w.WantStatus(o.ID, order.Sent)
		w.Node.Rewind(1)
		w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
		for range order.FinalDepth {
			w.Node.MineOnly()
		}
		w.Step()
		w.WantStatus(o.ID, order.Pending)
		w.WantStage(reward, ledger.POClaimed)
	}},
	{name: "a paid claim is doubted by the operator", play: func(w *testkit.World) {
		_, reward := w.Rewarded(w.Anna, 5000)
		pausePayouts(w)
		o := *w.Act(w.Anna, action.Claim, reward).Order
		payWith(w, o, o.Due())
		w.Settle(1)
		w.WantStage(reward, ledger.BatchLocked)
		ask(w, payout.RequestReview, o)
		w.WantStatus(o.ID, order.Audit)
		w.WantStage(reward, ledger.Claimable)
	}},

	{name: "a claim is delivered that this ledger does not remember", play: func(w *testkit.World) {
		_, reward := w.Rewarded(w.Anna, 5000)
		elsewhere(w, w.Copy(), action.Claim, reward)
	}},
	{name: "a withdrawal of a reward is delivered that this ledger does not remember", play: func(w *testkit.World) {
		_, reward := w.Rewarded(w.Anna, 5000)
		w.Act(w.Anna, action.Compound, reward)
		w.NextEpoch()
		w.Act(w.Anna, action.Unstake, reward)
		w.NextEpoch()
		w.NextEpoch()
		w.WantStage(reward, ledger.Unlocked)
		w.Settle(ledger.SettleDepth)
		w.Act(w.Anna, action.Compound) // the other rewards, because one of the same amount would match, too
		elsewhere(w, w.Copy(), action.Withdraw, reward)
	}},
}

// elsewhere makes a server on a copy of the ledger deliver a reward, and the first server find the delivery.
func elsewhere(w, other *testkit.World, kind action.Type, reward string) {
	w.Helper()
	o := *other.Act(w.Anna, kind, reward).Order
	other.Pay(w.Anna, o, o.Due())
	other.Settle(ledger.ExplainDepth + 1)
	w.Step()
	w.WantStage(reward, ledger.Withdrawn)
}

// The rows of the scenarios are rows of the tables.
func TestRowsAreOfTheTables(t *testing.T) {
	for _, s := range unitStories {
		for _, r := range s.through {
			if to, err := ledger.Stages.Next(r.From, r.Event, r.For); err != nil || to != r.To {
				t.Errorf("%s: the table does not have the row %+v", s.name, r)
			}
		}
	}
}
