-- What a page or a step of the follower asks is found by an index, however large the ledger; and the outputs of one
-- owner lie beside each other, since a wallet's page asks for all of them.

-- +goose Up
DROP VIEW unit_view;

CREATE TABLE custody_of (
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
    PRIMARY KEY (owner, community, txid, vout),
    UNIQUE (txid, vout)
) /* clustered */;
INSERT INTO custody_of (txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
    seen_at, height, vanished, spent_by, spent_ours, spent_height)
SELECT txid, vout, community, kind, ref, owner, script, value, runes, quarantine, booked, coinbase,
    seen_at, height, vanished, spent_by, spent_ours, spent_height
FROM custody;
DROP TABLE custody;
ALTER TABLE custody_of RENAME TO custody;
CREATE INDEX custody_ref ON custody (ref);
CREATE INDEX custody_kind ON custody (community, kind, spent_by);
CREATE INDEX custody_height ON custody (height);
CREATE INDEX custody_spender ON custody (spent_by) WHERE spent_by <> '';
CREATE INDEX custody_spent ON custody (spent_height) WHERE spent_height >= 0;
CREATE INDEX custody_vanished ON custody (txid, vout) WHERE vanished = 1;
CREATE INDEX custody_foreign ON custody (txid, vout) WHERE spent_ours = 0 AND spent_by <> '';

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
FROM unit LEFT JOIN custody
    ON custody.community = unit.community AND custody.owner = unit.owner AND custody.txid = unit.txid AND custody.vout = unit.vout;

-- With its order, so that nobody looks for the newest among all.
DROP INDEX stake_address_owner;
CREATE INDEX stake_address_owner ON stake_address (community, owner, leaf_key, payment, delay, position);
CREATE INDEX stake_address_action ON stake_address (action_id);

-- +goose Down
SELECT 'this schema is never taken down';
