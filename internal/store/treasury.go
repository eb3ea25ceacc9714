package store

import (
	"context"

	"moonfund/internal/staking/payout"
)

// treasuryFigures returns one row. $1 is the community, $2 FiguresQuery.Highest and $3 FiguresQuery.Except. An output
// counts as spent as soon as an unconfirmed transaction spends it. If the chain rules that transaction out, the output
// is in the treasury, but not confirmed: the transaction may return. Coinbase outputs never count as confirmed, because
// they can be spent only after 100 blocks.
const treasuryFigures = `
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

// TreasuryFigures returns the figures of a treasury from one query. NextBudget is copied from q.
func (t *Tx) TreasuryFigures(ctx context.Context, q payout.FiguresQuery) (f payout.TreasuryFigures, err error) {
	f.Runes.NextBudget = q.NextBudget
	err = t.db.QueryRowContext(ctx, treasuryFigures, q.Community, q.Highest, q.Except).Scan(
		&f.Runes.Treasury, &f.Runes.Confirmed, &f.Runes.Owed, &f.Runes.Carried, &f.Runes.Running,
		&f.Sats.Confirmed, &f.Sats.FeeAccount, &f.Sats.Payouts, &f.Sats.Refunds,
	)
	return f, wrap(err)
}
