package action

import (
	"context"

	"moonfund/internal/fault"
)

// statementFor returns the id of the statement that a new message names: the given one, which must belong to the
// community, or the newest one. It returns "" if the community has no statement. The message then names none.
func statementFor(ctx context.Context, tx Tx, community, id string) (string, error) {
	if id == "" {
		return tx.Statements.NewestStatement(ctx, community)
	}
	return id, checkStatement(ctx, tx, community, id)
}

// checkStatement returns a fault unless id is a signed statement of the community. A community has one chain of
// statements, so every statement is an ancestor of the newest one. An action without a statement is accepted, because
// it was stored before the community published its first one.
func checkStatement(ctx context.Context, tx Tx, community, id string) error {
	if id == "" {
		return nil
	}
	known, err := tx.Statements.HasStatement(ctx, community, id)
	if err == nil && !known {
		err = fault.Refuse(fault.StatementUnknown)
	}
	return err
}
