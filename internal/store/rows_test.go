package store

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

var (
	noon = time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)
	anna = action.Wallet{Payment: "anna's payment address", Ordinals: "anna's ordinals address"}
)

func point(n int) wire.OutPoint {
	return wire.OutPoint{Hash: chainhash.HashH([]byte(fmt.Sprint(n))), Index: uint32(n)}
}

// spend returns a transaction that spends the given outputs.
func spend(value int64, points ...wire.OutPoint) chain.Tx {
	tx := wire.NewMsgTx(2)
	for _, p := range points {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: p, Witness: wire.TxWitness{{1, 2, 3}}})
	}
	tx.AddTxOut(wire.NewTxOut(value, []byte{0x51}))
	read, err := chain.DecodeTx(chain.NewTx(tx).Bytes())
	if err != nil {
		panic(err)
	}
	return read
}

// errTried rolls back a transaction that only tests statements.
var errTried = errors.New("tried")

// within runs fn in one transaction of a new database, which is rolled back: PostgreSQL commits nothing after a failed
// statement, and fn may run failing statements last.
func within(t *testing.T, fn func(tx *Tx)) {
	t.Helper()
	s := open(t)
	if err := s.Update(t.Context(), func(tx *Tx) error { fn(tx); return errTried }); !errors.Is(err, errTried) {
		t.Error(err)
	}
}

func same[T any](t *testing.T, what string, got T, err error, want T) {
	t.Helper()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v\n got %+v\nwant %+v", what, err, got, want)
	}
}

func output(n int, kind ledger.Kind) ledger.Output {
	return ledger.Output{
		OutPoint: point(n), Community: "lobo", Kind: kind, Ref: fmt.Sprint("ref ", n), Owner: anna.Ordinals,
		Script: []byte{0x51, byte(n)},
		Value:  546, Runes: 5000, SeenAt: noon, Height: 7, SpentHeight: chain.None,
	}
}

func unit(n int) ledger.Unit {
	return ledger.Unit{
		ID: point(n).String(), Community: "lobo", Owner: anna.Ordinals, Origin: ledger.FromStake, Amount: 5000,
		Stage:         ledger.Staked,
		EligibleEpoch: 1, StakedTo: chain.None, UnlockEpoch: chain.None, RewardEpoch: chain.None, Created: noon,
		OutPoint: point(n), SpentHeight: chain.None,
	}
}

func reward(id string, n amount.Runes, stage ledger.Stage) ledger.Unit {
	return ledger.Unit{
		ID: id, Community: "lobo", Owner: anna.Ordinals, Origin: ledger.FromReward, Amount: n, Stage: stage, RewardEpoch: 3,
		EligibleEpoch: chain.None, StakedTo: chain.None, UnlockEpoch: chain.None, Created: noon, Height: chain.None,
		SpentHeight: chain.None,
	}
}

