package store

import (
	"context"

	"moonfund/order"
	"moonfund/store/sqlc"
)

// JournalHead returns the number of the last posting, 0 when there is none.
func (t *Tx) JournalHead(ctx context.Context) (int64, error) {
	n, err := t.q.CounterValue(ctx, "journal")
	_, err = absent(err)
	return n, err
}

// Tally is how many orders of a community stand in a status.
type Tally struct {
	Community string
	Status    order.Status
	Total     int64
}

// OpenOrders counts the orders that are not over, by community and status.
func (t *Tx) OpenOrders(ctx context.Context) ([]Tally, error) {
	rows, err := t.q.OpenOrders(ctx)
	return mapAll(rows, err, func(row sqlc.OpenOrdersRow) (Tally, error) {
		return Tally{row.Community, order.Status(row.Status), row.Total}, nil
	})
}

// LivePayouts counts the payouts that are sent and not confirmed, by community.
func (t *Tx) LivePayouts(ctx context.Context) (map[string]int64, error) {
	rows, err := t.q.LivePayouts(ctx)
	counts := map[string]int64{}
	for _, row := range rows {
		counts[row.Community] = row.Total
	}
	return counts, wrap(err)
}

// RuneOf returns the id of the rune that a community is bound to, or ledger.ErrNotFound.
func (t *Tx) RuneOf(ctx context.Context, prefix string) (string, error) {
	row, err := t.q.Community(ctx, prefix)
	return row.RuneID, wrap(err)
}
