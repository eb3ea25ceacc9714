-- name: ForgetBlocks :exec
DELETE FROM block;

-- name: ForgetRuneEntries :exec
DELETE FROM rune_entry;

-- name: ForgetRuneBalances :exec
DELETE FROM rune_balance;

-- name: ForgetRuneLists :exec
DELETE FROM rune_list;

-- name: ForgetRuneUndo :exec
DELETE FROM rune_undo;

-- name: ForgetCustodyHeights :exec
UPDATE custody SET height = -1;

-- name: ForgetSpends :exec
UPDATE custody SET spent_by = '', spent_ours = 0, spent_height = -1 WHERE spent_height <> -1;

-- name: ForgetTrackedHeights :exec
UPDATE tracked SET height = -1;

-- name: ForgetVersionHeights :exec
UPDATE payout_version SET height = -1;

-- name: StakeAddresses :many
SELECT * FROM stake_address WHERE community = $1 ORDER BY position;

-- name: CustodyFacts :many
SELECT txid, vout, height, spent_by, spent_height FROM custody;
