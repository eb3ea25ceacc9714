package follower_test

import (
	"errors"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

func TestDepositSeenThenMined(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, tx := w.Deposit(w.Anna, 5000)
	w.Step()
	w.Step()
	unit := w.Unit(id)
	if unit.Stage != ledger.PendingStake || unit.Height != chain.None || unit.Amount != 5000 ||
		unit.Owner != w.Anna.Ordinals.Text {
		t.Errorf("in the mempool: %+v", unit)
	}
	w.Settle(1)
	if unit = w.Unit(id); unit.Stage != ledger.PendingStake || unit.Height != w.Node.Height() {
		t.Errorf("in a block: %+v", unit)
	}
	for range 2 {
		w.Restart()
		w.Step()
	}
	if lines := w.Rows(`SELECT * FROM journal WHERE subject = ? AND event = 'deposited'`, id); len(lines) == 0 {
		t.Error("the deposit is not in the journal")
	}
	if n := w.Rows(`SELECT COUNT(*) AS n FROM journal WHERE subject = ?`, id); n != "n=1 \n" {
		t.Errorf("journal lines of the deposit: got %s, want 1", n)
	}
	if seen := w.Rows(`SELECT height FROM tracked WHERE txid = ?`, tx.ID.String()); seen == "" {
		t.Error("the transaction is not tracked")
	}
}

// A deposit that is missing from the mempool of a restarted node stays in the ledger and is broadcast again.
func TestAbsenceFromTheMempool(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, tx := w.Deposit(w.Anna, 5000)
	w.Step()
	w.Node.Forget()
	w.Node.MineOnly()
	w.Step()
	w.WantStage(id, ledger.PendingStake)
	if w.Node.Broadcasts(tx.ID) < 2 {
		t.Error("the deposit was not broadcast again")
	}
	w.Settle(1)
	if w.Unit(id).Height == chain.None {
		t.Error("the deposit was not mined")
	}
}

func TestDepositReplaced(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	held, sats := w.Anna.Runes(), w.Anna.Sats()
	first := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 5000, 1000))
	w.Step()
	w.WantStage(first.ID.String()+":0", ledger.PendingStake)
	second := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, sats}, script, 7000, 5000))
	w.Step()
	w.WantStage(first.ID.String()+":0", "")
	w.WantStage(second.ID.String()+":0", ledger.PendingStake)
	w.Send(w.SpendToSelf(w.Anna, 15_000, sats))
	w.Step()
	w.WantStage(second.ID.String()+":0", "")
	// The vanished transaction is mined after all.
	w.Node.MineOnly(first)
	w.Step()
	w.WantStage(first.ID.String()+":0", ledger.PendingStake)
}

func TestPaymentReplaced(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Unlocked(w.Anna, 5000)
	o := withdraw(w, id)
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, 700, 1000))
	w.Step()
	if got := w.WantStatus(o.ID, order.Confirmed); got.Seen != 700 {
		t.Errorf("seen sats: got %d, want 700", got.Seen)
	}
	w.WantStage(id, ledger.PendingWithdraw)
	w.Send(w.Payment(w.Anna, coin, o, o.Due(), 5000))
	w.Step()
	if got := w.WantStatus(o.ID, order.Confirmed); got.Seen != o.Due() || got.Due() != 0 {
		t.Errorf("got %d sats seen, %d due", got.Seen, got.Due())
	}
	w.Send(w.SpendToSelf(w.Anna, 9000, coin))
	w.Step()
	if got := w.WantStatus(o.ID, order.Pending); got.Seen != 0 || got.Due() != o.Due() {
		t.Errorf("got %d sats seen, %d due", got.Seen, got.Due())
	}
	w.WantStage(id, ledger.POLocked)
	w.Clock.Advance(order.FeeValid)
	w.Clock.Advance(time.Second)
	w.Step()
	w.WantStatus(o.ID, order.Expired)
	w.WantStage(id, ledger.Unlocked)
}

func withdraw(w *testkit.World, id string) order.Order {
	return *w.Act(w.Anna, "WITHDRAW", id).Order
}

