-- The schema of a ledger, one text for SQLite and PostgreSQL. It is written for PostgreSQL. For SQLite the store
-- translates it (dialect.go): BIGINT becomes INTEGER, BYTEA becomes BLOB, every table is STRICT, and a table marked
-- "clustered" has no row numbers, so that its rows are stored in the order of its primary key.
--
-- A changed column also changes ../testdata/ledger.jsonl, whose rows have all columns in the order of the table, and
-- the INSERTs of large ledgers in server/bench_test.go and audit/bench_test.go.
--
-- Units and conventions:
--   amounts of runes     base units of the community's rune
--   sats                 satoshis; fee rates are sats per 1,000 vbytes
--   times (…_at, time)   Unix time in whole seconds; -62135596800 is the zero time
--   heights, epochs      -1: unknown, or not in a block
--   hashes, txids        hex in display order; an outpoint is txid:vout
--   flags                1 or 0
--   texts                '' if there is none
--   owner                the owner's ordinals address; '' for the treasury

-- +goose Up

-- ---- Communities and the server ----

-- The values that a community can't change after its first start. Its manifest must agree.
CREATE TABLE community (
    prefix TEXT NOT NULL PRIMARY KEY,
    rune_id TEXT NOT NULL,       -- block:tx
    account BIGINT NOT NULL,     -- of the derivation path of its keys
    network TEXT NOT NULL
);

-- The calendar: an epoch and its start, compared with the times of block headers.
CREATE TABLE epoch_anchor (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    starts_at BIGINT NOT NULL,
    PRIMARY KEY (community, epoch)
);

-- Single values, such as ledger_id, pause_all and pause_payouts (the reason) and epoch_length:PREFIX.
CREATE TABLE setting (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);

-- The last number of each sequence, such as unit, order, payment, journal, watch and stake:PREFIX.
CREATE TABLE counter (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);

-- Which of the servers on this database leads: at most one row.
CREATE TABLE lease (
    name TEXT NOT NULL PRIMARY KEY, -- 'leader'
    token BIGINT NOT NULL,       -- increases with every change of the leader; each of its transactions compares it
    beat BIGINT NOT NULL,        -- increases while the leader runs; -1 once it resigned
    holder TEXT NOT NULL,        -- random id of the leading process
    state TEXT NOT NULL          -- JSON: the progress of its follower
);

-- ---- The chain ----

-- The headers of the followed chain, from the first followed block on.
CREATE TABLE block (
    height BIGINT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    prev TEXT NOT NULL,          -- hash of the previous block
    time BIGINT NOT NULL         -- of the header
);

-- The start of an epoch on the chain.
CREATE TABLE boundary (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    cut BIGINT NOT NULL,         -- height of the last block before the first one at or after the epoch's start;
                                 -- -2 once that first one was undone, while the boundary can't be deleted
    PRIMARY KEY (community, epoch)
);

-- Every output script of ours, in the order of issue, so that a follower can load the new ones.
CREATE TABLE watch (
    number BIGINT NOT NULL PRIMARY KEY,
    script BYTEA NOT NULL UNIQUE,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,          -- stake, payment, runes and sats (both of the treasury)
    ref TEXT NOT NULL,           -- payment: the order's id; else the address
    owner TEXT NOT NULL
);
CREATE INDEX watch_treasury ON watch (community, number) WHERE kind IN ('runes', 'sats'); -- read at every start

CREATE TABLE stake_address (
    address TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    position BIGINT NOT NULL,    -- index of the derivation path; not unique, since addresses can be adopted
    leaf_key TEXT NOT NULL,      -- the staker's x-only public key, hex
    delay BIGINT NOT NULL,       -- blocks until the staker alone can spend
    self_custody BIGINT NOT NULL DEFAULT 0, -- 1: nothing spends it without the staker's signature (ADR 68)
    owner TEXT NOT NULL,
    payment TEXT NOT NULL,       -- the owner's payment address; '' if it was adopted from a recovery kit
    action_id TEXT NOT NULL,     -- '' if it was adopted
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL DEFAULT 0 -- when it is deleted if it was never used; 0: never
);
CREATE INDEX stake_address_position ON stake_address (community, position);
CREATE INDEX stake_address_owner ON stake_address (community, owner, leaf_key, payment, delay, position);
CREATE INDEX stake_address_action ON stake_address (action_id);
CREATE INDEX stake_address_expires ON stake_address (expires_at) WHERE expires_at > 0;
CREATE INDEX stake_address_payment ON stake_address (payment);

-- The lowest 20 bits of the position of every deleted address: at most 1,048,576 rows.
CREATE TABLE expired_stake (
    bucket BIGINT NOT NULL PRIMARY KEY
);

-- Stake addresses that another ledger issued. Their deposits can be in blocks that were followed before.
CREATE TABLE adopted_address (
    address TEXT NOT NULL PRIMARY KEY,
    height BIGINT NOT NULL       -- the last followed block when the chain was searched for deposits; -1 until then
);
CREATE INDEX adopted_address_unsearched ON adopted_address (address) WHERE height = -1;

