-- A ledger may adopt stake addresses that another ledger with the same key handed out. Both count their addresses from
-- 1, so the same position occurs with the keys of two stakers; their addresses differ.

-- +goose Up
CREATE TABLE stake_address_of (
    address TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    position BIGINT NOT NULL,  -- of the derivation path
    leaf_key TEXT NOT NULL,    -- the staker's x-only key, hex
    delay BIGINT NOT NULL,     -- blocks until the staker alone can spend
    owner TEXT NOT NULL,       -- ordinals address
    payment TEXT NOT NULL,     -- '' for an address that was adopted from a recovery kit
    action_id TEXT NOT NULL,   -- '' for an address that was adopted
    created_at BIGINT NOT NULL
);
INSERT INTO stake_address_of (address, community, position, leaf_key, delay, owner, payment, action_id, created_at)
SELECT address, community, position, leaf_key, delay, owner, payment, action_id, created_at FROM stake_address;
DROP TABLE stake_address;
ALTER TABLE stake_address_of RENAME TO stake_address;
CREATE INDEX stake_address_position ON stake_address (community, position);
CREATE INDEX stake_address_owner ON stake_address (community, owner, leaf_key, payment, delay, position);
CREATE INDEX stake_address_action ON stake_address (action_id);

-- +goose Down
SELECT 'this schema is never taken down';
