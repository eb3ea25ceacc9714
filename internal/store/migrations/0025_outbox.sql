-- Events that operators are notified of. A row is inserted in the transaction of the change that it describes, and
-- contains no secret. A backup does not contain these tables.

-- +goose Up
CREATE TABLE outbox (
    number BIGINT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,      -- the order, transaction, pause or community
    ended BIGINT NOT NULL,      -- 1: the condition ended, 0: it began
    standing BIGINT NOT NULL,   -- 1: the condition began and has not ended
    data TEXT NOT NULL,         -- JSON
    at BIGINT NOT NULL          -- by the clock of the machine that wrote it
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
    number BIGINT NOT NULL,     -- of the event
    state TEXT NOT NULL,        -- pending, delivered, failed
    attempts BIGINT NOT NULL,
    since BIGINT NOT NULL,      -- of the first attempt, or of the replay
    due_at BIGINT NOT NULL,     -- of the next attempt while it is pending, else of the last one
    error TEXT NOT NULL,        -- of the last attempt, '' if there was none
    PRIMARY KEY (sink, number)
);
CREATE INDEX outbox_delivery_open ON outbox_delivery (sink, state, due_at) WHERE state <> 'delivered';
CREATE INDEX outbox_delivery_number ON outbox_delivery (number);

-- +goose Down
SELECT 'this schema is never taken down';