-- Deposits that were found at adopted addresses and are not credited yet.
CREATE TABLE adopted_output (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    PRIMARY KEY (txid, vout)
);

-- Every output at a script of ours. Rows are never deleted.
CREATE TABLE custody (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,          -- kind, ref and owner as in watch
    ref TEXT NOT NULL,
    owner TEXT NOT NULL,
    script BYTEA NOT NULL,
    value BIGINT NOT NULL,       -- sats
    runes BIGINT NOT NULL,       -- base units
    quarantine TEXT NOT NULL,    -- reason why the ledger can't credit it
    booked BIGINT NOT NULL,      -- 1: a treasury output that counts: booked by an operator, or our own change
    coinbase BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    position BIGINT NOT NULL DEFAULT 0, -- index of its transaction in its block
    vanished BIGINT NOT NULL,    -- 1: its transaction can never confirm, or was unconfirmed for too long
    spent_by TEXT NOT NULL,      -- txid
    spent_ours BIGINT NOT NULL,  -- 1: a payout of ours spends it
    spent_height BIGINT NOT NULL,
    PRIMARY KEY (owner, community, txid, vout),
    UNIQUE (txid, vout)
) /* clustered */;
CREATE INDEX custody_ref ON custody (ref);
CREATE INDEX custody_kind ON custody (community, kind, spent_by);
CREATE INDEX custody_spender ON custody (spent_by) WHERE spent_by <> '';
CREATE INDEX custody_spent ON custody (spent_height) WHERE spent_height >= 0;
CREATE INDEX custody_spending ON custody (spent_height) WHERE spent_by <> '' AND spent_height = -1;
CREATE INDEX custody_vanished ON custody (community, txid, vout) WHERE vanished = 1;
CREATE INDEX custody_foreign ON custody (community, txid, vout) WHERE spent_ours = 0 AND spent_by <> '';
CREATE INDEX custody_quarantine ON custody (community) WHERE quarantine <> '' AND spent_by = '';
-- A block confirms up to 22,000 outputs. For them PostgreSQL writes no index entry, because no index contains the
-- height and each page has space for a second version of its rows. The outputs of a block are found by their
-- transactions.
ALTER TABLE custody SET (fillfactor = 50);

-- Transactions that concern the ledger and their unconfirmed ancestors, to be sent again and watched for conflicts.
CREATE TABLE tracked (
    txid TEXT NOT NULL PRIMARY KEY,
    raw BYTEA NOT NULL,
    seen_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    vanished BIGINT NOT NULL,    -- as in custody
    ours BIGINT NOT NULL,        -- 1: a payout of ours
    since BIGINT NOT NULL DEFAULT 0 -- time since which it is unconfirmed
);
CREATE INDEX tracked_height ON tracked (height);
CREATE INDEX tracked_own_pending ON tracked (txid) WHERE height = -1 AND vanished = 0 AND ours = 1;

CREATE TABLE tracked_input (
    txid TEXT NOT NULL,
    prev_txid TEXT NOT NULL,
    prev_vout BIGINT NOT NULL,
    PRIMARY KEY (txid, prev_txid, prev_vout)
);
CREATE INDEX tracked_input_prev ON tracked_input (prev_txid, prev_vout);

-- Own transactions that the node did not accept at the last broadcast. They are signed, so their orders do not change.
CREATE TABLE refused_tx (
    txid TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL,        -- the node's message
    passing BIGINT NOT NULL,     -- 1: temporary, for example a fee rate that is too low at present
    since BIGINT NOT NULL
);

-- What the last step did not send or carry out, for operators.
CREATE TABLE waiting (
    subject TEXT NOT NULL PRIMARY KEY, -- a PAID order, or a kind and an id: refund, payout, request, community, …
    reason TEXT NOT NULL,
    since BIGINT NOT NULL
);

-- Orders whose last evaluation failed. They are evaluated again in each step, and nothing is sent for them.
CREATE TABLE failed_evaluation (
    order_id TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,          -- instant of the first evaluation that failed
    reason TEXT NOT NULL
);

-- ---- Units ----

