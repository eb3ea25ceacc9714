-- name: NextStatement :one
SELECT CAST(COALESCE(MAX(sequence), -1) + 1 AS BIGINT) AS sequence,
    CAST(COALESCE(SUM(CASE WHEN epoch = @epoch THEN 1 ELSE 0 END), 0) AS BIGINT) AS recorded
FROM statement WHERE community = @community;

-- Each unit is part of one of the owner's four sums. custody is joined by owner, because both tables are read in that
-- order.
-- name: InsertStatementOwners :exec
INSERT INTO statement_owner (community, sequence, owner, stake, reward, owed, delivering, contested, rewards)
SELECT CAST(@community AS TEXT), CAST(@sequence AS BIGINT), s.owner, COALESCE(r.stake, 0), COALESCE(r.reward, 0),
    s.owed, s.delivering, s.contested, s.rewards
FROM (SELECT u.owner, CAST(SUM(u.amount) AS BIGINT) AS owed,
        CAST(SUM(CASE WHEN o.status = 'SENT' THEN u.amount ELSE 0 END) AS BIGINT) AS delivering,
        CAST(SUM(CASE WHEN COALESCE(o.status, '') <> 'SENT' AND u.origin = 'STAKE' AND c.spent_by <> ''
            THEN u.amount ELSE 0 END) AS BIGINT) AS contested,
        CAST(SUM(CASE WHEN COALESCE(o.status, '') <> 'SENT' AND u.origin <> 'STAKE'
            THEN u.amount ELSE 0 END) AS BIGINT) AS rewards
    FROM unit u
    LEFT JOIN payment_order o ON o.id = u.order_id
    LEFT JOIN custody c
        ON c.community = u.community AND c.owner = u.owner AND c.txid = u.txid AND c.vout = u.vout
    WHERE u.community = @community AND u.stage <> 'WITHDRAWN' AND COALESCE(c.vanished, 0) = 0
    GROUP BY u.owner) s
LEFT JOIN epoch_reward r ON r.community = @community AND r.epoch = @epoch AND r.owner = s.owner;

-- The owners with a reward who are owed nothing; the others have a row. For a NOT EXISTS, PostgreSQL would compare all
-- rewards with all rows, because it plans with statistics from before this transaction.
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

-- The unspent stakes that the epoch did not reward. The condition on the unit is the opposite of the condition in
-- RecordInputs. The expressions make SQLite read the units in the order in which they are stored. The outer join and
-- COALESCE make PostgreSQL look up the output of each unit by its key: with an inner join it expects a single output
-- and compares every output with every unit.
-- name: InsertStatementStakes :exec
INSERT INTO statement_reserve (community, sequence, owner, txid, vout, kind, script, value, runes)
SELECT u.community, CAST(@sequence AS BIGINT), u.owner, u.txid, u.vout, CAST('stake' AS TEXT), c.script, c.value,
    c.runes
FROM unit u LEFT JOIN custody c
    ON c.community = u.community AND c.owner = u.owner AND c.txid = u.txid AND c.vout = u.vout
WHERE u.community || '' = @community AND u.stage <> 'WITHDRAWN' AND u.txid || '' <> ''
    AND NOT (u.eligible_epoch >= 0 AND u.eligible_epoch <= @epoch AND (u.staked_to = -1 OR u.staked_to > @epoch))
    AND COALESCE(c.kind, '') = 'stake' AND COALESCE(c.spent_by, '') = '' AND COALESCE(c.vanished, 0) = 0
    AND COALESCE(c.quarantine, '') = ''
ORDER BY u.owner, u.txid, u.vout;

-- The row 'inputs' makes the outputs of the epoch's inputs reserves, too, except the outputs in the rows 'excluded'.
-- name: InsertStatementInputs :exec
INSERT INTO statement_reserve (community, sequence, owner, txid, vout, kind, script, value, runes)
VALUES (@community, @sequence, '', '', 0, 'inputs', @script, 0, 0);

-- The expressions of community make SQLite use the indexes of spent and of vanished outputs.
-- name: InsertStatementExcluded :exec
INSERT INTO statement_reserve (community, sequence, owner, txid, vout, kind, script, value, runes)
SELECT CAST(@community AS TEXT), CAST(@sequence AS BIGINT), x.owner, x.txid, x.vout, CAST('excluded' AS TEXT),
    @script, 0, 0
FROM (SELECT c.owner, c.txid, c.vout FROM custody c WHERE c.spent_by <> '' AND c.community || '' = @community
    UNION ALL SELECT v.owner, v.txid, v.vout FROM custody v
        WHERE v.vanished = 1 AND v.spent_by || '' = '' AND v.community || '' = @community
    UNION ALL SELECT q.owner, q.txid, q.vout FROM custody q
        WHERE q.quarantine <> '' AND q.spent_by = '' AND q.vanished = 0 AND q.community = @community) x
WHERE EXISTS (SELECT 1 FROM epoch_input i WHERE i.community = @community AND i.epoch = @epoch AND i.owner = x.owner
    AND i.unit_id = x.txid || ':' || x.vout);

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
SELECT r.*, CAST(COALESCE(a.self_custody, 0) AS BIGINT) AS self_custody
FROM statement_reserve r
LEFT JOIN custody c ON c.owner = r.owner AND c.community = r.community AND c.txid = r.txid AND c.vout = r.vout
LEFT JOIN stake_address a ON a.address = c.ref
WHERE r.community = $1 AND r.sequence = $2;

-- The id of a deposit's unit is the hex of its transaction, a colon and a number; the id of a reward is shorter.
-- name: StatementInputs :many
SELECT i.community, CAST(@sequence AS BIGINT) AS sequence, c.owner, c.txid, c.vout, c.kind, c.script, c.value,
    i.amount AS runes, CAST(COALESCE(a.self_custody, 0) AS BIGINT) AS self_custody
FROM epoch_input i JOIN custody c ON c.community = i.community AND c.owner = i.owner
    AND c.txid = substr(i.unit_id, 1, 64)
    AND c.vout = CASE WHEN length(i.unit_id) > 65 THEN CAST(substr(i.unit_id, 66) AS BIGINT) ELSE -1 END
LEFT JOIN stake_address a ON a.address = c.ref
WHERE i.community = @community AND i.epoch = @epoch
    AND NOT EXISTS (SELECT 1 FROM statement_reserve x WHERE x.community = @community AND x.sequence = @sequence
        AND x.owner = i.owner AND x.txid = c.txid AND x.vout = c.vout);

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
