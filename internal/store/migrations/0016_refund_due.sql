-- What an order owes its payer is a fact beside its status. Small parts wait until their sum counts.

-- +goose Up
ALTER TABLE payment ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0; -- 1: counts nothing until the sum of parts suffices, 2: only if it completes the price
ALTER TABLE payment_order ADD COLUMN refund_due BIGINT NOT NULL DEFAULT 0; -- sats, before the network fee
ALTER TABLE payment_order ADD COLUMN refund_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE payment_order ADD COLUMN refund_since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payment_order ADD COLUMN by_refund BIGINT NOT NULL DEFAULT 0; -- 1: CANCELED since its refund was confirmed
CREATE INDEX payment_order_refund ON payment_order (number) WHERE refund_due > 0;
UPDATE payment_order SET by_refund = 1 WHERE status = 'CANCELED' AND refunded > 0;
UPDATE payment_order SET refund_since = updated_at, refund_reason = CASE status WHEN 'AUDIT' THEN 'audit' ELSE 'surplus' END,
    refund_due = (SELECT CAST(COALESCE(SUM(custody.value), 0) AS BIGINT) FROM payment
        JOIN custody ON custody.txid = payment.txid AND custody.vout = payment.vout
        WHERE payment.order_id = payment_order.id AND counted = 1 AND vanished = 0 AND spent_by = '')
    WHERE status IN ('AUDIT', 'DELIVERED', 'CONSOLIDATED');
UPDATE payment_order SET refund_due = 0, refund_since = 0, refund_reason = ''
    WHERE refund_due > 0 AND refund_due < 546 + (fee_rate * 112 + 999) / 1000; -- less than refunding one payment costs

-- +goose Down
SELECT 'this schema is never taken down';
