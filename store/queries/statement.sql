-- name: NextStatement :one
SELECT CAST(COALESCE(MAX(sequence), -1) + 1 AS BIGINT) AS sequence,
    CAST(COALESCE(SUM(CASE WHEN epoch = @epoch THEN 1 ELSE 0 END), 0) AS BIGINT) AS recorded
FROM statement WHERE community = @community;

-- name: InsertStatement :exec
INSERT INTO statement (community, sequence, epoch, starts_at, ends_at, height, hash, block_time, stakes, delivering,
    contested, rewards, refunds, last_incident, id, signed, journal)
SELECT CAST(@community AS TEXT), CAST(@sequence AS BIGINT), CAST(@epoch AS BIGINT), CAST(@starts_at AS BIGINT),
    CAST(@ends_at AS BIGINT), CAST(@height AS BIGINT), CAST(@hash AS TEXT), CAST(@block_time AS BIGINT),
    CAST(COALESCE(SUM(CASE WHEN k.kind = 'stakes' THEN k.amount ELSE 0 END), 0) AS BIGINT),
    CAST(COALESCE(SUM(CASE WHEN k.kind = 'delivering' THEN k.amount ELSE 0 END), 0) AS BIGINT),
    CAST(COALESCE(SUM(CASE WHEN k.kind = 'contested' THEN k.amount ELSE 0 END), 0) AS BIGINT),
    CAST(COALESCE(SUM(CASE WHEN k.kind = 'rewards' THEN k.amount ELSE 0 END), 0) AS BIGINT),
    CAST((SELECT COALESCE(SUM(p.refund_due), 0) FROM payment_order p WHERE p.community = @community) AS BIGINT),
    CAST((SELECT COALESCE(MAX(i.number), 0) FROM incident i) AS BIGINT), '', '',
    CAST((SELECT COALESCE(MAX(j.number), 0) FROM journal j) AS BIGINT)
FROM (SELECT u.amount, CASE
        WHEN o.status = 'SENT' THEN 'delivering'
        WHEN u.origin <> 'STAKE' THEN 'rewards'
        WHEN c.spent_by <> '' THEN 'contested'
        ELSE 'stakes' END AS kind
    FROM unit u
    LEFT JOIN payment_order o ON o.id = u.order_id
    LEFT JOIN custody c ON c.txid = u.txid AND c.vout = u.vout
    WHERE u.community = @community AND u.stage <> 'WITHDRAWN' AND COALESCE(c.vanished, 0) = 0) k;

-- name: InsertStatementOwners :exec
INSERT INTO statement_owner (community, sequence, owner, stake, reward, owed)
SELECT CAST(@community AS TEXT), CAST(@sequence AS BIGINT), x.owner, CAST(SUM(x.stake) AS BIGINT),
    CAST(SUM(x.reward) AS BIGINT), CAST(SUM(x.owed) AS BIGINT)
FROM (SELECT r.owner, r.stake, r.reward, 0 AS owed FROM epoch_reward r
    WHERE r.community = @community AND r.epoch = @epoch
    UNION ALL
    SELECT u.owner, 0 AS stake, 0 AS reward, u.amount AS owed FROM unit u
    LEFT JOIN custody c ON c.txid = u.txid AND c.vout = u.vout
    WHERE u.community = @community AND u.stage <> 'WITHDRAWN' AND COALESCE(c.vanished, 0) = 0) x
GROUP BY x.owner;

-- name: InsertStatementReserves :exec
INSERT INTO statement_reserve (community, sequence, txid, vout, kind, script, value, runes)
SELECT c.community, CAST(@sequence AS BIGINT), c.txid, c.vout,
    CASE c.kind WHEN 'runes' THEN 'treasury' ELSE c.kind END, c.script, c.value, c.runes
FROM custody c
WHERE c.community = @community AND c.spent_by = '' AND c.vanished = 0 AND c.quarantine = ''
    AND ((c.kind = 'stake' AND (c.txid, c.vout) IN (SELECT u.txid, u.vout FROM unit u
            WHERE u.community = @community AND u.stage <> 'WITHDRAWN' AND u.txid <> ''))
        OR (c.kind = 'runes' AND c.booked = 1 AND c.runes > 0)
        OR (c.kind = 'sats' AND c.booked = 1)
        OR c.kind = 'payment');

-- name: FirstUnsigned :one
SELECT * FROM statement WHERE community = $1 AND signed = '' ORDER BY sequence LIMIT 1;

-- name: StatementAt :one
SELECT * FROM statement WHERE community = $1 AND sequence = $2;

-- name: SignedStatements :one
SELECT COUNT(*) FROM statement WHERE id = $1 AND community = $2;

-- name: LastSigned :one
SELECT * FROM statement WHERE community = $1 AND signed <> '' ORDER BY sequence DESC LIMIT 1;

-- name: StatementOwners :many
SELECT * FROM statement_owner WHERE community = $1 AND sequence = $2 ORDER BY owner;

-- name: StatementReserves :many
SELECT * FROM statement_reserve WHERE community = $1 AND sequence = $2 ORDER BY txid, vout;

-- name: StoreSigned :execrows
UPDATE statement SET id = @id, signed = @signed WHERE community = @community AND sequence = @sequence AND signed = '';

-- name: DeleteStatementReserves :exec
DELETE FROM statement_reserve WHERE community = $1 AND sequence = $2;

-- name: DeleteUnsigned :exec
DELETE FROM statement WHERE community = $1 AND sequence = $2 AND signed = '';

-- name: DeleteStatementOwners :exec
DELETE FROM statement_owner WHERE community = $1 AND sequence = $2;

-- name: InsertSigned :exec
INSERT INTO statement (community, sequence, epoch, starts_at, ends_at, height, hash, block_time, stakes, delivering,
    contested, rewards, refunds, last_incident, id, signed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0, 0, $9, $10, $11);

-- name: InsertStatementOwner :exec
INSERT INTO statement_owner (community, sequence, owner, stake, reward, owed) VALUES ($1, $2, $3, $4, $5, $6);

-- name: LastIncident :one
SELECT CAST(COALESCE(MAX(number), 0) AS BIGINT) AS number FROM incident;

-- name: InsertIncident :exec
INSERT INTO incident (number, community, at, kind, detail)
VALUES ((SELECT CAST(COALESCE(MAX(i.number), 0) + 1 AS BIGINT) FROM incident i), $1, $2, $3, $4);

-- name: IncidentsBetween :many
SELECT * FROM incident WHERE number > @after AND number <= @last AND community IN ('', @community)
ORDER BY at, kind, detail;

-- name: NewestIncidents :many
SELECT * FROM incident WHERE community IN ('', $1) ORDER BY number DESC LIMIT $2;
