-- What is in quarantine is counted for the metrics, however large the ledger is.

-- +goose Up
CREATE INDEX custody_quarantine ON custody (community) WHERE quarantine <> '' AND spent_by = '';

-- +goose Down
SELECT 'this schema is never taken down';
