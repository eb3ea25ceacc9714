-- name: Order :one
SELECT * FROM payment_order WHERE id = $1;

-- name: InsertOrder :exec
INSERT INTO payment_order (id, number, community, reason, owner, payment, action_id, unit_ids, real_units, amount,
    fee_rate, network_fee, service_fee, rutxos_fee, per_rutxo, address, script, status, created_at, rate_at,
    deadline, seen, confirmed, late, refunded, payout_id, payout_tx, updated_at, returned, usable, anchor,
    refund_due, refund_reason, refund_since, by_refund, refund_rate, refund_hold, refund_retry,
    limit_at, end_height, raised_rate, raised_at, one_tx, raised_from, self_units, listed_fee)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38,
    $39, $40, $41, $42, $43, $44, $45, $46);

-- name: UpdateOrder :execrows
WITH changed (id, status_was, status, fee_rate, network_fee, service_fee, rutxos_fee, per_rutxo, rate_at,
    deadline, seen, confirmed, late, payout_id, payout_tx, updated_at, refunded, returned, usable, anchor,
    refund_due, refund_reason, refund_since, by_refund, refund_rate, refund_hold, refund_retry,
    refund_refusal, limit_at, end_height, raised_rate, raised_at, one_tx, raised_from, listed_fee) AS (
    VALUES (CAST(@id AS TEXT), CAST(@status_was AS TEXT), CAST(@status AS TEXT), CAST(@fee_rate AS BIGINT),
        CAST(@network_fee AS BIGINT), CAST(@service_fee AS BIGINT), CAST(@rutxos_fee AS BIGINT),
        CAST(@per_rutxo AS BIGINT), CAST(@rate_at AS BIGINT), CAST(@deadline AS BIGINT), CAST(@seen AS BIGINT),
        CAST(@confirmed AS BIGINT), CAST(@late AS BIGINT), CAST(@payout_id AS TEXT), CAST(@payout_tx AS TEXT),
        CAST(@updated_at AS BIGINT), CAST(@refunded AS BIGINT), CAST(@returned AS BIGINT),
        CAST(@usable AS BIGINT), CAST(@anchor AS TEXT), CAST(@refund_due AS BIGINT),
        CAST(@refund_reason AS TEXT), CAST(@refund_since AS BIGINT), CAST(@by_refund AS BIGINT),
        CAST(@refund_rate AS BIGINT), CAST(@refund_hold AS TEXT), CAST(@refund_retry AS BIGINT),
        CAST(@refund_refusal AS TEXT), CAST(@limit_at AS BIGINT), CAST(@end_height AS BIGINT),
        CAST(@raised_rate AS BIGINT), CAST(@raised_at AS BIGINT), CAST(@one_tx AS BIGINT), CAST(@raised_from AS BIGINT),
        CAST(@listed_fee AS BIGINT)))
UPDATE payment_order SET status = changed.status, fee_rate = changed.fee_rate,
    network_fee = changed.network_fee, service_fee = changed.service_fee, rutxos_fee = changed.rutxos_fee,
    per_rutxo = changed.per_rutxo, rate_at = changed.rate_at, deadline = changed.deadline, seen = changed.seen,
    confirmed = changed.confirmed, late = changed.late, payout_id = changed.payout_id,
    payout_tx = changed.payout_tx, updated_at = changed.updated_at, refunded = changed.refunded,
    returned = changed.returned, usable = changed.usable, anchor = changed.anchor,
    refund_due = changed.refund_due, refund_reason = changed.refund_reason, refund_since = changed.refund_since,
    by_refund = changed.by_refund, refund_rate = changed.refund_rate, refund_hold = changed.refund_hold,
    refund_retry = changed.refund_retry, refund_refusal = changed.refund_refusal,
    limit_at = changed.limit_at, end_height = changed.end_height,
    raised_rate = changed.raised_rate, raised_at = changed.raised_at, one_tx = changed.one_tx,
    raised_from = changed.raised_from, listed_fee = changed.listed_fee
