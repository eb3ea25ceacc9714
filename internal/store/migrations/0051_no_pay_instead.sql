-- No payment replaces the transaction of a withdrawal in one transaction.

-- +goose Up
ALTER TABLE payment_order DROP COLUMN instead_at;

-- +goose Down
SELECT 'this schema is never taken down';
