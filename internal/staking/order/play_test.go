package order_test

import (
	"slices"
	"testing"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// TestEveryRow plays every row of both tables in memory, and TestEveryRowOnBtcd some of them on a real node. A row
// without a scenario fails the test. A short run on PostgreSQL plays one of four scenarios.
func TestEveryRow(t *testing.T) {
	if testing.Short() && engine.Current() == engine.Postgres {
		play(t, 4)
		return
	}
	play(t, 1)
}

func TestEveryRowOnBtcd(t *testing.T) {
	testkit.OnBtcd(t)
	play(t, 1)
}

// play plays every n-th scenario. If n is 1, every row must occur.
func play(t *testing.T, every int) {
	fired, moved := map[order.Row]bool{}, map[ledger.Row]bool{}
	for i, s := range slices.Concat(scenarios, economyScenarios, foundScenarios) {
		if i%every != 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			w, o, unit := begin(t)
			s.play(w, o, unit)
			w.Audit()
			journal := firedIn(w)
			for r := range journal {
				fired[r] = true
			}
			movedIn(w, moved)
			for _, r := range s.rows {
				if !journal[r] {
					t.Errorf("%s did not go to %s: %q; it is %s", r.From, r.To, r.Event, w.Order(o.ID).Status)
				}
			}
		})
	}
	for i, s := range unitStories {
		if i%every != 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			w := testkit.NewWorld(t).InjectFaults()
			s.play(w)
			w.Audit()
			movedIn(w, moved)
			for r := range firedIn(w) {
				fired[r] = true
			}
			for _, r := range s.through {
				moved[r] = true
			}
		})
	}
	if every > 1 {
		return
	}
	for _, r := range order.Statuses.Rows {
		if !fired[r] {
			t.Errorf("no scenario takes an order from %s to %s: %q", r.From, r.To, r.Event)
		}
	}
	for _, r := range ledger.Stages.Rows {
		if !moved[r] {
			t.Errorf("no scenario takes a unit from %s to %s: %q (%s)", r.From, r.To, r.Event, r.For)
		}
	}
}

// firedIn returns the rows of the status table that occur in a world's journal.
func firedIn(w *testkit.World) map[order.Row]bool {
	w.Helper()
	fired := map[order.Row]bool{}
	for _, r := range order.Statuses.Rows {
		from, to := "order:"+string(r.From), "order:"+string(r.To)
		if r.From == "" {
			from = ledger.Outside
		}
		if w.Rows(`SELECT number FROM journal WHERE asset = '' AND event = ? AND from_account = ? AND to_account = ?`,
			string(r.Event), from, to) != "" {
			fired[r] = true
		}
	}
	return fired
}
