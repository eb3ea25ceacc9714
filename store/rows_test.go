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

	"moonfund/action"
	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/runes"
	"moonfund/vault"
)

var (
	noon = time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)
	anna = action.Wallet{Payment: "anna's payment address", Ordinals: "anna's ordinals address"}
)

func point(n int) wire.OutPoint {
	return wire.OutPoint{Hash: chainhash.HashH([]byte(fmt.Sprint(n))), Index: uint32(n)}
}

// spend is a transaction of the given outputs.
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

// errTried ends a transaction that was only a trial.
var errTried = errors.New("tried")

// within runs fn in one transaction of a new database. It is not committed, since
// PostgreSQL commits nothing after a refused statement, and fn may try some last.
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
		OutPoint: point(n), Community: "lobo", Kind: kind, Ref: fmt.Sprint("ref ", n), Owner: anna.Ordinals, Script: []byte{0x51, byte(n)},
		Value: 546, Runes: 5000, SeenAt: noon, Height: 7, SpentHeight: ledger.None,
	}
}

func unit(n int) ledger.Unit {
	return ledger.Unit{
		ID: point(n).String(), Community: "lobo", Owner: anna.Ordinals, Origin: ledger.FromStake, Amount: 5000, Stage: ledger.Staked,
		EligibleEpoch: 1, StakedTo: ledger.None, UnlockEpoch: ledger.None, RewardEpoch: ledger.None, Created: noon,
		OutPoint: point(n), SpentHeight: ledger.None,
	}
}

func reward(id string, n amount.Runes, stage ledger.Stage) ledger.Unit {
	return ledger.Unit{
		ID: id, Community: "lobo", Owner: anna.Ordinals, Origin: ledger.FromReward, Amount: n, Stage: stage, RewardEpoch: 3,
		EligibleEpoch: ledger.None, StakedTo: ledger.None, UnlockEpoch: ledger.None, Created: noon, Height: ledger.None, SpentHeight: ledger.None,
	}
}

func TestUnits(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		if _, err := tx.Unit(ctx, "lobo", "none"); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		must(t, tx.PutOutput(ctx, output(1, ledger.StakeKind)))
		u, r := unit(1), reward("reward:3:ab", 700, ledger.Claimable)
		must(t, tx.InsertUnit(ctx, u))
		must(t, tx.InsertUnit(ctx, r))
		if err := tx.InsertUnit(ctx, u); err == nil {
			t.Error("one unit twice")
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
		if _, err := tx.Unit(ctx, "other", u.ID); err != ledger.ErrNotFound {
			t.Errorf("a unit of another community: %v", err)
		}
		all, err := tx.UnitsOf(ctx, "lobo", anna.Ordinals)
		same(t, "newest first", all, err, []ledger.Unit{r, u})
		all, err = tx.LiveUnits(ctx, "lobo")
		same(t, "live", all, err, []ledger.Unit{u, r})
		all, err = tx.UnitsByID(ctx, "lobo", []string{r.ID, "none", u.ID})
		same(t, "by id", all, err, []ledger.Unit{r, u})

		u.Stage, u.NotBefore, u.EligibleEpoch, u.StakedTo, u.UnlockEpoch, u.OrderID, u.Before = ledger.Withdrawn, 2, 3, 4, 5, "order", ledger.Unlocked
		if err := tx.UpdateUnit(ctx, u, ledger.Unlocked); err != ledger.ErrConflict {
			t.Errorf("from another stage: %v", err)
		}
		must(t, tx.UpdateUnit(ctx, u, ledger.Staked))
		got, err = tx.Unit(ctx, "lobo", u.ID)
		same(t, "changed", got, err, u)
		all, err = tx.UnitsOfOrder(ctx, order.Order{ID: "order", Community: "lobo"})
		same(t, "of its order", all, err, []ledger.Unit{u})
		all, err = tx.UnitsRecovered(ctx)
		same(t, "recovered", all, err, []ledger.Unit{u})
		sums, err := tx.StageSums(ctx, "lobo", anna.Ordinals)
		same(t, "sums", sums, err, map[ledger.Stage]amount.Runes{ledger.Withdrawn: 5000, ledger.Claimable: 700})
		known, err := tx.WalletKnown(ctx, "lobo", anna.Ordinals)
		same(t, "known", known, err, true)
		known, err = tx.WalletKnown(ctx, "lobo", "somebody")
		same(t, "unknown", known, err, false)
		must(t, tx.DeleteUnit(ctx, u))
		if err := tx.DeleteUnit(ctx, u); err != ledger.ErrConflict {
			t.Errorf("deleted twice: %v", err)
		}
	})
}