-- An amount of stake or reward of one owner, with a stage.
CREATE TABLE unit (
    community TEXT NOT NULL,
    id TEXT NOT NULL,            -- the outpoint of its deposit, or reward:…
    number BIGINT NOT NULL,      -- order of creation
    owner TEXT NOT NULL,
    origin TEXT NOT NULL,        -- STAKE, REWARD
    amount BIGINT NOT NULL,      -- base units
    stage TEXT NOT NULL,
    not_before BIGINT NOT NULL,  -- first epoch that may reward it, set by restaking and compounding; else 0
    eligible_epoch BIGINT NOT NULL, -- first epoch that rewards it; -1 until its boundary is on the chain
    staked_to BIGINT NOT NULL,   -- first epoch that no longer rewards it; -1 while it is staked
    unlock_epoch BIGINT NOT NULL, -- epoch whose start ends the cooldown; -1 outside of it
    reward_epoch BIGINT NOT NULL, -- epoch in which a REWARD was earned
    order_id TEXT NOT NULL,      -- the order that locks it or delivered it
    stage_before TEXT NOT NULL,  -- the stage before a recovery, restored when the recovery is undone
    txid TEXT NOT NULL,          -- of its deposit; '' for a unit that the treasury backs
    vout BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (community, id)
);
CREATE INDEX unit_owner ON unit (community, owner, number);
CREATE INDEX unit_cooling ON unit (community, unlock_epoch) WHERE stage = 'PENDING_UNLOCK';
CREATE INDEX unit_deposit ON unit (txid, vout) WHERE txid <> '';
CREATE INDEX unit_eligible ON unit (community, eligible_epoch) WHERE eligible_epoch >= 0;
CREATE INDEX unit_order ON unit (order_id) WHERE order_id <> '';
CREATE INDEX unit_recovered ON unit (community, number) WHERE stage_before <> '';
CREATE INDEX unit_unplaced ON unit (community, number)
    WHERE eligible_epoch = -1 AND stage NOT IN ('CLAIMABLE', 'PO_CLAIMED');

-- A unit with the state of its deposit, and whether that is in self-custody. contested is 1 if a transaction that is no payout spends the deposit.
CREATE VIEW unit_view AS
SELECT unit.community, unit.id, unit.number, unit.owner, unit.origin, unit.amount, unit.stage, unit.not_before,
    unit.eligible_epoch, unit.staked_to, unit.unlock_epoch, unit.reward_epoch, unit.order_id, unit.stage_before,
    unit.txid, unit.vout, unit.created_at,
    CAST(COALESCE(custody.value, 0) AS BIGINT) AS value,
    CAST(COALESCE(custody.height, -1) AS BIGINT) AS height,
    CAST(COALESCE(custody.vanished, 0) AS BIGINT) AS vanished,
    CAST(COALESCE(custody.spent_height, -1) AS BIGINT) AS spent_height,
    CAST(CASE WHEN custody.spent_by <> '' AND custody.spent_ours = 0 THEN 1 ELSE 0 END AS BIGINT) AS contested,
    CAST(COALESCE(stake_address.self_custody, 0) AS BIGINT) AS self_custody
FROM unit LEFT JOIN custody
    ON custody.community = unit.community AND custody.owner = unit.owner
        AND custody.txid = unit.txid AND custody.vout = unit.vout
    LEFT JOIN stake_address ON stake_address.address = custody.ref;

-- The sum of a community's STAKED units, updated in the transactions that change them, and compared with the units by
-- checkStakedSums in audit/journal.go.
CREATE TABLE staked_total (
    community TEXT NOT NULL PRIMARY KEY,
    amount BIGINT NOT NULL       -- base units
);

-- Instructions to compound rewards automatically. The journal has their beginning and end, with the signed action.
CREATE TABLE auto_compound (
    id TEXT NOT NULL PRIMARY KEY, -- of the action that the owner signed
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    first_epoch BIGINT NOT NULL, -- first and last epoch whose rewards are compounded
    last_epoch BIGINT NOT NULL,
    done_epoch BIGINT NOT NULL,  -- the last epoch whose reward was considered; at first first_epoch - 1
    signed_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL     -- 0 while it is active
);
CREATE UNIQUE INDEX auto_compound_active ON auto_compound (community, owner) WHERE ended_at = 0;
CREATE INDEX auto_compound_due ON auto_compound (community, done_epoch, id) WHERE ended_at = 0;
CREATE INDEX auto_compound_signed ON auto_compound (community, signed_at) WHERE ended_at = 0;
CREATE INDEX auto_compound_owner ON auto_compound (community, owner, signed_at);

-- ---- Signed actions ----

-- The messages that owners sign. An unsigned action is deleted some time after it expired.
CREATE TABLE action (
    id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    type TEXT NOT NULL,
    payment TEXT NOT NULL,       -- the wallet's payment address
    ordinals TEXT NOT NULL,      -- the wallet's ordinals address
    unit_ids TEXT NOT NULL,      -- JSON array
    amount BIGINT NOT NULL,      -- base units: the sum of the units, or the intended deposit of a STAKE
    order_id TEXT NOT NULL,      -- the order that it opened or cancels
    message TEXT NOT NULL,       -- the message; a brief of it until it is signed
    statement TEXT NOT NULL DEFAULT '', -- id of the statement that the message names
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,     -- 0 until a signature was accepted
    signature TEXT NOT NULL,
    signer TEXT NOT NULL,        -- the address whose key signed
    txid TEXT NOT NULL          -- STAKE: of the deposit, according to the client
);
CREATE INDEX action_unused ON action (expires_at) WHERE used_at = 0 AND type <> 'STAKE';

