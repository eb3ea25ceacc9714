-- What outputs hold lies in one tree, not in two: it is only ever asked for by outpoint.

-- +goose Up
CREATE TABLE rune_balance_of (
    outpoint TEXT NOT NULL PRIMARY KEY,
    balances TEXT NOT NULL         -- JSON: [{"id": "block:tx", "amount": "…"}]
) /* clustered */;
INSERT INTO rune_balance_of (outpoint, balances) SELECT outpoint, balances FROM rune_balance;
DROP TABLE rune_balance;
ALTER TABLE rune_balance_of RENAME TO rune_balance;

-- +goose Down
SELECT 'this schema is never taken down';