// The lists by which units move, each with what belongs on it and what does not.
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
		put(2, func(u *ledger.Unit) { u.EligibleEpoch, u.Stage = ledger.None, ledger.PendingStake }, asOutput)
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
		is("vanished", numbers(tx.UnitsVanished(ctx)), 4)
		is("spent by others", numbers(tx.UnitsOfSpentOutputs(ctx)), 5, 6)
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
			got := map[uint32]bool{}
			for _, n := range numbers(tx.EligibleFor(ctx, "lobo", row.epoch, row.cut)) {
				got[n] = true
			}
			same(t, fmt.Sprintf("epoch %d cut %d", row.epoch, row.cut), got, nil, row.want)
		}
		total, err := tx.TotalStaked(ctx, "lobo")
		same(t, "total staked", total, err, amount.Runes(6*5000))
	})
}

func TestOutputs(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		o := output(1, ledger.StakeKind)
		must(t, tx.PutOutput(ctx, o))
		got, err := tx.Output(ctx, o.OutPoint)
		same(t, "new", got, err, o)
		o.Runes, o.Quarantine, o.Booked, o.Height, o.SpentBy, o.SpentOurs, o.SpentHeight = 9, ledger.ForeignRunes, true, 8, "spender", true, 9
		must(t, tx.PutOutput(ctx, o))
		got, err = tx.Output(ctx, o.OutPoint)
		same(t, "changed", got, err, o)
		if _, err := tx.Output(ctx, point(9)); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		list, err := tx.OutputsOf(ctx, o.OutPoint.Hash.String())
		same(t, "of its transaction", list, err, []ledger.Output{o})
		list, err = tx.OutputsSpentBy(ctx, "spender")
		same(t, "spent", list, err, []ledger.Output{o})
		list, err = tx.DepositsOf(ctx, "lobo", anna.Ordinals)
		same(t, "deposits", list, err, []ledger.Output{o})
		list, err = tx.UnspentOutputs(ctx, "lobo")
		same(t, "unspent", list, err, []ledger.Output{})
		open, err := tx.OpenOutpoints(ctx, 8)
		same(t, "open above 8", open, err, []wire.OutPoint{o.OutPoint})
		open, err = tx.OpenOutpoints(ctx, 9)
		same(t, "open above 9", open, err, []wire.OutPoint{})

		must(t, tx.Unconfirm(ctx, 9))
		must(t, tx.Unconfirm(ctx, 8))
		o.Height, o.SpentHeight = ledger.None, ledger.None
		got, err = tx.Output(ctx, o.OutPoint)
		same(t, "unconfirmed", got, err, o)
	})
}

func TestTreasury(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		for n, change := range []func(*ledger.Output){
			func(*ledger.Output) {},
			func(o *ledger.Output) { o.Height = ledger.None },
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
		must(t, tx.UpdateOrder(ctx, o, order.Paid))
		owed, err = tx.VirtualOwed(ctx, "lobo")
		same(t, "owed while sent", owed, err, 700)
	})
}

