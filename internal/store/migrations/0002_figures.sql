-- What keeps reads and steps as fast with a million units as with a thousand.

-- +goose Up
-- The sum of a community's STAKED units, moved with them in the same transaction.
CREATE TABLE staked_total (
    community TEXT NOT NULL PRIMARY KEY,
    amount BIGINT NOT NULL
);
INSERT INTO staked_total (community, amount)
SELECT community, CAST(SUM(amount) AS BIGINT) FROM unit WHERE stage = 'STAKED' GROUP BY community;

-- Rare outputs and units that every step looks for.
CREATE INDEX custody_vanished ON custody (txid, vout) WHERE vanished = 1;
CREATE INDEX custody_foreign ON custody (txid, vout) WHERE spent_ours = 0 AND spent_by <> '';
CREATE INDEX unit_recovered ON unit (number) WHERE stage_before <> '';
CREATE INDEX unit_unplaced ON unit (community, eligible_epoch, stage);
CREATE INDEX unit_sums ON unit (community, owner, stage, amount);
CREATE INDEX unit_order ON unit (order_id) WHERE order_id <> '';

-- +goose Down
SELECT 'this schema is never taken down';
