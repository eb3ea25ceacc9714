package dispatch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// stuck returns an order whose payout was sent at 2 sat/vB, before the estimate rose to 20 sat/vB. The fee account has
// sats for a replacement.
func stuck(t *testing.T) (*testkit.World, order.Order) {
	t.Helper()
	return stuckFrom(t, func(*testkit.World) {})
}

func stuckFrom(t *testing.T, begun func(*testkit.World)) (*testkit.World, order.Order) {
	t.Helper()
	w := testkit.NewWorld(t).InjectFaults()
	begun(w)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 30_000 })
	w.AddTreasurySats(40_000, 40_000)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Sent)
	w.Rate = amount.SatPerVB(20)
	return w, o
}

// On a dev network whose clock was advanced, block times are earlier than the server's time. A stuck payout is still
// replaced.
func TestStuckPayoutIsReplacedWhereTheClockWasAdvanced(t *testing.T) {
	w, o := stuckFrom(t, func(w *testkit.World) {
		w.ReadClock = func() (ledger.Moment, error) {
			return ledger.Moment{Now: w.Clock.Now().Add(7 * 24 * time.Hour), Chain: w.Clock.Now()}, nil
		}
	})
	w.EmptyBlocks(payout.BumpAfter - 1)
	if n := len(w.Versions(o.ID)); n != 1 {
		t.Fatalf("got %d versions before %d blocks", n, payout.BumpAfter)
	}
	w.EmptyBlocks(1)
	if n := len(w.Versions(o.ID)); n != 2 {
		t.Fatalf("got %d versions, want 2", n)
	}
}

// A stuck payout that can't be replaced, because nobody paid for it, says why.
func TestStuckPayoutSaysWhy(t *testing.T) {
	w := testkit.NewWorld(t)
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.PayInFull(w.Anna, o)
	w.WantStatus(o.ID, order.Sent)
	w.Rate = amount.SatPerVB(20)
	w.EmptyBlocks(payout.BumpAfter)
	subject := "replacement " + w.Order(o.ID).PayoutID
	if reason := w.Follower.State().Waiting[subject].Reason; !strings.Contains(reason, "it is not replaced: ") {
		t.Errorf("it waits because of %q", reason)
	}
	w.Update(func(tx *store.Tx) error {
		facts, err := decisions.ReadOrder(w.Context(), tx, o.ID)
		if len(facts.Waits) != 1 || facts.Waits[0].What != "replacement" {
			t.Errorf("the order shows %v", facts.Waits)
		}
		return err
	})
	w.Mine(1)
	w.Step()
	if waits := w.Follower.State().Waiting; len(waits) > 0 {
		t.Errorf("after its block: %v", waits)
	}
}

// A stuck payout is replaced automatically when the estimate is far above its fee rate, with every input kept and
// within its limits, and only then.
func TestStuckPayoutIsReplaced(t *testing.T) {
	w, o := stuck(t)
	w.EmptyBlocks(payout.BumpAfter - 1)
	if n := len(w.Versions(o.ID)); n != 1 {
		t.Fatalf("got %d versions before %d blocks", n, payout.BumpAfter)
	}
	w.EmptyBlocks(1)
	w.Audit()
	all := w.Versions(o.ID)
	if len(all) != 2 {
		t.Fatalf("got %d versions", len(all))
	}
	first, second := all[0], all[1]
	kept := map[wire.OutPoint]bool{}
	for _, in := range second.Tx.Msg.TxIn {
		kept[in.PreviousOutPoint] = true
	}
	for _, in := range first.Tx.Msg.TxIn {
		if !kept[in.PreviousOutPoint] {
			t.Errorf("input %s is missing", in.PreviousOutPoint)
		}
	}
	if o = w.Order(o.ID); second.Fee > o.Fees.Network+o.Fees.Rutxos+30_000 ||
		second.Fee < amount.SatPerVB(20).Fee(second.VBytes) {
		t.Errorf("replacement: got a fee of %d sats for %d vB", second.Fee, second.VBytes)
	}
	if o.PayoutTx != second.Tx.ID.String() || w.Node.Broadcasts(second.Tx.ID) == 0 {
		t.Errorf("PayoutTx: got %s; the replacement was sent %d times", o.PayoutTx, w.Node.Broadcasts(second.Tx.ID))
	}
	w.EmptyBlocks(payout.BumpAfter + 2)
	if n := len(w.Versions(o.ID)); n != 2 {
		t.Errorf("got %d versions while the estimate does not rise, want 2", n)
	}
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
	w.Settle(10)
	_, _, fees := w.TreasuryBalance()
	if want := 80_000 + o.Fees.Network + o.Fees.Rutxos - second.Fee; fees != want {
		t.Errorf("fee account: got %d sats, want %d", fees, want)
	}
}