func TestTracked(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		a := ledger.Tracked{Tx: spend(1, point(1), point(2)), SeenAt: noon, Height: ledger.None, Ours: true}
		b := ledger.Tracked{Tx: spend(2, point(2)), SeenAt: noon.Add(time.Second), Height: 5}
		child := ledger.Tracked{Tx: spend(3, wire.OutPoint{Hash: a.Tx.ID}), SeenAt: noon.Add(time.Minute), Height: ledger.None}
		for _, tracked := range []ledger.Tracked{a, b, child} {
			must(t, tx.Track(ctx, tracked))
			must(t, tx.Track(ctx, tracked))
		}
		got, err := tx.TrackedTx(ctx, a.Tx.ID.String())
		same(t, "kept with its witness", got, err, a)
		if _, err := tx.TrackedTx(ctx, point(9).Hash.String()); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		list, err := tx.TrackedSpending(ctx, point(1))
		same(t, "spending 1", list, err, []ledger.Tracked{a})
		list, err = tx.TrackedSpending(ctx, point(2))
		if err != nil || len(list) != 2 {
			t.Errorf("spending 2: %v, %v", list, err)
		}
		list, err = tx.TrackedChildren(ctx, a.Tx.ID.String())
		same(t, "children", list, err, []ledger.Tracked{child})
		list, err = tx.TrackedUnconfirmed(ctx)
		same(t, "unconfirmed", list, err, []ledger.Tracked{a, child})
		a.Vanished = true
		must(t, tx.Track(ctx, a))
		must(t, tx.Unconfirm(ctx, 5))
		b.Height = ledger.None
		list, err = tx.TrackedUnconfirmed(ctx)
		same(t, "after an undone block", list, err, []ledger.Tracked{b, child})
	})
}

func sampleOrder() order.Order {
	return order.Order{
		ID: "0123", Community: "lobo", Reason: ledger.ForWithdraw, Owner: anna.Ordinals, Payment: anna.Payment, ActionID: "action",
		UnitIDs: []string{point(1).String(), "reward:1:ab"}, RealUnits: 1, Amount: math.MaxInt64, FeeRate: 1500,
		Fees:    order.Fees{Dust: vault.DustSats, Network: 1, Service: 2, Rutxos: 3, PerRutxo: 4},
		Address: "address", Script: []byte{1, 2}, Status: order.Pending, Created: noon, RateDate: noon.Add(1 * time.Second),
		Deadline: noon.Add(2 * time.Second), Seen: 5, Confirmed: 6, Late: 7, PayoutID: "payout", PayoutTx: "tx", Updated: noon.Add(3 * time.Second), Number: 1,
	}
}

func TestOrdersAndPayments(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		o := sampleOrder()
		must(t, tx.InsertOrder(ctx, o))
		got, err := tx.Order(ctx, o.ID)
		same(t, "order", got, err, o)
		if _, err := tx.Order(ctx, "none"); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		o.Status, o.FeeRate, o.Fees = order.Confirmed, 9, order.Fees{Dust: vault.DustSats, Network: 9, Service: 8, Rutxos: 7, PerRutxo: 6}
		o.RateDate, o.Deadline, o.Updated = noon.Add(4*time.Second), noon.Add(5*time.Second), noon.Add(6*time.Second)
		o.Seen, o.Confirmed, o.Late, o.PayoutID, o.PayoutTx = 50, 60, 70, "", ""
		if err := tx.UpdateOrder(ctx, o, order.Paid); err != ledger.ErrConflict {
			t.Errorf("from another status: %v", err)
		}
		must(t, tx.UpdateOrder(ctx, o, order.Pending))
		second := sampleOrder()
		second.ID, second.Number = "4567", 2
		must(t, tx.InsertOrder(ctx, second))
		list, err := tx.OrdersOf(ctx, "lobo", anna.Ordinals)
		same(t, "newest first", list, err, []order.Order{second, o})
		list, err = tx.OrdersInStatus(ctx, order.Confirmed)
		same(t, "confirmed", list, err, []order.Order{o})

		p := order.Payment{OutPoint: point(3), OrderID: o.ID, Value: 546, SeenAt: noon, Counted: true, Height: 7, Number: 1}
		out := output(3, ledger.PaymentKind)
		out.Coinbase, p.Coinbase = true, true
		must(t, tx.PutOutput(ctx, out))
		fresh, err := tx.PutPayment(ctx, p)
		same(t, "fresh", fresh, err, true)
		fresh, err = tx.PutPayment(ctx, p)
		same(t, "known", fresh, err, false)
		payments, err := tx.PaymentsOf(ctx, o.ID)
		same(t, "payments", payments, err, []order.Payment{p})
		must(t, tx.LatePayment(ctx, p.OutPoint))
		p.Late = true
		payments, err = tx.PaymentsOf(ctx, o.ID)
		same(t, "late", payments, err, []order.Payment{p})
		if err := tx.LatePayment(ctx, point(9)); err != ledger.ErrConflict {
			t.Errorf("an unknown payment: %v", err)
		}
	})
}

