-- name: RefusedTxs :many
SELECT * FROM refused_tx ORDER BY since, txid;

-- name: RefusedTx :one
SELECT * FROM refused_tx WHERE txid = $1;

-- name: PutRefusedTx :exec
INSERT INTO refused_tx (txid, reason, passing, since) VALUES ($1, $2, $3, $4)
ON CONFLICT (txid) DO UPDATE SET reason = excluded.reason, passing = excluded.passing;

-- name: DropRefusedTx :exec
DELETE FROM refused_tx WHERE txid = $1;
