-- name: Standing :many
SELECT name, value FROM counter WHERE name IN ('journal', 'payout version') OR name LIKE 'stake:%'
    OR name LIKE 'first stake:%';

-- name: RaiseCounter :exec
INSERT INTO counter (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE counter.value < excluded.value;
