-- What a delivery kept for an order beyond its price, and a refund gave back since.

-- +goose Up
ALTER TABLE payment_order ADD COLUMN returned BIGINT NOT NULL DEFAULT 0; -- sats, of the surplus

-- +goose Down
SELECT 'this schema is never taken down';
