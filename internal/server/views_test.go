package server

import (
	"context"
	"errors"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A client that disconnects cancels its request's context, which can make any statement of a view fail. Every view
// returns that error and uses no rows of the failed statement.
func TestViewsReturnEveryFailure(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Bert, 50_000)
	pending := w.Staked(w.Anna, 70_000)
	locked := w.Unlocked(w.Anna, 60_000)
	o := *w.Act(w.Anna, action.Withdraw, locked).Order
	w.Act(w.Anna, action.Unstake, pending)
	w.Pay(w.Anna, o, 2000) // a part: refunded when the week ends
	w.Settle(1)
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	v := views{&Server{
		Config: Config{
			Store: w.Store, Clock: clock.NewLenient(), Communities: []community.Manifest{{Prefix: testkit.Prefix}},
			Rates: feerate.Fixed(w.Rate),
		},
		Services: wiring.Services{Orders: w.Orders},
	}}
	v.runeIDs.Add(testkit.Prefix, testkit.Rune)
	who := action.Wallet{Payment: w.Anna.Payment.Text, Ordinals: w.Anna.Ordinals.Text}
	for name, view := range map[string]func(ctx context.Context) error{
		"globals":  func(ctx context.Context) error { _, err := v.Globals(ctx, testkit.Prefix); return err },
		"totals":   func(ctx context.Context) error { _, err := v.Totals(ctx, testkit.Prefix, who); return err },
		"units":    func(ctx context.Context) error { _, err := v.Units(ctx, testkit.Prefix, who, true); return err },
		"journal":  func(ctx context.Context) error { _, err := v.Journal(ctx, testkit.Prefix, who, 1<<40, 10); return err },
		"epochs":   func(ctx context.Context) error { _, err := v.Epochs(ctx, testkit.Prefix, chain.None, 10); return err },
		"earnings": func(ctx context.Context) error { _, err := v.Earnings(ctx, testkit.Prefix, who, 1<<40, 10); return err },
		"epoch":    func(ctx context.Context) error { _, err := v.EpochRecord(ctx, testkit.Prefix, 1); return err },
		"orders":   func(ctx context.Context) error { _, err := v.Orders(ctx, testkit.Prefix, who); return err },
		"payments": func(ctx context.Context) error { _, err := v.Payments(ctx, testkit.Prefix, who, o.ID); return err },
	} {
		testkit.Must(t, view(t.Context()))
		gone := errors.New("the client disconnected")
		for statement := 1; ; statement++ {
			left := statement
			err := view(store.InjectFaults(t.Context(), func(string, bool) error {
				if left--; left == 0 {
					return gone
				}
				return nil
			}))
			if left > 0 { // all statements were tried
				testkit.Must(t, err)
				break
			}
			if err == nil {
				t.Errorf("%s: statement %d failed, and the view returned no error", name, statement)
			}
		}
	}
}
