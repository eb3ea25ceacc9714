-- name: Lease :one
SELECT * FROM lease WHERE name = 'leader';

-- name: TakeLease :execrows
UPDATE lease SET token = token + 1, beat = 0, holder = $1, state = '' WHERE name = 'leader' AND token = $2 AND beat = $3;

-- name: SeizeLease :one
UPDATE lease SET token = token + 1, beat = 0, holder = $1, state = '' WHERE name = 'leader' RETURNING token;

-- name: BeatLease :execrows
UPDATE lease SET beat = beat + 1, state = $2 WHERE name = 'leader' AND token = $1;

-- name: YieldLease :execrows
UPDATE lease SET token = token + 1, beat = -1, holder = '' WHERE name = 'leader' AND token = $1;

-- name: LastNumber :one
SELECT value FROM counter WHERE name = $1;