func TestUnits(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		if _, err := tx.Unit(ctx, "lobo", "none"); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown unit: got %v, want ErrNotFound", err)
		}
		must(t, tx.PutOutput(ctx, output(1, ledger.StakeKind)))
		u, r := unit(1), reward("reward:3:ab", 700, ledger.Claimable)
		must(t, tx.InsertUnit(ctx, u))
		must(t, tx.InsertUnit(ctx, r))
		if err := tx.InsertUnit(ctx, u); err == nil {
			t.Error("a unit was inserted twice")
		}
	})
	within(t, func(tx *Tx) {
		must(t, tx.PutOutput(ctx, output(1, ledger.StakeKind)))
		u, r := unit(1), reward("reward:3:ab", 700, ledger.Claimable)
		must(t, tx.InsertUnit(ctx, u))
		must(t, tx.InsertUnit(ctx, r))
		u.Number, u.Value, u.Height, r.Number = 1, 546, 7, 2
		got, err := tx.Unit(ctx, "lobo", u.ID)
		same(t, "a stake", got, err, u)
		got, err = tx.Unit(ctx, "lobo", r.ID)
		same(t, "a reward", got, err, r)
		if _, err := tx.Unit(ctx, "other", u.ID); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("a unit of another community: got %v, want ErrNotFound", err)
		}
		all, err := tx.UnitsOf(ctx, "lobo", anna.Ordinals)
		same(t, "newest first", all, err, []ledger.Unit{r, u})
		all, err = tx.LiveUnits(ctx, "lobo")
		same(t, "live", all, err, []ledger.Unit{u, r})
		all, err = tx.UnitsByID(ctx, "lobo", []string{r.ID, "none", u.ID})
		same(t, "by id", all, err, []ledger.Unit{r, u})

		u.Stage, u.NotBefore, u.EligibleEpoch, u.StakedTo, u.UnlockEpoch, u.OrderID, u.Before = ledger.Withdrawn, 2, 3, 4, 5,
			"order", ledger.Unlocked
		if err := tx.UpdateUnits(ctx, ledger.UnitChange{Unit: u, From: ledger.Unlocked}); !errors.Is(err, state.ErrConflict) {
			t.Errorf("update from another stage: got %v, want ErrConflict", err)
		}
		must(t, tx.UpdateUnits(ctx, ledger.UnitChange{Unit: u, From: ledger.Staked}))
		got, err = tx.Unit(ctx, "lobo", u.ID)
		same(t, "changed", got, err, u)
		all, err = tx.UnitsOfOrder(ctx, order.Order{ID: "order", Community: "lobo"})
		same(t, "of its order", all, err, []ledger.Unit{u})
		all, err = tx.UnitsRecovered(ctx, "lobo")
		same(t, "recovered", all, err, []ledger.Unit{u})
		sums, err := tx.SumsOf(ctx, "lobo", anna.Ordinals)
		same(t, "sums", sums, err, Sums{Units: 2, Claimable: 700})
		known, err := tx.WalletKnown(ctx, "lobo", anna.Ordinals)
		same(t, "known", known, err, true)
		known, err = tx.WalletKnown(ctx, "lobo", "somebody")
		same(t, "unknown", known, err, false)
		must(t, tx.DeleteUnits(ctx, u))
		if err := tx.DeleteUnits(ctx, u); !errors.Is(err, state.ErrConflict) {
			t.Errorf("second deletion of a unit: got %v, want ErrConflict", err)
		}
	})
}

