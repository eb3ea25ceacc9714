-- +goose Up
DROP TABLE rune_entry;
ALTER TABLE rune_entry_of RENAME TO rune_entry;
DROP TABLE rune_balance;
ALTER TABLE rune_balance_of RENAME TO rune_balance;

-- +goose Down
SELECT 'this schema is never taken down';
