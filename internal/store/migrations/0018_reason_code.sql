-- Why a mint or etch order failed, with the code that a page chooses its words by. Orders that failed before have no code.

-- +goose Up
ALTER TABLE rune_order ADD COLUMN reason_code TEXT NOT NULL DEFAULT '';
ALTER TABLE rune_order ADD COLUMN reason_values TEXT NOT NULL DEFAULT '[]'; -- JSON: what the sentence names

-- +goose Down
SELECT 'this schema is never taken down';
