-- What a withdrawal from the treasury takes, and where to: of a request to make one, and of a request to send one that
-- was signed by hand. The payout that carries it out is in payout_id.

-- +goose Up
ALTER TABLE operator_request ADD COLUMN sats BIGINT NOT NULL DEFAULT 0;
ALTER TABLE operator_request ADD COLUMN runes BIGINT NOT NULL DEFAULT 0; -- base units of the community's rune
ALTER TABLE operator_request ADD COLUMN address TEXT NOT NULL DEFAULT '';
CREATE INDEX operator_request_payout ON operator_request (payout_id) WHERE address <> '';

-- +goose Down
SELECT 'this schema is never taken down';
