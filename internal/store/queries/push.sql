-- name: CountPushSubscriptions :one
SELECT COUNT(*) FROM push_subscription;

-- name: HasPushSubscription :one
SELECT COUNT(*) FROM push_subscription WHERE endpoint = $1 AND community = $2 AND owner = $3;

-- name: CountPushSubscriptionsOf :one
SELECT COUNT(*) FROM push_subscription WHERE endpoint = $1;

-- name: PutPushSubscription :exec
INSERT INTO push_subscription (endpoint, community, owner, p256dh, auth, told, attempts, due_at, created_at)
VALUES ($1, $2, $3, $4, $5, (SELECT COALESCE(MAX(number), 0) FROM journal), 0, @now, @now)
ON CONFLICT (endpoint, community, owner) DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth,
    created_at = excluded.created_at;

-- Deletes all but the newest subscriptions of an owner.
-- name: LimitPushSubscriptions :exec
DELETE FROM push_subscription WHERE push_subscription.community = @community AND push_subscription.owner = @owner
    AND push_subscription.endpoint NOT IN (
    SELECT kept.endpoint FROM push_subscription AS kept WHERE kept.community = @community AND kept.owner = @owner
    ORDER BY kept.created_at DESC, kept.endpoint LIMIT @most);

-- name: DeletePushSubscriptions :exec
DELETE FROM push_subscription WHERE endpoint = $1;

-- name: PushNews :many
SELECT s.endpoint, s.community, s.owner, s.p256dh, s.auth, s.attempts, j.number, j.event, j.subject
FROM push_subscription AS s JOIN journal AS j ON j.community = s.community AND j.owner = s.owner AND j.number > s.told
WHERE s.due_at <= @now AND (j.asset = 'rune' AND j.event IN (@unlocked, @rewarded)
    OR j.asset = '' AND j.to_account IN ('order:CONFIRMED', 'order:PENDING_RERATE', 'order:PAID'))
ORDER BY s.endpoint, s.community, s.owner, j.number DESC LIMIT @most;

-- name: UpdatePushSubscription :exec
UPDATE push_subscription SET told = $4, attempts = $5, due_at = $6
WHERE endpoint = $1 AND community = $2 AND owner = $3;