func TestPayouts(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		p := payout.Payout{ID: "p", Community: "lobo", OrderIDs: []string{"a", "b"}, Status: payout.Live, Created: noon}
		for n := range 2 {
			p.Versions = append(p.Versions, payout.Version{
				Tx: spend(int64(n), point(1)), Fee: 300, VBytes: 200, Created: noon.Add(time.Duration(n) * time.Second), Height: ledger.None,
			})
		}
		must(t, tx.InsertPayout(ctx, p))
		list, err := tx.PayoutsIn(ctx, payout.Live, payout.Confirmed)
		same(t, "payouts", list, err, []payout.Payout{p})
		must(t, tx.Track(ctx, ledger.Tracked{Tx: p.Versions[1].Tx, SeenAt: noon, Height: 12, Ours: true}))
		p.Versions[1].Height = 12
		list, err = tx.PayoutsIn(ctx, payout.Live)
		same(t, "a version in a block", list, err, []payout.Payout{p})
		must(t, tx.Unconfirm(ctx, 12))
		p.Versions[1].Height = ledger.None
		list, err = tx.PayoutsIn(ctx, payout.Live)
		same(t, "and out of it", list, err, []payout.Payout{p})
		for txid, want := range map[string]bool{p.Versions[0].Tx.ID.String(): true, point(1).Hash.String(): false} {
			is, err := tx.IsPayout(ctx, txid)
			same(t, "is a payout", is, err, want)
		}
		p.Status = payout.Confirmed
		if err := tx.UpdatePayout(ctx, p, payout.Dead); err != ledger.ErrConflict {
			t.Errorf("from another status: %v", err)
		}
		must(t, tx.UpdatePayout(ctx, p, payout.Live))
		list, err = tx.PayoutsIn(ctx, payout.Live)
		if err != nil || len(list) != 0 {
			t.Errorf("live: %v, %v", list, err)
		}
	})
}

func TestActionsAndLinks(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		a := action.Action{
			ID: "a", Community: "lobo", Type: action.Withdraw, Wallet: anna, UnitIDs: []string{"x", "y"}, Amount: 5, OrderID: "o",
			Message: "a\nmessage", Created: noon, Expires: noon.Add(time.Hour), UsedAt: instant(0),
		}
		must(t, tx.InsertAction(ctx, a))
		got, err := tx.Action(ctx, "a")
		same(t, "action", got, err, a)
		if _, err := tx.Action(ctx, "none"); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		a.Used, a.UsedAt, a.Signature, a.Signer, a.OrderID = true, noon, "signature", anna.Payment, "order"
		must(t, tx.UseAction(ctx, a))
		if err := tx.UseAction(ctx, a); err != ledger.ErrConflict {
			t.Errorf("used twice: %v", err)
		}
		got, err = tx.Action(ctx, "a")
		same(t, "used", got, err, a)

		if _, err := tx.ProofOf(ctx, "a"); err != ledger.ErrNotFound {
			t.Errorf("a proof by the payment address without a link: %v", err)
		}
		if _, err := tx.Link(ctx, "lobo", anna); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		link := action.Link{Message: "first", OrdinalsSignature: "o", PaymentSignature: "p"}
		must(t, tx.PutLink(ctx, "lobo", anna, link))
		must(t, tx.PutLink(ctx, "lobo", anna, action.Link{Message: "second"}))
		stored, err := tx.Link(ctx, "lobo", anna)
		same(t, "the first link stays", stored, err, link)
		if _, err := tx.Link(ctx, "other", anna); err != ledger.ErrNotFound {
			t.Errorf("a link of another community: %v", err)
		}
		proof, err := tx.ProofOf(ctx, "a")
		same(t, "proof", proof, err, payout.Proof{
			Text: "a\nmessage", Signature: "signature", Signer: anna.Payment,
			Link: &payout.Link{Text: "first", OrdinalsSignature: "o", PaymentSignature: "p"},
		})
	})
}

