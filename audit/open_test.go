package audit_test

import (
	"testing"

	"moonfund/audit"
	"moonfund/testkit/engine"
)

// A query of an audit uses one process of PostgreSQL, unless the address sets another number.
func TestQueriesUseOneProcess(t *testing.T) {
	address := engine.NewPostgres(t, nil)
	for suffix, want := range map[string]string{"": "0", "&max_parallel_workers_per_gather=1": "1"} {
		db, err := audit.Open(address + suffix)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		err = db.QueryRowContext(t.Context(), `SHOW max_parallel_workers_per_gather`).Scan(&got)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", suffix, got, err, want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