FROM changed WHERE payment_order.id = changed.id AND payment_order.status = changed.status_was;

-- name: OrdersInStatus :many
SELECT * FROM payment_order WHERE status = $1 ORDER BY number;

-- The last of the next refunds that RefundsToSend examines, if there are more.
-- name: RefundWindow :one
SELECT refund_due, number FROM payment_order
WHERE community = $1 AND (refund_due, number) > (@after_due, @after_number) AND refund_due > 0
ORDER BY refund_due, number LIMIT 1 OFFSET $2;

-- name: RefundsToSend :many
SELECT o.* FROM payment_order AS o
WHERE o.community = $1 AND (o.refund_due, o.number) > (@after_due, @after_number)
    AND (o.refund_due, o.number) <= (@to_due, @to_number) AND o.refund_due > 0
    AND o.refund_rate >= $2 AND o.refund_retry <= $3 AND o.status <> 'AUDIT'
    AND EXISTS (SELECT 1 FROM payment JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout
        WHERE payment.order_id = o.id AND custody.height >= 0 AND custody.vanished = 0 AND custody.spent_by = ''
            AND custody.runes = 0 AND custody.quarantine = '')
ORDER BY o.refund_due, o.number LIMIT $4;

-- name: OrdersOf :many
SELECT * FROM payment_order WHERE community = $1 AND owner = $2 ORDER BY number DESC;

-- name: ActiveClaims :one
SELECT COUNT(*) FROM payment_order
WHERE community = $1 AND owner = $2 AND reason = 'CLAIM'
    AND status IN ('PENDING', 'CONFIRMED', 'PENDING_RERATE', 'PAID');

-- name: SentOneTxOrders :many
SELECT id FROM payment_order
WHERE community = $1 AND owner = $2 AND status = 'SENT' AND reason = 'WITHDRAW' AND one_tx = 1 ORDER BY number DESC;

-- name: InsertPayment :execrows
INSERT INTO payment (txid, vout, number, order_id, counted, late, waiting) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (txid, vout) DO NOTHING;

-- name: UpdatePayment :execrows
WITH changed (txid, vout, counted, late, waiting) AS (
    VALUES (CAST(@txid AS TEXT), CAST(@vout AS BIGINT), CAST(@counted AS BIGINT), CAST(@late AS BIGINT),
        CAST(@waiting AS BIGINT)))
UPDATE payment SET counted = changed.counted, late = changed.late, waiting = changed.waiting
FROM changed WHERE payment.txid = changed.txid AND payment.vout = changed.vout;

-- name: Payment :one
SELECT payment.*, custody.value, custody.seen_at, custody.height, custody.coinbase, custody.vanished,
    custody.spent_by, custody.position,
    CAST(CASE WHEN custody.runes = 0 AND custody.quarantine = '' THEN 1 ELSE 0 END AS BIGINT) AS plain,
    CAST(CASE WHEN payout.kind = 'refund' THEN 1 ELSE 0 END AS BIGINT) AS refunded,
    CAST(CASE WHEN maker.txid IS NULL THEN 0 ELSE 1 END AS BIGINT) AS kept
FROM payment JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout
LEFT JOIN payout_version ON payout_version.txid = custody.spent_by
LEFT JOIN payout ON payout.id = payout_version.payout_id
LEFT JOIN payout_version AS maker ON maker.txid = payment.txid
WHERE payment.txid = $1 AND payment.vout = $2;

-- name: PaymentsOf :many
SELECT payment.*, custody.value, custody.seen_at, custody.height, custody.coinbase, custody.vanished,
    custody.spent_by, custody.position,
    CAST(CASE WHEN custody.runes = 0 AND custody.quarantine = '' THEN 1 ELSE 0 END AS BIGINT) AS plain,
    CAST(CASE WHEN payout.kind = 'refund' THEN 1 ELSE 0 END AS BIGINT) AS refunded,
    CAST(CASE WHEN maker.txid IS NULL THEN 0 ELSE 1 END AS BIGINT) AS kept
