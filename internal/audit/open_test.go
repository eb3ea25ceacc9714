package audit_test

import (
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/testkit/engine"
)

// A query of an audit uses one process of PostgreSQL and is not compiled, unless the address sets other values.
func TestSettingsOfPostgreSQL(t *testing.T) {
	address := engine.NewPostgres(t, nil)
	for _, c := range []struct{ suffix, setting, want string }{
		{"", "max_parallel_workers_per_gather", "0"},
		{"&max_parallel_workers_per_gather=1", "max_parallel_workers_per_gather", "1"},
		{"", "jit", "off"},
		{"&jit=on", "jit", "on"},
	} {
		db, err := audit.Open(address + c.suffix)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := db.QueryRowContext(t.Context(), "SHOW "+c.setting).Scan(&got); err != nil || got != c.want {
			t.Errorf("%q: %s: got %q, %v, want %q", c.suffix, c.setting, got, err, c.want)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