func TestStakeAddresses(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		s := action.StakeRecord{
			Address: "stake", Community: "lobo", Position: 4, LeafKey: "00ff", Delay: 144, Wallet: anna, ActionID: "a", Created: noon,
		}
		asked := action.StakeRecord{Community: "lobo", LeafKey: "00ff", Delay: 144, Wallet: anna}
		if _, err := tx.OpenStake(ctx, asked); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		must(t, tx.InsertStake(ctx, s))
		got, err := tx.OpenStake(ctx, asked)
		same(t, "open", got, err, s)
		for _, other := range []func(*action.StakeRecord){
			func(s *action.StakeRecord) { s.LeafKey = "ff" }, func(s *action.StakeRecord) { s.Delay = 145 },
			func(s *action.StakeRecord) { s.Wallet.Payment = "x" }, func(s *action.StakeRecord) { s.Wallet.Ordinals = "x" },
			func(s *action.StakeRecord) { s.Community = "other" },
		} {
			changed := asked
			other(&changed)
			if _, err := tx.OpenStake(ctx, changed); err != ledger.ErrNotFound {
				t.Errorf("open for somebody else: %v", err)
			}
		}
		keys, err := tx.StakeKeys(ctx, "stake")
		same(t, "keys", keys, err, payout.StakeKeys{Position: 4, Leaf: []byte{0, 255}, Delay: 144})
		seen, err := tx.StakeSeen(ctx, "a")
		same(t, "not seen", seen, err, false)
		o := output(1, ledger.StakeKind)
		o.Ref, o.Quarantine = "stake", ledger.NoRunes
		must(t, tx.PutOutput(ctx, o))
		seen, err = tx.StakeSeen(ctx, "a")
		same(t, "quarantined", seen, err, false)
		if _, err := tx.OpenStake(ctx, asked); err != ledger.ErrNotFound {
			t.Errorf("an address that something was sent to is open: %v", err)
		}
		o.Quarantine = ""
		must(t, tx.PutOutput(ctx, o))
		seen, err = tx.StakeSeen(ctx, "a")
		same(t, "seen", seen, err, true)

		w := ledger.Watched{Number: 1, Script: []byte{1}, Community: "lobo", Kind: ledger.StakeKind, Ref: "stake", Owner: anna.Ordinals}
		must(t, tx.WatchScript(ctx, w))
		must(t, tx.WatchScript(ctx, w))
		second := w
		second.Script = []byte{2}
		must(t, tx.WatchScript(ctx, second))
		list, err := tx.WatchedAfter(ctx, 0)
		if err != nil || len(list) != 2 || !reflect.DeepEqual(list[0], w) {
			t.Errorf("watched: %+v, %v", list, err)
		}
		list, err = tx.WatchedAfter(ctx, list[0].Number)
		if err != nil || len(list) != 1 || list[0].Script[0] != 2 {
			t.Errorf("watched after the first: %+v, %v", list, err)
		}
	})
}