-- Pairs of addresses whose keys both signed a message that names both. From then on either key can sign.
CREATE TABLE wallet_link (
    community TEXT NOT NULL,
    ordinals TEXT NOT NULL,
    payment TEXT NOT NULL,
    message TEXT NOT NULL,
    ordinals_signature TEXT NOT NULL,
    payment_signature TEXT NOT NULL,
    PRIMARY KEY (community, ordinals, payment)
);
CREATE INDEX wallet_link_payment ON wallet_link (payment);

-- ---- Payment orders ----

-- The order of a claim or withdrawal: its owner pays the price, and a payout delivers the runes.
CREATE TABLE payment_order (
    id TEXT NOT NULL PRIMARY KEY, -- derived from the signed message
    number BIGINT NOT NULL,      -- order of creation
    community TEXT NOT NULL,
    reason TEXT NOT NULL,        -- CLAIM, WITHDRAW
    owner TEXT NOT NULL,         -- receives the runes
    payment TEXT NOT NULL,       -- payment address of the signed message, which receives refunds
    action_id TEXT NOT NULL,
    unit_ids TEXT NOT NULL,      -- JSON array
    real_units BIGINT NOT NULL,  -- number of units with a custody output
    self_units BIGINT NOT NULL DEFAULT 0, -- number of those in self-custody
    amount BIGINT NOT NULL,      -- base units, the sum of the units
    -- The price.
    fee_rate BIGINT NOT NULL,
    network_fee BIGINT NOT NULL, -- sats, as the following ones
    service_fee BIGINT NOT NULL,
    listed_fee BIGINT NOT NULL DEFAULT 0, -- the community's service fee when the price was computed
    rutxos_fee BIGINT NOT NULL,  -- network fee of the units' custody outputs
    per_rutxo BIGINT NOT NULL,   -- network fee of one of them
    address TEXT NOT NULL,       -- at which it is paid
    script BYTEA NOT NULL,       -- of address
    -- The state.
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    rate_at BIGINT NOT NULL,     -- from when fee_rate is valid
    deadline BIGINT NOT NULL,
    seen BIGINT NOT NULL,        -- sats of counted payments, except vanished, late and refunded ones
    usable BIGINT NOT NULL DEFAULT 0, -- the part of seen that one delivery can spend
    confirmed BIGINT NOT NULL,   -- the part of usable that is confirmed
    late BIGINT NOT NULL,        -- sats of counted payments that are late, except vanished and refunded ones
    refunded BIGINT NOT NULL,    -- sats of payments that a refund spends; in none of the sums above
    returned BIGINT NOT NULL DEFAULT 0, -- sats, the refunded part of the overpayment that the delivery kept
    payout_id TEXT NOT NULL,     -- of its live or delivered payout
    payout_tx TEXT NOT NULL,     -- txid of the payout's newest version
    updated_at BIGINT NOT NULL,
    anchor TEXT NOT NULL DEFAULT '', -- outpoint of the payment that each of its payouts spends, set with the first
    -- The refund that is due.
    refund_due BIGINT NOT NULL DEFAULT 0, -- sats, before the network fee
    refund_reason TEXT NOT NULL DEFAULT '',
    refund_since BIGINT NOT NULL DEFAULT 0,
    by_refund BIGINT NOT NULL DEFAULT 0, -- 1: CANCELED because its refund was confirmed
    refund_rate BIGINT NOT NULL DEFAULT 0, -- the highest fee rate at which the refund returns at least its cost
    refund_hold TEXT NOT NULL DEFAULT '', -- why it waits; '': only for the fee rate
    refund_retry BIGINT NOT NULL DEFAULT 0, -- when a refund that waits is tried again
    refund_refusal TEXT NOT NULL DEFAULT '', -- why the signer refused it, or why it could not be built
    -- Economy delivery: the order is sent at its own rate. At normal speed limit_at is the zero time.
    limit_at BIGINT NOT NULL DEFAULT -62135596800, -- when its owner can choose
    end_height BIGINT NOT NULL DEFAULT 0, -- it ends at this height; 0: it has no custody outputs
    raised_rate BIGINT NOT NULL DEFAULT 0, -- normal fee rate at which the difference was set
    raised_at BIGINT NOT NULL DEFAULT -62135596800, -- when raised_rate was set
    raised_from BIGINT NOT NULL DEFAULT 0, -- number of the last payment before the difference; later ones pay it
    -- Withdrawal in one transaction.
    one_tx BIGINT NOT NULL DEFAULT 0 -- 1: its payout spends coins of its owner
);
CREATE INDEX payment_order_owner ON payment_order (community, owner, number);
CREATE INDEX payment_order_owner_status ON payment_order (community, owner, status, reason);
CREATE INDEX payment_order_status ON payment_order (status);
CREATE INDEX payment_order_payment ON payment_order (payment);
-- The smallest first.
CREATE INDEX payment_order_refund ON payment_order (community, refund_due, number, refund_rate, refund_retry)
    WHERE refund_due > 0;

