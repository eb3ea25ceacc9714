-- name: ExpiringStakes :many
SELECT due.address, due.position, due.action_id,
    CAST(CASE WHEN EXISTS (SELECT 1 FROM custody WHERE custody.ref = due.address)
        OR EXISTS (SELECT 1 FROM unit WHERE unit.community = due.community AND unit.owner = due.owner)
        OR EXISTS (SELECT 1 FROM wallet_link WHERE wallet_link.community = due.community
        AND wallet_link.ordinals = due.owner)
        THEN 1 ELSE 0 END AS BIGINT) AS used,
    CAST(CASE WHEN EXISTS (SELECT 1 FROM adopted_address WHERE adopted_address.address = due.address
    AND adopted_address.height = -1)
        THEN 1 ELSE 0 END AS BIGINT) AS unsearched
FROM stake_address AS due WHERE due.expires_at > 0 AND due.expires_at <= $1 ORDER BY due.expires_at LIMIT $2;

-- name: PutStakeExpiry :execrows
UPDATE stake_address SET expires_at = $2 WHERE address = $1;

-- name: DeleteStakeAddress :execrows
DELETE FROM stake_address WHERE address = $1 AND expires_at > 0 AND expires_at <= $2;

-- name: DeleteWatch :exec
DELETE FROM watch WHERE script = $1;

-- name: DeleteStakeAction :exec
DELETE FROM action WHERE id = $1 AND type = 'STAKE';

-- name: DeleteAdoptedAddress :exec
DELETE FROM adopted_address WHERE address = $1;

-- name: InsertExpiredStake :exec
INSERT INTO expired_stake (bucket) VALUES ($1) ON CONFLICT (bucket) DO NOTHING;

-- name: StakeExpired :one
SELECT COUNT(*) FROM expired_stake WHERE bucket = $1;
