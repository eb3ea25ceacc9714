package state

import "errors"

var (
	// ErrNotFound means that no row has the given id.
	ErrNotFound = errors.New("not found")

	// ErrConflict means that the row is not in the state that the caller expects, because another transaction changed
	// it or because it does not exist. The caller must roll back, and may retry the whole transaction.
	ErrConflict = errors.New("the row is no longer in the expected state")

	// ErrNotLeading means that another server holds the leader lease. Of the servers on one database, only the leader
	// follows the chain and pays. Transactions of the other servers that follow or pay are rolled back.
	ErrNotLeading = errors.New("another server leads")
)
