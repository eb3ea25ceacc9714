-- name: InsertRuneOrder :exec
INSERT INTO rune_order (id, number, kind, state, cause, reason, rune_name, promise, fee_rate, address, script,
    fund_amount, executed, quotes, created_at, deadline, updated_at, settled)
VALUES ($1, $2, $3, $4, '', '', $5, $6, $7, $8, $9, $10, '', '[]', $11, $12, $13, 1);

-- name: RuneOrder :one
SELECT * FROM rune_order WHERE id = $1;

-- name: RuneOrders :many
SELECT * FROM rune_order WHERE state = $1 OR $1 = '' ORDER BY number DESC LIMIT $2;

-- name: ChangeRuneOrder :execrows
UPDATE rune_order SET state = $2, cause = $3, reason = $4, executed = $5, quotes = $6, updated_at = $7, settled = 0,
    reason_code = $9, reason_values = $10
WHERE id = $1 AND state = $8;

-- name: DueRuneOrders :many
SELECT * FROM rune_order
WHERE id IN (
    SELECT due.id FROM rune_order due WHERE due.settled = 0
    UNION ALL SELECT late.id FROM rune_order late WHERE late.state = 'new' AND late.deadline <= $1)
ORDER BY number;

-- name: SettleRuneOrder :exec
UPDATE rune_order SET settled = 1 WHERE id = $1;

-- name: UnsettleRuneOrder :exec
UPDATE rune_order SET settled = 0 WHERE id = $1;

-- name: RuneOrderScripts :many
SELECT number, id, script FROM rune_order WHERE number > $1 ORDER BY number;

-- name: RuneNameBusy :one
SELECT COUNT(*) FROM rune_order WHERE kind = 'rune_etch' AND state = 'executing'
    AND REPLACE(rune_name, '•', '') = $1 AND id <> $2;

-- name: RuneOrderTally :many
SELECT state, COUNT(*) AS total FROM rune_order GROUP BY state ORDER BY state;

-- name: RuneOrderOutputs :many
SELECT * FROM rune_order_output WHERE order_id = $1 ORDER BY seen_at, txid, vout;

-- name: PutRuneOrderOutput :exec
INSERT INTO rune_order_output (txid, vout, order_id, value, runes, seen_at, height, vanished)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (txid, vout) DO UPDATE SET runes = excluded.runes, height = excluded.height, vanished = excluded.vanished;

-- name: RuneOrderTxs :many
SELECT * FROM rune_order_tx WHERE order_id = $1 ORDER BY generation, position, created_at, txid;

-- name: PutRuneOrderTx :exec
INSERT INTO rune_order_tx (txid, order_id, role, generation, position, raw, fee, vbytes, created_at, height,
    vanished, got, ancestors)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '0', $12)
ON CONFLICT (txid, order_id) DO UPDATE SET height = excluded.height, vanished = excluded.vanished,
    ancestors = CASE WHEN excluded.ancestors <> '' THEN excluded.ancestors ELSE rune_order_tx.ancestors END;

-- name: OurRuneOrderTxs :many
SELECT txid, order_id FROM rune_order_tx WHERE role <> 'funding' ORDER BY txid;

-- name: UnconfirmedRuneFunding :many
SELECT * FROM rune_order_tx WHERE role = 'funding' AND height = -1 AND vanished = 0 ORDER BY created_at, txid;

-- name: ConfirmRuneOrderTx :exec
UPDATE rune_order_tx SET height = $2, got = $3 WHERE txid = $1 AND role <> 'funding';

-- name: UnsettleByTx :exec
UPDATE rune_order SET settled = 0 WHERE id IN (SELECT order_id FROM rune_order_tx WHERE txid = $1);

-- name: VanishRuneFunding :execrows
UPDATE rune_order_tx SET vanished = 1 WHERE txid = $1 AND role = 'funding' AND height = -1;

-- name: VanishRuneOutputs :exec
UPDATE rune_order_output SET vanished = 1 WHERE txid = $1 AND height = -1;

-- name: UnsettleAtHeight :exec
UPDATE rune_order SET settled = 0 WHERE id IN (SELECT order_id FROM rune_order_tx WHERE height = $1);

-- name: UndoRuneOrderTxs :exec
UPDATE rune_order_tx SET height = -1, got = '0' WHERE height = $1;

-- name: UndoRuneOrderOutputs :exec
UPDATE rune_order_output SET height = -1, runes = '[]' WHERE height = $1;

-- name: ForgetRuneOrderTxs :exec
UPDATE rune_order_tx SET height = -1, got = '0';

-- name: ForgetRuneOrderOutputs :exec
UPDATE rune_order_output SET height = -1, runes = '[]';

-- name: UnsettleRuneOrders :exec
UPDATE rune_order SET settled = 0 WHERE id IN (SELECT order_id FROM rune_order_output);

-- name: RuneOrderFunds :many
SELECT txid, vout, order_id FROM rune_order_output ORDER BY txid, vout;
