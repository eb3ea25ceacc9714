package state

import "errors"

var (
	// ErrNotFound means that there is no row with the id that was asked for.
	ErrNotFound = errors.New("not found")

	// ErrConflict means that another transaction moved the row first. The caller must
	// roll back, and may try again from the start.
	ErrConflict = errors.New("the row is no longer in the expected state")

	// ErrNotLeading means that another server leads. Of the servers on one database only
	// the leader follows the chain and pays; a transaction of any other one is rolled back.
	ErrNotLeading = errors.New("another server leads")
)
