-- Withdrawals in one transaction (ADR 67). The zero time, in seconds, marks an order whose owner never asked for the
-- price of a delivery that replaces the transaction.

-- +goose Up
ALTER TABLE payment_order ADD COLUMN one_tx BIGINT NOT NULL DEFAULT 0;                 -- its payout's version spends own coins
ALTER TABLE payment_order ADD COLUMN instead_at BIGINT NOT NULL DEFAULT -62135596800;  -- when the replacing price was set
ALTER TABLE payout_version ADD COLUMN own_coins TEXT NOT NULL DEFAULT '';              -- JSON: the owner's inputs, or ''

-- An owner's session: a transaction that the owner signs first.
CREATE TABLE one_tx_session (
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    order_id TEXT NOT NULL UNIQUE,
    raw BYTEA NOT NULL,          -- the transaction, with the owner's witnesses once signed
    own_coins TEXT NOT NULL,     -- JSON, as in payout_version
    fee BIGINT NOT NULL,         -- sats
    vbytes BIGINT NOT NULL,
    rate BIGINT NOT NULL,        -- sats per 1,000 vB
    until_at BIGINT NOT NULL,    -- until when the owner can sign
    signed BIGINT NOT NULL,      -- 1: the owner signed it, and the signer follows
    ended TEXT NOT NULL,         -- reason why the last one ended unsigned, or ''
    ended_value TEXT NOT NULL,   -- value of that reason, or ''
    PRIMARY KEY (community, owner)
);

CREATE INDEX one_tx_session_signed ON one_tx_session (signed, until_at, order_id);

-- +goose Down
SELECT 'this schema is never taken down';
