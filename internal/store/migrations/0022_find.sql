-- An operator looks owners up by either of their addresses.

-- +goose Up
CREATE INDEX wallet_link_payment ON wallet_link (payment);
CREATE INDEX stake_address_payment ON stake_address (payment);
CREATE INDEX payment_order_payment ON payment_order (payment);

-- +goose Down
SELECT 'this schema is never taken down';
