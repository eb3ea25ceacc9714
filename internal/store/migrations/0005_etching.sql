-- The orders of the mint and etch service, with their money and transactions. They
-- share nothing with the staking ledger.

-- +goose Up
CREATE TABLE rune_order (
    id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    kind TEXT NOT NULL,          -- rune_mint, rune_etch
    state TEXT NOT NULL,
    cause TEXT NOT NULL,         -- the event that failed it, '' when none did
    reason TEXT NOT NULL,        -- the same as a sentence
    rune_name TEXT NOT NULL,     -- with spacers
    promise TEXT NOT NULL,       -- JSON: all that its addresses are derived from
    fee_rate BIGINT NOT NULL,    -- sats per 1,000 vB
    address TEXT NOT NULL,
    script BYTEA NOT NULL UNIQUE,
    fund_amount BIGINT NOT NULL, -- sats
    executed TEXT NOT NULL,      -- txid that the client named, '' before
    quotes TEXT NOT NULL,        -- JSON: what was asked for higher rates
    created_at BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    settled BIGINT NOT NULL      -- 1: nothing more is expected until something is seen
);
CREATE INDEX rune_order_due ON rune_order (number) WHERE settled = 0;
CREATE INDEX rune_order_state ON rune_order (state, deadline);

-- Money that came in at an order's address.
CREATE TABLE rune_order_output (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    value BIGINT NOT NULL,       -- sats
    runes TEXT NOT NULL,         -- JSON: [{"id": "block:tx", "amount": "…"}], known once it is in a block
    seen_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    vanished BIGINT NOT NULL,    -- 1: a conflicting transaction was seen
    PRIMARY KEY (txid, vout)
);
CREATE INDEX rune_order_output_order ON rune_order_output (order_id, seen_at);

-- Payments, and every transaction of ours: stored before it is sent.
CREATE TABLE rune_order_tx (
    txid TEXT NOT NULL,
    order_id TEXT NOT NULL,
    role TEXT NOT NULL,          -- funding, mint, commit, reveal, refund
    generation BIGINT NOT NULL,  -- rises with every replacement, 0 for funding
    position BIGINT NOT NULL,    -- among the mints
    raw BYTEA NOT NULL,
    fee BIGINT NOT NULL,
    vbytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    vanished BIGINT NOT NULL,
    got TEXT NOT NULL,           -- base units of the minted rune on output 0, '0' while in no block
    PRIMARY KEY (txid, order_id)
);
CREATE INDEX rune_order_tx_order ON rune_order_tx (order_id, generation, position);
CREATE INDEX rune_order_tx_height ON rune_order_tx (height);

-- +goose Down
SELECT 'this schema is never taken down';
