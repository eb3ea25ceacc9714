-- name: BeginCondition :execrows
INSERT INTO outbox (number, kind, subject, ended, standing, data, at)
VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM outbox), $1, $2, 0, 1, $3, $4)
ON CONFLICT (kind, subject) WHERE standing = 1 DO NOTHING;

-- name: EndCondition :one
UPDATE outbox SET standing = 0 WHERE kind = $1 AND subject = $2 AND standing = 1 RETURNING data;

-- name: InsertEnd :exec
INSERT INTO outbox (number, kind, subject, ended, standing, data, at)
VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM outbox), $1, $2, 1, 0, $3, $4);

-- name: IsStanding :one
SELECT COUNT(*) FROM outbox WHERE kind = $1 AND subject = $2 AND standing = 1;

-- name: EventsAfter :many
SELECT * FROM outbox WHERE number > $1 ORDER BY number LIMIT $2;

-- name: LatestEvents :many
SELECT * FROM outbox ORDER BY number DESC LIMIT $1;

-- name: StandingEvents :many
SELECT * FROM outbox WHERE standing = 1 ORDER BY number;

-- name: LastEvent :one
SELECT CAST(COALESCE(MAX(number), 0) AS BIGINT) FROM outbox;

-- name: DeleteEventsBefore :execrows
DELETE FROM outbox WHERE outbox.at < $1 AND outbox.standing = 0
    AND outbox.number < (SELECT MAX(newest.number) FROM outbox AS newest);

-- name: DeleteOrphanedDeliveries :exec
DELETE FROM outbox_delivery WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.number = outbox_delivery.number);

-- name: SinkCursor :one
SELECT last FROM outbox_sink WHERE sink = $1;

-- name: PutSinkCursor :exec
INSERT INTO outbox_sink (sink, last) VALUES ($1, $2) ON CONFLICT (sink) DO UPDATE SET last = excluded.last;

-- name: Sinks :many
SELECT sink FROM outbox_sink ORDER BY sink;

-- name: InsertDelivery :exec
INSERT INTO outbox_delivery (sink, number, state, attempts, since, due_at, error)
VALUES ($1, $2, 'pending', 0, $3, $4, '') ON CONFLICT (sink, number) DO NOTHING;

-- name: ReplayDelivery :exec
INSERT INTO outbox_delivery (sink, number, state, attempts, since, due_at, error)
VALUES ($1, $2, 'pending', 0, $3, $4, '')
ON CONFLICT (sink, number) DO UPDATE SET state = 'pending', attempts = 0, since = excluded.since,
    due_at = excluded.due_at;

-- name: DueDeliveries :many
SELECT d.sink, d.attempts, d.since, o.number, o.kind, o.subject, o.ended, o.standing, o.data, o.at
FROM outbox_delivery AS d JOIN outbox AS o ON o.number = d.number
WHERE d.sink = $1 AND d.state = 'pending' AND d.state <> 'delivered' AND d.due_at <= $2 ORDER BY d.number LIMIT $3;

-- name: UpdateDelivery :execrows
UPDATE outbox_delivery SET state = $3, attempts = $4, due_at = $5, error = $6
WHERE sink = $1 AND number = $2 AND state = 'pending' AND attempts = $7;

-- name: DeliveriesOf :many
SELECT * FROM outbox_delivery WHERE number = $1 ORDER BY sink;

-- name: OpenDeliveries :many
SELECT state, COUNT(*) AS total, CAST(MIN(since) AS BIGINT) AS oldest FROM outbox_delivery
WHERE sink = $1 AND state <> 'delivered' GROUP BY state;

-- name: EventsSince :many
SELECT * FROM outbox WHERE at >= $1 ORDER BY number;

-- name: Event :one
SELECT * FROM outbox WHERE number = $1;
