-- name: ReceiptCursor :one
SELECT journal FROM receipt_cursor WHERE community = $1;

-- name: BeginReceipts :exec
INSERT INTO receipt_cursor (community, journal)
VALUES ($1, (SELECT COALESCE(MAX(number), 0) FROM journal))
ON CONFLICT (community) DO NOTHING;

-- name: AdvanceReceipts :execrows
UPDATE receipt_cursor SET journal = @through WHERE community = @community AND journal = @cursor;

-- name: LastPosting :one
SELECT CAST(COALESCE(MAX(number), 0) AS BIGINT) FROM journal;

-- The expression with the community keeps SQLite from using the index of owners.
-- name: PostingsForReceipts :many
SELECT * FROM journal
WHERE number > @after AND number <= @last AND community || '' = @community
    AND (cause_kind = 'action' OR event = 'payment seen' OR event = 'refund sent'
        OR (event = 'deposited' AND asset = 'rune') OR (event = 'payout confirmed' AND asset = ''))
ORDER BY number LIMIT @most;

-- name: HasReceipt :one
SELECT COUNT(*) FROM receipt WHERE subject = $1 AND kind = $2 AND community = $3;

-- name: InsertReceipt :exec
INSERT INTO receipt (number, community, kind, subject, owner, action_id, order_id, receipt_key, sequence, position,
    path, document, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: InsertReceiptBatch :exec
INSERT INTO receipt_batch (community, receipt_key, sequence, at, receipts, root, signature)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: InsertReceiptKey :exec
INSERT INTO receipt_key (community, receipt_key, valid_from, valid_to, statement_key, signature)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (community, receipt_key) DO NOTHING;

-- Each subquery reads an index only, so that receipts are skipped without reading their rows.
-- name: ReceiptsOf :many
SELECT r.position, r.path, r.document, r.receipt_key, r.sequence, b.at, b.receipts, b.root, b.signature,
    k.valid_from, k.valid_to, k.statement_key, k.signature AS key_signature
FROM receipt r
JOIN receipt_batch b ON b.community = r.community AND b.receipt_key = r.receipt_key AND b.sequence = r.sequence
JOIN receipt_key k ON k.community = r.community AND k.receipt_key = r.receipt_key
WHERE r.number IN (SELECT chosen.number FROM receipt AS chosen
    WHERE chosen.community = @community AND chosen.owner = @owner
    ORDER BY chosen.number DESC LIMIT @most OFFSET @skipped)
ORDER BY r.number DESC;

-- name: ReceiptsOfAction :many
SELECT r.position, r.path, r.document, r.receipt_key, r.sequence, b.at, b.receipts, b.root, b.signature,
    k.valid_from, k.valid_to, k.statement_key, k.signature AS key_signature
FROM receipt r
JOIN receipt_batch b ON b.community = r.community AND b.receipt_key = r.receipt_key AND b.sequence = r.sequence
JOIN receipt_key k ON k.community = r.community AND k.receipt_key = r.receipt_key
WHERE r.number IN (SELECT chosen.number FROM receipt AS chosen
    WHERE chosen.community = @community AND chosen.owner = @owner
    AND chosen.action_id = @action_id AND chosen.action_id <> ''
    ORDER BY chosen.number DESC LIMIT @most OFFSET @skipped)
ORDER BY r.number DESC;

-- name: ReceiptsOfOrder :many
SELECT r.position, r.path, r.document, r.receipt_key, r.sequence, b.at, b.receipts, b.root, b.signature,
    k.valid_from, k.valid_to, k.statement_key, k.signature AS key_signature
FROM receipt r
JOIN receipt_batch b ON b.community = r.community AND b.receipt_key = r.receipt_key AND b.sequence = r.sequence
JOIN receipt_key k ON k.community = r.community AND k.receipt_key = r.receipt_key
WHERE r.number IN (SELECT chosen.number FROM receipt AS chosen
    WHERE chosen.community = @community AND chosen.owner = @owner
    AND chosen.order_id = @order_id AND chosen.order_id <> ''
    ORDER BY chosen.number DESC LIMIT @most OFFSET @skipped)
ORDER BY r.number DESC;

-- name: DeleteReceiptsBefore :execrows
DELETE FROM receipt
WHERE receipt.number < (SELECT MIN(oldest.number) FROM receipt AS oldest) + CAST(@most AS BIGINT)
    AND receipt.at < @before;

-- name: DeleteReceiptBatchesBefore :exec
DELETE FROM receipt_batch
WHERE receipt_batch.at < @before
    AND receipt_batch.at < COALESCE((SELECT r.at FROM receipt AS r ORDER BY r.number LIMIT 1), @before);
