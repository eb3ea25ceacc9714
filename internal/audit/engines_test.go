package audit_test

import (
	"testing"

	"moonfund/internal/testkit/engine"
)

func TestMain(m *testing.M) { engine.OnBoth(m) }

// isTried reports whether a short run tries a case: on PostgreSQL one of four, because what a rule finds does not
// depend on the database, and each case is a database of its own.
func isTried(n int) bool { return !testing.Short() || engine.Current() != engine.Postgres || n%4 == 0 }
