-- The refunds of an order are found by the order itself: a restored ledger may
-- have found one on the chain that no request of its own asks for.

-- +goose Up
CREATE INDEX payout_refund ON payout (order_ids, created_at) WHERE kind = 'refund';

-- +goose Down
SELECT 'this schema is never taken down';
