-- One schema for SQLite and PostgreSQL. Written for PostgreSQL; for SQLite the
-- store turns BIGINT into INTEGER, BYTEA into BLOB and every table into a STRICT
-- one. Instants are whole seconds of Unix time. -1 stands for a height or an
-- epoch that is not known. Hashes and txids are hex as people write them.

-- +goose Up
-- What a community is bound to from its first start on; the manifest must agree.
CREATE TABLE community (
    prefix TEXT NOT NULL PRIMARY KEY,
    rune_id TEXT NOT NULL,
    account BIGINT NOT NULL,
    network TEXT NOT NULL
);

-- The calendar: an epoch and the instant it starts at, on the scale of block headers.
CREATE TABLE epoch_anchor (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    starts_at BIGINT NOT NULL,
    PRIMARY KEY (community, epoch)
);

-- Single facts of the server: clock_skew (seconds), pause_payouts and pause_all (the reason, '' for none), ...
CREATE TABLE setting (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- Which of several servers on this database leads: one row, of which nothing else hangs.
CREATE TABLE lease (
    name TEXT NOT NULL PRIMARY KEY,  -- 'leader'
    token BIGINT NOT NULL,           -- rises with every change of the leader, whose every transaction compares it
    beat BIGINT NOT NULL,            -- rises while the leader lives; -1 when it gave up
    holder TEXT NOT NULL,            -- random, of the leading process
    state TEXT NOT NULL              -- JSON: where the leader's follower stands
);

-- Sources of ever growing numbers: unit, order, payment, action, journal, watch, position of stake addresses, change.
CREATE TABLE counter (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);

-- The headers of the followed chain, from the first followed block on.
CREATE TABLE block (
    height BIGINT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    prev TEXT NOT NULL,
    time BIGINT NOT NULL
);

-- cut is the last block before the first block whose header time is at or after the epoch's start.
CREATE TABLE boundary (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    cut BIGINT NOT NULL,
    PRIMARY KEY (community, epoch)
);

-- Every script that is ours, in the order it was handed out, so that a follower can load what is new.
CREATE TABLE watch (
    number BIGINT NOT NULL PRIMARY KEY,
    script BYTEA NOT NULL UNIQUE,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,   -- stake, payment, runes (treasury), sats (treasury)
    ref TEXT NOT NULL,    -- stake: the address; payment: the order id
    owner TEXT NOT NULL   -- ordinals address, '' for the treasury
);

CREATE TABLE stake_address (
    address TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    position BIGINT NOT NULL,  -- of the derivation path
    leaf_key TEXT NOT NULL,    -- the staker's x-only key, hex
    delay BIGINT NOT NULL,     -- blocks until the staker alone can spend
    owner TEXT NOT NULL,       -- ordinals address
    payment TEXT NOT NULL,
    action_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (community, position)
);
CREATE INDEX stake_address_owner ON stake_address (community, owner, leaf_key);

-- Every output at an address of ours, for life.
CREATE TABLE custody (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,
    ref TEXT NOT NULL,
    owner TEXT NOT NULL,
    script BYTEA NOT NULL,
    value BIGINT NOT NULL,        -- sats
    runes BIGINT NOT NULL,        -- base units of the community's rune
    quarantine TEXT NOT NULL,     -- why the ledger can't credit it, '' when it can
    booked BIGINT NOT NULL,       -- 1: a treasury output that counts (booked by the operator, or our own change)
    coinbase BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    height BIGINT NOT NULL,       -- -1 while unconfirmed
    vanished BIGINT NOT NULL,     -- 1: a conflicting transaction was seen
    spent_by TEXT NOT NULL,       -- txid, '' while unspent
    spent_ours BIGINT NOT NULL,   -- 1: by a payout of ours
    spent_height BIGINT NOT NULL, -- -1 while that spend is unconfirmed
    PRIMARY KEY (txid, vout)
);
CREATE INDEX custody_ref ON custody (ref);
CREATE INDEX custody_kind ON custody (community, kind, spent_by);
CREATE INDEX custody_height ON custody (height);
CREATE INDEX custody_spent ON custody (spent_height);

-- What the ledger knows of a payment beyond its output.
CREATE TABLE payment (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    number BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    counted BIGINT NOT NULL,  -- 1: at or above the floor and without runes
    late BIGINT NOT NULL,     -- 1: arrived when the order no longer took payments
    PRIMARY KEY (txid, vout)
);
CREATE INDEX payment_by_order ON payment (order_id, number);

-- Transactions that touch ours and their unconfirmed ancestors: kept to be sent again, and watched for conflicts.
CREATE TABLE tracked (
    txid TEXT NOT NULL PRIMARY KEY,
    raw BYTEA NOT NULL,
    seen_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    vanished BIGINT NOT NULL,
    ours BIGINT NOT NULL       -- 1: a payout of ours
);
CREATE INDEX tracked_height ON tracked (height);
CREATE TABLE tracked_input (
    txid TEXT NOT NULL,
    prev_txid TEXT NOT NULL,
    prev_vout BIGINT NOT NULL,
    PRIMARY KEY (txid, prev_txid, prev_vout)
);
CREATE INDEX tracked_input_prev ON tracked_input (prev_txid, prev_vout);

CREATE TABLE unit (
    community TEXT NOT NULL,
    id TEXT NOT NULL,
    number BIGINT NOT NULL,
    owner TEXT NOT NULL,
    origin TEXT NOT NULL,
    amount BIGINT NOT NULL,
    stage TEXT NOT NULL,
    not_before BIGINT NOT NULL,
    eligible_epoch BIGINT NOT NULL,
    staked_to BIGINT NOT NULL,
    unlock_epoch BIGINT NOT NULL,
    reward_epoch BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    stage_before TEXT NOT NULL,  -- the stage that a recovery ended, for its undoing
    txid TEXT NOT NULL,          -- of the deposit, '' for a virtual unit
    vout BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (community, id)
);
CREATE INDEX unit_owner ON unit (community, owner, number);
CREATE INDEX unit_stage ON unit (community, stage);
CREATE INDEX unit_output ON unit (txid, vout);

-- A unit with the facts of its deposit. contested: somebody else's spend of its output was seen.
CREATE VIEW unit_view AS
SELECT unit.community, unit.id, unit.number, unit.owner, unit.origin, unit.amount, unit.stage, unit.not_before,
    unit.eligible_epoch, unit.staked_to, unit.unlock_epoch, unit.reward_epoch, unit.order_id, unit.stage_before,
    unit.txid, unit.vout, unit.created_at,
    CAST(COALESCE(custody.value, 0) AS BIGINT) AS value,
    CAST(COALESCE(custody.height, -1) AS BIGINT) AS height,
    CAST(COALESCE(custody.vanished, 0) AS BIGINT) AS vanished,
    CAST(COALESCE(custody.spent_height, -1) AS BIGINT) AS spent_height,
    CAST(CASE WHEN custody.spent_by <> '' AND custody.spent_ours = 0 THEN 1 ELSE 0 END AS BIGINT) AS contested
FROM unit LEFT JOIN custody ON custody.txid = unit.txid AND custody.vout = unit.vout;

CREATE TABLE action (
    id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    type TEXT NOT NULL,
    payment TEXT NOT NULL,
    ordinals TEXT NOT NULL,
    unit_ids TEXT NOT NULL,    -- JSON array
    amount BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,   -- 0 until the proof was accepted
    signature TEXT NOT NULL,
    signer TEXT NOT NULL,
    txid TEXT NOT NULL
);
CREATE INDEX action_owner ON action (community, ordinals, created_at);

-- Payment addresses whose key has once signed a message that names both addresses.
CREATE TABLE wallet_link (
    community TEXT NOT NULL,
    ordinals TEXT NOT NULL,
    payment TEXT NOT NULL,
    message TEXT NOT NULL,
    ordinals_signature TEXT NOT NULL,
    payment_signature TEXT NOT NULL,
    PRIMARY KEY (community, ordinals, payment)
);

CREATE TABLE payment_order (
    id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL,
    community TEXT NOT NULL,
    reason TEXT NOT NULL,
    owner TEXT NOT NULL,
    payment TEXT NOT NULL,
    action_id TEXT NOT NULL,
    unit_ids TEXT NOT NULL,     -- JSON array
    real_units BIGINT NOT NULL,
    amount BIGINT NOT NULL,
    fee_rate BIGINT NOT NULL,   -- sats per 1,000 vB
    network_fee BIGINT NOT NULL,
    service_fee BIGINT NOT NULL,
    rutxos_fee BIGINT NOT NULL,
    per_rutxo BIGINT NOT NULL,
    address TEXT NOT NULL,
    script BYTEA NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    rate_at BIGINT NOT NULL,
    deadline BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    confirmed BIGINT NOT NULL,
    late BIGINT NOT NULL,
    refunded BIGINT NOT NULL,   -- in none of the three sums before
    payout_id TEXT NOT NULL,
    payout_tx TEXT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX payment_order_owner ON payment_order (community, owner, number);
CREATE INDEX payment_order_status ON payment_order (status);

-- A payout family: every version spends the same anchors; at most one version confirms.
CREATE TABLE payout (
    id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,        -- delivery, refund (of one order)
    order_ids TEXT NOT NULL,   -- JSON array
    status TEXT NOT NULL,      -- live, confirmed, final, dead
    created_at BIGINT NOT NULL
);
CREATE INDEX payout_status ON payout (status);
CREATE TABLE payout_version (
    txid TEXT NOT NULL PRIMARY KEY,
    payout_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    raw BYTEA NOT NULL,        -- signed
    fee BIGINT NOT NULL,
    vbytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    height BIGINT NOT NULL
);
CREATE INDEX payout_version_payout ON payout_version (payout_id, number);

-- What operators did or asked for. Append-only.
CREATE TABLE operator_log (
    number BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    by_whom TEXT NOT NULL,
    command TEXT NOT NULL,
    subject TEXT NOT NULL,     -- the order, the community, the pause
    why TEXT NOT NULL,
    detail TEXT NOT NULL       -- what the preview said
);

-- What an operator asked a running server to do to an order.
CREATE TABLE operator_request (
    number BIGINT NOT NULL PRIMARY KEY,  -- of its line in operator_log
    kind TEXT NOT NULL,                  -- refund, resume
    order_id TEXT NOT NULL,
    status TEXT NOT NULL,                -- open, done, refused
    note TEXT NOT NULL,                  -- why it still waits, or was refused
    payout_id TEXT NOT NULL              -- the refund that carries it out
);
CREATE INDEX operator_request_status ON operator_request (status);
CREATE INDEX operator_request_order ON operator_request (order_id);

-- One row an epoch: its reserved budget, and what its settlement came to.
CREATE TABLE epoch_account (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    planned BIGINT NOT NULL,    -- the manifest's budget
    reserved BIGINT NOT NULL,   -- what the treasury could reserve of it
    settled BIGINT NOT NULL,    -- 1 once it is
    staked BIGINT NOT NULL,     -- the sum of what was eligible
    rewarded BIGINT NOT NULL,   -- the sum of its rewards: reserved, or 0 when nobody was staked
    cut BIGINT NOT NULL,        -- cut(end)
    cut_hash TEXT NOT NULL,
    settled_at BIGINT NOT NULL,
    PRIMARY KEY (community, epoch)
);
CREATE TABLE epoch_input (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (community, epoch, unit_id)
);
CREATE TABLE epoch_reward (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    owner TEXT NOT NULL,
    stake BIGINT NOT NULL,
    reward BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    PRIMARY KEY (community, epoch, owner)
);
CREATE INDEX epoch_reward_owner ON epoch_reward (community, owner, epoch);

-- Append-only. What moved, between which accounts, and why.
CREATE TABLE journal (
    number BIGINT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    subject TEXT NOT NULL,
    owner TEXT NOT NULL,
    event TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount BIGINT NOT NULL,
    from_account TEXT NOT NULL,
    to_account TEXT NOT NULL,
    cause_kind TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX journal_owner ON journal (community, owner, number);
CREATE INDEX journal_subject ON journal (subject, number);

-- The rune index: every rune and every output that holds runes. Amounts are 128-bit decimals as text.
CREATE TABLE rune_entry (
    id TEXT NOT NULL PRIMARY KEY,  -- block:tx
    name TEXT NOT NULL UNIQUE,     -- letters, without spacers
    entry TEXT NOT NULL            -- JSON of every field
);
CREATE TABLE rune_balance (
    outpoint TEXT NOT NULL PRIMARY KEY,
    balances TEXT NOT NULL         -- JSON: [{"id": "block:tx", "amount": "…"}]
);
CREATE TABLE rune_undo (
    height BIGINT NOT NULL PRIMARY KEY,
    data BYTEA NOT NULL
);

-- +goose Down
SELECT 'this schema is never taken down';
