-- name: InsertAdoptedAddress :exec
INSERT INTO adopted_address (address, height) VALUES ($1, -1) ON CONFLICT (address) DO NOTHING;

-- name: UnsearchedAddresses :many
SELECT address FROM adopted_address WHERE height = -1 ORDER BY address;

-- name: AddressSearched :exec
UPDATE adopted_address SET height = $2 WHERE address = $1;

-- name: InsertAdoptedOutput :exec
INSERT INTO adopted_output (txid, vout) VALUES ($1, $2) ON CONFLICT (txid, vout) DO NOTHING;

-- name: AdoptedOutputs :many
SELECT txid, vout FROM adopted_output ORDER BY txid, vout LIMIT $1;

-- name: DeleteAdoptedOutput :exec
DELETE FROM adopted_output WHERE txid = $1 AND vout = $2;

-- name: DeleteAdoptedOutputs :exec
DELETE FROM adopted_output;
