package store

import (
	"context"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/store/sqlc"
)

// JournalHead returns the number of the last posting, or 0 if there is none.
func (t *Tx) JournalHead(ctx context.Context) (int64, error) {
	n, err := t.q.CounterValue(ctx, "journal")
	_, err = absent(err)
	return n, err
}

// LastChange returns the time of the last posting, or the zero time if there is none.
func (t *Tx) LastChange(ctx context.Context) (time.Time, error) {
	at, err := t.q.LastChange(ctx)
	if some, err := absent(err); !some {
		return time.Time{}, err
	}
	return instant(at), nil
}

// Time returns the time of the database server's clock, or ErrNotShared on SQLite, which runs on this machine.
func (s *Store) Time(ctx context.Context) (now time.Time, err error) {
	if !s.Shared() {
		return now, ErrNotShared
	}
	err = s.direct.QueryRowContext(ctx, `SELECT clock_timestamp()`).Scan(&now)
	return now, wrap(err)
}

// Tally is the number of a community's orders in a status.
type Tally struct {
	Community string
	Status    order.Status
	Total     int64
}

// OpenOrders counts the unfinished orders, by community and status.
func (t *Tx) OpenOrders(ctx context.Context) ([]Tally, error) {
	rows, err := t.q.OpenOrders(ctx)
	return mapAll(rows, err, func(row sqlc.OpenOrdersRow) (Tally, error) {
		return Tally{row.Community, order.Status(row.Status), row.Total}, nil
	})
}

// RefundsDue is the sum of the refunds that are due for a community's orders and not sent yet.
type RefundsDue struct {
	Orders    int64
	Sats      amount.Sats
	Held      int64     // refunds that wait for the operator, without AUDIT orders
	HeldSince time.Time // when the oldest of these refunds became due
}

// RefundsDue returns the due refunds by community.
func (t *Tx) RefundsDue(ctx context.Context) (map[string]RefundsDue, error) {
	rows, err := t.q.RefundsDue(ctx)
	due := map[string]RefundsDue{}
	for _, row := range rows {
		sum, since := due[row.Community], instant(row.RefundSince)
		sum.Orders, sum.Sats = sum.Orders+1, sum.Sats+amount.Sats(row.RefundDue)
		if row.Status != string(order.Audit) && order.RefundHold(row.RefundHold).NeedsPerson() {
			if sum.Held == 0 || since.Before(sum.HeldSince) {
				sum.HeldSince = since
			}
			sum.Held++
		}
		due[row.Community] = sum
	}
	return due, wrap(err)
}

// RefundsWaiting counts the orders whose refund is due and not sent.
func (t *Tx) RefundsWaiting(ctx context.Context) (int64, error) {
	n, err := t.q.RefundsWaiting(ctx)
	return n, wrap(err)
}

// OrdersInAudit counts the orders about which an operator decides.
func (t *Tx) OrdersInAudit(ctx context.Context) (int64, error) {
	n, err := t.q.OrdersInAudit(ctx)
	return n, wrap(err)
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

// RuneOf returns the id of the rune that a community is bound to, or state.ErrNotFound.
func (t *Tx) RuneOf(ctx context.Context, prefix string) (string, error) {
	row, err := t.q.Community(ctx, prefix)
	return row.RuneID, wrap(err)
}

// QuarantineTally counts the unspent outputs in quarantine, by community.
func (t *Tx) QuarantineTally(ctx context.Context) (map[string]int64, error) {
	rows, err := t.q.QuarantineTally(ctx)
	tally := map[string]int64{}
	for _, row := range rows {
		tally[row.Community] = row.Total
	}
	return tally, wrap(err)
}
