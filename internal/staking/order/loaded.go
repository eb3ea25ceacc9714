package order

import (
	"context"
	"fmt"
	"slices"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// loaded is an order with its payments and units, as of the running transaction.
type loaded struct {
	Order
	payments []Payment // without vanished ones, in order of arrival
	units    []ledger.Unit
}

// load reads orders with their payments and units, in the order of ids. It reads all orders at once instead of one by
// one. It returns state.ErrNotFound if one does not exist.
func load(ctx context.Context, tx Tx, ids []string) ([]*loaded, error) {
	orders, err := ordersByID(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	all := make([]*loaded, len(ids))
	byID := map[string]*loaded{}
	for i, id := range ids {
		all[i] = &loaded{Order: *orders[id]}
		byID[id] = all[i]
	}
	payments, err := tx.Payments.PaymentsOfOrders(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, p := range payments {
		if l := byID[p.OrderID]; !p.Vanished {
			l.payments = append(l.payments, p)
		}
	}
	units, err := unitsOf(ctx, tx, orders, ids)
	for _, l := range all {
		l.units = units[l.ID]
	}
	return all, err
}

// unitsOf returns the units that orders lock or delivered, by order id.
func unitsOf(ctx context.Context, tx Tx, orders map[string]*Order, ids []string) (map[string][]ledger.Unit, error) {
	units, err := tx.Orders.UnitsOfOrders(ctx, ids)
	of := map[string][]ledger.Unit{}
	for _, unit := range units {
		if orders[unit.OrderID].Community == unit.Community {
			of[unit.OrderID] = append(of[unit.OrderID], unit)
		}
	}
	return of, err
}

// ordersByID returns orders by id, or state.ErrNotFound if one does not exist.
func ordersByID(ctx context.Context, tx Tx, ids []string) (map[string]*Order, error) {
	found, err := tx.Orders.OrdersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	orders := map[string]*Order{}
	for i := range found {
		orders[found[i].ID] = &found[i]
	}
	if missing := slices.IndexFunc(ids, func(id string) bool { return orders[id] == nil }); missing >= 0 {
		return nil, fmt.Errorf("order %s: %w", ids[missing], state.ErrNotFound)
	}
	return orders, nil
}

// batch collects changes of orders, of their units and payments, and postings, so that few statements write them. The
// caller must call write in the same database transaction before it reads these rows again.
type batch struct {
	ledger.Batch
	changed  []Change
	index    map[string]int // of an order in changed, by id
	payments []Payment
}

// update adds a changed order to the batch. from is its status before the change.
func (b *batch) update(o Order, from Status) {
	if i, known := b.index[o.ID]; known {
		b.changed[i].Order = o
		return
	}
	if b.index == nil {
		b.index = map[string]int{}
	}
	b.index[o.ID] = len(b.changed)
	b.changed = append(b.changed, Change{Order: o, From: from})
}

// write writes the changes. It returns state.ErrConflict if the stored status of an order or the stored stage of a unit
// is not the one before the first change.
func (b *batch) write(ctx context.Context, tx Tx) error {
	if err := b.writePayments(ctx, tx); err != nil {
		return err
	}
	if err := tx.Orders.UpdateOrders(ctx, b.changed...); err != nil {
		return fmt.Errorf("changing %d orders: %w", len(b.changed), err)
	}
	return b.Write(ctx, tx.Units)
}

// writePayments writes the changed payments and removes them from the batch.
func (b *batch) writePayments(ctx context.Context, tx Tx) error {
	payments := b.payments
	b.payments = nil
	if err := tx.Payments.UpdatePayments(ctx, payments...); err != nil {
		return fmt.Errorf("changing %d payments: %w", len(payments), err)
	}
	return nil
}
