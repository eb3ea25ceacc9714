-- name: RuneEntry :one
SELECT entry FROM rune_entry WHERE id = $1;

-- name: RuneEntryByName :one
SELECT entry FROM rune_entry WHERE name = $1;

-- name: PutRuneEntry :exec
INSERT INTO rune_entry (id, name, entry) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, entry = excluded.entry;

-- name: DeleteRuneEntry :exec
DELETE FROM rune_entry WHERE id IN ($1);

-- name: RuneBalances :many
SELECT outpoint, balances FROM rune_balance WHERE outpoint IN ($1);

-- name: PutRuneBalances :exec
INSERT INTO rune_balance (outpoint, balances) VALUES ($1, $2)
ON CONFLICT (outpoint) DO UPDATE SET balances = excluded.balances;

-- name: DeleteRuneBalances :exec
DELETE FROM rune_balance WHERE outpoint IN ($1);

-- name: RuneUndo :one
SELECT data FROM rune_undo WHERE height = $1;

-- name: PutRuneUndo :exec
INSERT INTO rune_undo (height, data) VALUES ($1, $2)
ON CONFLICT (height) DO UPDATE SET data = excluded.data;

-- name: DeleteRuneUndo :exec
DELETE FROM rune_undo WHERE height = $1;
