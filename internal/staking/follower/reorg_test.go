package follower_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

var everyDepth = flag.Bool("every-depth", false,
	"reorgs of every depth on PostgreSQL too, not of 1 and 6 alone, and on btcd, not of 6 alone")

// depths returns the reorg depths to test. On PostgreSQL, all of them take 52 s of processor time, and the ends of the
// range take 20 s. The race detector multiplies these times, and btcd as the node doubles them. With btcd the depth
// makes no difference, so it tests only one.
func depths() (tried []int) {
	least, step := 1, 1
	switch {
	case *everyDepth:
	case testkit.Real():
		least = follower.MaxReorg
	case engine.Current() == engine.Postgres || testing.Short():
		step = follower.MaxReorg - 1
	}
	for depth := least; depth <= follower.MaxReorg; depth += step {
		tried = append(tried, depth)
	}
	return tried
}

// event is a change of the ledger that a block causes and a reorg may undo.
type event struct {
	name string
	// prepare does everything that precedes the event. It returns a function that causes the event, and one that causes
	// its replacement.
	prepare func(w *testkit.World) (happen, instead func())
}

var events = []event{
	{"deposit", func(w *testkit.World) (func(), func()) {
		_, script := w.StakeAddress(w.Anna, 5000)
		held, sats := w.Anna.Runes(), w.Anna.Sats()
		return func() { w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 5000, 1000)); w.Mine(1) },
			func() { w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, sats)) }
	}},
	{"payment", func(w *testkit.World) (func(), func()) {
		pausePayouts(w)
		o := withdrawal(w)
		coin := w.Anna.Sats()
		return func() { w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000)); w.Mine(1) },
			func() { w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin)) }
	}},
	{"partial payment", func(w *testkit.World) (func(), func()) {
		// The second of two payments, which completes the price.
		pausePayouts(w)
		o := withdrawal(w)
		w.Pay(w.Anna, o, o.Due()/2)
		w.Settle(1)
		o = w.WantStatus(o.ID, order.Confirmed)
		coin := w.Anna.Sats()
		return func() { w.Send(w.Payment(w.Anna, coin, o, o.Due(), 1000)); w.Mine(1) },
			func() { w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin)) }
	}},
	{"payout", func(w *testkit.World) (func(), func()) {
		o := withdrawal(w)
		w.Pay(w.Anna, o, o.Due())
		w.Settle(1)
		w.WantStatus(o.ID, order.Sent)
		w.Mature(o.UnitIDs[0])
		return func() { w.Mine(1) },
			func() { w.Node.MineOnly(w.Recover(w.Anna, o.UnitIDs[0])) }
	}},
	{"boundary", func(w *testkit.World) (func(), func()) {
		// The deposits are at cut − 2 or later, depending on the boundary's block.
		w.Deposit(w.Anna, 5000)
		w.Mine(2)
		w.Deposit(w.Bert, 5000)
		w.Mine(1)
		w.Step()
		before := w.Clock.Now()
		return func() { w.Clock.Set(testkit.Genesis.Add(testkit.EpochLength)); w.Node.Mine() },
			func() { w.Clock.Set(before.Add(time.Second)); w.Mine(2) }
	}},
}

func pausePayouts(w *testkit.World) {
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(w.Context(), store.PausePayouts, "test") })
}

func withdrawal(w *testkit.World) order.Order {
	w.Helper()
	return *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
}

// After any reorg of up to 6 blocks, the ledger equals the ledger of a server that saw only the winning chain.
func TestReorgEqualsReplay(t *testing.T) {
	for _, e := range events {
		for _, depth := range depths() {
			for _, outcome := range []string{"again", "later", "instead"} {
				t.Run(fmt.Sprintf("%s/%d/%s", e.name, depth, outcome), func(t *testing.T) {
					t.Parallel()
					reorg(t, e, depth, outcome)
				})
			}
		}
	}
}

func reorg(t *testing.T, e event, depth int, outcome string) {
	w := testkit.NewWorld(t).InjectFaults()
	happen, instead := e.prepare(w)
	w.Step()
	twin := w.Copy()
	begun := w.Clock.Now()
	happen()
	w.Step()
	w.Settle(depth - 1)
	w.Node.Rewind(depth)
	switch outcome {
	case "again": // in the first block, as before
		w.Mine(depth + 1)
	case "later":
		if e.name == "boundary" {
			w.Clock.Set(begun)
		}
		w.Clock.Advance(time.Minute)
		w.Node.MineOnly()
		w.Step() // on a shorter chain in between
		w.Mine(depth)
	case "instead":
		instead()
		w.Mine(depth)
	}
	w.Step()
	twin.Step()
	a, b := w.Dump(), twin.Dump()
	if e.name == "boundary" && depth >= ledger.SettleDepth-1 && outcome != "again" {
		// The epoch was settled, and its rewards are never undone, so it stays settled.
		if settled := w.Rows(`SELECT * FROM epoch_account WHERE epoch = 0 AND settled = 1`); settled == "" {
			t.Error("the epoch is not settled after the reorg")
		}
		a, b = withoutEpoch0(a), withoutEpoch0(b)
	}
	if a != b {
		t.Errorf("ledgers after a reorg of %d blocks and after a replay differ:\n%s", depth, difference(a, b))
	}
}

func withoutEpoch0(dump string) string {
	lines := strings.Split(dump, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "epoch=0 planned=")
	}), "\n")
}

