-- name: Unit :one
SELECT * FROM unit WHERE community = $1 AND id = $2;

-- name: InsertUnit :exec
INSERT INTO unit (community, id, number, owner, origin, amount, stage, not_before, eligible_epoch, staked_to,
    unlock_epoch, reward_epoch, order_id, stage_before, txid, vout, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- name: UpdateUnit :execrows
WITH changed (community, id, stage_was, stage, not_before, eligible_epoch, staked_to, unlock_epoch, order_id,
    stage_before) AS (
    VALUES (CAST(@community AS TEXT), CAST(@id AS TEXT), CAST(@stage_was AS TEXT), CAST(@stage AS TEXT),
        CAST(@not_before AS BIGINT), CAST(@eligible_epoch AS BIGINT), CAST(@staked_to AS BIGINT),
        CAST(@unlock_epoch AS BIGINT), CAST(@order_id AS TEXT), CAST(@stage_before AS TEXT)))
UPDATE unit SET stage = changed.stage, not_before = changed.not_before, eligible_epoch = changed.eligible_epoch,
    staked_to = changed.staked_to, unlock_epoch = changed.unlock_epoch, order_id = changed.order_id,
    stage_before = changed.stage_before
FROM changed WHERE unit.community = changed.community AND unit.id = changed.id AND unit.stage = changed.stage_was;

-- name: DeleteUnits :execrows
DELETE FROM unit WHERE community = $1 AND stage = $2 AND id IN ($3);

-- name: UnitsOf :many
SELECT * FROM unit_view WHERE community = $1 AND owner = $2 ORDER BY number;

-- name: UnitNumbersOf :many
SELECT id, number FROM unit WHERE community = $1 AND owner = $2 ORDER BY number DESC;

-- name: ClaimableUnitsOf :many
SELECT * FROM unit_view WHERE community = $1 AND owner = $2 AND stage = 'CLAIMABLE' ORDER BY number;

-- name: UnitView :one
SELECT * FROM unit_view WHERE community = $1 AND id = $2;

-- name: UnitsInStage :many
SELECT * FROM unit_view WHERE community = $1 AND stage = $2 ORDER BY number;

-- name: LiveUnits :many
SELECT * FROM unit_view WHERE community = $1 AND stage <> 'WITHDRAWN' ORDER BY number;

-- name: UnitsOfOrder :many
SELECT * FROM unit_view WHERE community = $1 AND order_id = $2 AND order_id <> '' ORDER BY number;

-- name: UnitsUnplaced :many
SELECT * FROM unit_view
WHERE community = $1 AND eligible_epoch = -1 AND stage NOT IN ('CLAIMABLE', 'PO_CLAIMED')
    AND (stage <> 'WITHDRAWN' OR stage_before <> '') ORDER BY number;

-- name: UnitsCooledDown :many
SELECT * FROM unit_view WHERE community = $1 AND stage = 'PENDING_UNLOCK' AND unlock_epoch <= $2 ORDER BY number;

-- name: UnitsEligibleFrom :many
SELECT * FROM unit_view WHERE community = $1 AND eligible_epoch = $2 AND eligible_epoch >= 0 ORDER BY number;

-- name: UnitsOfSpentOutputs :many
SELECT * FROM unit_view
WHERE (txid, vout) IN (SELECT custody.txid, custody.vout FROM custody WHERE custody.spent_ours = 0
    AND custody.spent_by <> '' AND custody.community = $1) AND txid <> ''
  AND origin = 'STAKE' AND stage <> 'WITHDRAWN' AND contested = 1 ORDER BY number;

-- name: UnitsRecovered :many
SELECT * FROM unit_view WHERE community = $1 AND stage = 'WITHDRAWN' AND stage_before <> '' ORDER BY number;

-- name: UnitsVanished :many
SELECT * FROM unit_view
WHERE (txid, vout) IN (SELECT custody.txid, custody.vout FROM custody WHERE custody.vanished = 1
    AND custody.community = $1) AND txid <> ''
  AND origin = 'STAKE' AND vanished = 1 ORDER BY number;

-- name: SumsOf :one
SELECT COUNT(*) AS units,
    CAST(COALESCE(SUM(CASE WHEN stage = 'PENDING_STAKE' THEN amount END), 0) AS BIGINT) AS pending_stake,
    CAST(COALESCE(SUM(CASE WHEN stage = 'STAKED' THEN amount END), 0) AS BIGINT) AS staked,
    CAST(COALESCE(SUM(CASE WHEN stage = 'CLAIMABLE' THEN amount END), 0) AS BIGINT) AS claimable,
    CAST(COALESCE(SUM(CASE WHEN stage = 'PENDING_UNLOCK' THEN amount END), 0) AS BIGINT) AS pending_unlock,
    CAST(COALESCE(SUM(CASE WHEN stage = 'UNLOCKED' THEN amount END), 0) AS BIGINT) AS unlocked,
    CAST(COALESCE((SELECT staked_total.amount FROM staked_total WHERE staked_total.community = $1), 0) AS BIGINT)
        AS all_staked
FROM unit WHERE unit.community = $1 AND unit.owner = $2;

-- name: TotalStaked :one
SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS total FROM staked_total WHERE community = $1;

-- name: AddStaked :exec
INSERT INTO staked_total (community, amount) VALUES ($1, $2)
ON CONFLICT (community) DO UPDATE SET amount = staked_total.amount + excluded.amount;

-- name: VirtualOutstanding :one
SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS total FROM unit
WHERE community = $1 AND origin = 'REWARD' AND stage <> 'WITHDRAWN';

-- name: VirtualCarried :one
SELECT CAST(COALESCE(SUM(unit.amount), 0) AS BIGINT) AS total FROM unit
JOIN payment_order ON payment_order.id = unit.order_id
WHERE unit.community = $1 AND unit.origin = 'REWARD' AND unit.stage = 'BATCH_LOCKED' AND payment_order.status = 'SENT'
    AND payment_order.payout_tx NOT IN (SELECT conflicted_tx.txid FROM conflicted_tx);

-- name: WalletKnown :one
SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM unit WHERE unit.community = $1 AND unit.owner = $2)
    OR EXISTS (SELECT 1 FROM stake_address WHERE stake_address.community = $1 AND stake_address.owner = $2)
    THEN 1 ELSE 0 END AS BIGINT) AS known;

-- name: UnitsByID :many
SELECT * FROM unit_view WHERE community = $1 AND id IN ($2);

-- name: UnitsOfOrders :many
SELECT * FROM unit_view WHERE order_id <> '' AND order_id IN ($1) ORDER BY number;
