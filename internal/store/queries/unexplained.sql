-- name: PutUnexplainedSpend :exec
INSERT INTO unexplained_spend AS spend (txid, owner, community, amount, sats, status, unit_ids)
VALUES ($1, $2, $3, $4, $5, $6, '[]')
ON CONFLICT (txid, owner) DO UPDATE SET
    amount = CASE WHEN spend.status IN ('open', 'unclear') THEN excluded.amount ELSE spend.amount END,
    sats = CASE WHEN spend.status IN ('open', 'unclear') THEN excluded.sats ELSE spend.sats END,
    status = CASE WHEN spend.status IN ('open', 'unclear') THEN excluded.status ELSE spend.status END;

-- name: DropUnexplainedSpends :exec
DELETE FROM unexplained_spend WHERE txid = $1 AND status IN ('open', 'unclear');

-- name: UnexplainedSpends :many
SELECT spend.txid, spend.owner, spend.community, spend.amount, spend.sats, spend.status, spend.unit_ids, tracked.height
FROM unexplained_spend AS spend JOIN tracked ON tracked.txid = spend.txid
WHERE spend.status IN ('open', 'unclear') AND tracked.vanished = 0 ORDER BY spend.txid, spend.owner;

-- name: UnexplainedSpendsTo :many
SELECT spend.txid, spend.owner, spend.community, spend.amount, spend.sats, spend.status, spend.unit_ids, tracked.height
FROM unexplained_spend AS spend JOIN tracked ON tracked.txid = spend.txid
WHERE spend.community = $1 AND spend.owner = $2 AND spend.status IN ('open', 'unclear') AND tracked.vanished = 0
ORDER BY spend.txid;

-- name: ExplainSpend :execrows
UPDATE unexplained_spend SET status = $3, unit_ids = $4
WHERE txid = $1 AND owner = $2 AND status IN ('open', 'unclear');
