package testkit

import (
	"fmt"
	"strings"

	"moonfund/internal/testkit/engine"
)

// Rows returns the rows of a query as text, one row per line. Its parameters are ?.
func (w *World) Rows(query string, args ...any) string {
	w.Helper()
	if w.reader.DB == nil {
		w.reader = engine.Read(w, w.url)
	}
	if engine.Current() == engine.Postgres {
		query = numbered(query)
	}
	rows, err := w.reader.QueryContext(w.Context(), query, args...)
	Must(w, err)
	defer rows.Close()
	columns, err := rows.Columns()
	Must(w, err)
	var lines strings.Builder
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		Must(w, rows.Scan(values...))
		for i, value := range values {
			fmt.Fprintf(&lines, "%s=%v ", columns[i], *value.(*any))
		}
		lines.WriteString("\n")
	}
	Must(w, rows.Err())
	return lines.String()
}

// Dump returns the data that depends only on the chain and the actions, not on the time of observation, as text. Two
// worlds with the same history have the same Dump.
func (w *World) Dump() string {
	w.Helper()
	var all strings.Builder
	for _, part := range []struct{ title, query string }{
		{"units", `SELECT id, owner, origin, amount, stage, not_before, eligible_epoch, staked_to, unlock_epoch, reward_epoch,
			order_id, stage_before FROM unit ORDER BY id`},
		{"orders", `SELECT id, status, seen, confirmed, late, network_fee, rutxos_fee, deadline, payout_tx
			FROM payment_order ORDER BY id`},
		{"payments", `SELECT p.txid, p.vout, order_id, counted, late FROM payment p
			JOIN custody c ON c.txid = p.txid AND c.vout = p.vout WHERE vanished = 0 ORDER BY 1, 2`},
		{"outputs", `SELECT txid, vout, kind, value, runes, quarantine, booked, height, spent_by, spent_ours, spent_height
			FROM custody WHERE vanished = 0 ORDER BY 1, 2`},
		{"boundaries", `SELECT epoch, cut FROM boundary ORDER BY epoch`},
		{"epochs", `SELECT epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash FROM epoch_account
			ORDER BY epoch`},
		{"inputs", `SELECT epoch, unit_id, amount FROM epoch_input ORDER BY 1, 2`},
		{"rewards", `SELECT epoch, owner, stake, reward FROM epoch_reward ORDER BY 1, 2`},
		{"runes", `SELECT outpoint, balances FROM rune_balance ORDER BY 1`},
		{"shared runes", `SELECT tx, balances FROM rune_list ORDER BY 1`},
		{"blocks", `SELECT height, hash FROM block ORDER BY 1`},
	} {
		fmt.Fprintf(&all, "%s\n%s", part.title, w.Rows(part.query))
	}
	return all.String()
}

// Check fails the test if an invariant is violated. Its queries share no code with the ledger.
func (w *World) Check() {
	w.Helper()
	for rule, query := range map[string]string{
		"a unit without its creditable output": `SELECT u.* FROM unit u LEFT JOIN custody c
			ON c.txid = u.txid AND c.vout = u.vout AND c.kind = 'stake' AND c.quarantine = '' AND c.runes = u.amount
			WHERE u.origin = 'STAKE' AND c.txid IS NULL`,
		"a creditable output without its unit": `SELECT c.* FROM custody c LEFT JOIN unit u ON u.txid = c.txid
			AND u.vout = c.vout
			WHERE c.kind = 'stake' AND c.quarantine = '' AND c.vanished = 0 AND u.id IS NULL`,
		"a unit on an order that does not imply its stage": `SELECT u.id, u.stage, o.status, o.reason FROM unit u
			LEFT JOIN payment_order o ON o.id = u.order_id
			WHERE (u.stage IN ('PO_LOCKED', 'PO_CLAIMED', 'PENDING_WITHDRAW', 'BATCH_LOCKED') OR u.order_id <> '')
				AND NOT COALESCE(
				(u.stage = 'PO_LOCKED' AND o.reason = 'WITHDRAW' AND o.status = 'PENDING') OR
				(u.stage = 'PENDING_WITHDRAW' AND o.reason = 'WITHDRAW' AND o.status IN ('CONFIRMED', 'PENDING_RERATE')) OR
				(u.stage = 'PO_CLAIMED' AND o.reason = 'CLAIM' AND o.status IN ('PENDING', 'CONFIRMED', 'PENDING_RERATE')) OR
				(u.stage = 'BATCH_LOCKED' AND o.status IN ('PAID', 'SENT')) OR
				(u.stage = 'WITHDRAWN' AND o.status IN ('DELIVERED', 'CONSOLIDATED')), FALSE)`,
		"an order on two live payouts": `SELECT o.id, COUNT(*) FROM payment_order o
			JOIN payout p ON p.status <> 'dead' AND p.kind IN ('delivery', 'one_tx') AND p.order_ids LIKE '%' || o.id || '%'
				GROUP BY o.id HAVING COUNT(*) > 1`,
		"a settled epoch that paid another sum than it reserved": `SELECT a.epoch, a.reserved, a.rewarded, a.staked,
			SUM(r.reward)
			FROM epoch_account a LEFT JOIN epoch_reward r ON r.community = a.community AND r.epoch = a.epoch
			WHERE a.settled = 1 GROUP BY a.community, a.epoch HAVING COALESCE(SUM(r.reward), 0) <> a.rewarded
			OR (a.staked > 0 AND a.rewarded <> a.reserved)`,
		"virtual units beyond the treasury": `SELECT * FROM (SELECT
			(SELECT COALESCE(SUM(amount), 0) FROM unit WHERE origin = 'REWARD' AND stage <> 'WITHDRAWN') AS owed,
			(SELECT COALESCE(SUM(runes), 0) FROM custody WHERE kind = 'runes' AND booked = 1 AND vanished = 0
				AND txid NOT IN (SELECT txid FROM conflicted_tx)
				AND (spent_by = '' OR spent_by IN (SELECT txid FROM conflicted_tx))) AS treasury,
			(SELECT COALESCE(SUM(u.amount), 0) FROM unit u JOIN payment_order o ON o.id = u.order_id
				WHERE u.origin = 'REWARD' AND u.stage = 'BATCH_LOCKED' AND o.status = 'SENT'
				AND o.payout_tx NOT IN (SELECT txid FROM conflicted_tx)) AS carried) AS sums
			WHERE owed > treasury + carried`,
		"a journal line that moves a negative amount": `SELECT * FROM journal WHERE amount < 0`,
		"stages that the journal does not give": `SELECT * FROM (SELECT u.stage, SUM(u.amount) AS total FROM unit u
			GROUP BY u.stage) AS s
			WHERE total <> (SELECT COALESCE(SUM(CASE WHEN to_account = s.stage THEN amount ELSE 0 END), 0)
				- COALESCE(SUM(CASE WHEN from_account = s.stage THEN amount ELSE 0 END), 0) FROM journal WHERE asset = 'rune')`,
	} {
		if broken := w.Rows(query); broken != "" {
			w.Fatalf("%s:\n%s", rule, broken)
		}
	}
}