-- The data of an output to an order's address that is not in its row of custody.
CREATE TABLE payment (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    number BIGINT NOT NULL,      -- order of arrival
    order_id TEXT NOT NULL,
    counted BIGINT NOT NULL,     -- 1: it counts towards the price
    late BIGINT NOT NULL,        -- 1: it arrived after the order's deadline or end
    waiting BIGINT NOT NULL DEFAULT 0, -- 1: counts once the sum of such parts suffices, 2: once it completes the price
    PRIMARY KEY (txid, vout)
);
CREATE INDEX payment_by_order ON payment (order_id, number);

-- ---- Payouts ----

-- A set of transactions that spend the same anchors, so that at most one of them confirms.
CREATE TABLE payout (
    id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,          -- delivery, refund (of one order), return, withdrawal, split, one_tx
    order_ids TEXT NOT NULL,     -- JSON array
    status TEXT NOT NULL,        -- live, confirmed, final, dead
    created_at BIGINT NOT NULL
);
CREATE INDEX payout_status ON payout (status);
CREATE INDEX payout_refund ON payout (order_ids, created_at) WHERE kind = 'refund'; -- the refunds of an order

CREATE TABLE payout_version (
    txid TEXT NOT NULL PRIMARY KEY,
    payout_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    raw BYTEA NOT NULL,          -- the signed transaction
    fee BIGINT NOT NULL,         -- sats
    vbytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    own_coins TEXT NOT NULL DEFAULT '' -- JSON: the inputs that the order's owner signed
);
CREATE INDEX payout_version_payout ON payout_version (payout_id, number);

-- The unconfirmed transactions of live payouts that can't confirm in the followed chain, because they or their
-- unconfirmed ancestors spend an output of a transaction that vanished, and their descendants. After a reorg they may
-- confirm. A payout whose orders are still DELIVERED is none of them until its status follows the chain, at the end of
-- a step: an epoch that begins before would count its runes as free, and their rewards as delivered.
CREATE VIEW conflicted_tx AS
WITH RECURSIVE conflicted (txid) AS (
    SELECT child.txid FROM tracked child
    JOIN payout_version ON payout_version.txid = child.txid
    JOIN payout ON payout.id = payout_version.payout_id
    JOIN tracked_input ON tracked_input.txid = child.txid
    JOIN tracked parent ON parent.txid = tracked_input.prev_txid
    WHERE child.height = -1 AND child.vanished = 0 AND child.ours = 1 AND payout.status = 'live' AND parent.vanished = 1
    UNION
    SELECT child.txid FROM conflicted
    JOIN tracked_input ON tracked_input.prev_txid = conflicted.txid
    JOIN tracked child ON child.txid = tracked_input.txid
    JOIN payout_version ON payout_version.txid = child.txid
    JOIN payout ON payout.id = payout_version.payout_id
    WHERE child.height = -1 AND child.vanished = 0 AND child.ours = 1 AND payout.status = 'live'
)
SELECT txid FROM conflicted;

-- A withdrawal in one transaction that the order's owner signs before our signer.
CREATE TABLE one_tx_session (
    order_id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    raw BYTEA NOT NULL,          -- the transaction, with the owner's witnesses once signed
    own_coins TEXT NOT NULL,     -- JSON, as in payout_version
    fee BIGINT NOT NULL,         -- sats
    vbytes BIGINT NOT NULL,
    rate BIGINT NOT NULL,        -- fee rate
    until_at BIGINT NOT NULL,    -- time until which the owner can sign
    signed BIGINT NOT NULL,      -- 1: the owner signed it, and our signer follows
    ended TEXT NOT NULL,         -- reason why the last session ended unsigned
    ended_value TEXT NOT NULL    -- value of that reason
);
CREATE INDEX one_tx_session_signed ON one_tx_session (signed, until_at, order_id);
CREATE UNIQUE INDEX one_tx_session_owner ON one_tx_session (community, owner) WHERE signed = 1 AND own_coins <> '';

-- The charges against the limits for refunds: one row for each refund that a running signer signed. The row remains
-- when the refund can no longer confirm, because the signer does not know that.
CREATE TABLE refund_charge (
    payout_id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    sats BIGINT NOT NULL,        -- value of the refunded payments, with the network fee
    charged_at BIGINT NOT NULL   -- when the newest version was signed
);
CREATE INDEX refund_charge_time ON refund_charge (community, charged_at, owner, sats);

-- The value that a transaction, which is no payout of this ledger, moved from the treasury to one address.
CREATE TABLE unexplained_spend (
    txid TEXT NOT NULL,
    owner TEXT NOT NULL,         -- the address that received it; '' if none did
    community TEXT NOT NULL,
    amount BIGINT NOT NULL,      -- base units, beyond the owner's stakes that it spends
    sats BIGINT NOT NULL DEFAULT 0, -- the treasury's sats that it sent to addresses that are not ours
    status TEXT NOT NULL,        -- open, unclear (only an operator can explain it), found (by its sum), explained
    unit_ids TEXT NOT NULL,      -- JSON array: the rewards that it delivered
    PRIMARY KEY (txid, owner)
);
CREATE INDEX unexplained_spend_owner ON unexplained_spend (community, owner);
CREATE INDEX unexplained_spend_open ON unexplained_spend (txid) WHERE status IN ('open', 'unclear');

