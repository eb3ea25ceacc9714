-- Instructions to compound rewards automatically. The journal has their beginning and end, with the signed action.

-- +goose Up
CREATE TABLE auto_compound (
    id TEXT NOT NULL PRIMARY KEY,  -- of the action that the owner signed
    community TEXT NOT NULL,
    owner TEXT NOT NULL,
    first_epoch BIGINT NOT NULL,   -- the first epoch whose reward is compounded
    last_epoch BIGINT NOT NULL,    -- the last one
    done_epoch BIGINT NOT NULL,    -- the last epoch whose reward was considered; at first the one before first_epoch
    signed_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL       -- 0 while it is active
);
CREATE UNIQUE INDEX auto_compound_active ON auto_compound (community, owner) WHERE ended_at = 0;
CREATE INDEX auto_compound_due ON auto_compound (community, done_epoch, id) WHERE ended_at = 0;
CREATE INDEX auto_compound_signed ON auto_compound (community, signed_at) WHERE ended_at = 0;
CREATE INDEX auto_compound_owner ON auto_compound (community, owner, signed_at);
CREATE INDEX epoch_account_settled ON epoch_account (community, epoch) WHERE settled = 1; -- the last settled epoch

-- +goose Down
SELECT 'this schema is never taken down';
