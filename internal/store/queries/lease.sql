-- name: Lease :one
SELECT * FROM lease WHERE name = 'leader';

-- name: TakeLease :execrows
INSERT INTO lease (name, token, beat, holder, state) VALUES ('leader', $1, 0, $2, '')
ON CONFLICT (name) DO UPDATE SET token = excluded.token, beat = 0, holder = excluded.holder, state = ''
WHERE lease.token = excluded.token - 1 AND lease.beat = $3;

-- name: SeizeLease :one
INSERT INTO lease (name, token, beat, holder, state) VALUES ('leader', 1, 0, $1, '')
ON CONFLICT (name) DO UPDATE SET token = lease.token + 1, beat = 0, holder = excluded.holder, state = ''
RETURNING token;

-- name: BeatLease :execrows
UPDATE lease SET beat = beat + 1, state = $2 WHERE name = 'leader' AND token = $1;

-- name: YieldLease :execrows
UPDATE lease SET token = token + 1, beat = -1, holder = '' WHERE name = 'leader' AND token = $1;

-- name: LastNumber :one
SELECT value FROM counter WHERE name = $1;
