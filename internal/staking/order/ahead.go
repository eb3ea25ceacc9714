package order

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
)

// manyPayments is the number of payments of an order above which a request reads them before its write transaction.
// Anyone can pay dust to an order, and reading a payment takes 16 µs.
const manyPayments = 3000

// readAttempts is how often a request reads the payments of an order that changes meanwhile.
const readAttempts = 5

// Ahead are the payments of an order that a request read in a snapshot. Its zero value has none.
type Ahead struct {
	order    Order
	tip      ledger.Header
	count    int64 // number of payments, including vanished ones
	payments []Payment
}

// ReadAhead calls change, which runs a write transaction and changes the order with the transaction that Ahead.Use
// returns. If the order has many payments and change needs them, ReadAhead reads them with view, which does not hold
// the write lock, and calls change again. It retries at most readAttempts times if the order changes meanwhile. If
// change refuses the request for another reason, ReadAhead reads no payments.
func ReadAhead(
	ctx context.Context, id string, view func(context.Context, func(Tx) error) error, change func(Ahead) error,
) error {
	var a Ahead
	for range readAttempts {
		if err := change(a); !errors.Is(err, ErrStale) {
			return err
		}
		if err := view(ctx, func(tx Tx) (err error) {
			a, err = readAhead(ctx, tx, id)
			return err
		}); err != nil {
			return err
		}
	}
	err := change(a)
	if errors.Is(err, ErrStale) {
		return fault.New(fault.Unavailable, fault.NotAnswering).Because(err)
	}
	return err
}

func readAhead(ctx context.Context, tx Tx, id string) (a Ahead, err error) {
	if a.count, err = tx.Payments.CountStoredPayments(ctx, []string{id}); err != nil {
		return a, err
	}
	if a.order, err = tx.Orders.Order(ctx, id); err != nil {
		return a, err
	}
	if a.tip, err = tx.Headers.Tip(ctx); err != nil {
		return a, err
	}
	a.payments, err = tx.Payments.PaymentsOf(ctx, id)
	return a, err
}

// Use returns a transaction that reads the payments of an order with more than manyPayments from a. It returns ErrStale
// if these were not read or are not current.
func (a Ahead) Use(tx Tx) Tx {
	with := tx
	with.Payments = &paymentsAhead{PaymentStore: tx.Payments, tx: tx, ahead: a}
	return with
}

// paymentsAhead is a PaymentStore with the payments of an order that were read ahead.
type paymentsAhead struct {
	PaymentStore
	tx      Tx
	ahead   Ahead
	current bool // the payments were compared in this transaction
}

// PaymentsOf implements PaymentStore.
func (p *paymentsAhead) PaymentsOf(ctx context.Context, orderID string) ([]Payment, error) {
	if !p.current {
		count, err := p.CountStoredPayments(ctx, []string{orderID})
		if err != nil {
			return nil, err
		}
		if count <= manyPayments {
			return p.PaymentStore.PaymentsOf(ctx, orderID)
		}
		if err := p.compare(ctx, orderID, count); err != nil {
			return nil, err
		}
		p.current = true
	}
	if orderID != p.ahead.order.ID {
		return nil, ErrStale
	}
	return slices.Clone(p.ahead.payments), nil
}

// compare returns ErrStale if the tip, the order or the number of its payments changed since they were read. A payment
// that vanishes or returns changes the sums of its order, in the same transaction or when the follower evaluates the
// order. In the second case the evaluation follows the request, and corrects the sums.
func (p *paymentsAhead) compare(ctx context.Context, orderID string, count int64) error {
	if orderID != p.ahead.order.ID || count != p.ahead.count {
		return ErrStale
	}
	now, err := p.tx.Orders.Order(ctx, orderID)
	if err != nil {
		return err
	}
	tip, err := p.tx.Headers.Tip(ctx)
	if err != nil {
		return err
	}
	if tip != p.ahead.tip || !reflect.DeepEqual(now, p.ahead.order) {
		return ErrStale
	}
	return nil
}
