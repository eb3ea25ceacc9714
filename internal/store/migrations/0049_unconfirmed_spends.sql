-- Outputs of ours whose spend is unconfirmed, for the follower, which reads them when it starts.

-- +goose Up
CREATE INDEX custody_spending ON custody (spent_height) WHERE spent_by <> '' AND spent_height = -1;

-- +goose Down
SELECT 'this schema is never taken down';
