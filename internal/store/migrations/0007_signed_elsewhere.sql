-- An operator may hand in a payout that was signed elsewhere.

-- +goose Up
ALTER TABLE operator_request ADD COLUMN tx TEXT NOT NULL DEFAULT ''; -- in hex; '' for every other request

-- +goose Down
SELECT 'this schema is never taken down';
