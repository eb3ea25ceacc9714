-- The facts of the statement of each settled epoch, recorded in the transaction that settles the epoch, and the signed
-- statement.

-- +goose Up
CREATE TABLE statement (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,    -- number of statements before this one
    epoch BIGINT NOT NULL,
    starts_at BIGINT NOT NULL,   -- of the epoch
    ends_at BIGINT NOT NULL,
    height BIGINT NOT NULL,      -- the last block that the ledger had followed, its hash and its time
    hash TEXT NOT NULL,
    block_time BIGINT NOT NULL,
    stakes BIGINT NOT NULL,      -- liabilities in base units; each unit that is not withdrawn is in one of them
    delivering BIGINT NOT NULL,
    contested BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    refunds BIGINT NOT NULL,     -- sats
    last_incident BIGINT NOT NULL, -- number of the last incident that is in this statement or an earlier one
    id TEXT NOT NULL,            -- '' until it is signed
    signed TEXT NOT NULL,        -- the signed statement in canonical JSON, '' until it is signed
    PRIMARY KEY (community, sequence),
    UNIQUE (community, epoch)
);
CREATE INDEX statement_unsigned ON statement (community, sequence) WHERE signed = '';

-- What the epoch rewards an owner, and what the owner is owed: the leaves of the statement's tree.
CREATE TABLE statement_owner (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    owner TEXT NOT NULL,         -- ordinals address
    stake BIGINT NOT NULL,
    reward BIGINT NOT NULL,
    owed BIGINT NOT NULL,
    PRIMARY KEY (community, sequence, owner)
) /* clustered */;

-- The unspent outputs. Deleted once the statement is signed, which contains them.
CREATE TABLE statement_reserve (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    kind TEXT NOT NULL,
    script BYTEA NOT NULL,
    value BIGINT NOT NULL,       -- sats
    runes BIGINT NOT NULL,
    PRIMARY KEY (community, sequence, txid, vout)
) /* clustered */;

-- The public incident log. Append-only.
CREATE TABLE incident (
    number BIGINT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,     -- '' for all
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL         -- contains no secret and no text of an operator
);

-- +goose Down
SELECT 'this schema is never taken down';