// TestUnitLists checks the lists of units that are due for a change, with units that belong in each and units that do
// not.
func TestUnitLists(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		put := func(n int, changeUnit func(*ledger.Unit), changeOutput func(*ledger.Output)) {
			u, o := unit(n), output(n, ledger.StakeKind)
			changeUnit(&u)
			changeOutput(&o)
			must(t, tx.PutOutput(ctx, o))
			must(t, tx.InsertUnit(ctx, u))
		}
		asUnit := func(*ledger.Unit) {}
		asOutput := func(*ledger.Output) {}
		put(1, asUnit, asOutput)
		put(2, func(u *ledger.Unit) { u.EligibleEpoch, u.Stage = chain.None, ledger.PendingStake }, asOutput)
		put(3, func(u *ledger.Unit) { u.StakedTo, u.Stage = 2, ledger.Unlocked }, asOutput)
		put(4, asUnit, func(o *ledger.Output) { o.Vanished = true })
		put(5, asUnit, func(o *ledger.Output) { o.SpentBy, o.SpentHeight = "foreign", 10 })
		put(6, asUnit, func(o *ledger.Output) { o.SpentBy = "foreign" })
		put(7, asUnit, func(o *ledger.Output) { o.SpentBy, o.SpentOurs, o.SpentHeight = "ours", true, 10 })
		put(8, func(u *ledger.Unit) { u.EligibleEpoch = 3 }, asOutput)
		numbers := func(units []ledger.Unit, err error) (list []uint32) {
			t.Helper()
			must(t, err)
			for _, u := range units {
				list = append(list, u.OutPoint.Index)
			}
			return list
		}
		is := func(what string, got []uint32, want ...uint32) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		is("unplaced", numbers(tx.UnitsUnplaced(ctx, "lobo")), 2)
		is("from epoch 1", numbers(tx.UnitsEligibleFrom(ctx, "lobo", 1)), 1, 3, 4, 5, 6, 7)
		is("vanished", numbers(tx.UnitsVanished(ctx, "lobo")), 4)
		is("spent by others", numbers(tx.UnitsOfSpentOutputs(ctx, "lobo")), 5, 6)
		is("unlocked", numbers(tx.UnitsInStage(ctx, "lobo", ledger.Unlocked)), 3)
		is("of another community", numbers(tx.UnitsInStage(ctx, "other", ledger.Unlocked)))
		for _, row := range []struct {
			epoch, cut int64
			want       map[uint32]bool
		}{
			{1, 9, map[uint32]bool{1: true, 3: true, 5: true, 6: true, 7: true}},
			{1, 10, map[uint32]bool{1: true, 3: true, 6: true, 7: true}},
			{2, 10, map[uint32]bool{1: true, 6: true, 7: true}},
			{3, 10, map[uint32]bool{1: true, 6: true, 7: true, 8: true}},
			{0, 10, map[uint32]bool{}},
		} {
			stakes, err := tx.RecordInputs(ctx, "lobo", row.epoch, row.cut)
			must(t, err)
			inputs, err := tx.Inputs(ctx, "lobo", row.epoch)
			must(t, err)
			got := map[uint32]bool{}
			for _, input := range inputs {
				out, err := ledger.ParseOutPoint(input.UnitID)
				must(t, err)
				got[out.Index] = true
			}
			same(t, fmt.Sprintf("epoch %d cut %d", row.epoch, row.cut), got, nil, row.want)
			if len(inputs) > 0 {
				want := []ledger.Stake{{Owner: anna.Ordinals, Amount: amount.Runes(5000 * len(inputs)), Lowest: inputs[0].UnitID}}
				same(t, "stakes", stakes, nil, want)
			}
			_, err = tx.db.ExecContext(ctx, "DELETE FROM epoch_input") // for the next test case
			must(t, err)
		}
		total, err := tx.TotalStaked(ctx, "lobo")
		same(t, "total staked", total, err, amount.Runes(6*5000))
	})
}

func TestOutputs(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		o, made := output(1, ledger.StakeKind), spend(546, point(2))
		o.OutPoint.Hash = made.ID
		must(t, tx.PutOutput(ctx, o))
		got, err := tx.Output(ctx, o.OutPoint)
		same(t, "new", got, err, o)
		o.Runes, o.Quarantine, o.Booked, o.Height, o.SpentBy, o.SpentOurs, o.SpentHeight = 9, ledger.ForeignRunes, true, 8,
			"spender", true, 9
		must(t, tx.PutOutput(ctx, o))
		got, err = tx.Output(ctx, o.OutPoint)
		same(t, "changed", got, err, o)
		if _, err := tx.Output(ctx, point(9)); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown output: got %v, want ErrNotFound", err)
		}
		list, err := tx.OutputsOf(ctx, o.OutPoint.Hash.String())
		same(t, "of its transaction", list, err, []ledger.Output{o})
		list, err = tx.OutputsSpentBy(ctx, "spender")
		same(t, "spent", list, err, []ledger.Output{o})
		list, err = tx.DepositsOf(ctx, "lobo", anna.Ordinals)
		same(t, "deposits", list, err, []ledger.Output{o})
		list, err = tx.UnspentOutputs(ctx, "lobo")
		same(t, "unspent", list, err, []ledger.Output{})
		open := map[int64][]wire.OutPoint{}
		must(t, tx.EachOpenOutpoint(ctx, 8, func(point wire.OutPoint) { open[8] = append(open[8], point) }))
		must(t, tx.EachOpenOutpoint(ctx, 9, func(point wire.OutPoint) { open[9] = append(open[9], point) }))
		same(t, "open above 8 and 9", open, nil, map[int64][]wire.OutPoint{8: {o.OutPoint}})

		must(t, tx.Track(ctx, ledger.Tracked{Tx: made, SeenAt: noon, Height: 8}))
		must(t, tx.Unconfirm(ctx, 9, noon))
		must(t, tx.Unconfirm(ctx, 8, noon))
		o.Height, o.SpentHeight = chain.None, chain.None
		got, err = tx.Output(ctx, o.OutPoint)
		same(t, "unconfirmed", got, err, o)
	})
}

