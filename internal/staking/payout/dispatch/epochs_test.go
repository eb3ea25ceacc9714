package dispatch_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// failing are stores of the ledger of which one method fails for one community.
type failing struct {
	ledger.EpochStore
	ledger.RewardStore
	ledger.UnitLists
	ledger.InstructionStore
	community, method string
	fail              func() error
}

func (f failing) call(community, method string) error {
	if community == f.community && method == f.method {
		return f.fail()
	}
	return nil
}

func (f failing) PutBoundary(ctx context.Context, b ledger.Boundary) error {
	return errors.Join(f.EpochStore.PutBoundary(ctx, b), f.call(b.Community, "PutBoundary"))
}

func (f failing) LastBoundary(ctx context.Context, community string) (ledger.Boundary, error) {
	if err := f.call(community, "LastBoundary"); err != nil {
		return ledger.Boundary{}, err
	}
	return f.EpochStore.LastBoundary(ctx, community)
}

func (f failing) PutAccount(ctx context.Context, a ledger.Account) error {
	return errors.Join(f.RewardStore.PutAccount(ctx, a), f.call(a.Community, "PutAccount"))
}

func (f failing) RecordStatement(ctx context.Context, a ledger.Account, asOf ledger.Header) error {
	return errors.Join(f.RewardStore.RecordStatement(ctx, a, asOf), f.call(a.Community, "RecordStatement"))
}

func (f failing) DeleteBoundary(ctx context.Context, b ledger.Boundary) error {
	return errors.Join(f.EpochStore.DeleteBoundary(ctx, b), f.call(b.Community, "DeleteBoundary"))
}

func (f failing) UnitsVanished(ctx context.Context, community string) ([]ledger.Unit, error) {
	if err := f.call(community, "UnitsVanished"); err != nil {
		return nil, err
	}
	return f.UnitLists.UnitsVanished(ctx, community)
}

func (f failing) UnitsCooledDown(ctx context.Context, community string, epoch int64) ([]ledger.Unit, error) {
	if err := f.call(community, "UnitsCooledDown"); err != nil {
		return nil, err
	}
	return f.UnitLists.UnitsCooledDown(ctx, community, epoch)
}

func (f failing) DueInstructions(
	ctx context.Context, community string, settled int64, limit int32,
) ([]ledger.DueInstruction, error) {
	if err := f.call(community, "DueInstructions"); err != nil {
		return nil, err
	}
	return f.InstructionStore.DueInstructions(ctx, community, settled, limit)
}

// failFor makes a method fail for a community in the transactions of the follower, until the returned function is
// called or the world is restarted. A method that writes fails after it wrote.
func failFor(w *testkit.World, community, method string, fail func() error) (stop func()) {
	transact := w.Follower.Transact
	w.Follower.Transact = func(ctx context.Context, fn func(follower.Tx) error) error {
		return transact(ctx, func(tx follower.Tx) error {
			f := failing{tx.Epochs, tx.Rewards, tx.UnitLists, tx.Instructions, community, method, fail}
			tx.Epochs, tx.Rewards, tx.UnitLists, tx.Instructions = f, f, f, f
			return fn(tx)
		})
	}
	return func() { w.Follower.Transact = transact }
}

