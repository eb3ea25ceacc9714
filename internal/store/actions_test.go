package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

const staked, cooling = ledger.Staked, ledger.PendingUnlock

// planted returns a store with units 0 to n-1, each with an action of the same number.
func planted(t *testing.T, n int) *Store {
	t.Helper()
	s := open(t)
	must(t, s.Update(t.Context(), func(tx *Tx) error {
		for i := range n {
			if err := tx.InsertUnit(t.Context(), unit(i)); err != nil {
				return err
			}
			if err := tx.InsertAction(t.Context(), intent(i)); err != nil {
				return err
			}
		}
		return nil
	}))
	return s
}

func intent(n int) action.Action {
	return action.Action{
		ID: fmt.Sprint("action ", n), Community: "lobo", Type: action.Unstake, Wallet: anna, UnitIDs: []string{unit(n).ID},
		Message: "please", Created: noon, Expires: noon,
	}
}

// unstake applies the effect of a signed UNSTAKE to unit and action n.
func unstake(ctx context.Context, tx *Tx, n int) error {
	a := intent(n)
	a.UsedAt, a.Signature, a.Signer = noon, fmt.Sprint("signature ", n), anna.Ordinals
	if err := tx.UseAction(ctx, a); err != nil {
		return err
	}
	u, err := tx.Unit(ctx, "lobo", unit(n).ID)
	if err != nil {
		return err
	}
	u.Stage, u.StakedTo, u.UnlockEpoch = cooling, 4, 6
	return tx.UpdateUnits(ctx, ledger.UnitChange{Unit: u, From: staked})
}

// Eight concurrent callers use each action and change its unit. Only one of them succeeds.
func TestOneOfManyMovesAUnit(t *testing.T) {
	const units, callers = 40, 8
	s := planted(t, units)
	var won [units]sync.Map
	var wait sync.WaitGroup
	for i := range units * callers {
		wait.Go(func() {
			n := i % units
			ctx := t.Context()
			err := s.Update(ctx, func(tx *Tx) error { return unstake(ctx, tx, n) })
			switch {
			case err == nil:
				won[n].Store(i, true)
			case errors.Is(err, state.ErrConflict):
			default:
				t.Error(err)
			}
		})
	}
	wait.Wait()
	must(t, s.View(t.Context(), func(tx *Tx) error {
		for n := range units {
			winners := 0
			won[n].Range(func(_, _ any) bool { winners++; return true })
			u, err := tx.Unit(t.Context(), "lobo", unit(n).ID)
			must(t, err)
			a, err := tx.Action(t.Context(), intent(n).ID)
			must(t, err)
			if winners != 1 || u.Stage != cooling || u.StakedTo != 4 || u.UnlockEpoch != 6 || u.EligibleEpoch != 1 || !a.Used ||
				a.Signature != fmt.Sprint("signature ", n) || a.Signer != anna.Ordinals {
				t.Errorf("unit %d: %d callers succeeded, %+v, %+v", n, winners, u, a)
			}
		}
		total, err := tx.TotalStaked(t.Context(), "lobo")
		same(t, "what is still staked", total, err, 0)
		return nil
	}))
}

// A transaction sees its own writes.
func TestTransactionSeesItsOwnWrites(t *testing.T) {
	s, ctx := planted(t, 3), t.Context()
	must(t, s.Update(ctx, func(tx *Tx) error {
		must(t, unstake(ctx, tx, 0))
		u, err := tx.Unit(ctx, "lobo", unit(0).ID)
		if err != nil || u.Stage != cooling {
			t.Errorf("the changed unit is read as %+v, %v", u, err)
		}
		if err := tx.UpdateUnits(ctx, ledger.UnitChange{Unit: u, From: staked}); !errors.Is(err, state.ErrConflict) {
			t.Errorf("an update from an earlier stage: %v", err)
		}
		u.Stage = ledger.Unlocked
		must(t, tx.UpdateUnits(ctx, ledger.UnitChange{Unit: u, From: cooling}))
		all, err := tx.UnitsOf(ctx, "lobo", anna.Ordinals)
		must(t, err)
		for _, u := range all {
			if (u.Stage == ledger.Unlocked) != (u.ID == unit(0).ID) {
				t.Errorf("listed as %+v", u)
			}
		}
		a, err := tx.Action(ctx, intent(0).ID)
		if err != nil || !a.Used {
			t.Errorf("the action: %+v, %v", a, err)
		}
		if err := tx.UseAction(ctx, intent(0)); !errors.Is(err, state.ErrConflict) {
			t.Errorf("used again: %v", err)
		}
		return nil
	}))
}

// An update of a group that finds a changed row fails alone.
func TestConflictFailsOneChangeOfAGroup(t *testing.T) {
	s := planted(t, 12)
	must(t, s.Update(t.Context(), func(tx *Tx) error { return unstake(t.Context(), tx, 0) }))
	updates := make([]*update, 12)
	for n := range updates {
		updates[n] = &update{ctx: t.Context(), done: make(chan struct{}), fn: func(tx *Tx) error {
			return unstake(t.Context(), tx, n)
		}}
	}
	for from, c := range map[int][]*update{0: updates[:11], 11: updates[11:]} { // a group, and a single update
		s.commit(c)
		for i, c := range c {
			<-c.done
			if want := from+i == 0; errors.Is(c.err, state.ErrConflict) != want || (c.err != nil) != want {
				t.Errorf("update %d: %v", from+i, c.err)
			}
		}
	}
	err := s.Update(t.Context(), func(tx *Tx) error { return tx.UseAction(t.Context(), intent(3)) })
	if !errors.Is(err, state.ErrConflict) {
		t.Errorf("using a used action: %v", err)
	}
	must(t, s.View(t.Context(), func(tx *Tx) error {
		for n := range 12 {
			if u, err := tx.Unit(t.Context(), "lobo", unit(n).ID); err != nil || u.Stage != cooling {
				t.Errorf("unit %d: %+v, %v", n, u, err)
			}
		}
		return nil
	}))
}

// Used actions are never deleted. At most the given number of other actions is deleted, the oldest first.
func TestForgetIntents(t *testing.T) {
	s, ctx := open(t), t.Context()
	must(t, s.Update(ctx, func(tx *Tx) error {
		for i := range 5 {
			a := intent(i)
			a.Expires = noon.Add(time.Duration(5-i) * time.Second) // the last expires first
			must(t, tx.InsertAction(ctx, a))
		}
		stake := intent(5)
		stake.Type = action.Stake
		must(t, tx.InsertAction(ctx, stake))
		used := intent(4)
		used.UsedAt = noon
		return tx.UseAction(ctx, used)
	}))
	for _, step := range []struct {
		expired time.Time
		most    int32
		left    string
	}{
		{noon, 9, "012345"},
		{noon.Add(2 * time.Second), 9, "012345"}, // not the action that expires at that instant
		{noon.Add(time.Hour), 2, "0145"},
		{noon.Add(time.Hour), 9, "45"},
	} {
		left := ""
		must(t, s.Update(ctx, func(tx *Tx) error {
			must(t, tx.ForgetIntents(ctx, step.expired, step.most))
			for i := range 6 {
				if _, err := tx.Action(ctx, intent(i).ID); err == nil {
					left += fmt.Sprint(i)
				}
			}
			return nil
		}))
		if left != step.left {
			t.Errorf("expired before %s, at most %d: %s are left, want %s", step.expired, step.most, left, step.left)
		}
	}
}
