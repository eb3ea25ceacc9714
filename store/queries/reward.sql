-- name: EpochAccount :one
SELECT * FROM epoch_account WHERE community = $1 AND epoch = $2;

-- name: UnsettledAccounts :many
SELECT * FROM epoch_account WHERE community = $1 AND settled = 0 ORDER BY epoch;

-- name: PutEpochAccount :exec
INSERT INTO epoch_account (community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash, settled_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (community, epoch) DO UPDATE SET
    planned = excluded.planned, reserved = excluded.reserved, settled = excluded.settled, staked = excluded.staked,
    rewarded = excluded.rewarded, cut = excluded.cut, cut_hash = excluded.cut_hash, settled_at = excluded.settled_at;

-- name: DeleteEpochAccount :execrows
DELETE FROM epoch_account WHERE community = $1 AND epoch = $2 AND settled = 0;

-- name: InsertEpochInput :exec
INSERT INTO epoch_input (community, epoch, unit_id, owner, amount) VALUES ($1, $2, $3, $4, $5);

-- name: InsertEpochReward :exec
INSERT INTO epoch_reward (community, epoch, owner, stake, reward, unit_id) VALUES ($1, $2, $3, $4, $5, $6);

-- name: EpochInputs :many
SELECT * FROM epoch_input WHERE community = $1 AND epoch = $2 ORDER BY unit_id;

-- name: EpochRewards :many
SELECT * FROM epoch_reward WHERE community = $1 AND epoch = $2 ORDER BY owner;

-- name: EpochsBelow :many
SELECT epoch_account.*, (SELECT COUNT(*) FROM epoch_reward
    WHERE epoch_reward.community = epoch_account.community AND epoch_reward.epoch = epoch_account.epoch) AS owners
FROM epoch_account WHERE epoch_account.community = $1 AND epoch_account.epoch < $2 ORDER BY epoch_account.epoch DESC LIMIT $3;

-- name: JournalOf :many
SELECT * FROM journal WHERE community = $1 AND owner = $2 AND number < $3 ORDER BY number DESC LIMIT $4;
