package action

import (
	"context"

	"moonfund/internal/fault"
)

// statementFor returns the id of the statement that a new message names: the given one, which must be of the community,
// or the newest one. It returns "" if the community has none: then the message has the layout without a statement.
func statementFor(ctx context.Context, tx Tx, community, id string) (string, error) {
	if id == "" {
		return tx.Statements.NewestStatement(ctx, community)
	}
	return id, checkStatement(ctx, tx, community, id)
}

// checkStatement returns a fault unless id is a signed statement of the community. A community has one chain, and the
// newest statement is its end, so every other one is an ancestor of it. An action without a statement is accepted: it
// was stored before the community published one.
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
