-- The orders of an owner by status: a request about a claim reads the active one, not all that the owner ever had.

-- +goose Up
CREATE INDEX payment_order_owner_status ON payment_order (community, owner, status, reason);

-- +goose Down
SELECT 'this schema is never taken down';
