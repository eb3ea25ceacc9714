-- The statement that the message of an action names. Messages that were issued before have no statement.

-- +goose Up
ALTER TABLE action ADD COLUMN statement TEXT NOT NULL DEFAULT ''; -- its id; '' if the message names none
CREATE INDEX statement_id ON statement (id, community);

-- +goose Down
SELECT 'this schema is never taken down';
