-- The facts of an epoch's statement are recorded in the transaction after the one that settles the epoch.

-- +goose Up
ALTER TABLE epoch_account ADD COLUMN statement_due BIGINT NOT NULL DEFAULT 0; -- 1 until they are recorded
CREATE INDEX epoch_account_due ON epoch_account (community, epoch) WHERE statement_due = 1;

-- +goose Down
SELECT 'this schema is never taken down';
