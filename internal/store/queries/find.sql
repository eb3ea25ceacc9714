-- name: WatchOfScript :one
SELECT * FROM watch WHERE script = $1;

-- name: OwnersOfPayment :many
SELECT stake_address.community, stake_address.owner, CAST(0 AS BIGINT) AS signed FROM stake_address
WHERE stake_address.payment = $1
UNION SELECT payment_order.community, payment_order.owner, CAST(1 AS BIGINT) AS signed FROM payment_order
WHERE payment_order.payment = $1
UNION SELECT wallet_link.community, wallet_link.ordinals, CAST(1 AS BIGINT) AS signed FROM wallet_link
WHERE wallet_link.payment = $1;

-- name: PaymentsOfOwner :many
SELECT stake_address.payment, CAST(0 AS BIGINT) AS signed FROM stake_address
WHERE stake_address.community = $1 AND stake_address.owner = $2 AND stake_address.payment <> ''
UNION SELECT payment_order.payment, CAST(1 AS BIGINT) AS signed FROM payment_order
WHERE payment_order.community = $1 AND payment_order.owner = $2
UNION SELECT wallet_link.payment, CAST(1 AS BIGINT) AS signed FROM wallet_link
WHERE wallet_link.community = $1 AND wallet_link.ordinals = $2;

-- name: StakeAddressesOf :many
SELECT * FROM stake_address WHERE community = $1 AND owner = $2 ORDER BY created_at DESC, address;

-- name: CustodyAt :many
SELECT * FROM custody WHERE ref = $1 ORDER BY seen_at, txid, vout;

-- name: QuarantinedOf :many
SELECT * FROM custody WHERE owner = $1 AND community = $2 AND vanished = 0
    AND (quarantine <> '' OR (kind = 'payment' AND runes > 0))
ORDER BY seen_at, txid, vout;

-- name: UnexplainedSpendsBy :many
SELECT txid, owner, community, amount, sats, status, unit_ids, CAST(-1 AS BIGINT) AS height FROM unexplained_spend
WHERE txid = $1 ORDER BY owner;

-- name: RuneOrderTxsByID :many
SELECT * FROM rune_order_tx WHERE txid = $1 ORDER BY order_id;

-- name: RuneOrderOutputsIn :many
SELECT * FROM rune_order_output WHERE txid = $1 ORDER BY vout;

-- name: RuneOrderOfScript :one
SELECT * FROM rune_order WHERE script = $1;

-- name: RuneOrdersNaming :many
SELECT * FROM rune_order WHERE promise LIKE $1 ORDER BY number DESC LIMIT $2;
