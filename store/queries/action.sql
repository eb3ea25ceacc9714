-- name: Action :one
SELECT * FROM action WHERE id = $1;

-- name: UseAction :execrows
UPDATE action SET used_at = $2, signature = $3, signer = $4, order_id = $5 WHERE id = $1 AND used_at = 0;

-- name: Link :one
SELECT * FROM wallet_link WHERE community = $1 AND ordinals = $2 AND payment = $3;

-- name: InsertLink :exec
INSERT INTO wallet_link (community, ordinals, payment, message, ordinals_signature, payment_signature) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (community, ordinals, payment) DO NOTHING;
