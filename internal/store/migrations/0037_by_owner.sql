-- The rows of an epoch and of its statement by owner, so that closing an epoch writes and sums them in one order.

-- +goose Up
CREATE TABLE epoch_input_of (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (community, epoch, owner, unit_id)
) /* clustered */;
INSERT INTO epoch_input_of (community, epoch, unit_id, owner, amount)
SELECT community, epoch, unit_id, owner, amount FROM epoch_input ORDER BY community, epoch, owner, unit_id;
DROP TABLE epoch_input;
ALTER TABLE epoch_input_of RENAME TO epoch_input;

CREATE TABLE statement_reserve_of (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    kind TEXT NOT NULL,
    script BYTEA NOT NULL,
    value BIGINT NOT NULL,       -- sats
    runes BIGINT NOT NULL,       -- base units
    owner TEXT NOT NULL,         -- of the output, '' for the treasury
    PRIMARY KEY (community, sequence, owner, txid, vout)
) /* clustered */;
INSERT INTO statement_reserve_of (community, sequence, txid, vout, kind, script, value, runes, owner)
SELECT community, sequence, txid, vout, kind, script, value, runes, '' FROM statement_reserve;
DROP TABLE statement_reserve;
ALTER TABLE statement_reserve_of RENAME TO statement_reserve;

-- The parts of owed that are not stakes, in base units. 0 in statements that were recorded before or imported.
ALTER TABLE statement_owner ADD COLUMN delivering BIGINT NOT NULL DEFAULT 0;
ALTER TABLE statement_owner ADD COLUMN contested BIGINT NOT NULL DEFAULT 0;
ALTER TABLE statement_owner ADD COLUMN rewards BIGINT NOT NULL DEFAULT 0;

-- +goose Down
SELECT 'this schema is never taken down';
