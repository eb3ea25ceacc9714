-- Intents that nobody proved are forgotten, and found by an index that holds no others. What was asked of an owner's actions, no question asks any more.

-- +goose Up
CREATE INDEX action_unused ON action (expires_at) WHERE used_at = 0 AND type <> 'STAKE';
DROP INDEX action_owner;

-- +goose Down
SELECT 'this schema is never taken down';
