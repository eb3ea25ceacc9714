-- name: RefusedTxs :many
SELECT refused_tx.*, CAST(CASE WHEN payout_version.own_coins <> '' THEN 1 ELSE 0 END AS BIGINT) AS own
FROM refused_tx LEFT JOIN payout_version ON payout_version.txid = refused_tx.txid
ORDER BY since, refused_tx.txid;

-- name: RefusedTx :one
SELECT refused_tx.*, CAST(CASE WHEN payout_version.own_coins <> '' THEN 1 ELSE 0 END AS BIGINT) AS own
FROM refused_tx LEFT JOIN payout_version ON payout_version.txid = refused_tx.txid
WHERE refused_tx.txid = $1;

-- name: PutRefusedTx :exec
INSERT INTO refused_tx (txid, reason, passing, since) VALUES ($1, $2, $3, $4)
ON CONFLICT (txid) DO UPDATE SET reason = excluded.reason, passing = excluded.passing;

-- name: DropRefusedTx :exec
DELETE FROM refused_tx WHERE txid = $1;
