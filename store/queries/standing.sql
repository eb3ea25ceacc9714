-- name: Standing :many
SELECT name, value FROM counter WHERE name = 'journal' OR name LIKE 'stake:%'
UNION ALL SELECT 'payout', COUNT(*) FROM payout;

-- name: RaiseCounter :exec
INSERT INTO counter (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE counter.value < excluded.value;
