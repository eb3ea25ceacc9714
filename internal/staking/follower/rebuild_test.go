package follower_test

import (
	"errors"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// busyWorld returns a world with most kinds of rows, and one payout with fewer than 3 confirmations.
func busyWorld(t *testing.T) *testkit.World {
	t.Helper()
	return live(testkit.NewWorld(t).InjectFaults())
}

func live(w *testkit.World) *testkit.World {
	w.Helper()
	w.Rewarded(w.Bert, 5000)
	gone, kept := w.Unlocked(w.Anna, 5000), w.Unlocked(w.Anna, 6000)
	first := *w.Act(w.Anna, action.Withdraw, gone).Order
	w.Pay(w.Anna, first, first.Due())
	w.Settle(8)
	w.WantStatus(first.ID, order.Consolidated)
	w.Node.MineOnly(w.Recover(w.Anna, kept))
	w.Settle(3)
	claim := *w.Act(w.Bert, action.Claim).Order
	w.Pay(w.Bert, claim, claim.Due())
	w.Settle(1)
	w.WantStatus(claim.ID, order.Sent)
	w.Deposit(w.Cleo, 3000)
	w.Settle(1)
	return w
}

// Rebuild restores all data that the chain determines. After damage and a rebuild, each row is equal to the one before.
func TestRebuild(t *testing.T) {
	for name, damage := range map[string][]string{
		"nothing wrong": {},
		"no chain at all": {`DELETE FROM block`, `DELETE FROM rune_entry`, `DELETE FROM rune_balance`,
			`DELETE FROM rune_undo`},
		"wrong facts": {`UPDATE custody SET height = 2, spent_by = '', spent_height = -1, spent_ours = 0
			WHERE height > 0`},
		"outputs are missing": {`DELETE FROM custody WHERE kind IN ('runes', 'sats') AND height > 1`, `DELETE FROM custody
			WHERE kind = 'stake' AND spent_by = ''`},
		"a wrong rune index": {`UPDATE rune_balance SET balances = x'00'`, `UPDATE custody SET runes = runes + 1
			WHERE kind = 'runes'`},
	} {
		t.Run(name, func(t *testing.T) {
			w := busyWorld(t)
			want := w.Dump()
			for _, statement := range damage {
				engine.Damage(t, w.URL(), statement)
			}
			if damaged := w.Dump() != want; damaged != (len(damage) > 0) {
				t.Fatalf("damaged: %t", damaged)
			}
			w.Restart()
			var last int64
			r, err := w.Follower.Rebuild(t.Context(), nil, func(height, best int64) { last = best - height })
			testkit.Must(t, err)
			if last != 0 || r.Blocks == 0 || r.Missing != 0 || (r.Found+r.Changed > 0) != (len(damage) > 0 &&
				name != "no chain at all" && name != "a wrong rune index") {
				t.Errorf("rebuilt: %+v", r)
			}
			w.Step()
			if got := w.Dump(); got != want {
				t.Errorf("after a rebuild: got\n%s\nwant\n%s", got, want)
			}
			w.Check()
		})
	}
}

// A reorg that is too deep stops the follower. After a rebuild the ledger is on the new chain.
func TestRebuildAfterADeepReorg(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	kept, _ := w.Deposit(w.Anna, 5000)
	w.Settle(2)
	w.Unlocked(w.Bert, 4000)
	w.Node.Rewind(follower.MaxReorg + 1)
	w.Mine(follower.MaxReorg + 3)
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, follower.ErrDeepReorg) {
		t.Fatalf("got %v, want ErrDeepReorg", err)
	}
	r, err := w.Follower.Rebuild(t.Context(), nil, func(int64, int64) {})
	testkit.Must(t, err)
	if r.Tip.Height != w.Node.Height() {
		t.Errorf("tip of the rebuild: got %d, want %d as the node", r.Tip.Height, w.Node.Height())
	}
	w.Settle(3)
	if unit := w.Unit(kept); unit.Height == chain.None {
		t.Errorf("the deposit is not confirmed: %+v", unit)
	}
	w.Check()
}
