-- An order's anchor is its first confirmed payment in chain order, so the place of a
-- transaction in its block counts. It is fixed when the first payout is built. Only
-- payments that one delivery can spend together count towards the price.

-- +goose Up
ALTER TABLE custody ADD COLUMN position BIGINT NOT NULL DEFAULT 0; -- of its transaction in its block
ALTER TABLE payment_order ADD COLUMN usable BIGINT NOT NULL DEFAULT 0; -- sats of seen that one delivery can spend
ALTER TABLE payment_order ADD COLUMN anchor TEXT NOT NULL DEFAULT ''; -- txid:vout, '' until a payout was built
UPDATE payment_order SET usable = seen;

-- +goose Down
SELECT 'this schema is never taken down';
