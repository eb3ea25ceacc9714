-- Receipts of an action or of an order are read from an index alone.

-- +goose Up
CREATE INDEX receipt_action ON receipt (community, owner, action_id, number) WHERE action_id <> '';
CREATE INDEX receipt_order ON receipt (community, owner, order_id, number) WHERE order_id <> '';

-- +goose Down
SELECT 'this schema is never taken down';
