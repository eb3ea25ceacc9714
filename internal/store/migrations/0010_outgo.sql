-- What transactions of ours that this ledger does not remember took out of the
-- treasury: a server signed them after the copy was made that this ledger comes from.

-- +goose Up
CREATE TABLE outgo (
    txid TEXT NOT NULL,
    owner TEXT NOT NULL,       -- the address that it went to; '' for what went to no address
    community TEXT NOT NULL,
    amount BIGINT NOT NULL,    -- base units, beyond the stakes of that owner that it spends
    status TEXT NOT NULL,      -- open; unclear (open, and only an operator can say); found (the units, by their sum); told (by an operator)
    unit_ids TEXT NOT NULL,    -- JSON array: the rewards that it delivered
    PRIMARY KEY (txid, owner)
);
CREATE INDEX outgo_owner ON outgo (community, owner);
CREATE INDEX outgo_open ON outgo (txid) WHERE status IN ('open', 'unclear');

-- +goose Down
SELECT 'this schema is never taken down';
