-- Economy delivery: orders that are paid at a chosen rate and wait for the network. The zero time, in seconds, marks an
-- order at normal speed and a difference that was never asked for.

-- +goose Up
ALTER TABLE payment_order ADD COLUMN limit_at BIGINT NOT NULL DEFAULT -62135596800;  -- when its owner can choose
ALTER TABLE payment_order ADD COLUMN end_height BIGINT NOT NULL DEFAULT 0;           -- it ends at this block; 0: no custody outputs
ALTER TABLE payment_order ADD COLUMN raised_rate BIGINT NOT NULL DEFAULT 0;          -- normal rate, sats per 1,000 vB
ALTER TABLE payment_order ADD COLUMN raised_at BIGINT NOT NULL DEFAULT -62135596800; -- when raised_rate was set

-- +goose Down
SELECT 'this schema is never taken down';