-- ---- Epochs ----

-- The budget of an epoch and the result of its settlement.
CREATE TABLE epoch_account (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    planned BIGINT NOT NULL,     -- base units, the manifest's budget
    reserved BIGINT NOT NULL,    -- base units, the part of it that the treasury could reserve
    settled BIGINT NOT NULL,     -- 1 once it is settled
    staked BIGINT NOT NULL,      -- base units, the sum of the rewarded units
    rewarded BIGINT NOT NULL,    -- base units, the sum of the rewards: reserved, or 0 if nothing was staked
    cut BIGINT NOT NULL,         -- the last block that counts for the epoch, and its hash
    cut_hash TEXT NOT NULL,
    settled_at BIGINT NOT NULL,
    statement_due BIGINT NOT NULL DEFAULT 0, -- 1 until the facts of its statement are recorded
    PRIMARY KEY (community, epoch)
);
CREATE INDEX epoch_account_settled ON epoch_account (community, epoch) WHERE settled = 1; -- the last settled epoch
CREATE INDEX epoch_account_due ON epoch_account (community, epoch) WHERE statement_due = 1;

-- The units that an epoch rewards.
CREATE TABLE epoch_input (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    amount BIGINT NOT NULL,      -- base units
    PRIMARY KEY (community, epoch, owner, unit_id)
) /* clustered */;

CREATE TABLE epoch_reward (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    owner TEXT NOT NULL,
    stake BIGINT NOT NULL,       -- base units, the sum of the owner's rewarded units
    reward BIGINT NOT NULL,      -- base units
    unit_id TEXT NOT NULL,       -- of the reward; '' for a reward of 0
    PRIMARY KEY (community, epoch, owner)
) /* clustered */;
CREATE INDEX epoch_reward_owner ON epoch_reward (community, owner, epoch);

