-- Own unconfirmed transactions that can't confirm in the followed chain, because they or their unconfirmed ancestors
-- spend an output of a transaction that vanished, and their descendants. After a reorg they can come back.

-- +goose Up
CREATE INDEX tracked_own_pending ON tracked (txid) WHERE height = -1 AND vanished = 0 AND ours = 1;

CREATE VIEW conflicted_tx AS
WITH RECURSIVE conflicted (txid) AS (
    SELECT child.txid FROM tracked child
    JOIN tracked_input ON tracked_input.txid = child.txid
    JOIN tracked parent ON parent.txid = tracked_input.prev_txid
    WHERE child.height = -1 AND child.vanished = 0 AND child.ours = 1 AND parent.vanished = 1
    UNION
    SELECT child.txid FROM conflicted
    JOIN tracked_input ON tracked_input.prev_txid = conflicted.txid
    JOIN tracked child ON child.txid = tracked_input.txid
    WHERE child.height = -1 AND child.vanished = 0 AND child.ours = 1
)
SELECT txid FROM conflicted;

-- +goose Down
SELECT 'this schema is never taken down';
