-- A session belongs to its order, so that issuing the transaction of one order ends no session of another one. At most
-- one session of an owner is signed (ADR 67).

-- +goose Up
CREATE TABLE one_tx_session_of (
    order_id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    raw BYTEA NOT NULL,          -- the transaction, with the owner's witnesses once signed
    own_coins TEXT NOT NULL,     -- JSON, as in payout_version
    fee BIGINT NOT NULL,         -- sats
    vbytes BIGINT NOT NULL,
    rate BIGINT NOT NULL,        -- sats per 1,000 vB
    until_at BIGINT NOT NULL,    -- until when the owner can sign
    signed BIGINT NOT NULL,      -- 1: the owner signed it, and the signer follows
    ended TEXT NOT NULL,         -- reason why the last one ended unsigned, or ''
    ended_value TEXT NOT NULL    -- value of that reason, or ''
);
INSERT INTO one_tx_session_of (order_id, community, owner, raw, own_coins, fee, vbytes, rate, until_at, signed, ended,
    ended_value)
SELECT order_id, community, owner, raw, own_coins, fee, vbytes, rate, until_at, signed, ended, ended_value
FROM one_tx_session;
DROP TABLE one_tx_session;
ALTER TABLE one_tx_session_of RENAME TO one_tx_session;

CREATE INDEX one_tx_session_signed ON one_tx_session (signed, until_at, order_id);
CREATE UNIQUE INDEX one_tx_session_owner ON one_tx_session (community, owner) WHERE signed = 1;

-- +goose Down
SELECT 'this schema is never taken down';