FROM payment JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout
LEFT JOIN payout_version ON payout_version.txid = custody.spent_by
LEFT JOIN payout ON payout.id = payout_version.payout_id
LEFT JOIN payout_version AS maker ON maker.txid = payment.txid
WHERE payment.order_id = $1 ORDER BY payment.number;

-- name: InsertPayout :exec
INSERT INTO payout (id, community, kind, order_ids, status, created_at) VALUES ($1, $2, $3, $4, $5, $6);

-- name: UpdatePayout :execrows
UPDATE payout SET status = $2 WHERE id = $1 AND status = $3;

-- name: InsertPayoutVersion :exec
INSERT INTO payout_version (txid, payout_id, number, raw, fee, vbytes, created_at, height, own_coins)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: UpdatePayoutVersion :exec
UPDATE payout_version SET fee = $2, own_coins = $3 WHERE txid = $1;

-- name: PayoutsInStatus :many
SELECT * FROM payout WHERE status = $1 ORDER BY created_at, id;

-- name: VersionsOf :many
SELECT * FROM payout_version WHERE payout_id = $1 ORDER BY number;

-- name: PayoutVersionsAmong :many
SELECT txid FROM payout_version WHERE txid IN ($1);

-- name: OrderIDsInStatus :many
SELECT id FROM payment_order WHERE status = $1 ORDER BY number;

-- name: OrdersByID :many
SELECT * FROM payment_order WHERE id IN ($1);

-- name: CountStoredPayments :many
SELECT COUNT(*) FROM payment WHERE order_id IN ($1);

-- name: PaymentsOfOrders :many
SELECT payment.*, custody.value, custody.seen_at, custody.height, custody.coinbase, custody.vanished,
    custody.spent_by, custody.position,
    CAST(CASE WHEN custody.runes = 0 AND custody.quarantine = '' THEN 1 ELSE 0 END AS BIGINT) AS plain,
    CAST(CASE WHEN payout.kind = 'refund' THEN 1 ELSE 0 END AS BIGINT) AS refunded,
    CAST(CASE WHEN maker.txid IS NULL THEN 0 ELSE 1 END AS BIGINT) AS kept
FROM payment JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout
LEFT JOIN payout_version ON payout_version.txid = custody.spent_by
LEFT JOIN payout ON payout.id = payout_version.payout_id
LEFT JOIN payout_version AS maker ON maker.txid = payment.txid
WHERE payment.order_id IN ($1) ORDER BY payment.number;

-- name: PaymentsIn :many
SELECT payment.*, custody.value, custody.seen_at, custody.height, custody.coinbase, custody.vanished,
    custody.spent_by, custody.position,
    CAST(CASE WHEN custody.runes = 0 AND custody.quarantine = '' THEN 1 ELSE 0 END AS BIGINT) AS plain,
    CAST(CASE WHEN payout.kind = 'refund' THEN 1 ELSE 0 END AS BIGINT) AS refunded,
    CAST(CASE WHEN maker.txid IS NULL THEN 0 ELSE 1 END AS BIGINT) AS kept
FROM payment JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout
LEFT JOIN payout_version ON payout_version.txid = custody.spent_by
LEFT JOIN payout ON payout.id = payout_version.payout_id
LEFT JOIN payout_version AS maker ON maker.txid = payment.txid
WHERE payment.txid IN ($1);

-- name: EconomyTally :many
SELECT community, COUNT(*) AS total FROM payment_order WHERE status = 'PAID' AND limit_at > 0 AND fee_rate < $1
GROUP BY community;

-- Payouts of economy orders of which one has a rate below a fee rate, so that they wait for it.
-- name: EconomyPayouts :many
SELECT o.community, COUNT(DISTINCT o.payout_id) AS total
FROM payment_order AS o JOIN payout ON payout.id = o.payout_id
WHERE o.status = 'SENT' AND o.limit_at > 0 AND o.fee_rate < $1 AND payout.status = 'live'
GROUP BY o.community;
