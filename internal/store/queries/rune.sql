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

-- name: RuneLists :many
SELECT tx, balances FROM rune_list WHERE tx IN ($1);

-- name: PutRuneList :exec
INSERT INTO rune_list (tx, last_outpoint, balances) VALUES ($1, $2, $3)
ON CONFLICT (tx) DO UPDATE SET balances = excluded.balances;

-- Deletes the lists of transactions all of whose outputs are spent. The subquery reads one entry of the primary key.
-- For NOT EXISTS, PostgreSQL could join whole tables.
-- name: DeleteUnusedRuneLists :exec
DELETE FROM rune_list WHERE (
    SELECT outpoint FROM rune_balance WHERE outpoint >= rune_list.tx AND outpoint <= rune_list.last_outpoint
    ORDER BY outpoint LIMIT 1
) IS NULL AND tx IN ($1);

-- name: RuneUndo :one
SELECT data FROM rune_undo WHERE height = $1;

-- name: PutRuneUndo :exec
INSERT INTO rune_undo (height, data) VALUES ($1, $2)
ON CONFLICT (height) DO UPDATE SET data = excluded.data;

-- name: DeleteRuneUndo :exec
DELETE FROM rune_undo WHERE height IN ($1);
