-- name: CounterValue :one
SELECT value FROM counter WHERE name = $1;

-- name: OpenOrders :many
SELECT community, status, COUNT(*) AS total FROM payment_order
WHERE status IN ('PENDING', 'CONFIRMED', 'PENDING_RERATE', 'PAID', 'SENT', 'AUDIT') GROUP BY community, status;

-- name: LivePayouts :many
SELECT community, COUNT(*) AS total FROM payout WHERE status = 'live' AND kind <> 'one_tx' GROUP BY community;

-- name: RefundsDue :many
SELECT community, status, refund_due, refund_since, refund_hold FROM payment_order WHERE refund_due > 0;

-- name: RefundsWaiting :one
SELECT COUNT(*) FROM payment_order WHERE refund_due > 0;

-- name: OrdersInAudit :one
SELECT COUNT(*) FROM payment_order WHERE status = 'AUDIT';

-- name: QuarantineTally :many
SELECT community, COUNT(*) AS total FROM custody WHERE quarantine <> '' AND spent_by = '' AND vanished = 0
GROUP BY community;