// The outputs that the follower watches, by their spends. Height -5 is below any block.
func TestOpenOutpoints(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		for i, spend := range []struct {
			by     string
			height int64
		}{{"", chain.None}, {"spender", chain.None}, {"spender", 0}, {"spender", 8}, {"spender", 9}} {
			o := output(i, ledger.StakeKind)
			o.SpentBy, o.SpentHeight = spend.by, spend.height
			must(t, tx.PutOutput(ctx, o))
		}
		for above, want := range map[int64][]int{-5: {0, 1, 2, 3, 4}, 0: {0, 1, 3, 4}, 8: {0, 1, 4}, 9: {0, 1}} {
			times := map[wire.OutPoint]int{}
			must(t, tx.EachOpenOutpoint(ctx, above, func(point wire.OutPoint) { times[point]++ }))
			wanted := map[wire.OutPoint]int{}
			for _, n := range want {
				wanted[point(n)] = 1
			}
			same(t, fmt.Sprintf("open above %d", above), times, nil, wanted)
		}
	})
}

func TestTreasury(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		for n, change := range []func(*ledger.Output){
			func(*ledger.Output) {},
			func(o *ledger.Output) { o.Height = chain.None },
			func(o *ledger.Output) { o.SpentBy = "x" },
			func(o *ledger.Output) { o.Quarantine = ledger.ForeignRunes },
			func(o *ledger.Output) { o.Vanished = true },
			func(o *ledger.Output) { o.Kind = ledger.SatsKind },
			func(o *ledger.Output) { o.Community = "other" },
			func(o *ledger.Output) { o.Booked = false },
		} {
			o := output(n, ledger.RunesKind)
			o.Booked = true
			change(&o)
			must(t, tx.PutOutput(ctx, o))
		}
		held, err := tx.Treasury(ctx, "lobo")
		same(t, "own unconfirmed change included", held, err, 10_000)
		usable, err := tx.TreasuryOutputs(ctx, "lobo", ledger.RunesKind)
		want := output(0, ledger.RunesKind)
		want.Booked = true
		same(t, "usable", usable, err, []ledger.Output{want})

		must(t, tx.InsertUnit(ctx, reward("a", 700, ledger.Claimable)))
		must(t, tx.InsertUnit(ctx, reward("b", 70, ledger.Withdrawn)))
		sent := reward("c", 7, ledger.BatchLocked)
		sent.OrderID = "o"
		must(t, tx.InsertUnit(ctx, sent))
		o := sampleOrder()
		o.ID, o.Status = "o", order.Paid
		must(t, tx.InsertOrder(ctx, o))
		owed, err := tx.VirtualOwed(ctx, "lobo")
		same(t, "owed while paid", owed, err, 707)
		o.Status = order.Sent
		must(t, tx.UpdateOrders(ctx, order.Change{Order: o, From: order.Paid}))
		owed, err = tx.VirtualOwed(ctx, "lobo")
		same(t, "owed while sent", owed, err, 700)
	})
}

