-- What counts against the limits for refunds: one row for each refund that a running signer signed. It stays when the
-- refund dies, since the signer can't know that.

-- +goose Up
CREATE TABLE refund_charge (
    payout_id TEXT NOT NULL PRIMARY KEY,
    community TEXT NOT NULL,
    owner TEXT NOT NULL,          -- ordinals address
    sats BIGINT NOT NULL,         -- what the refunded payments are worth, the network fee included
    charged_at BIGINT NOT NULL    -- when the latest version was signed
);
CREATE INDEX refund_charge_time ON refund_charge (community, charged_at, owner, sats);

-- +goose Down
SELECT 'this schema is never taken down';
