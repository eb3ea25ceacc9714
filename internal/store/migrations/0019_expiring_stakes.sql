-- The first stake address of every owner has an index that is derived from the owner. It expires when nothing was ever
-- seen there, since the same address is derived when the owner asks again.

-- +goose Up
ALTER TABLE stake_address ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0; -- 0: never
CREATE INDEX stake_address_expires ON stake_address (expires_at) WHERE expires_at > 0;
CREATE INDEX adopted_address_unsearched ON adopted_address (address) WHERE height = -1;
-- The lowest 20 bits of the index of every address that expired: at most 1,048,576 rows, however many addresses expire.
CREATE TABLE expired_stake (
    bucket BIGINT NOT NULL PRIMARY KEY
);

-- +goose Down
SELECT 'this schema is never taken down';
