-- name: FailedEvaluations :many
SELECT * FROM failed_evaluation ORDER BY at, order_id;

-- name: PutFailedEvaluation :execrows
INSERT INTO failed_evaluation (order_id, at, reason) VALUES ($1, $2, $3)
ON CONFLICT (order_id) DO UPDATE SET reason = excluded.reason WHERE failed_evaluation.reason <> excluded.reason;

-- name: DropFailedEvaluation :exec
DELETE FROM failed_evaluation WHERE order_id = $1;
