-- The server sends refunds by itself: up to which fee rate one returns at least what it costs, and why it waits for
-- something else than the fee rate.

-- +goose Up
ALTER TABLE payment_order ADD COLUMN refund_rate BIGINT NOT NULL DEFAULT 0; -- sat per 1000 vbytes, at most; more: it waits
ALTER TABLE payment_order ADD COLUMN refund_hold TEXT NOT NULL DEFAULT ''; -- why it waits, '': for nothing but the fee rate
ALTER TABLE payment_order ADD COLUMN refund_retry BIGINT NOT NULL DEFAULT 0; -- a held refund is not looked at before this instant
-- What was due before is looked at once, and its rate is set then.
UPDATE payment_order SET refund_rate = 9223372036854775807 WHERE refund_due > 0;
DROP INDEX payment_order_refund;
-- The smallest first.
CREATE INDEX payment_order_refund ON payment_order (community, refund_due, number, refund_rate, refund_retry)
    WHERE refund_due > 0;

-- +goose Down
SELECT 'this schema is never taken down';
