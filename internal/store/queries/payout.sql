-- name: FeeBalance :one
SELECT CAST(COALESCE(SUM(CASE WHEN to_account = subject THEN amount ELSE 0 END), 0)
    - COALESCE(SUM(CASE WHEN from_account = subject THEN amount ELSE 0 END), 0) AS BIGINT) AS balance
FROM journal WHERE subject = $1;

-- name: TreasuryCount :one
SELECT COUNT(*) FROM custody
WHERE community = $1 AND kind = 'runes' AND booked = 1 AND vanished = 0 AND spent_by = '' AND quarantine = ''
    AND runes > 0;

-- name: UnbookedTreasury :many
SELECT * FROM custody
WHERE community = $1 AND kind IN ('runes', 'sats') AND booked = 0 AND vanished = 0
    AND height >= 0 AND quarantine = '' AND (kind = 'runes' OR runes = 0)
ORDER BY height, txid, vout;

-- name: Quarantined :many
SELECT * FROM custody
WHERE community = $1 AND vanished = 0
    AND (quarantine <> '' OR (kind = 'payment' AND runes > 0) OR (kind = 'sats' AND runes > 0))
ORDER BY seen_at, txid, vout;
