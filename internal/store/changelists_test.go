package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// listed is more than one statement of listSize rows, and no power of two.
const listed = 300

// wantConflict runs a change and checks that it returns state.ErrConflict.
func wantConflict(t *testing.T, s *Store, what string, change func(*Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), change); !errors.Is(err, state.ErrConflict) {
		t.Errorf("%s: got %v, want ErrConflict", what, err)
	}
}

// Changes of many units are all stored, or none if one of them has another stage. The sum of the STAKED units follows.
func TestManyUnitsChange(t *testing.T) {
	s, ctx := open(t), t.Context()
	var changes []ledger.UnitChange
	must(t, s.Update(ctx, func(tx *Tx) error {
		for n := range listed {
			must(t, tx.PutOutput(ctx, output(n, ledger.StakeKind)))
			must(t, tx.InsertUnit(ctx, unit(n)))
			u, err := tx.Unit(ctx, "lobo", unit(n).ID)
			must(t, err)
			u.Stage, u.StakedTo, u.UnlockEpoch = ledger.PendingUnlock, 4, 6+int64(n)
			changes = append(changes, ledger.UnitChange{Unit: u, From: ledger.Staked})
		}
		return nil
	}))
	wrong := slices.Clone(changes)
	wrong[listed-1].From = ledger.Unlocked
	wantConflict(t, s, "one unit in another stage", func(tx *Tx) error { return tx.UpdateUnits(ctx, wrong...) })
	wantStaked(t, s, listed*5000)
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.UpdateUnits(ctx, changes...) }))
	wantStaked(t, s, 0)
	var units []ledger.Unit
	for _, c := range changes {
		units = append(units, c.Unit)
	}
	must(t, s.View(ctx, func(tx *Tx) error {
		got, err := tx.UnitsInStage(ctx, "lobo", ledger.PendingUnlock)
		same(t, "changed", got, err, units)
		return nil
	}))
	other := slices.Clone(units)
	other[7].Stage = ledger.Staked
	wantConflict(t, s, "delete one unit in another stage", func(tx *Tx) error { return tx.DeleteUnits(ctx, other...) })
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.DeleteUnits(ctx, units[1:]...) }))
	must(t, s.View(ctx, func(tx *Tx) error {
		got, err := tx.UnitsInStage(ctx, "lobo", ledger.PendingUnlock)
		same(t, "left", got, err, units[:1])
		return nil
	}))
}

func wantStaked(t *testing.T, s *Store, want amount.Runes) {
	t.Helper()
	must(t, s.View(t.Context(), func(tx *Tx) error {
		got, err := tx.TotalStaked(t.Context(), "lobo")
		same(t, "staked", got, err, want)
		return nil
	}))
}

// Changes of many orders and payments are all stored, or none if one order has another status or a payment is unknown.
func TestManyOrdersChange(t *testing.T) {
	s, ctx := open(t), t.Context()
	var orders []order.Change
	var payments []order.Payment
	var ids []string
	must(t, s.Update(ctx, func(tx *Tx) error {
		for n := range listed {
			o := sampleOrder()
			o.ID, o.Number = fmt.Sprintf("%032x", n), int64(n+1)
			must(t, tx.InsertOrder(ctx, o))
			must(t, tx.PutOutput(ctx, output(n, ledger.PaymentKind)))
			p := order.Payment{OutPoint: point(n), OrderID: o.ID, Value: 546, SeenAt: noon, Counted: true, Height: 7,
				Number: int64(n + 1)}
			must(t, tx.InsertPayments(ctx, []order.Payment{p}))
			p.Counted, p.Late, p.Waiting = false, n%2 == 0, order.WaitingForSum
			o.Status, o.Seen, o.Usable, o.Anchor = order.Confirmed, amount.Sats(n), amount.Sats(n), p.OutPoint.String()
			o.Owed = order.Refund{Sats: 1, Reason: order.RefundLate, Since: noon, Rate: 9, Retry: noon}
			ids, payments = append(ids, o.ID), append(payments, p)
			orders = append(orders, order.Change{Order: o, From: order.Pending})
		}
		return nil
	}))
	wrong := slices.Clone(orders)
	wrong[0].From = order.Paid
	wantConflict(t, s, "one order in another status", func(tx *Tx) error { return tx.UpdateOrders(ctx, wrong...) })
	unknown := slices.Clone(payments)
	unknown[listed-1].OutPoint = point(listed)
	wantConflict(t, s, "an unknown payment", func(tx *Tx) error { return tx.UpdatePayments(ctx, unknown...) })
	must(t, s.Update(ctx, func(tx *Tx) error {
		must(t, tx.UpdateOrders(ctx, orders...))
		return tx.UpdatePayments(ctx, payments...)
	}))
	var want []order.Order
	for _, c := range orders {
		want = append(want, c.Order)
	}
	must(t, s.View(ctx, func(tx *Tx) error {
		got, err := tx.OrdersInStatus(ctx, order.Confirmed)
		same(t, "orders", got, err, want)
		stored, err := tx.PaymentsOfOrders(ctx, ids)
		for i := range stored {
			stored[i].Plain = false
		}
		same(t, "payments", stored, err, payments)
		return nil
	}))
}

// Outputs and Spenders read lists of outpoints.
func TestManyOutpoints(t *testing.T) {
	ctx := context.Background()
	within(t, func(tx *Tx) {
		var outs []wire.OutPoint
		var want []ledger.Output
		for n := range listed {
			outs = append(outs, point(n))
			if n%3 == 0 {
				want = append(want, output(n, ledger.StakeKind))
			}
		}
		must(t, tx.PutOutput(ctx, want...))
		got, err := tx.Outputs(ctx, outs)
		same(t, "ours", got, err, want)
		none, err := tx.Outputs(ctx, nil)
		same(t, "none", none, err, nil)
		a := ledger.Tracked{Tx: spend(1, outs[:listed-1]...), SeenAt: noon}
		b := ledger.Tracked{Tx: spend(2, outs[listed-1]), SeenAt: noon}
		must(t, tx.Track(ctx, a))
		must(t, tx.Track(ctx, b))
		spenders, err := tx.Spenders(ctx, outs...)
		same(t, "spending", spenders, err, []ledger.TxState{{ID: a.Tx.ID.String()}, {ID: b.Tx.ID.String()}})
	})
}