func TestEpochs(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		if _, err := tx.AccountOf(ctx, "lobo", 1); !errors.Is(err, state.ErrNotFound) {
			t.Errorf("an unknown account: got %v, want ErrNotFound", err)
		}
		a := ledger.Account{Community: "lobo", Epoch: 1, Planned: 10, Reserved: 9, Cut: chain.None}
		b := ledger.Account{Community: "lobo", Epoch: 2, Planned: 10, Reserved: 8, Cut: chain.None}
		must(t, tx.PutAccount(ctx, b))
		must(t, tx.PutAccount(ctx, a))
		list, err := tx.Unsettled(ctx, "lobo")
		same(t, "unsettled, in order", list, err, []ledger.Account{a, b})
		a.Settled, a.Staked, a.Rewarded, a.Cut, a.CutHash, a.SettledAt = true, 5, 9, 77, "hash", noon
		must(t, tx.PutAccount(ctx, a))
		got, err := tx.AccountOf(ctx, "lobo", 1)
		same(t, "settled", got, err, a)
		must(t, tx.InsertUnit(ctx, unit(1)))
		_, err = tx.RecordInputs(ctx, "lobo", 1, 77)
		must(t, err)
		if _, err := tx.RecordInputs(ctx, "lobo", 1, 77); err == nil {
			t.Error("an input was inserted twice")
		}
	})
	within(t, func(tx *Tx) {
		a := ledger.Account{Community: "lobo", Epoch: 1, Settled: true, SettledAt: noon}
		must(t, tx.PutAccount(ctx, a))
		if err := tx.DeleteAccount(ctx, "lobo", 1); !errors.Is(err, state.ErrConflict) {
			t.Errorf("a settled epoch was deleted: %v", err)
		}
		must(t, tx.PutAccount(ctx, ledger.Account{Community: "lobo", Epoch: 2}))
		must(t, tx.DeleteAccount(ctx, "lobo", 2))
		must(t, tx.InsertUnit(ctx, unit(1)))
		_, err := tx.RecordInputs(ctx, "lobo", 1, 77)
		must(t, err)
		inputs, err := tx.Inputs(ctx, "lobo", 1)
		if err != nil || len(inputs) != 1 || inputs[0].UnitID != point(1).String() || inputs[0].Amount != 5000 {
			t.Errorf("inputs: %+v, %v", inputs, err)
		}
		r := ledger.Reward{Owner: anna.Ordinals, Stake: 5000, Reward: 9, UnitID: "reward:1:ab"}
		like := reward(r.UnitID, r.Reward, ledger.Claimable)
		like.RewardEpoch = 1
		posting := ledger.Posting{
			Community: "lobo", Subject: r.UnitID, Owner: r.Owner, Event: "rewarded", Asset: ledger.RuneAsset, Amount: 9,
			From: ledger.Outside, To: "CLAIMABLE", Cause: ledger.Cause{Kind: "epoch", ID: "1", At: noon},
		}
		nothing := ledger.Reward{Owner: "with too little", Stake: 1}
		must(t, tx.PayRewards(ctx, []ledger.Reward{r, nothing}, like, posting))
		list, err := tx.Rewards(ctx, "lobo", 1)
		same(t, "rewards", list, err, []ledger.Reward{r, nothing})
		like.Number = 2
		got, err := tx.Unit(ctx, "lobo", r.UnitID)
		same(t, "the unit of a reward", got, err, like)
		lines, err := tx.JournalAbout(ctx, "lobo", r.UnitID)
		same(t, "its posting", lines, err, []JournalLine{{1, posting}})
		accounts, owners, err := tx.EpochsBelow(ctx, "lobo", 5, 10)
		same(t, "epochs", accounts, err, []ledger.Account{a})
		same(t, "owners", owners, err, []int64{2})
		earnings, err := tx.EarningsBelow(ctx, "lobo", anna.Ordinals, 5, 10)
		same(t, "earnings", earnings, err, []ledger.Earning{{Account: a, Reward: r, Use: ledger.Unused}})
		delivered := like
		delivered.Stage = ledger.Withdrawn
		must(t, tx.UpdateUnits(ctx, ledger.UnitChange{Unit: delivered, From: ledger.Claimable}))
		earnings, err = tx.EarningsBelow(ctx, "lobo", anna.Ordinals, 5, 10)
		same(t, "earnings claimed", earnings, err, []ledger.Earning{{Account: a, Reward: r, Use: ledger.Claimed}})
		earnings, err = tx.EarningsBelow(ctx, "lobo", anna.Ordinals, 1, 10)
		same(t, "earnings before the first", earnings, err, []ledger.Earning{})
		earnings, err = tx.EarningsBelow(ctx, "lobo", "somebody", 5, 10)
		same(t, "earnings of somebody else", earnings, err, []ledger.Earning{})
	})
}

