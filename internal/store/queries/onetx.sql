-- name: OneTxSessionOf :one
SELECT * FROM one_tx_session WHERE order_id = $1;

-- name: SignedOneTxSession :one
SELECT * FROM one_tx_session WHERE community = $1 AND owner = $2 AND signed = 1 AND own_coins <> '';

-- name: SignedOneTxSessions :many
SELECT * FROM one_tx_session WHERE signed = 1 ORDER BY until_at, order_id;

-- name: PutOneTxSession :exec
INSERT INTO one_tx_session (order_id, community, owner, raw, own_coins, fee, vbytes, rate, until_at, signed, ended,
    ended_value)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
ON CONFLICT (order_id) DO UPDATE SET raw = excluded.raw, own_coins = excluded.own_coins, fee = excluded.fee,
    vbytes = excluded.vbytes, rate = excluded.rate, until_at = excluded.until_at, signed = excluded.signed,
    ended = excluded.ended, ended_value = excluded.ended_value;

-- name: EndOneTxSession :exec
DELETE FROM one_tx_session WHERE order_id = $1;

-- name: ForgetOneTxSessions :exec
DELETE FROM one_tx_session WHERE order_id IN (SELECT ended.order_id FROM one_tx_session AS ended
    WHERE ended.signed = 0 AND ended.until_at < $1 ORDER BY ended.until_at, ended.order_id LIMIT 100);
