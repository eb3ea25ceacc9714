-- Deposits at an adopted stake address may lie in blocks that were followed before it was adopted. The server searches
-- the chain for them and credits those that nothing spends.

-- +goose Up
CREATE TABLE adopted_address (
    address TEXT NOT NULL PRIMARY KEY,
    height BIGINT NOT NULL -- the ledger's last block when its deposits were searched for; -1 until then
);
CREATE TABLE adopted_output (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    PRIMARY KEY (txid, vout) -- found, and not credited yet
);

-- +goose Down
SELECT 'this schema is never taken down';