-- Every movement between accounts, with its cause. Append-only.
CREATE TABLE journal (
    number BIGINT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    subject TEXT NOT NULL,       -- the unit or order that changed, or an account
    owner TEXT NOT NULL,         -- '' if no single owner is concerned
    event TEXT NOT NULL,
    asset TEXT NOT NULL,         -- rune or treasury (base units), sats, instruction, '' (a change of a status)
    amount BIGINT NOT NULL,
    from_account TEXT NOT NULL,
    to_account TEXT NOT NULL,
    cause_kind TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX journal_owner ON journal (community, owner, number);
CREATE INDEX journal_subject ON journal (subject, number);

-- ---- Signed statements and receipts ----

-- The facts of the statement of each settled epoch, and the signed statement.
CREATE TABLE statement (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,    -- number of statements before this one
    epoch BIGINT NOT NULL,
    starts_at BIGINT NOT NULL,   -- of the epoch
    ends_at BIGINT NOT NULL,
    height BIGINT NOT NULL,      -- the last block that the ledger had followed, its hash and its time
    hash TEXT NOT NULL,
    block_time BIGINT NOT NULL,
    stakes BIGINT NOT NULL,      -- liabilities in base units; each unit that is not withdrawn is in one of the four
    delivering BIGINT NOT NULL,
    contested BIGINT NOT NULL,
    rewards BIGINT NOT NULL,
    refunds BIGINT NOT NULL,     -- sats
    last_incident BIGINT NOT NULL, -- number of the last incident that is in this statement or an earlier one
    id TEXT NOT NULL,            -- '' until it is signed
    signed TEXT NOT NULL,        -- the signed statement in canonical JSON, '' until it is signed
    journal BIGINT NOT NULL DEFAULT -1, -- number of the journal's last posting; -1 for an imported statement
    PRIMARY KEY (community, sequence),
    UNIQUE (community, epoch)
);
CREATE INDEX statement_unsigned ON statement (community, sequence) WHERE signed = '';
CREATE INDEX statement_id ON statement (id, community);

-- An owner's reward in the epoch and the sums that the owner is owed, in base units: the leaves of the statement's
-- tree.
CREATE TABLE statement_owner (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    owner TEXT NOT NULL,
    stake BIGINT NOT NULL,
    reward BIGINT NOT NULL,
    owed BIGINT NOT NULL,        -- stakes and the next three columns are 0 in an imported statement
    delivering BIGINT NOT NULL DEFAULT 0,
    contested BIGINT NOT NULL DEFAULT 0,
    rewards BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (community, sequence, owner)
) /* clustered */;

-- The unspent outputs of a statement. They are deleted once the statement, which contains them, is signed.
CREATE TABLE statement_reserve (
    community TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    owner TEXT NOT NULL,
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    kind TEXT NOT NULL,
    script BYTEA NOT NULL,
    value BIGINT NOT NULL,       -- sats
    runes BIGINT NOT NULL,       -- base units
    PRIMARY KEY (community, sequence, owner, txid, vout)
) /* clustered */;

-- The public incident log. Append-only.
CREATE TABLE incident (
    number BIGINT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,     -- '' for all
    at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL         -- contains no secret and no text of an operator
);

-- The last posting of the journal from which receipts of a community were made.
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

-- Signed receipts of accepted actions and of the steps of orders, made from the journal.
CREATE TABLE receipt (
    number BIGINT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,       -- an action, an outpoint, an order with its delivery, or a payout
    owner TEXT NOT NULL,
    action_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    receipt_key TEXT NOT NULL,   -- of the batch
    sequence BIGINT NOT NULL,    -- of the batch
    position BIGINT NOT NULL,    -- of the leaf
    path TEXT NOT NULL,          -- JSON array of hashes
    document TEXT NOT NULL,      -- canonical JSON
    at BIGINT NOT NULL           -- of the batch
);
CREATE UNIQUE INDEX receipt_subject ON receipt (subject, kind, community);
CREATE INDEX receipt_owner ON receipt (community, owner, number);
CREATE INDEX receipt_action ON receipt (community, owner, action_id, number) WHERE action_id <> '';
CREATE INDEX receipt_order ON receipt (community, owner, order_id, number) WHERE order_id <> '';

-- ---- Operators ----

-- The changes and requests of operators. Append-only.
CREATE TABLE operator_log (
    number BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    by_whom TEXT NOT NULL,
    command TEXT NOT NULL,
    subject TEXT NOT NULL,       -- the order, the community, the pause
    why TEXT NOT NULL,
    detail TEXT NOT NULL         -- the text of the preview
);

-- The requests of operators to a running server.
CREATE TABLE operator_request (
    number BIGINT NOT NULL PRIMARY KEY, -- of its line in operator_log
    kind TEXT NOT NULL,          -- refund, resume, …
    order_id TEXT NOT NULL,      -- the order, payout, outpoint or treasury that it is about
    status TEXT NOT NULL,        -- open, done, refused
    note TEXT NOT NULL,          -- why it waits or was refused
    payout_id TEXT NOT NULL,     -- the payout that carries it out
    tx TEXT NOT NULL DEFAULT '', -- export: the PSBT, once done; send: the signed transaction in hex
    sats BIGINT NOT NULL DEFAULT 0, -- withdrawal: its amount and its address
    runes BIGINT NOT NULL DEFAULT 0, -- base units
    address TEXT NOT NULL DEFAULT ''
);
CREATE INDEX operator_request_status ON operator_request (status);
CREATE INDEX operator_request_order ON operator_request (order_id);
CREATE INDEX operator_request_payout ON operator_request (payout_id) WHERE address <> '';

-- The violations that the audit found and an operator accepted. They stop nothing any more.
CREATE TABLE accepted_violation (
    id TEXT NOT NULL PRIMARY KEY, -- audit.Violation.ID
    number BIGINT NOT NULL        -- of its line in operator_log
);
CREATE INDEX accepted_violation_number ON accepted_violation (number);

-- Events that operators are notified of. A row is inserted in the transaction of the change that it describes, and
-- contains no secret. A backup does not contain the three tables.
CREATE TABLE outbox (
    number BIGINT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,       -- the order, transaction, pause or community
    ended BIGINT NOT NULL,       -- 1: the condition ended, 0: it began
    standing BIGINT NOT NULL,    -- 1: the condition began and has not ended
    data TEXT NOT NULL,          -- JSON
    at BIGINT NOT NULL           -- by the clock of the machine that inserted it
);
CREATE UNIQUE INDEX outbox_standing ON outbox (kind, subject) WHERE standing = 1;
CREATE INDEX outbox_at ON outbox (at);

-- A receiver of events, and the last event that has a row in outbox_delivery or is not for the receiver.
CREATE TABLE outbox_sink (
    sink TEXT NOT NULL PRIMARY KEY,
    last BIGINT NOT NULL
);

CREATE TABLE outbox_delivery (
    sink TEXT NOT NULL,
    number BIGINT NOT NULL,      -- of the event
    state TEXT NOT NULL,         -- pending, delivered, failed
    attempts BIGINT NOT NULL,
    since BIGINT NOT NULL,       -- of the first attempt, or of the replay
    due_at BIGINT NOT NULL,      -- of the next attempt while it is pending, else of the last one
    error TEXT NOT NULL,         -- of the last attempt
    PRIMARY KEY (sink, number)
);
CREATE INDEX outbox_delivery_open ON outbox_delivery (sink, state, due_at) WHERE state <> 'delivered';
CREATE INDEX outbox_delivery_number ON outbox_delivery (number);

-- ---- Messages to stakers (ADR 69) ----

-- A browser that receives an owner's messages by Web Push. A backup does not contain this table.
CREATE TABLE push_subscription (
    endpoint TEXT NOT NULL,      -- https address at the browser's push service, a secret of the browser
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    p256dh TEXT NOT NULL,        -- the browser's keys, base64url
    auth TEXT NOT NULL,
    told BIGINT NOT NULL,        -- number of the journal's last posting that the browser was told of
    attempts BIGINT NOT NULL,    -- failed attempts to send what is later
    due_at BIGINT NOT NULL,      -- of the next attempt
    created_at BIGINT NOT NULL,
    PRIMARY KEY (endpoint, community, owner)
);
CREATE INDEX push_subscription_owner ON push_subscription (community, owner, created_at);

-- ---- The rune index ----

CREATE TABLE rune_entry (
    id TEXT NOT NULL PRIMARY KEY, -- block:tx
    name TEXT NOT NULL UNIQUE,   -- letters, without spacers
    entry BYTEA NOT NULL         -- runes.EncodeEntry
);

-- The runes of each output, without its list in rune_list.
CREATE TABLE rune_balance (
    outpoint BYTEA NOT NULL PRIMARY KEY, -- runes.EncodeOutPoint
    balances BYTEA NOT NULL      -- runes.EncodeHolding
) /* clustered */;

-- Lists of runes that the outputs of one transaction share.
CREATE TABLE rune_list (
    tx BYTEA NOT NULL PRIMARY KEY, -- hash of the transaction, with which the outpoints of its outputs begin
    last_outpoint BYTEA NOT NULL, -- the last possible outpoint of the transaction
    balances BYTEA NOT NULL      -- runes.EncodeBalances
);

-- The changes of a block, to undo them in a reorg.
CREATE TABLE rune_undo (
    height BIGINT NOT NULL PRIMARY KEY,
    data BYTEA NOT NULL
);

-- ---- The mint and etch service ----

-- The orders of the service. They are separate from staking.
CREATE TABLE rune_order (
    id TEXT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL UNIQUE,
    kind TEXT NOT NULL,          -- rune_mint, rune_etch
    state TEXT NOT NULL,
    cause TEXT NOT NULL,         -- the event that failed it
    reason TEXT NOT NULL,        -- the cause as a sentence
    rune_name TEXT NOT NULL,     -- with spacers
    promise TEXT NOT NULL,       -- JSON: everything that its addresses are derived from
    fee_rate BIGINT NOT NULL,
    address TEXT NOT NULL,       -- at which it is paid
    script BYTEA NOT NULL UNIQUE, -- of address
    fund_amount BIGINT NOT NULL, -- sats, the price if it is paid in one payment
    executed TEXT NOT NULL,      -- txid that the client named
    quotes TEXT NOT NULL,        -- JSON: the requested prices at higher fee rates
    created_at BIGINT NOT NULL,
    deadline BIGINT NOT NULL,    -- time until which its payment must be seen
    updated_at BIGINT NOT NULL,
    settled BIGINT NOT NULL,     -- 1: nothing is due until an output or transaction changes
    reason_code TEXT NOT NULL DEFAULT '', -- of the sentence
    reason_values TEXT NOT NULL DEFAULT '[]' -- JSON: the values in the sentence
);
CREATE INDEX rune_order_due ON rune_order (number) WHERE settled = 0;
CREATE INDEX rune_order_state ON rune_order (state, deadline);

-- Outputs at the addresses of orders.
CREATE TABLE rune_order_output (
    txid TEXT NOT NULL,
    vout BIGINT NOT NULL,
    order_id TEXT NOT NULL,
    value BIGINT NOT NULL,       -- sats
    runes TEXT NOT NULL,         -- JSON: [{"id": "block:tx", "amount": "…"}] in base units, known once it is in a block
    seen_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    vanished BIGINT NOT NULL,    -- 1: a conflicting transaction was seen, or it was unconfirmed for too long
    PRIMARY KEY (txid, vout)
);
CREATE INDEX rune_order_output_order ON rune_order_output (order_id, seen_at);

-- Payments, and every transaction of the service, which is stored before it is sent.
CREATE TABLE rune_order_tx (
    txid TEXT NOT NULL,
    order_id TEXT NOT NULL,
    role TEXT NOT NULL,          -- funding, mint, commit, reveal, refund
    generation BIGINT NOT NULL,  -- increases with every replacement; 0 for funding
    position BIGINT NOT NULL,    -- index among the mints
    raw BYTEA NOT NULL,
    fee BIGINT NOT NULL,         -- sats
    vbytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    height BIGINT NOT NULL,
    vanished BIGINT NOT NULL,    -- as in rune_order_output
    got TEXT NOT NULL,           -- base units of the order's rune on output 0; '0' while in no block
    ancestors TEXT NOT NULL DEFAULT '', -- funding: JSON of the outpoints that its unconfirmed ancestors spend
    PRIMARY KEY (txid, order_id)
);
CREATE INDEX rune_order_tx_order ON rune_order_tx (order_id, generation, position);
CREATE INDEX rune_order_tx_height ON rune_order_tx (height);

-- +goose Down
SELECT 'this schema is never taken down';