// What happens of a community's epochs fails or panics, also across a reorg of the epoch's start. The community's
// payouts wait, nothing of it is half done, the other community goes on, and everything ends with the failure.
func TestEpochsOfOneCommunityFail(t *testing.T) {
	const other = "zulu"
	bug := func() error { var bugs []error; return bugs[len(bugs)] }
	failure := func() error { return errors.New("a failure") }
	for _, c := range []struct {
		name, method string
		fail         func() error
		settles      bool // the epoch settles all the same
	}{
		{"an epoch can't begin", "PutBoundary", bug, true},
		{"an epoch can't be undone", "DeleteBoundary", bug, true},
		{"losses can't be applied", "UnitsVanished", bug, false},
		{"units can't be unlocked", "UnitsCooledDown", bug, false},
		{"the last boundary can't be read", "LastBoundary", failure, false},
		{"an epoch is half settled: a bug", "PutAccount", bug, false},
		{"an epoch is half settled: a failure", "PutAccount", failure, false},
		{"its statement can't be recorded", "RecordStatement", bug, true},
		{"no reward can be compounded", "DueInstructions", bug, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := testkit.NewWorld(t)
			w.AddCommunity(other)
			ids := w.UnlockedUnits(1, 5000)
			w.Staked(w.Bert, 5000)
			w.Settle(ledger.SettleDepth)
			w.PausedPayouts()
			paid := w.Withdrawal(ids[0])
			w.PayInFull(w.Anna, paid)
			w.Settle(1)
			w.WantStatus(paid.ID, order.Paid)
			rows := func(query, community string) int {
				return strings.Count(w.Rows(query+" WHERE community = '"+community+"'"), "epoch=")
			}
			const boundaries, rewards = `SELECT epoch FROM boundary`, `SELECT epoch FROM epoch_reward`
			before, rewarded := rows(boundaries, other), rows(rewards, testkit.Prefix)
			w.NextEpoch() // of which the failure finds the end
			w.Settle(ledger.SettleDepth - 3)
			stop := failFor(w, testkit.Prefix, c.method, c.fail)
			w.Settle(2)
			w.NextEpoch()
			w.Settle(3)
			w.Node.Rewind(4)
			w.EmptyBlocks(5)
			w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
			w.EmptyBlocks(1)
			w.WantStatus(paid.ID, order.Paid)
			waits := w.Follower.State().Waiting
			const text = "its epochs can't be advanced"
			if !strings.Contains(waits["community "+testkit.Prefix].Reason, text) ||
				!strings.Contains(waits[paid.ID].Reason, text) || len(waits) != 2 {
				t.Errorf("waiting: %+v", waits)
			}
			if n := rows(boundaries, other); n != before+2 {
				t.Errorf("%d more epochs of the other community, want 2", n-before)
			}
			if n := rows(rewards, testkit.Prefix); (n > rewarded) != c.settles {
				t.Errorf("%d rewards after the failure, %d before", n, rewarded)
			}
			w.Settle(ledger.SettleDepth)
			stop()
			w.Settle(4)
			if waits := w.Follower.State().Waiting; len(waits) > 0 {
				t.Errorf("after the failure: %+v", waits)
			}
			w.WantStatus(paid.ID, order.Delivered)
			for _, query := range []string{`SELECT epoch, cut FROM boundary`,
				`SELECT epoch, settled, cut, statement_due FROM epoch_account`} {
				query += ` WHERE community = ? ORDER BY epoch`
				if a, b := w.Rows(query, testkit.Prefix), w.Rows(query, other); a != b {
					t.Errorf("%s: got\n%s\nof the other community\n%s", query, a, b)
				}
			}
			w.Audit()
		})
	}
}

// Payouts of the other communities go on while a community's epochs fail. A new server knows it from its first step.
func TestPayoutsOfOtherCommunitiesGoOn(t *testing.T) {
	const broken = "alfa"
	w := testkit.NewWorld(t)
	w.AddCommunity(broken)
	o := w.Withdrawal(w.UnlockedUnits(1, 5000)[0])
	w.PayInFull(w.Anna, o)
	failure := func() error { return errors.New("a failure") }
	failFor(w, broken, "UnitsCooledDown", failure)
	w.Settle(2)
	w.Restart()
	stop := failFor(w, broken, "UnitsCooledDown", failure)
	w.Settle(4)
	w.WantStatus(o.ID, order.Consolidated)
	stored := func() (waits []follower.Wait) {
		w.Update(func(tx *store.Tx) (err error) {
			waits, err = tx.Waits(t.Context())
			return err
		})
		return waits
	}
	if waits := stored(); len(waits) != 1 || waits[0].Subject != "community "+broken {
		t.Errorf("stored: %+v", waits)
	}
	w.Update(func(tx *store.Tx) error {
		waits, err := tx.WaitsOf(t.Context(), []string{"community " + broken})
		if len(waits) != 1 {
			t.Errorf("of an order of the community: %+v", waits)
		}
		return err
	})
	stop()
	w.Step()
	if waits := stored(); len(waits) > 0 {
		t.Errorf("after the failure: %+v", waits)
	}
}
