-- The sats of the treasury that an unexplained spend sent to addresses that are not ours.

-- +goose Up
ALTER TABLE unexplained_spend ADD COLUMN sats BIGINT NOT NULL DEFAULT 0;

-- +goose Down
SELECT 'this schema is never taken down';
