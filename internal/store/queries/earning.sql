-- name: EarningsBelow :many
SELECT epoch_account.*, epoch_reward.stake, epoch_reward.reward, epoch_reward.unit_id,
    CAST(COALESCE(unit.stage, '') AS TEXT) AS stage, CAST(COALESCE(unit.not_before, 0) AS BIGINT) AS not_before
FROM epoch_reward JOIN epoch_account
    ON epoch_account.community = epoch_reward.community AND epoch_account.epoch = epoch_reward.epoch
    LEFT JOIN unit ON unit.community = epoch_reward.community AND unit.id = epoch_reward.unit_id
WHERE epoch_reward.community = $1 AND epoch_reward.owner = $2 AND epoch_reward.epoch < $3
ORDER BY epoch_reward.epoch DESC LIMIT $4;
