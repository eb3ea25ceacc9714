-- Lists of runes that the outputs of one transaction share. rune_balance has their other runes: its rows are
-- runes.EncodeHolding. Rows that were written before have all runes of their outputs, and stay as they are.

-- +goose Up
CREATE TABLE rune_list (
    tx BYTEA NOT NULL PRIMARY KEY,    -- hash of the transaction, which begins the outpoints of its outputs
    last_outpoint BYTEA NOT NULL,     -- the last possible outpoint of the transaction
    balances BYTEA NOT NULL           -- runes.EncodeBalances
);

-- +goose Down
SELECT 'this schema is never taken down';
