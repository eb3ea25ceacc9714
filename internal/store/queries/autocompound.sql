-- name: ActiveInstruction :one
SELECT * FROM auto_compound WHERE community = $1 AND owner = $2 AND ended_at = 0;

-- name: LastInstruction :one
SELECT * FROM auto_compound WHERE community = $1 AND owner = $2 ORDER BY signed_at DESC, ended_at, id LIMIT 1;

-- name: InsertInstruction :exec
INSERT INTO auto_compound (id, community, owner, first_epoch, last_epoch, done_epoch, signed_at, ended_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 0);

-- name: UpdateInstruction :execrows
UPDATE auto_compound SET done_epoch = $2, ended_at = $3 WHERE id = $1 AND ended_at = 0;

-- name: ActiveInstructions :many
SELECT * FROM auto_compound WHERE community = $1 AND ended_at = 0 ORDER BY owner;

-- name: RestoredInstructions :many
SELECT i.* FROM auto_compound AS i
WHERE i.community = $1 AND i.ended_at = 0
    AND i.signed_at <= (SELECT COALESCE(MAX(incident.at), -1) FROM incident WHERE incident.kind = 'restore')
ORDER BY i.signed_at, i.id LIMIT $2;

-- name: LastSettled :one
SELECT CAST(COALESCE(MAX(epoch), -1) AS BIGINT) AS last FROM epoch_account WHERE community = $1 AND settled = 1;

-- The reward of the next epoch of each instruction. ordered is the number of times that the reward was on an order. It
-- is counted, since PostgreSQL reads the whole journal for EXISTS.
-- name: DueInstructions :many
SELECT i.*, CAST(COALESCE(r.unit_id, '') AS TEXT) AS unit_id,
    CAST((SELECT COUNT(*) FROM journal WHERE journal.subject = r.unit_id
        AND journal.community = i.community AND journal.event = 'claim ordered') AS BIGINT) AS ordered
FROM auto_compound AS i
LEFT JOIN epoch_reward AS r ON r.community = i.community AND r.epoch = i.done_epoch + 1 AND r.owner = i.owner
WHERE i.community = $1 AND i.ended_at = 0 AND i.done_epoch < $2
ORDER BY i.done_epoch, i.id LIMIT $3;

-- name: HasInstructions :one
SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM auto_compound WHERE community = $1) THEN 1 ELSE 0 END AS BIGINT) AS found;

-- The inputs of an epoch that are rewards and that an instruction compounded.
-- name: InstructedInputs :many
SELECT n.unit_id, c.cause_id AS instruction
FROM epoch_input AS n
JOIN journal AS c ON c.subject = n.unit_id AND c.event = 'compound' AND c.cause_kind = 'instruction'
WHERE n.community = $1 AND n.epoch = $2;

-- The state of the instructions at a posting of the journal, for the instructions that were active there, ended after
-- an earlier posting, or compounded an input of an epoch. end_event is empty and ended_at 0 if it was active.
-- name: InstructionsAt :many
SELECT i.id, i.owner, i.first_epoch, i.last_epoch, a.message, b.at AS begun_at,
    CAST(COALESCE(e.event, '') AS TEXT) AS end_event, CAST(COALESCE(e.at, 0) AS BIGINT) AS ended_at
FROM auto_compound AS i
JOIN action AS a ON a.id = i.id
JOIN journal AS b ON b.subject = i.id AND b.asset = 'instruction' AND b.to_account = 'ACTIVE' AND b.number <= @journal
LEFT JOIN journal AS e ON e.subject = i.id AND e.asset = 'instruction' AND e.to_account = 'ENDED'
    AND e.number <= @journal
WHERE i.community = @community AND (e.number IS NULL OR e.number > @before OR i.id IN (
    SELECT c.cause_id FROM epoch_input AS n
    JOIN journal AS c ON c.subject = n.unit_id AND c.event = 'compound' AND c.cause_kind = 'instruction'
    WHERE n.community = @community AND n.epoch = @epoch));

-- name: InstructionEnd :one
SELECT event FROM journal WHERE subject = $1 AND asset = 'instruction' AND to_account = 'ENDED';

-- The number of an owner's rewards that an instruction compounded.
-- name: CompoundedBy :one
SELECT COUNT(*) FROM journal WHERE community = $1 AND owner = $2 AND event = 'compound'
    AND cause_kind = 'instruction' AND cause_id = $3;