func TestEpochs(t *testing.T) {
	ctx := t.Context()
	within(t, func(tx *Tx) {
		if _, err := tx.AccountOf(ctx, "lobo", 1); err != ledger.ErrNotFound {
			t.Errorf("got %v", err)
		}
		a := ledger.Account{Community: "lobo", Epoch: 1, Planned: 10, Reserved: 9, Cut: ledger.None}
		b := ledger.Account{Community: "lobo", Epoch: 2, Planned: 10, Reserved: 8, Cut: ledger.None}
		must(t, tx.PutAccount(ctx, b))
		must(t, tx.PutAccount(ctx, a))
		list, err := tx.Unsettled(ctx, "lobo")
		same(t, "unsettled, in order", list, err, []ledger.Account{a, b})
		a.Settled, a.Staked, a.Rewarded, a.Cut, a.CutHash, a.SettledAt = true, 5, 9, 77, "hash", noon
		must(t, tx.PutAccount(ctx, a))
		got, err := tx.AccountOf(ctx, "lobo", 1)
		same(t, "settled", got, err, a)
		must(t, tx.PutInput(ctx, "lobo", 1, unit(1)))
		if err := tx.PutInput(ctx, "lobo", 1, unit(1)); err == nil {
			t.Error("one input twice")
		}
	})
	within(t, func(tx *Tx) {
		a := ledger.Account{Community: "lobo", Epoch: 1, Settled: true, SettledAt: noon}
		must(t, tx.PutAccount(ctx, a))
		if err := tx.DeleteAccount(ctx, "lobo", 1); err != ledger.ErrConflict {
			t.Errorf("a settled epoch was deleted: %v", err)
		}
		must(t, tx.PutAccount(ctx, ledger.Account{Community: "lobo", Epoch: 2}))
		must(t, tx.DeleteAccount(ctx, "lobo", 2))
		must(t, tx.PutInput(ctx, "lobo", 1, unit(1)))
		inputs, err := tx.Inputs(ctx, "lobo", 1)
		if err != nil || len(inputs) != 1 || inputs[0].UnitID != point(1).String() || inputs[0].Amount != 5000 {
			t.Errorf("inputs: %+v, %v", inputs, err)
		}
		r := ledger.Reward{Owner: anna.Ordinals, Stake: 5000, Reward: 9, UnitID: "reward:1:ab"}
		must(t, tx.PutReward(ctx, "lobo", 1, r))
		list, err := tx.Rewards(ctx, "lobo", 1)
		same(t, "rewards", list, err, []ledger.Reward{r})
		accounts, owners, err := tx.EpochsBelow(ctx, "lobo", 5, 10)
		same(t, "epochs", accounts, err, []ledger.Account{a})
		same(t, "owners", owners, err, []int64{1})
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
			ID: runes.ID{Block: math.MaxUint64, Tx: math.MaxUint32}, Etching: point(1).Hash, Name: name, Spacers: 128, Divisibility: 38,
			Symbol: &symbol, Premine: uint128.Max, Mints: uint128.From64(7), Burned: uint128.Max, Number: 3, Timestamp: 5, Turbo: true,
			Terms: &runes.Terms{Amount: &uint128.Max, HeightStart: &height},
		}
		if _, ok, err := index.RuneEntry(e.ID); ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}
		must(t, index.PutRuneEntry(e))
		e.Mints = uint128.Max
		must(t, index.PutRuneEntry(e))
		got, ok, err := index.RuneEntry(e.ID)
		same(t, "entry", got, err, e)
		byName, okByName, err := index.RuneEntryByName(name)
		same(t, "by name", byName, err, e)
		if !ok || !okByName {
			t.Error("the entry is not there")
		}
		must(t, index.DeleteRuneEntry(e.ID))
		if _, ok, err := index.RuneEntryByName(name); ok || err != nil {
			t.Errorf("%v, %v", ok, err)
		}

		balances := []runes.Balance{{ID: runes.ID{Block: 1, Tx: 2}, Amount: uint128.Max}, {ID: e.ID, Amount: uint128.From64(1)}}
		must(t, index.PutRuneBalances(point(1), balances))
		list, err := index.RuneBalances(point(1))
		same(t, "balances", list, err, balances)
		must(t, index.DeleteRuneBalances(point(1)))
		list, err = index.RuneBalances(point(1))
		if err != nil || len(list) != 0 {
			t.Errorf("%v, %v", list, err)
		}

		must(t, index.PutRuneUndo(5, []byte{0, 1}))
		data, ok, err := index.RuneUndo(5)
		same(t, "undo", data, err, []byte{0, 1})
		must(t, index.DeleteRuneUndo(5))
		if _, again, err := index.RuneUndo(5); again || err != nil || !ok {
			t.Errorf("%v, %v, %v", ok, again, err)
		}
		zero, err := index.RuneCounters()
		same(t, "counters", zero, err, runes.Counters{})
		counters := runes.Counters{Runes: math.MaxUint64, Reserved: 2}
		must(t, index.PutRuneCounters(counters))
		zero, err = index.RuneCounters()
		same(t, "counters", zero, err, counters)
	})
}
