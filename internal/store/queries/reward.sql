-- name: EpochAccount :one
SELECT * FROM epoch_account WHERE community = $1 AND epoch = $2;

-- name: UnsettledAccounts :many
SELECT * FROM epoch_account WHERE community = $1 AND settled = 0 ORDER BY epoch;

-- name: PutEpochAccount :exec
INSERT INTO epoch_account (community, epoch, planned, reserved, settled, staked, rewarded, cut, cut_hash, settled_at,
    statement_due)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (community, epoch) DO UPDATE SET
    planned = excluded.planned, reserved = excluded.reserved, settled = excluded.settled, staked = excluded.staked,
    rewarded = excluded.rewarded, cut = excluded.cut, cut_hash = excluded.cut_hash, settled_at = excluded.settled_at,
    statement_due = excluded.statement_due;

-- name: StatementDue :one
SELECT * FROM epoch_account WHERE community = $1 AND statement_due = 1 ORDER BY epoch LIMIT 1;

-- name: DeleteEpochAccount :execrows
DELETE FROM epoch_account WHERE community = $1 AND epoch = $2 AND settled = 0;

-- The unary plus makes SQLite read the units by owner, in the order of the inserted rows, instead of by epoch.
-- name: RecordInputs :exec
INSERT INTO epoch_input (community, epoch, unit_id, owner, amount)
SELECT unit.community, CAST(@epoch AS BIGINT), unit.id, unit.owner, unit.amount FROM unit
WHERE unit.community = @community AND +unit.eligible_epoch >= 0 AND +unit.eligible_epoch <= @epoch
    AND (unit.staked_to = -1 OR unit.staked_to > @epoch)
  AND (unit.txid, unit.vout) NOT IN (SELECT custody.txid, custody.vout FROM custody WHERE custody.vanished = 1)
  AND (unit.txid, unit.vout) NOT IN (SELECT custody.txid, custody.vout FROM custody
    WHERE custody.spent_ours = 0 AND custody.spent_by <> '' AND custody.spent_height >= 0
    AND custody.spent_height <= @cut)
ORDER BY unit.owner, unit.number;

-- name: StakesOfEpoch :many
SELECT owner, CAST(SUM(amount) AS BIGINT) AS stake, CAST(MIN(unit_id) AS TEXT) AS lowest FROM epoch_input
WHERE community = $1 AND epoch = $2 GROUP BY owner ORDER BY owner;

-- name: InsertReward :exec
INSERT INTO epoch_reward (community, epoch, owner, stake, reward, unit_id) VALUES ($1, $2, $3, $4, $5, $6);

-- name: InsertRewardUnits :exec
INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
    unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
SELECT r.community, r.unit_id, CAST(@before AS BIGINT) + ROW_NUMBER() OVER (ORDER BY r.owner), r.owner,
    CAST(@origin AS TEXT), r.reward, CAST(@stage AS TEXT), 0, -1, -1, -1, r.epoch, '', '', '', 0,
    CAST(@created_at AS BIGINT)
FROM epoch_reward AS r WHERE r.community = @community AND r.epoch = @epoch AND r.reward > 0 ORDER BY r.owner;

-- name: InsertRewardPostings :exec
INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind,
    cause_id, at)
SELECT CAST(@before AS BIGINT) + ROW_NUMBER() OVER (ORDER BY r.owner), r.community, r.unit_id, r.owner,
    CAST(@event AS TEXT), CAST(@asset AS TEXT), r.reward, CAST(@from_account AS TEXT), CAST(@to_account AS TEXT),
    CAST(@cause_kind AS TEXT), CAST(@cause_id AS TEXT), CAST(@at AS BIGINT)
FROM epoch_reward AS r WHERE r.community = @community AND r.epoch = @epoch AND r.reward > 0 ORDER BY r.owner;

-- name: EpochInputs :many
SELECT * FROM epoch_input WHERE community = $1 AND epoch = $2 ORDER BY unit_id;

-- name: EpochRewards :many
SELECT * FROM epoch_reward WHERE community = $1 AND epoch = $2 ORDER BY owner;

-- name: EpochsBelow :many
SELECT epoch_account.*, (SELECT COUNT(*) FROM epoch_reward
    WHERE epoch_reward.community = epoch_account.community AND epoch_reward.epoch = epoch_account.epoch) AS owners
FROM epoch_account WHERE epoch_account.community = $1 AND epoch_account.epoch < $2
ORDER BY epoch_account.epoch DESC LIMIT $3;

-- name: InsertPosting :exec
INSERT INTO journal (number, community, subject, owner, event, asset, amount, from_account, to_account, cause_kind,
    cause_id, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: JournalOf :many
SELECT * FROM journal WHERE community = $1 AND owner = $2 AND number < $3 ORDER BY number DESC LIMIT $4;
