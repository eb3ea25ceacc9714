-- name: NextStatement :one
SELECT CAST(COALESCE(MAX(sequence), -1) + 1 AS BIGINT) AS sequence,
    CAST(COALESCE(SUM(CASE WHEN epoch = @epoch THEN 1 ELSE 0 END), 0) AS BIGINT) AS recorded
FROM statement WHERE community = @community;

-- Each unit is in one part of what its owner is owed. custody is joined by owner, since both tables are read in that
-- order.
-- name: InsertStatementOwners :exec
INSERT INTO statement_owner (community, sequence, owner, stake, reward, owed, delivering, contested, rewards)
SELECT CAST(@community AS TEXT), CAST(@sequence AS BIGINT), k.owner,
    CAST(COALESCE((SELECT r.stake FROM epoch_reward r
        WHERE r.community = @community AND r.epoch = @epoch AND r.owner = k.owner), 0) AS BIGINT),
    CAST(COALESCE((SELECT r.reward FROM epoch_reward r
        WHERE r.community = @community AND r.epoch = @epoch AND r.owner = k.owner), 0) AS BIGINT),
    CAST(SUM(k.amount) AS BIGINT),
    CAST(SUM(CASE WHEN k.kind = 'delivering' THEN k.amount ELSE 0 END) AS BIGINT),
    CAST(SUM(CASE WHEN k.kind = 'contested' THEN k.amount ELSE 0 END) AS BIGINT),
    CAST(SUM(CASE WHEN k.kind = 'rewards' THEN k.amount ELSE 0 END) AS BIGINT)
FROM (SELECT u.owner, u.amount, CASE
        WHEN o.status = 'SENT' THEN 'delivering'
        WHEN u.origin <> 'STAKE' THEN 'rewards'
        WHEN c.spent_by <> '' THEN 'contested'
        ELSE 'stakes' END AS kind
    FROM unit u
    LEFT JOIN payment_order o ON o.id = u.order_id
    LEFT JOIN custody c
        ON c.community = u.community AND c.owner = u.owner AND c.txid = u.txid AND c.vout = u.vout
    WHERE u.community = @community AND u.stage <> 'WITHDRAWN' AND COALESCE(c.vanished, 0) = 0) k
GROUP BY k.owner;

-- The owners who are rewarded and owed nothing; the others have a row. PostgreSQL would compare all rewards with all
-- rows for a NOT EXISTS, since it plans with statistics from before this transaction.
-- name: InsertStatementRewarded :exec
INSERT INTO statement_owner (community, sequence, owner, stake, reward, owed)
SELECT r.community, CAST(@sequence AS BIGINT), r.owner, r.stake, r.reward, 0 FROM epoch_reward r
WHERE r.community = @community AND r.epoch = @epoch
ON CONFLICT (community, sequence, owner) DO NOTHING;

-- name: InsertStatement :exec
INSERT INTO statement (community, sequence, epoch, starts_at, ends_at, height, hash, block_time, stakes, delivering,
    contested, rewards, refunds, last_incident, id, signed, journal)
SELECT CAST(@community AS TEXT), CAST(@sequence AS BIGINT), CAST(@epoch AS BIGINT), CAST(@starts_at AS BIGINT),
    CAST(@ends_at AS BIGINT), CAST(@height AS BIGINT), CAST(@hash AS TEXT), CAST(@block_time AS BIGINT),
    CAST(COALESCE(SUM(s.owed - s.delivering - s.contested - s.rewards), 0) AS BIGINT),
    CAST(COALESCE(SUM(s.delivering), 0) AS BIGINT),
    CAST(COALESCE(SUM(s.contested), 0) AS BIGINT),
    CAST(COALESCE(SUM(s.rewards), 0) AS BIGINT),
    CAST((SELECT COALESCE(SUM(p.refund_due), 0) FROM payment_order p WHERE p.community = @community) AS BIGINT),
    CAST((SELECT COALESCE(MAX(i.number), 0) FROM incident i) AS BIGINT), '', '',
    CAST((SELECT COALESCE(MAX(j.number), 0) FROM journal j) AS BIGINT)
FROM statement_owner s WHERE s.community = @community AND s.sequence = @sequence;

-- COALESCE keeps SQLite from reading custody first: in the order of the units, both are read by owner.
-- name: InsertStatementStakes :exec
INSERT INTO statement_reserve (community, sequence, owner, txid, vout, kind, script, value, runes)
SELECT u.community, CAST(@sequence AS BIGINT), u.owner, u.txid, u.vout, CAST('stake' AS TEXT), c.script, c.value,
    c.runes
FROM unit u LEFT JOIN custody c
    ON c.community = u.community AND c.owner = u.owner AND c.txid = u.txid AND c.vout = u.vout
WHERE u.community = @community AND u.stage <> 'WITHDRAWN' AND u.txid <> '' AND COALESCE(c.kind, '') = 'stake'
    AND COALESCE(c.spent_by, 'none') = '' AND COALESCE(c.vanished, 1) = 0 AND COALESCE(c.quarantine, 'none') = ''
ORDER BY u.owner, u.number;

-- name: InsertStatementReserves :exec
INSERT INTO statement_reserve (community, sequence, owner, txid, vout, kind, script, value, runes)
SELECT c.community, CAST(@sequence AS BIGINT), c.owner, c.txid, c.vout,
    CASE c.kind WHEN 'runes' THEN 'treasury' ELSE c.kind END, c.script, c.value, c.runes
FROM custody c
WHERE c.community = @community AND c.kind IN ('runes', 'sats', 'payment') AND c.spent_by = '' AND c.vanished = 0
    AND c.quarantine = ''
    AND ((c.kind = 'runes' AND c.booked = 1 AND c.runes > 0) OR (c.kind = 'sats' AND c.booked = 1)
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