func TestJournal(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		var lines []JournalLine
		for n := range int64(5) {
			p := ledger.Posting{
				Community: "lobo", Subject: fmt.Sprint(n), Owner: anna.Ordinals, Event: "event", Asset: ledger.RuneAsset, Amount: n,
				From: "a", To: "b", Cause: ledger.Cause{Kind: "block", ID: "id", At: noon},
			}
			must(t, tx.Post(ctx, p))
			lines = append([]JournalLine{{n + 1, p}}, lines...)
		}
		got, err := tx.Journal(ctx, "lobo", anna.Ordinals, 0, 3)
		same(t, "newest", got, err, lines[:3])
		got, err = tx.Journal(ctx, "lobo", anna.Ordinals, 3, 10)
		same(t, "older", got, err, lines[3:])
	})
}

func TestPauses(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		all, err := tx.PausedAll(ctx)
		same(t, "nothing", all, err, "")
		must(t, tx.PutSetting(ctx, PausePayouts, "an invariant"))
		payouts, err := tx.PausedPayouts(ctx)
		same(t, "payouts", payouts, err, "an invariant")
		all, err = tx.PausedAll(ctx)
		same(t, "not all", all, err, "")
		must(t, tx.PutSetting(ctx, PausePayouts, ""))
		must(t, tx.PutSetting(ctx, PauseAll, "maintenance"))
		payouts, err = tx.PausedPayouts(ctx)
		same(t, "all are payouts too", payouts, err, "maintenance")
	})
}

func TestRuneIndex(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		index := tx.Runes(ctx)
		name, err := runes.ParseName("UNCOMMONGOODS")
		must(t, err)
		height := uint64(math.MaxUint64)
		symbol := '⧉'
		e := runes.Entry{
			ID: runes.ID{Block: math.MaxUint64, Tx: math.MaxUint32}, Etching: point(1).Hash, Name: name, Spacers: 128,
			Divisibility: 38,
			Symbol:       &symbol, Premine: uint128.Max, Mints: uint128.From64(7), Burned: uint128.Max, Number: 3, Timestamp: 5,
			Turbo: true,
			Terms: &runes.Terms{Amount: &uint128.Max, HeightStart: &height},
		}
		if _, ok, err := index.RuneEntry(e.ID); ok || err != nil {
			t.Errorf("an unknown rune entry: got %v, %v, want false", ok, err)
		}
		must(t, index.PutRuneEntry(e))
		e.Mints = uint128.Max
		must(t, index.PutRuneEntry(e))
		got, ok, err := index.RuneEntry(e.ID)
		same(t, "entry", got, err, e)
		byName, okByName, err := index.RuneEntryByName(name)
		same(t, "by name", byName, err, e)
		if !ok || !okByName {
			t.Error("the entry does not exist")
		}
		must(t, index.DeleteRuneEntry(e.ID))
		if _, ok, err := index.RuneEntryByName(name); ok || err != nil {
			t.Errorf("a deleted rune entry: got %v, %v, want false", ok, err)
		}

		balances := []runes.Balance{{ID: runes.ID{Block: 1, Tx: 2}, Amount: uint128.Max},
			{ID: e.ID, Amount: uint128.From64(1)}}
		must(t, index.PutRuneBalances(runes.Held{OutPoint: point(1), Holding: runes.Holding{Own: balances}}))
		list, err := runes.BalancesOf(index, point(1))
		same(t, "balances", list, err, balances)
		must(t, index.DeleteRuneBalances(point(1)))
		list, err = runes.BalancesOf(index, point(1))
		if err != nil || len(list) != 0 {
			t.Errorf("deleted rune balances: got %v, %v, want none", list, err)
		}

		must(t, index.PutRuneUndo(runes.BlockUndo{Height: 5, Data: []byte{0, 1}}))
		data, ok, err := index.RuneUndo(5)
		same(t, "undo", data, err, []byte{0, 1})
		must(t, index.DeleteRuneUndo(5))
		if _, again, err := index.RuneUndo(5); again || err != nil || !ok {
			t.Errorf("rune undo: got %v, after the deletion %v, %v; want true, then false", ok, again, err)
		}
		zero, err := index.RuneCounters()
		same(t, "counters", zero, err, runes.Counters{})
		counters := runes.Counters{Runes: math.MaxUint64, Reserved: 2}
		must(t, index.PutRuneCounters(counters))
		zero, err = index.RuneCounters()
		same(t, "counters", zero, err, counters)
	})
}
