-- name: Action :one
SELECT * FROM action WHERE id = $1;

-- name: InsertAction :exec
INSERT INTO action (id, community, type, payment, ordinals, unit_ids, amount, order_id, message, created_at, expires_at,
    statement, used_at, signature, signer, txid)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, '', '', '');

-- name: UseAction :execrows
UPDATE action SET used_at = $2, signature = $3, signer = $4, order_id = $5, message = $6, unit_ids = $7
WHERE id = $1 AND used_at = 0;

-- name: ForgetIntents :exec
DELETE FROM action WHERE used_at = 0 AND id IN (
    SELECT old.id FROM action AS old WHERE old.used_at = 0 AND old.type <> 'STAKE' AND old.expires_at < $1
    ORDER BY old.expires_at LIMIT $2
);

-- name: Link :one
SELECT * FROM wallet_link WHERE community = $1 AND ordinals = $2 AND payment = $3;

-- name: InsertLink :exec
INSERT INTO wallet_link (community, ordinals, payment, message, ordinals_signature, payment_signature)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (community, ordinals, payment) DO NOTHING;
