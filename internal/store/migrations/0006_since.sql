-- Since when a kept transaction is in no block: what stays so for 14 days, and is in no mempool, has vanished.

-- +goose Up
ALTER TABLE tracked ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
UPDATE tracked SET since = seen_at;

-- +goose Down
SELECT 'this schema is never taken down';
