-- Binary rows of the rune index, which are half as long as JSON. Version 32 (runerows.go) fills the new tables from the
-- old ones, and version 33 drops these.

-- +goose Up
CREATE TABLE rune_entry_of (
    id TEXT NOT NULL PRIMARY KEY,  -- block:tx
    name TEXT NOT NULL UNIQUE,     -- letters, without spacers
    entry BYTEA NOT NULL           -- runes.EncodeEntry
);
CREATE TABLE rune_balance_of (
    outpoint BYTEA NOT NULL PRIMARY KEY, -- runes.EncodeOutPoint
    balances BYTEA NOT NULL              -- runes.EncodeBalances
) /* clustered */;

-- +goose Down
SELECT 'this schema is never taken down';
