package payout

import (
	"context"

	"moonfund/internal/amount"
	"moonfund/internal/staking/ledger"
)

// TreasuryStore reads the outputs and the sats that a community's treasury can spend.
type TreasuryStore interface {
	// TreasuryOutputs returns outputs that are booked, confirmed, unspent and not quarantined, oldest first.
	TreasuryOutputs(ctx context.Context, community string, kind ledger.Kind) ([]ledger.Output, error)
	// TreasuryCount returns the number of rune outputs, unconfirmed change included.
	TreasuryCount(ctx context.Context, community string) (n int64, err error)
	// FeeBalance returns the balance of FeeAccount in the journal.
	FeeBalance(ctx context.Context, community string) (amount.Sats, error)
	// TreasuryFigures returns the figures from which the surplus of a treasury is computed.
	TreasuryFigures(ctx context.Context, q FiguresQuery) (TreasuryFigures, error)
}

// FiguresQuery has the parameters of TreasuryFigures: the treasury, and the outputs and the budget that count.
type FiguresQuery struct {
	Community  string       // prefix
	Highest    int64        // height of the last block whose outputs count as confirmed
	NextBudget amount.Runes // budget of the first epoch that has not begun
	Except     string       // id of a payout whose inputs count as unspent, since a new version replaces it; "" for none
}

// TreasuryFigures are the amounts in a treasury, and the amounts that are not surplus. The server computes them in the
// transaction that stores a withdrawal, and the operator's commands print them.
type TreasuryFigures struct {
	Runes RuneFigures `json:"runes"`
	Sats  SatsFigures `json:"sats"`
}

// RuneFigures are amounts of the community's rune in base units.
type RuneFigures struct {
	Treasury   amount.Runes `json:"treasury,string"`    // booked and unspent, unconfirmed change included
	Confirmed  amount.Runes `json:"confirmed,string"`   // part of Treasury that is confirmed deeply enough to spend
	Owed       amount.Runes `json:"owed,string"`        // rewards that are not delivered and that no payout carries
	Carried    amount.Runes `json:"carried,string"`     // rewards that undelivered payouts carry
	Running    amount.Runes `json:"running,string"`     // reserved for epochs that are not settled
	NextBudget amount.Runes `json:"next_budget,string"` // of the first epoch that has not begun
}

// SatsFigures are amounts in sats.
type SatsFigures struct {
	Confirmed  amount.Sats `json:"confirmed"`   // booked and unspent plain outputs, confirmed deeply enough to spend
	FeeAccount amount.Sats `json:"fee_account"` // balance of the fee account
	Payouts    amount.Sats `json:"payouts"`     // network fees paid by the orders of deliveries that are not final
	Refunds    amount.Sats `json:"refunds"`     // refunds due
}

// Surplus returns the base units that the operator may withdraw: Confirmed minus Owed, Carried, Running and NextBudget.
// It is negative if the treasury holds less than it needs. The error is amount.ErrOverflow.
func (r RuneFigures) Surplus() (amount.Runes, error) {
	free := r.Confirmed
	for _, need := range []amount.Runes{r.Owed, r.Carried, r.Running, r.NextBudget} {
		var err error
		if free, err = free.Sub(need); err != nil {
			return 0, err
		}
	}
	return free, nil
}

// Surplus returns the sats that the operator may withdraw, including the network fee of the withdrawal: Confirmed minus
// FeeAccount, Payouts and Refunds. It is negative if the treasury holds less than it needs. The error is
// amount.ErrOverflow.
func (s SatsFigures) Surplus() (amount.Sats, error) {
	free := s.Confirmed
	for _, need := range []amount.Sats{s.FeeAccount, s.Payouts, s.Refunds} {
		var err error
		if free, err = free.Sub(need); err != nil {
			return 0, err
		}
	}
	return free, nil
}

// HighestSpendable returns the height of the last block whose outputs have InputDepth confirmations at a tip.
func HighestSpendable(tip int64) int64 { return tip - InputDepth + 1 }

// FeeAccount returns the journal account of a community's network fees: the network fees that orders paid and the sats
// that the operator deposited, minus the network fees of the payouts, except those of selfPaid payouts. Its balance is
// never negative.
func FeeAccount(community string) string { return "fees:" + community }

// WithdrawnAccount returns the journal account of the sats that withdrawals took out of a community's treasury.
func WithdrawnAccount(community string) string { return "withdrawn:" + community }

// WithdrawnRunesAccount returns the journal account of the base units that withdrawals took out of a community's
// treasury.
func WithdrawnRunesAccount(community string) string { return "withdrawn-runes:" + community }

// WithdrawalFeesAccount returns the journal account of the network fees of a community's withdrawals.
func WithdrawalFeesAccount(community string) string { return "withdrawal-fees:" + community }
