-- name: InsertOperatorLine :exec
INSERT INTO operator_log (number, at, by_whom, command, subject, why, detail) VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: OperatorLines :many
SELECT * FROM operator_log WHERE number < $1 ORDER BY number DESC LIMIT $2;

-- name: OperatorLinesAbout :many
SELECT * FROM operator_log WHERE subject = $1 ORDER BY number;

-- name: InsertOperatorRequest :exec
INSERT INTO operator_request (number, kind, order_id, status, note, payout_id, tx, sats, runes, address)
VALUES ($1, $2, $3, 'open', '', '', $4, $5, $6, $7);

-- name: OperatorRequests :many
SELECT operator_request.*, operator_log.at, operator_log.by_whom, operator_log.why
FROM operator_request JOIN operator_log ON operator_log.number = operator_request.number
WHERE operator_request.status = $1 ORDER BY operator_request.number;

-- name: OperatorRequestsAbout :many
SELECT operator_request.*, operator_log.at, operator_log.by_whom, operator_log.why
FROM operator_request JOIN operator_log ON operator_log.number = operator_request.number
WHERE operator_request.order_id = $1 ORDER BY operator_request.number;

-- name: WithdrawalRequest :one
SELECT operator_request.*, operator_log.at, operator_log.by_whom, operator_log.why
FROM operator_request JOIN operator_log ON operator_log.number = operator_request.number
WHERE operator_request.payout_id = $1 AND operator_request.address <> '' AND operator_request.status = 'done'
ORDER BY operator_request.number LIMIT 1;

-- name: UpdateOperatorRequest :execrows
UPDATE operator_request SET status = $2, note = $3, payout_id = $4, tx = $5 WHERE number = $1 AND status = 'open';

-- name: InsertAcceptedViolation :execrows
INSERT INTO accepted_violation (id, number) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING;

-- name: LastAcceptedViolation :one
SELECT number FROM accepted_violation WHERE number > $1 ORDER BY number DESC LIMIT 1;

-- name: OrdersOfCommunity :many
SELECT * FROM payment_order WHERE community = $1 ORDER BY number DESC;

-- name: Payouts :many
SELECT * FROM payout ORDER BY created_at DESC, id;

-- name: PayoutByID :one
SELECT * FROM payout WHERE id = $1;

-- name: PayoutOfVersion :one
SELECT payout.* FROM payout JOIN payout_version ON payout_version.payout_id = payout.id WHERE payout_version.txid = $1;

-- name: PayoutTxid :one
SELECT txid FROM payout_version WHERE payout_id = $1
ORDER BY CASE WHEN height >= 0 THEN 0 ELSE 1 END, number DESC LIMIT 1;

-- name: RefundsOf :many
SELECT * FROM payout WHERE kind = 'refund' AND order_ids = $1 ORDER BY created_at, id;

-- name: AcceptPayment :execrows
UPDATE payment SET late = 0 WHERE txid = $1 AND vout = $2 AND late = 1;

-- name: Communities :many
SELECT * FROM community ORDER BY prefix;

-- name: OwedBy :one
SELECT
    (SELECT COUNT(*) FROM unit WHERE unit.community = @community AND unit.stage <> 'WITHDRAWN') AS units,
    (SELECT COUNT(*) FROM payment_order WHERE payment_order.community = @community AND (payment_order.refund_due > 0
        OR payment_order.status IN ('PENDING', 'CONFIRMED', 'PENDING_RERATE', 'PAID', 'SENT', 'DELIVERED', 'AUDIT')))
        AS orders,
    (SELECT COUNT(*) FROM payout WHERE payout.community = @community AND payout.status IN ('live', 'confirmed'))
        AS payouts;

-- name: LastChange :one
SELECT at FROM journal ORDER BY number DESC LIMIT 1;

-- name: JournalAbout :many
SELECT * FROM journal WHERE subject = $1 AND community = $2 ORDER BY number;

-- name: JournalBetween :many
SELECT journal.*, CAST(COALESCE(unit.origin, '') AS TEXT) AS origin,
    CAST(COALESCE(payment_order.id, '') AS TEXT) AS order_id,
    CAST(COALESCE(payment_order.service_fee, 0) AS BIGINT) AS service_fee,
    CAST(COALESCE(payment_order.payout_tx, '') AS TEXT) AS payout_tx
FROM journal
LEFT JOIN unit ON journal.asset = 'rune' AND unit.community = journal.community AND unit.id = journal.subject
LEFT JOIN payment_order ON payment_order.id = COALESCE(unit.order_id, journal.subject)
WHERE journal.community = @community AND journal.at >= @since AND journal.at < @before
ORDER BY journal.number;
