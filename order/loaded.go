package order

import (
	"context"
	"fmt"
	"slices"

	"moonfund/ledger"
	"moonfund/state"
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
	units, err := tx.Orders.UnitsOfOrders(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, unit := range units {
		if l := byID[unit.OrderID]; l.Community == unit.Community {
			l.units = append(l.units, unit)
		}
	}
	return all, nil
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

// journaling buffers postings, to write them in few statements. No code reads the journal before write is called.
type journaling struct {
	journal ledger.Journal
	lines   []ledger.Posting
}

// journaled returns tx with a journal that buffers its postings until write is called.
func journaled(tx Tx) (Tx, *journaling) {
	j := &journaling{journal: tx.Journal}
	tx.Journal, tx.Units = j, journaledUnits{tx.Units, j}
	return tx, j
}

// Post implements ledger.Journal.
func (j *journaling) Post(_ context.Context, postings ...ledger.Posting) error {
	j.lines = append(j.lines, postings...)
	return nil
}

func (j *journaling) write(ctx context.Context) error {
	lines := j.lines
	j.lines = nil
	return j.journal.Post(ctx, lines...)
}

// journaledUnits is a UnitStore whose postings are buffered.
type journaledUnits struct {
	ledger.UnitStore
	journal *journaling
}

// Post implements ledger.UnitStore.
func (u journaledUnits) Post(ctx context.Context, postings ...ledger.Posting) error {
	return u.journal.Post(ctx, postings...)
}
