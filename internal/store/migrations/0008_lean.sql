-- Fewer and smaller indices, since each costs every unit that is made or moved;
-- and what an epoch paid for lies in the order it is asked for. The comment
-- "clustered" makes a table of SQLite one without row numbers.

-- +goose Up
DROP INDEX unit_stage;
DROP INDEX unit_sums;
DROP INDEX unit_output;
DROP INDEX unit_unplaced;
CREATE INDEX unit_cooling ON unit (community, unlock_epoch) WHERE stage = 'PENDING_UNLOCK';
CREATE INDEX unit_deposit ON unit (txid, vout) WHERE txid <> '';
CREATE INDEX unit_unplaced ON unit (community, number)
    WHERE eligible_epoch = -1 AND stage NOT IN ('CLAIMABLE', 'PO_CLAIMED');
CREATE INDEX unit_eligible ON unit (community, eligible_epoch) WHERE eligible_epoch >= 0;

CREATE TABLE epoch_input_of (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (community, epoch, unit_id)
) /* clustered */;
INSERT INTO epoch_input_of (community, epoch, unit_id, owner, amount) SELECT community, epoch, unit_id, owner, amount FROM epoch_input;
DROP TABLE epoch_input;
ALTER TABLE epoch_input_of RENAME TO epoch_input;

CREATE TABLE epoch_reward_of (
    community TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    owner TEXT NOT NULL,
    stake BIGINT NOT NULL,
    reward BIGINT NOT NULL,
    unit_id TEXT NOT NULL,
    PRIMARY KEY (community, epoch, owner)
) /* clustered */;
INSERT INTO epoch_reward_of (community, epoch, owner, stake, reward, unit_id)
SELECT community, epoch, owner, stake, reward, unit_id FROM epoch_reward;
DROP TABLE epoch_reward;
ALTER TABLE epoch_reward_of RENAME TO epoch_reward;
CREATE INDEX epoch_reward_owner ON epoch_reward (community, owner, epoch);

-- +goose Down
SELECT 'this schema is never taken down';
