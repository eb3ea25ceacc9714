package dispatch_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// Each transaction of a step loads the live payouts once, and the confirmed ones once, however many orders of however
// many communities are due, and again after it stored a payout.
func TestPayoutsAreLoadedOnce(t *testing.T) {
	w := testkit.NewWorld(t)
	w.AddCommunity("alfa")
	w.AddCommunity("zulu")
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 30_000 })
	w.AddTreasurySats(60_000)
	orders := w.PaidClaims()
	transactions, most := 0, 0
	w.WrapTransaction = func(
		ctx context.Context, update func(context.Context, func(*store.Tx) error) error, fn func(*store.Tx) error,
	) error {
		loads := 0
		defer func() {
			transactions, most = transactions+min(1, loads), max(most, loads)
		}()
		return update(store.InjectFaults(ctx, func(statement string, _ bool) error {
			if strings.HasPrefix(statement, "-- name: PayoutsInStatus ") {
				loads++
			}
			return nil
		}), fn)
	}
	w.Settle(1)
	w.WantStatus(orders[0].ID, order.Sent)
	if transactions != 3 || most != 2+1 { // Confirm, and Prepare before and after the signatures
		t.Errorf("%d transactions loaded payouts, one %d times; want 3, each 3 times at most", transactions, most)
	}
}

// A payout that a transaction stored is among the live ones that it reads later, unless the part that stored it was
// undone.
func TestStoredPayoutIsSeen(t *testing.T) {
	w, o := stuck(t)
	errUndone := errors.New("undone")
	err := w.Store.Update(t.Context(), func(stored *store.Tx) error {
		ctx := t.Context()
		tx := stored.PayoutTx().Caching()
		want := func(when string, want int) []payout.Payout {
			live, err := tx.Payouts.PayoutsIn(ctx, payout.Live)
			testkit.Must(t, err)
			if len(live) != want {
				t.Errorf("%s: %d live payouts, want %d", when, len(live), want)
			}
			return live
		}
		p := want("at first", 1)[0]
		p.Versions[0].Fee++
		if fee := want("again", 1)[0].Versions[0].Fee; fee == p.Versions[0].Fee {
			t.Error("the caller changed what later callers read")
		}
		p.ID = "another"
		p.Versions = nil
		failed, err := tx.Attempts.Attempt(ctx, func() error {
			testkit.Must(t, tx.Payouts.InsertPayout(ctx, p))
			want("stored", 2)
			return errUndone
		})
		testkit.Must(t, err)
		if !errors.Is(failed, errUndone) {
			t.Errorf("the attempt: %v", failed)
		}
		want("undone", 1)
		testkit.Must(t, tx.Payouts.InsertPayout(ctx, p))
		want("stored again", 2)
		p.Status = payout.Dead
		testkit.Must(t, tx.Payouts.UpdatePayout(ctx, p, payout.Live))
		want("dead", 1)
		return errUndone
	})
	if !errors.Is(err, errUndone) {
		t.Error(err)
	}
	w.WantStatus(o.ID, order.Sent)
}
