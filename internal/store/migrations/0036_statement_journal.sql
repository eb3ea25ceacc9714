-- The place in the journal at which the facts of a statement were recorded. Its details list the instructions to
-- compound automatically as they were there.

-- +goose Up
ALTER TABLE statement ADD COLUMN journal BIGINT NOT NULL DEFAULT -1; -- -1: its details list no instructions

-- +goose Down
SELECT 'this schema is never taken down';