// A deposit spends an unconfirmed transfer of runes to the depositor.
func TestDepositOnAnUnconfirmedTransfer(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	transfer := w.Send(w.Transfer(w.Bert, w.Anna.Ordinals.Script, 9000))
	held := testkit.Coin{OutPoint: wire.OutPoint{Hash: transfer.ID}, Out: transfer.Msg.TxOut[0], Runes: 9000}
	_, script := w.StakeAddress(w.Anna, 5000)
	deposit := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, w.Anna.Sats()}, script, 5000, 1000))
	id := deposit.ID.String() + ":0"
	w.Step()
	if unit := w.Unit(id); unit.Amount != 5000 || unit.Height != chain.None {
		t.Errorf("unit: %+v", unit)
	}
	w.Node.Forget()
	w.Restart()
	w.Step() // both are broadcast again
	w.Settle(1)
	if unit := w.Unit(id); unit.Amount != 5000 || unit.Height != w.Node.Height() {
		t.Errorf("unit: %+v", unit)
	}
	if waiting := w.Rows(`SELECT txid FROM tracked WHERE height = -1`); waiting != "" {
		t.Errorf("still tracked: %s", waiting)
	}
}

// A deposit vanishes if the transfer that it spends is replaced.
func TestAncestorReplaced(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	runes, sats := w.Bert.Runes(), w.Bert.Sats()
	transfer := w.Send(w.TransferOf(w.Bert, []testkit.Coin{runes, sats}, w.Anna.Ordinals.Script, 9000, 1000))
	held := testkit.Coin{OutPoint: wire.OutPoint{Hash: transfer.ID}, Out: transfer.Msg.TxOut[0], Runes: 9000}
	_, script := w.StakeAddress(w.Anna, 5000)
	deposit := w.Send(w.TransferOf(w.Anna, []testkit.Coin{held, w.Anna.Sats()}, script, 5000, 1000))
	w.Step()
	w.WantStage(deposit.ID.String()+":0", ledger.PendingStake)
	w.Send(w.SpendToSelf(w.Bert, 50_000, sats))
	w.Step()
	w.WantStage(deposit.ID.String()+":0", "")
}

// A deposit and its recovery are seen in the same Step.
func TestSpendSeenWithItsDeposit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, _ := w.Deposit(w.Anna, 5000)
	w.Step()
	recovery := w.Recover(w.Anna, id)
	fresh := testkit.NewWorld(t).InjectFaults()
	id2, deposit := fresh.Deposit(fresh.Anna, 5000)
	if id2 != id {
		t.Fatal("two worlds with the same history differ")
	}
	_ = deposit
	fresh.Send(recovery)
	fresh.Step()
	if unit := fresh.Unit(id); !unit.Contested {
		t.Errorf("unit: %+v", unit)
	}
}

func TestRecoveryIsUndone(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id := w.Staked(w.Anna, 5000)
	recovery := w.Recover(w.Anna, id)
	w.Send(recovery)
	w.Step()
	if unit := w.Unit(id); !unit.Contested || unit.Stage != ledger.Staked {
		t.Errorf("unit after the recovery was seen: got %+v", unit)
	}
	if _, err := w.TryAct(w.Anna, "UNSTAKE", id); err == nil {
		t.Error("a contested unit could be unstaked")
	}
	w.Settle(ledger.RecoveryDepth - 1)
	w.WantStage(id, ledger.Staked)
	w.Settle(1)
	w.WantStage(id, ledger.Withdrawn)
	w.Node.Rewind(2)
	w.Node.MineOnly()
	w.Step()
	w.WantStage(id, ledger.Staked)
	w.Settle(1)
	w.WantStage(id, ledger.Withdrawn)
}

