package state

import "errors"

var (
	// ErrNotFound means that no row has the given id.
	ErrNotFound = errors.New("not found")

	// ErrConflict means that another transaction changed the row first. The caller must roll back, and may retry from
	// the start.
	ErrConflict = errors.New("the row is no longer in the expected state")

	// ErrNotLeading means that another server leads. Of the servers on one database, only the leader follows the chain
	// and pays. Transactions of the others are rolled back.
	ErrNotLeading = errors.New("another server leads")
)
