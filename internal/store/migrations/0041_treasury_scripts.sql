-- The scripts of a treasury, which a server reads at its start, without reading those of every stake.

-- +goose Up
CREATE INDEX watch_treasury ON watch (community, number) WHERE kind IN ('runes', 'sats');

-- +goose Down
SELECT 'this schema is never taken down';