// Outputs that can't be credited are listed and never credited.
func TestQuarantine(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	_, script := w.StakeAddress(w.Anna, 5000)
	w.Send(w.Transfer(w.Anna, script, testkit.MinimumStake-1))
	w.Step()
	w.Settle(1)
	_, script = w.StakeAddress(w.Anna, 5000)
	sats := w.Anna.Sats()
	w.Send(w.Anna.Spend([]testkit.Coin{sats}, wire.NewTxOut(10_000, script), wire.NewTxOut(sats.Out.Value-11_000,
		w.Anna.Payment.Script)))
	w.Settle(1)
	var got []string
	w.Update(func(tx *store.Tx) error {
		outputs, err := tx.DepositsOf(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text)
		for _, output := range outputs {
			got = append(got, output.Quarantine)
		}
		return err
	})
	if len(got) != 2 || got[0] != ledger.BelowMinimum || got[1] != ledger.NoRunes {
		t.Errorf("reasons for quarantine: got %q", got)
	}
	if units := w.Rows(`SELECT * FROM unit`); units != "" {
		t.Errorf("units: got %s, want none", units)
	}
}

// A deposit with another rune besides the community's is no stake. The output is quarantined, and can be returned.
func TestMixedDeposit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	premine := uint128.From64(7)
	stone := runes.Runestone{Etching: &runes.Etching{Premine: &premine}}
	script, err := stone.Script()
	testkit.Must(t, err)
	foreign := w.Node.Grant(wire.NewTxOut(546, w.Anna.Ordinals.Script), wire.NewTxOut(0, script))
	_, stake := w.StakeAddress(w.Anna, 5000)
	first := uint32(0)
	stone = runes.Runestone{Pointer: &first}
	script, err = stone.Script()
	testkit.Must(t, err)
	sats := w.Anna.Sats()
	other := testkit.Coin{OutPoint: wire.OutPoint{Hash: foreign.ID}, Out: foreign.Msg.TxOut[0]}
	mixed := w.Send(w.Anna.Spend([]testkit.Coin{other, w.Anna.Runes(), sats},
		wire.NewTxOut(546, stake), wire.NewTxOut(sats.Out.Value-2000, w.Anna.Payment.Script), wire.NewTxOut(0, script)))
	w.Step()
	w.Settle(4)
	w.WantStage(mixed.ID.String()+":0", "")
	w.Update(func(tx *store.Tx) error {
		outputs, err := tx.DepositsOf(t.Context(), testkit.Prefix, w.Anna.Ordinals.Text)
		if len(outputs) != 1 || outputs[0].Quarantine != ledger.ForeignRunes || outputs[0].Runes != testkit.RuneCoin {
			t.Errorf("outputs: %+v", outputs)
		}
		return err
	})
	w.Audit()
}

// Payments with runes and payments below the spending floor do not count.
func TestPaymentsThatDontCount(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	w.Rate = amount.SatPerVB(20) // a payment below 1,360 sats is not worth spending
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	w.Send(w.Transfer(w.Anna, o.Script, 2000))
	w.Step()
	w.Pay(w.Anna, o, 1359)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Pending); got.Seen != 0 || got.Due() != o.Due() {
		t.Errorf("seen sats: got %d, want 0", got.Seen)
	}
	if lines := w.Rows(`SELECT counted FROM payment`); lines != "counted=0 \ncounted=0 \n" {
		t.Errorf("payments: %s", lines)
	}
	w.Pay(w.Anna, o, 1361) // more than a small part
	w.Step()
	w.WantStatus(o.ID, order.Confirmed)
}

func TestNodeDown(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	id, _ := w.Deposit(w.Anna, 5000)
	down := errors.New("connection refused")
	w.Node.Fail(down)
	if _, err := w.Follower.Step(t.Context()); !errors.Is(err, down) {
		t.Fatal(err)
	}
	if w.Follower.State().Synced {
		t.Error("synced with a node that is down")
	}
	w.Node.Fail(nil)
	w.Step()
	w.WantStage(id, ledger.PendingStake)
	if !w.Follower.State().Synced {
		t.Error("not synced again")
	}
}

// While everything is paused, no deadline passes.
func TestPausedAll(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, "maintenance") })
	w.Clock.Advance(2 * order.FeeValid)
	w.Settle(2)
	w.WantStatus(o.ID, order.Pending)
	if _, err := w.TryAct(w.Anna, "UNSTAKE"); err == nil {
		t.Error("an action succeeded while everything is paused")
	}
}
