-- The time from which payments pay the difference of an economy order. It is before raised_at if a call began the time of
-- a difference again whose payments did not confirm (ADR 66).

-- +goose Up
ALTER TABLE payment_order ADD COLUMN raised_from BIGINT NOT NULL DEFAULT -62135596800;
UPDATE payment_order SET raised_from = raised_at;

-- +goose Down
SELECT 'this schema is never taken down';
