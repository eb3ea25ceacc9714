// Package surplus computes the amounts that the operator may withdraw from a community's treasury. The server computes
// them in the transaction that stores a withdrawal, the operator's commands print them, and the audit compares them
// with the chain. All of them run the same query.
package surplus

import (
	"context"
	"database/sql"
	"fmt"

	"moonfund/internal/amount"
)

// Querier runs a query in the caller's transaction. *sql.Tx implements it.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Question has the parameters of Read: the treasury, and the outputs and the budget that count.
type Question struct {
	Community  string       // prefix
	Highest    int64        // height of the last block whose outputs count as confirmed
	NextBudget amount.Runes // budget of the first epoch that has not begun
	Except     string       // id of a payout whose inputs count as unspent, since a new version replaces it; "" for none
}

// Figures are the amounts in a treasury, and the amounts that are not surplus.
type Figures struct {
	Runes Runes `json:"runes"`
	Sats  Sats  `json:"sats"`
}

// Runes are amounts of the community's rune in base units.
type Runes struct {
	Treasury   amount.Runes `json:"treasury,string"`    // booked and unspent, unconfirmed change included
	Confirmed  amount.Runes `json:"confirmed,string"`   // part of Treasury that is confirmed deeply enough to spend
	Owed       amount.Runes `json:"owed,string"`        // rewards that are not delivered and that no payout carries
	Carried    amount.Runes `json:"carried,string"`     // rewards that undelivered payouts carry
	Running    amount.Runes `json:"running,string"`     // reserved for epochs that are not settled
	NextBudget amount.Runes `json:"next_budget,string"` // of the first epoch that has not begun
}

// Sats are amounts in sats.
type Sats struct {
	Confirmed  amount.Sats `json:"confirmed"`   // booked and unspent plain outputs, confirmed deeply enough to spend
	FeeAccount amount.Sats `json:"fee_account"` // balance of the fee account
	Payouts    amount.Sats `json:"payouts"`     // network fees paid by the orders of deliveries that are not final
	Refunds    amount.Sats `json:"refunds"`     // refunds due
}

// Surplus returns the base units that the operator may withdraw: Confirmed minus Owed, Carried, Running and NextBudget.
// It is negative if the treasury holds less than it needs. The error is amount.ErrOverflow.
func (r Runes) Surplus() (amount.Runes, error) {
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
func (s Sats) Surplus() (amount.Sats, error) {
	free := s.Confirmed
	for _, need := range []amount.Sats{s.FeeAccount, s.Payouts, s.Refunds} {
		var err error
		if free, err = free.Sub(need); err != nil {
			return 0, err
		}
	}
	return free, nil
}

// query returns one row with the columns of Read. $1 is the community, $2 Question.Highest and $3 Question.Except. An
// output counts as spent as soon as an unconfirmed transaction spends it. If the chain rules that transaction out, the
// output is in the treasury, but not confirmed: the transaction may return. Coinbase outputs never count as confirmed,
// because they can be spent only after 100 blocks.
const query = `
WITH conflicted AS (SELECT txid FROM conflicted_tx), treasury AS (
	SELECT kind, value, runes, CASE WHEN height >= 0 AND height <= $2 AND coinbase = 0
		AND spent_by NOT IN (SELECT txid FROM conflicted) THEN 1 ELSE 0 END AS confirmed
	FROM custody
	WHERE community = $1 AND kind IN ('runes', 'sats') AND booked = 1 AND vanished = 0 AND quarantine = ''
		AND (spent_by = '' OR spent_by IN (SELECT txid FROM payout_version WHERE payout_id = $3)
			OR spent_by IN (SELECT txid FROM conflicted))
		AND txid NOT IN (SELECT txid FROM conflicted)
), rewards AS (
	SELECT u.amount,
		CASE WHEN o.status = 'SENT' AND o.payout_tx NOT IN (SELECT txid FROM conflicted) THEN 1 ELSE 0 END AS carried
	FROM unit u LEFT JOIN payment_order o ON o.id = u.order_id
	WHERE u.community = $1 AND u.origin <> 'STAKE' AND u.stage <> 'WITHDRAWN'
)
SELECT
	(SELECT CAST(COALESCE(SUM(runes), 0) AS BIGINT) FROM treasury WHERE kind = 'runes'),
	(SELECT CAST(COALESCE(SUM(runes), 0) AS BIGINT) FROM treasury WHERE kind = 'runes' AND confirmed = 1),
	(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM rewards WHERE carried = 0),
	(SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM rewards WHERE carried = 1),
	(SELECT CAST(COALESCE(SUM(reserved), 0) AS BIGINT) FROM epoch_account WHERE community = $1 AND settled = 0),
	(SELECT CAST(COALESCE(SUM(value), 0) AS BIGINT) FROM treasury WHERE kind = 'sats' AND runes = 0 AND confirmed = 1),
	(SELECT CAST(COALESCE(SUM(CASE WHEN to_account = subject THEN amount ELSE 0 END), 0)
		- COALESCE(SUM(CASE WHEN from_account = subject THEN amount ELSE 0 END), 0) AS BIGINT)
		FROM journal WHERE subject = 'fees:' || $1),
	(SELECT CAST(COALESCE(SUM(o.network_fee + o.rutxos_fee), 0) AS BIGINT) FROM payment_order o
		JOIN payout p ON p.id = o.payout_id
		WHERE o.community = $1 AND (p.kind = 'delivery' OR p.kind = 'one_tx' AND o.one_tx = 0)
			AND p.status IN ('live', 'confirmed')),
	(SELECT CAST(COALESCE(SUM(refund_due), 0) AS BIGINT) FROM payment_order WHERE community = $1)`

// Read returns the figures of a treasury from one query. NextBudget is copied from about.
func Read(ctx context.Context, q Querier, about Question) (f Figures, err error) {
	f.Runes.NextBudget = about.NextBudget
	if err := q.QueryRowContext(ctx, query, about.Community, about.Highest, about.Except).Scan(
		&f.Runes.Treasury, &f.Runes.Confirmed, &f.Runes.Owed, &f.Runes.Carried, &f.Runes.Running,
		&f.Sats.Confirmed, &f.Sats.FeeAccount, &f.Sats.Payouts, &f.Sats.Refunds,
	); err != nil {
		return f, fmt.Errorf("surplus: %w", err)
	}
	return f, nil
}
