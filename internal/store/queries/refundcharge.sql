-- name: ChargeRefund :exec
INSERT INTO refund_charge (payout_id, community, owner, sats, charged_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (payout_id) DO UPDATE SET sats = excluded.sats, charged_at = excluded.charged_at;

-- name: ChargedRefunds :one
SELECT CAST(COALESCE(SUM(sats), 0) AS BIGINT) AS total,
    CAST(COALESCE(SUM(CASE WHEN owner = @owner THEN sats ELSE 0 END), 0) AS BIGINT) AS to_owner
FROM refund_charge WHERE community = @community AND charged_at > @since;
