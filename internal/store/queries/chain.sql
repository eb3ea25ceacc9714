-- name: Tip :one
SELECT * FROM block ORDER BY height DESC LIMIT 1;

-- name: BlockAt :one
SELECT * FROM block WHERE height = $1;

-- name: FirstBlockFrom :one
SELECT * FROM block WHERE height > $1 AND time >= $2 ORDER BY height LIMIT 1;

-- name: InsertBlock :exec
INSERT INTO block (height, hash, prev, time) VALUES ($1, $2, $3, $4);

-- name: DeleteBlock :exec
DELETE FROM block WHERE height = $1;

-- name: UnconfirmOutputs :exec
UPDATE custody SET height = -1
WHERE custody.height = $1 AND custody.txid IN (SELECT tracked.txid FROM tracked WHERE tracked.height = $1);

-- name: UnconfirmSpends :exec
UPDATE custody SET spent_height = -1 WHERE spent_height = $1 AND spent_height >= 0;

-- name: UnconfirmTracked :exec
UPDATE tracked SET height = -1, since = $2 WHERE height = $1;

-- name: UnconfirmVersions :exec
UPDATE payout_version SET height = -1 WHERE height = $1;

-- name: ConfirmVersion :exec
UPDATE payout_version SET height = $2 WHERE txid = $1;

-- name: Anchors :many
SELECT * FROM epoch_anchor WHERE community = $1 ORDER BY epoch;

-- name: InsertAnchor :exec
INSERT INTO epoch_anchor (community, epoch, starts_at) VALUES ($1, $2, $3);

-- name: LastBoundary :one
SELECT * FROM boundary WHERE community = $1 ORDER BY epoch DESC LIMIT 1;

-- name: BoundaryOf :one
SELECT * FROM boundary WHERE community = $1 AND epoch = $2;

-- name: BoundariesAt :many
SELECT * FROM boundary WHERE cut = $1 ORDER BY epoch DESC;

-- name: InsertBoundary :exec
INSERT INTO boundary (community, epoch, cut) VALUES ($1, $2, $3);

-- name: MoveBoundary :exec
UPDATE boundary SET cut = $3 WHERE community = $1 AND epoch = $2;

-- name: DeleteBoundary :exec
DELETE FROM boundary WHERE community = $1 AND epoch = $2;

-- name: Community :one
SELECT * FROM community WHERE prefix = $1;

-- name: InsertCommunity :exec
INSERT INTO community (prefix, rune_id, account, network) VALUES ($1, $2, $3, $4);

-- name: Setting :one
SELECT value FROM setting WHERE name = $1;

-- name: PausedCommunities :many
SELECT name, value FROM setting WHERE name > 'pause_payouts:' AND name < 'pause_payouts;' AND value <> '';

-- name: PutSetting :exec
INSERT INTO setting (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: InsertSetting :execrows
INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- name: ReplaceSetting :execrows
UPDATE setting SET value = @value WHERE name = @name AND value = @before;

-- name: ReserveNumbers :one
INSERT INTO counter (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value
RETURNING value;
