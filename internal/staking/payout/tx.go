package payout

import (
	"context"
	"time"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/order"
)

// Tx is one database transaction, as payouts use it.
type Tx struct {
	order.Tx
	Payouts  PayoutStore
	Requests RequestStore
	Treasury TreasuryStore
	Proofs   ProofStore
	Pauses   PauseStore
	Index    RuneIndex
	Sessions SessionStore
}

// PayoutTx returns tx, for a call of this package with a Tx that embeds this one.
func (tx Tx) PayoutTx() Tx { return tx }

// PayoutStore stores payouts and their signed versions.
type PayoutStore interface {
	Payout(ctx context.Context, id string) (Payout, error)     // or state.ErrNotFound
	PayoutOf(ctx context.Context, txid string) (Payout, error) // or state.ErrNotFound
	// PayoutsIn returns the payouts of every community in any of the statuses, oldest first within each status.
	PayoutsIn(ctx context.Context, statuses ...Status) ([]Payout, error)
	// RefundsOf returns the refunds of an order, DEAD ones included, oldest first.
	RefundsOf(ctx context.Context, orderID string) ([]Payout, error)
	// RefundsToSend returns the orders that s selects, except AUDIT orders and orders without a confirmed payment, by
	// position, and the After of the next search: the zero value if no due refund follows the examined ones.
	RefundsToSend(ctx context.Context, s RefundSearch) ([]order.Order, RefundPosition, error)
	InsertPayout(ctx context.Context, p Payout) error // with its versions
	// UpdatePayout stores the status if the stored one is from, else it returns state.ErrConflict.
	UpdatePayout(ctx context.Context, p Payout, from Status) error
	InsertVersion(ctx context.Context, payoutID string, v Version) error
	UpdateVersion(ctx context.Context, v Version) error // stores the fee and the own coins
	// ChargeRefund counts a refund against the limits. If the refund is charged already, its charge gets the new amount
	// and instant.
	ChargeRefund(ctx context.Context, payoutID string, charge RefundCharge) error
	// ChargedRefunds returns the sums of the charges after an instant, in total and of one owner.
	ChargedRefunds(ctx context.Context, community, owner string, after time.Time) (ChargedRefunds, error)
}

// RequestStore stores the requests of operators.
type RequestStore interface {
	OpenRequests(ctx context.Context) ([]Request, error) // oldest first
	// UpdateRequest stores a request if it is open, else it returns state.ErrConflict.
	UpdateRequest(ctx context.Context, r Request) error
	// WithdrawalRequest returns the request that a withdrawal carries out, or state.ErrNotFound.
	WithdrawalRequest(ctx context.Context, payoutID string) (Request, error)
}

// ProofStore reads the data that the signer needs to verify orders and to spend stakes.
type ProofStore interface {
	StakeKeys(ctx context.Context, address string) (vault.StakeKeys, error) // or state.ErrNotFound
	ProofOf(ctx context.Context, actionID string) (Proof, error)            // or state.ErrNotFound
}

// PauseStore reads the reasons of the operator's pauses: of payouts alone, or of all changes. The reason is "" if
// nothing is paused.
type PauseStore interface {
	PausedPayouts(ctx context.Context) (reason string, err error)
	PausedAll(ctx context.Context) (reason string, err error)
	// PausedCommunities returns the reasons why only the payouts of single communities are paused, by community.
	PausedCommunities(ctx context.Context) (map[string]string, error)
}

// RuneIndex opens the rune index within the transaction.
type RuneIndex interface {
	Runes(ctx context.Context) runes.Store
}
