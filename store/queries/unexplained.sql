-- name: PutUnexplainedSpend :exec
INSERT INTO outgo (txid, owner, community, amount, status, unit_ids) VALUES ($1, $2, $3, $4, $5, '[]')
ON CONFLICT (txid, owner) DO UPDATE SET
    amount = CASE WHEN outgo.status IN ('open', 'unclear') THEN excluded.amount ELSE outgo.amount END,
    status = CASE WHEN outgo.status IN ('open', 'unclear') THEN excluded.status ELSE outgo.status END;

-- name: DropUnexplainedSpends :exec
DELETE FROM outgo WHERE txid = $1 AND status IN ('open', 'unclear');

-- name: UnexplainedSpends :many
SELECT outgo.txid, outgo.owner, outgo.community, outgo.amount, outgo.status, outgo.unit_ids, tracked.height
FROM outgo JOIN tracked ON tracked.txid = outgo.txid
WHERE outgo.status IN ('open', 'unclear') AND tracked.vanished = 0 ORDER BY outgo.txid, outgo.owner;

-- name: UnexplainedSpendsTo :many
SELECT outgo.txid, outgo.owner, outgo.community, outgo.amount, outgo.status, outgo.unit_ids, tracked.height
FROM outgo JOIN tracked ON tracked.txid = outgo.txid
WHERE outgo.community = $1 AND outgo.owner = $2 AND outgo.status IN ('open', 'unclear') AND tracked.vanished = 0 ORDER BY outgo.txid;

-- name: ExplainSpend :execrows
UPDATE outgo SET status = $3, unit_ids = $4 WHERE txid = $1 AND owner = $2 AND status IN ('open', 'unclear');
