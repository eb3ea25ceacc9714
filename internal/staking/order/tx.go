package order

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/ledger"
)

// Tx is one database transaction, as orders use it.
type Tx struct {
	ledger.Tx
	Orders      OrderStore
	Payments    PaymentStore
	Evaluations EvaluationStore
	Attempts    Attempts
}

// OrderTx returns tx, for a call of this package with a Tx that embeds this one.
func (tx Tx) OrderTx() Tx { return tx }

// OrderStore stores orders and reads their units.
type OrderStore interface {
	Order(ctx context.Context, id string) (Order, error) // or state.ErrNotFound
	InsertOrder(ctx context.Context, o Order) error      // assigns the number
	// UpdateOrders writes every field that can change if the stored status of each order is From, else it returns
	// state.ErrConflict. The orders must be distinct.
	UpdateOrders(ctx context.Context, changes ...Change) error
	OrdersByID(ctx context.Context, ids []string) ([]Order, error)         // the existing ones, in any order
	OrdersInStatus(ctx context.Context, status Status) ([]Order, error)    // of every community, oldest first
	OrderIDsInStatus(ctx context.Context, status Status) ([]string, error) // of every community, oldest first
	// HasActiveClaim reports whether an owner has a claim whose status is active.
	HasActiveClaim(ctx context.Context, community, owner string) (bool, error)
	// SentOneTxOrders returns the ids of an owner's SENT orders in one transaction, newest first.
	SentOneTxOrders(ctx context.Context, community, owner string) ([]string, error)
	// UnitsOfOrder returns the units that the order locks or delivered.
	UnitsOfOrder(ctx context.Context, o Order) ([]ledger.Unit, error)
	// UnitsOfOrders returns the units that orders lock or delivered.
	UnitsOfOrders(ctx context.Context, orderIDs []string) ([]ledger.Unit, error)
}

// Change is an order with changed fields. From is its stored status.
type Change struct {
	Order
	From Status
}

// PaymentStore stores the payments of orders. AcceptPayment and UpdatePayments return state.ErrConflict for an unknown
// payment, and AcceptPayment also for one that is not late.
type PaymentStore interface {
	PaymentsOf(ctx context.Context, orderID string) ([]Payment, error) // in order of arrival
	Payment(ctx context.Context, out wire.OutPoint) (Payment, error)   // or state.ErrNotFound
	// PaymentsOfOrders returns the payments of orders, in order of arrival within each order.
	PaymentsOfOrders(ctx context.Context, orderIDs []string) ([]Payment, error)
	// CountStoredPayments returns the number of payments that are stored for all of these orders together, including
	// vanished and kept ones. It limits how much a transaction reads. Payment.Seen says which of them a user sees.
	CountStoredPayments(ctx context.Context, orderIDs []string) (int64, error)
	PaymentsIn(ctx context.Context, txids ...string) ([]Payment, error)      // of transactions, in any order
	PayoutTxs(ctx context.Context, txids ...string) (map[string]bool, error) // the ids of our payouts among them
	InsertPayments(ctx context.Context, payments []Payment) error            // state.ErrConflict if one is known
	AcceptPayment(ctx context.Context, out wire.OutPoint) error              // clears the late flag
	// UpdatePayments stores Counted, Late and Waiting of distinct payments.
	UpdatePayments(ctx context.Context, payments ...Payment) error
}
