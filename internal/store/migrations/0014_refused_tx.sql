-- Transactions of ours that the node did not accept at the last broadcast. Their bytes are signed, so their orders stay as they are.

-- +goose Up
CREATE TABLE refused_tx (
    txid TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL,    -- the node's own words
    passing BIGINT NOT NULL, -- 1: waiting can help, as with a fee rate that is too low for now
    since BIGINT NOT NULL
);

-- +goose Down
SELECT 'this schema is never taken down';