// difference returns the lines that only one of two texts contains.
func difference(a, b string) string {
	var all strings.Builder
	only := func(mark, x, y string) {
		known := map[string]bool{}
		for _, line := range strings.Split(y, "\n") {
			known[line] = true
		}
		for _, line := range strings.Split(x, "\n") {
			if !known[line] {
				all.WriteString(mark + line + "\n")
			}
		}
	}
	only("- ", a, b)
	only("+ ", b, a)
	return all.String()
}

func TestDeepReorgStops(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	unit, _ := w.Deposit(w.Anna, 5000)
	w.Settle(follower.MaxReorg + 1)
	before := w.Dump()
	w.Node.Rewind(follower.MaxReorg + 1)
	w.Node.Forget()
	w.Mine(follower.MaxReorg + 3)
	for range 2 {
		if _, err := w.Follower.Step(t.Context()); !errors.Is(err, follower.ErrDeepReorg) {
			t.Fatalf("got %v, want ErrDeepReorg", err)
		}
	}
	if w.Follower.State().Synced {
		t.Error("the state is synced")
	}
	if after := w.Dump(); after != before {
		t.Errorf("the ledger changed:\n%s", difference(before, after))
	}
	w.WantStage(unit, ledger.PendingStake)
}

// While a node has only a part of the followed chain, of any length, the ledger does not change.
func TestNodeBehind(t *testing.T) {
	for _, depth := range []int{3, follower.MaxReorg + 4} {
		w := testkit.NewWorld(t).InjectFaults()
		unit, _ := w.Deposit(w.Anna, 5000)
		w.Settle(follower.MaxReorg + 5)
		o := withdrawalOf(w)
		before, height := w.Dump(), w.Unit(unit).Height
		back := w.Node.Fork(w.Clock)
		w.Node.Rewind(depth)
		w.Clock.Advance(2 * order.FeeValid)
		w.Step()
		state := w.Follower.State()
		if state.Synced || state.Err == nil || !strings.Contains(state.Err.Error(), "the node is behind") {
			t.Errorf("%d blocks behind: %+v", depth, state)
		}
		if after := w.Dump(); after != before {
			t.Errorf("the ledger changed:\n%s", difference(before, after))
		}
		w.FollowedNode = back // the node has caught up
		w.Restart()
		w.Step()
		if !w.Follower.State().Synced || w.Unit(unit).Height != height {
			t.Errorf("state after the node caught up: got %+v", w.Follower.State())
		}
		w.WantStatus(o, order.Expired)
	}
}

// withdrawalOf returns the id of an order of Bert's that waits for its payment.
func withdrawalOf(w *testkit.World) string {
	w.Helper()
	id := w.Unlocked(w.Bert, 5000)
	return w.Act(w.Bert, action.Withdraw, id).Order.ID
}

// A shorter chain with a different block is a reorg.
func TestShorterChain(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	unit, _ := w.Deposit(w.Anna, 5000)
	w.Settle(3)
	w.Node.Rewind(3)
	w.Settle(1)
	if got := w.Unit(unit).Height; got != w.Node.Height() {
		t.Errorf("height: got %d, want %d", got, w.Node.Height())
	}
}

// After a restart, the follower still removes a deposit that a reorg replaces.
func TestReorgAfterRestart(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	held, sats := w.Anna.Runes(), w.Anna.Sats()
	deposit := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 5000, 1000))
	unit := deposit.ID.String() + ":0"
	w.Settle(3)
	w.Restart()
	w.Step()
	w.Node.Rewind(3)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, sats))
	w.Mine(3)
	w.Step()
	w.WantStage(unit, "")
}

// A payment spends an output of a transaction that is confirmed already and therefore not tracked. If a reorg mines a
// conflict of that transaction, or of its parent, the payment can never confirm, and stops counting without waiting 14
// days.
func TestReorgReplacesTheParentOfAPayment(t *testing.T) {
	for _, deep := range []int{1, 2, 6} {
		for _, end := range []string{"replaced", "mined again"} {
			t.Run(fmt.Sprintf("%d %s", deep, end), func(t *testing.T) {
				w := testkit.NewWorld(t).InjectFaults()
				o := withdraw(w, w.Unlocked(w.Anna, 5000))
				coin := w.Anna.Sats()
				first := w.SpendToSelf(w.Anna, 1000, coin)
				second := w.SpendToSelf(w.Anna, 1000, testkit.Coin{OutPoint: wire.OutPoint{Hash: first.ID},
					Out: first.Msg.TxOut[0]})
				w.Node.MineOnly(first, second)
				w.Mine(deep - 1)
				w.Step()
				w.Send(w.Payment(w.Anna, testkit.Coin{OutPoint: wire.OutPoint{Hash: second.ID}, Out: second.Msg.TxOut[0]}, o,
					o.Due(), 1000))
				w.Step()
				if got := w.WantStatus(o.ID, order.Confirmed); got.Seen != o.Due() {
					t.Fatalf("seen sats: got %d, want the price", got.Seen)
				}
				w.Restart()
				w.Node.Rewind(deep)
				if end == "replaced" {
					w.Node.MineOnly(w.SpendToSelf(w.Anna, 9000, coin))
					w.Mine(deep)
					w.Step()
					if got := w.WantStatus(o.ID, order.Pending); got.Seen != 0 {
						t.Errorf("seen sats: got %d, want 0", got.Seen)
					}
					return
				}
				w.Node.MineOnly()
				w.Mine(deep)
				w.Step()
				if got := w.Order(o.ID); got.Seen != o.Due() || got.Confirmed != o.Due() {
					t.Errorf("got %d sats seen, %d confirmed", got.Seen, got.Confirmed)
				}
			})
		}
	}
}
