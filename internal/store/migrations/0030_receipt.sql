-- Signed receipts of accepted actions and of the steps of orders. They are made from the journal.

-- +goose Up
-- The last posting of the journal that a community's receipts were made from.
CREATE TABLE receipt_cursor (
    community TEXT NOT NULL PRIMARY KEY,
    journal BIGINT NOT NULL
);

-- A key that signed batches, with its certificate by the statement key. The private key is in the server's memory only.
CREATE TABLE receipt_key (
    community TEXT NOT NULL,
    receipt_key TEXT NOT NULL,   -- x-only, hex
    valid_from BIGINT NOT NULL,
    valid_to BIGINT NOT NULL,
    statement_key TEXT NOT NULL, -- signed the certificate
    signature TEXT NOT NULL,     -- hex
    PRIMARY KEY (community, receipt_key)
);

CREATE TABLE receipt_batch (
    community TEXT NOT NULL,
    receipt_key TEXT NOT NULL,
    sequence BIGINT NOT NULL,    -- number of batches that the key signed before
    at BIGINT NOT NULL,
    receipts BIGINT NOT NULL,    -- number of leaves
    root TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (community, receipt_key, sequence)
);
CREATE INDEX receipt_batch_at ON receipt_batch (at);

CREATE TABLE receipt (
    number BIGINT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,       -- what it is about: an action, an outpoint, an order with its delivery, a payout
    owner TEXT NOT NULL,         -- ordinals address
    action_id TEXT NOT NULL,     -- '' if there is none
    order_id TEXT NOT NULL,      -- '' if there is none
    receipt_key TEXT NOT NULL,   -- of the batch
    sequence BIGINT NOT NULL,
    position BIGINT NOT NULL,    -- of the leaf
    path TEXT NOT NULL,          -- JSON array of hashes
    document TEXT NOT NULL,      -- canonical JSON
    at BIGINT NOT NULL           -- of the batch
);
CREATE UNIQUE INDEX receipt_subject ON receipt (subject, kind, community);
CREATE INDEX receipt_owner ON receipt (community, owner, number);

-- +goose Down
SELECT 'this schema is never taken down';