// Any version may confirm: first the replaced one, and after a reorg the replacement. The ledger records the confirmed
// one.
func TestReplacedVersionConfirms(t *testing.T) {
	w, o := stuck(t)
	runes, _, _ := w.TreasuryBalance()
	w.EmptyBlocks(payout.BumpAfter)
	all := w.Versions(o.ID)
	if len(all) != 2 {
		t.Fatalf("got %d versions", len(all))
	}
	w.Node.MineOnly(all[0].Tx)
	w.Step()
	w.Audit()
	w.EmptyBlocks(2)
	o = w.WantStatus(o.ID, order.Delivered)
	if o.PayoutTx != all[0].Tx.ID.String() {
		t.Errorf("PayoutTx: got %s, want the first version", o.PayoutTx)
	}
	if held, sats, _ := w.TreasuryBalance(); held != runes || sats < 80_000 {
		t.Errorf("treasury: got %s and %d sats", held, sats)
	}
	w.Audit()
	w.Node.Rewind(3)
	w.Clock.Advance(60e9)
	w.Node.MineOnly(all[1].Tx)
	for range 3 {
		w.Node.MineOnly()
	}
	w.Step()
	w.Audit()
	o = w.WantStatus(o.ID, order.Delivered)
	if o.PayoutTx != all[1].Tx.ID.String() {
		t.Errorf("PayoutTx after the reorg: got %s, want the second version", o.PayoutTx)
	}
	w.Settle(14)
	w.Audit()
}

// A replacement is refused if its fee rate is not higher, if the sats do not suffice, and for a confirmed payout.
func TestReplacementRefused(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
	w.PayInFull(w.Anna, o)
	id := w.PayoutsIn(payout.Live)[0].ID
	ask := func(want string) {
		t.Helper()
		w.Request(payout.RequestBump, id)
		w.Step()
		if n := len(w.Versions(o.ID)); n != 1 {
			t.Fatalf("%s: %d versions", want, n)
		}
		rows := w.Rows(`SELECT note FROM operator_request WHERE status = 'refused' ORDER BY number DESC LIMIT 1`)
		if !strings.Contains(rows, want) {
			t.Errorf("refusal: got %q, want %q", rows, want)
		}
	}
	ask("nodes require")
	w.Rate = amount.SatPerVB(100)
	ask("sats that its orders paid")
	w.Settle(1)
	ask("it is in block")
	w.Settle(3)
	ask("confirmed")
	id = "nonsense"
	ask("no such payout")
}

// An operator's request replaces a payout at once.
func TestReplacementByTheOperator(t *testing.T) {
	w, o := stuck(t)
	w.Request(payout.RequestBump, w.PayoutsIn(payout.Live)[0].ID)
	w.Step()
	if n := len(w.Versions(o.ID)); n != 2 {
		t.Fatalf("got %d versions: %s", n, w.Rows(`SELECT * FROM operator_request`))
	}
	w.Audit()
	w.Node.Forget()
	w.Restart()
	w.Step()
	w.Audit()
	w.Settle(3)
	w.WantStatus(o.ID, order.Delivered)
}

// A staker recovers an output that both versions spend. The payout is DEAD, and the treasury sats that the second
// version spent are available again.
func TestReplacedPayoutDies(t *testing.T) {
	w, o := stuck(t)
	_, before, _ := w.TreasuryBalance()
	w.Request(payout.RequestBump, w.PayoutsIn(payout.Live)[0].ID)
	w.Step()
	all := w.Versions(o.ID)
	if len(all) != 2 {
		t.Fatalf("got %d versions", len(all))
	}
	w.Node.MineOnly(w.Recover(w.Anna, o.UnitIDs[0]))
	for range order.FinalDepth {
		w.Step()
		w.Node.MineOnly()
	}
	w.Step()
	w.WantStatus(o.ID, order.Audit)
	w.WantStage(o.UnitIDs[0], ledger.Withdrawn)
	if _, sats, _ := w.TreasuryBalance(); sats < 80_000 || sats > before {
		t.Errorf("treasury: got %d sats, %d before", sats, before)
	}
	w.Audit()
	sent := w.Node.Broadcasts(all[1].Tx.ID)
	w.Node.Forget()
	w.Restart()
	w.Step()
	if w.Node.Broadcasts(all[1].Tx.ID) > sent {
		t.Errorf("a dead payout was sent again")
	}
}

// A replacement whose fee is capped below the minimum of the node's mempool could not be relayed. It is not stored, so
// the fee account pays nothing for it. Once the minimum falls, the payout is replaced.
func TestReplacementBelowTheMempoolIsNotStored(t *testing.T) {
	w, o := stuck(t)
	w.Rate, w.MempoolMin = amount.SatPerVB(130), amount.SatPerVB(120)
	_, _, before := w.TreasuryBalance()
	w.EmptyBlocks(payout.BumpAfter + 2)
	if all := w.Versions(o.ID); len(all) != 1 {
		t.Fatalf("got %d versions, the last at %d sats for %d vB", len(all), all[1].Fee, all[1].VBytes)
	}
	w.Request(payout.RequestBump, w.PayoutsIn(payout.Live)[0].ID)
	w.Step()
	const says = "the node's mempool requires 120 sat/vB now"
	if rows := w.Rows(`SELECT note FROM operator_request`); !strings.Contains(rows, says) {
		t.Errorf("the operator's request: got %q, want %q", rows, says)
	}
	if _, _, after := w.TreasuryBalance(); after != before {
		t.Errorf("fee account: %d sats, before %d", after, before)
	}
	w.MempoolMin = amount.SatPerVB(60)
	w.EmptyBlocks(1)
	if all := w.Versions(o.ID); len(all) != 2 || all[1].Fee < w.MempoolMin.Fee(all[1].VBytes) {
		t.Errorf("after the minimum fell: %d versions", len(all))
	}
}
