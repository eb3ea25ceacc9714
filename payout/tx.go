package payout

import (
	"context"
	"time"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/runes"
	"moonfund/surplus"
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
}

// PayoutTx returns tx. A Tx that embeds this one uses it to call payouts.
func (tx Tx) PayoutTx() Tx { return tx }

// PayoutStore stores payouts and their signed versions.
type PayoutStore interface {
	Payout(ctx context.Context, id string) (Payout, error)     // or state.ErrNotFound
	PayoutOf(ctx context.Context, txid string) (Payout, error) // or state.ErrNotFound
	PayoutsIn(ctx context.Context, statuses ...Status) ([]Payout, error)
	RefundsOf(ctx context.Context, orderID string) ([]Payout, error)
	// RefundsToSend returns the orders, except AUDIT orders, whose due refund can be sent and has a confirmed
	// payment, the smallest amount first, and the position of the next search: the zero value if no due refund follows
	// the examined ones.
	RefundsToSend(ctx context.Context, s RefundSearch) ([]order.Order, RefundPosition, error)
	InsertPayout(ctx context.Context, p Payout) error
	// UpdatePayout stores a payout if its stored status is from, else it returns state.ErrConflict.
	UpdatePayout(ctx context.Context, p Payout, from Status) error
	InsertVersion(ctx context.Context, payoutID string, v Version) error
	// ChargeRefund counts a refund against the limits; charging it again only moves it to the new instant.
	ChargeRefund(ctx context.Context, payoutID string, charge RefundCharge) error
	// ChargedRefunds returns the sums that were charged after an instant, in total and to one owner.
	ChargedRefunds(ctx context.Context, community, owner string, after time.Time) (ChargedRefunds, error)
}

// RequestStore stores the requests of operators.
type RequestStore interface {
	OpenRequests(ctx context.Context) ([]Request, error) // oldest first
	// UpdateRequest stores a request if it is open, else it returns state.ErrConflict.
	UpdateRequest(ctx context.Context, r Request) error
	// WithdrawalRequest returns the request that a withdrawal carries out.
	WithdrawalRequest(ctx context.Context, payoutID string) (Request, error)
}

// TreasuryStore reads the outputs and the sats that a community's treasury can spend.
type TreasuryStore interface {
	// TreasuryOutputs returns outputs that are booked, confirmed, unspent and not quarantined, oldest first.
	TreasuryOutputs(ctx context.Context, community string, kind ledger.Kind) ([]ledger.Output, error)
	// TreasuryCount returns the number of rune outputs, unconfirmed change included.
	TreasuryCount(ctx context.Context, community string) (n int64, err error)
	// FeeBalance returns the balance of FeeAccount in the journal.
	FeeBalance(ctx context.Context, community string) (amount.Sats, error)
	// Surplus returns the figures from which the surplus of a treasury is computed.
	Surplus(ctx context.Context, q surplus.Question) (surplus.Figures, error)
}

// ProofStore reads the data that the signer needs to verify proofs and to spend outputs.
type ProofStore interface {
	StakeKeys(ctx context.Context, address string) (StakeKeys, error)
	ProofOf(ctx context.Context, actionID string) (Proof, error)
}

// PauseStore reads the reasons why payouts, or everything, are paused; "" if they are not.
type PauseStore interface {
	PausedPayouts(ctx context.Context) (reason string, err error)
	PausedAll(ctx context.Context) (reason string, err error)
}

// RuneIndex opens the rune index within the transaction.
type RuneIndex interface {
	Runes(ctx context.Context) runes.Store
}
