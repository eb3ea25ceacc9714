-- name: Waits :many
SELECT * FROM waiting ORDER BY since, subject;

-- name: WaitsOf :many
SELECT * FROM waiting WHERE subject IN ($1) ORDER BY since, subject;

-- name: PutWait :exec
INSERT INTO waiting (subject, reason, since) VALUES ($1, $2, $3)
ON CONFLICT (subject) DO UPDATE SET reason = excluded.reason;

-- name: DropWait :exec
DELETE FROM waiting WHERE subject = $1;
