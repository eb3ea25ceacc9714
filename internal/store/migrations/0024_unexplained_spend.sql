-- The table of unexplained spends of the treasury, and the status of a spend that an operator explained, get the names
-- that the code and the documentation use.

-- +goose Up
DROP INDEX outgo_owner;
DROP INDEX outgo_open;
ALTER TABLE outgo RENAME TO unexplained_spend;
CREATE INDEX unexplained_spend_owner ON unexplained_spend (community, owner);
CREATE INDEX unexplained_spend_open ON unexplained_spend (txid) WHERE status IN ('open', 'unclear');
UPDATE unexplained_spend SET status = 'explained' WHERE status = 'told';

-- +goose Down
SELECT 'this schema is never taken down';
