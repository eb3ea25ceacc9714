-- name: InsertWatch :exec
INSERT INTO watch (number, script, community, kind, ref, owner) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (script) DO NOTHING;

-- name: Custody :one
SELECT * FROM custody WHERE txid = $1 AND vout = $2;

-- name: CustodyOfList :many
WITH wanted (txid, vout) AS (VALUES (CAST($1 AS TEXT), CAST($2 AS BIGINT)))
SELECT custody.* FROM wanted JOIN custody ON custody.txid = wanted.txid AND custody.vout = wanted.vout;

-- name: CustodyOf :many
SELECT * FROM custody WHERE txid IN ($1) ORDER BY txid, vout;

-- name: CustodySpentBy :many
SELECT * FROM custody WHERE spent_by IN ($1) AND spent_by <> '' ORDER BY txid, vout;

-- name: CustodyOfOwner :many
SELECT * FROM custody WHERE community = $1 AND owner = $2 AND kind = 'stake' AND vanished = 0
ORDER BY seen_at, txid, vout;

-- name: UnspentCustody :many
SELECT * FROM custody WHERE community = $1 AND spent_by = '' AND vanished = 0 ORDER BY txid, vout;

-- name: InsertCustody :exec
INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
    seen_at, height, vanished, spent_by, spent_ours, spent_height, position)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19);

-- name: PutCustody :exec
INSERT INTO custody (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
    seen_at, height, vanished, spent_by, spent_ours, spent_height, position)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
ON CONFLICT (txid, vout) DO UPDATE SET
    runes = excluded.runes, quarantine = excluded.quarantine, booked = excluded.booked, height = excluded.height,
    vanished = excluded.vanished, spent_by = excluded.spent_by, spent_ours = excluded.spent_ours,
    spent_height = excluded.spent_height, position = excluded.position;

-- name: ConfirmCustody :exec
WITH changed (txid, height, position) AS (
    VALUES (CAST(@txid AS TEXT), CAST(@height AS BIGINT), CAST(@position AS BIGINT)))
UPDATE custody SET height = changed.height, position = changed.position
FROM changed WHERE custody.txid = changed.txid;

-- name: ConfirmSpends :exec
UPDATE custody SET spent_height = $1 WHERE spent_by IN ($2) AND spent_by <> '';

-- name: BookTreasury :execrows
UPDATE custody SET booked = 1 WHERE community = $1 AND kind IN ('runes', 'sats') AND booked = 0 AND vanished = 0
    AND height >= 0 AND quarantine = '' AND (kind = 'runes' OR runes = 0);

-- name: TreasuryOutputs :many
SELECT * FROM custody
WHERE community = $1 AND kind = $2 AND booked = 1 AND vanished = 0 AND spent_by = '' AND height >= 0 AND quarantine = ''
ORDER BY height, txid, vout;

-- name: TreasuryRunes :one
SELECT CAST(COALESCE(SUM(runes), 0) AS BIGINT) AS total FROM custody
WHERE community = $1 AND kind = 'runes' AND booked = 1 AND vanished = 0 AND quarantine = '' AND spent_by = ''
    AND txid NOT IN (SELECT conflicted_tx.txid FROM conflicted_tx);

-- name: TreasuryRunesReturned :one
SELECT CAST(COALESCE(SUM(runes), 0) AS BIGINT) AS total FROM custody
WHERE community = $1 AND kind = 'runes' AND booked = 1 AND vanished = 0 AND quarantine = ''
    AND spent_by IN (SELECT conflicted_tx.txid FROM conflicted_tx)
    AND txid NOT IN (SELECT conflicted_tx.txid FROM conflicted_tx);

-- name: Tracked :one
SELECT * FROM tracked WHERE txid = $1;

-- name: PutTracked :exec
INSERT INTO tracked (txid, raw, seen_at, height, vanished, ours, since) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (txid) DO UPDATE SET height = excluded.height, vanished = excluded.vanished,
    since = CASE WHEN tracked.vanished = 1 AND excluded.vanished = 0 THEN excluded.since ELSE tracked.since END;

-- name: InsertTrackedInput :exec
INSERT INTO tracked_input (txid, prev_txid, prev_vout) VALUES ($1, $2, $3)
ON CONFLICT (txid, prev_txid, prev_vout) DO NOTHING;

-- name: ConfirmTracked :exec
UPDATE tracked SET height = $1 WHERE txid IN ($2);

-- name: VanishTracked :exec
UPDATE tracked SET vanished = 1 WHERE txid IN ($1);

-- name: TrackedStates :many
SELECT txid, height, vanished, ours FROM tracked WHERE txid IN ($1);

-- name: Spenders :many
WITH wanted (txid, vout) AS (VALUES (CAST($1 AS TEXT), CAST($2 AS BIGINT)))
SELECT tracked.txid, tracked.height, tracked.vanished, tracked.ours FROM wanted
JOIN tracked_input ON tracked_input.prev_txid = wanted.txid AND tracked_input.prev_vout = wanted.vout
JOIN tracked ON tracked.txid = tracked_input.txid;

-- name: SpendersOf :many
SELECT DISTINCT tracked.txid, tracked.height, tracked.vanished, tracked.ours
FROM tracked_input JOIN tracked ON tracked.txid = tracked_input.txid
WHERE tracked_input.prev_txid IN ($1);

-- name: TrackedUnconfirmed :many
SELECT * FROM tracked WHERE height = -1 AND vanished = 0 ORDER BY seen_at, txid;

-- name: InsertStakeAddress :exec
INSERT INTO stake_address (address, community, position, leaf_key, delay, self_custody, owner, payment, action_id,
    created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: StakeAddress :one
SELECT * FROM stake_address WHERE address = $1;

-- name: OpenStakeAddress :one
SELECT * FROM stake_address
WHERE stake_address.community = $1 AND stake_address.owner = $2 AND stake_address.leaf_key = $3
  AND stake_address.delay = $4 AND stake_address.self_custody = $5 AND stake_address.action_id <> ''
  AND NOT EXISTS (SELECT 1 FROM custody WHERE custody.ref = stake_address.address)
ORDER BY position + 0 DESC LIMIT 1; -- + 0: SQLite looks up the rows by owner instead of scanning an index by position

-- name: StakeSeen :one
SELECT COUNT(*) FROM stake_address JOIN custody ON custody.ref = stake_address.address
WHERE stake_address.action_id = $1 AND custody.quarantine = '' AND custody.vanished = 0;

-- name: TreasuryWatch :many
SELECT * FROM watch WHERE community = $1 AND kind IN ('runes', 'sats') ORDER BY number;

-- name: WatchedScripts :many
SELECT * FROM watch WHERE script IN ($1);

-- name: LastWatched :one
SELECT CAST(COALESCE(MAX(number), 0) AS BIGINT) AS last FROM watch;

-- name: WatchedAfter :many
SELECT * FROM watch WHERE number > $1 ORDER BY number;
