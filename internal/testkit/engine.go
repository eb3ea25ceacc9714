package testkit

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

// NewDatabase returns the URL of a PostgreSQL database with the product's schema and no rows. It is dropped when the
// test ends.
func NewDatabase(t testing.TB) string {
	t.Helper()
	return engine.NewPostgres(t, migrated)
}

func migrated(address string) error {
	db, err := store.Open(context.Background(), address)
	if err != nil {
		return err
	}
	return db.Close()
}

// copyDatabase returns the URL of a copy of the current state of the world's database.
func (w *World) copyDatabase() string {
	w.Helper()
	w.close()
	copied := engine.Freeze(w, w.url).Copy(w)
	w.openStore()
	return copied
}

// numbered replaces the parameters ? of a query by $1, $2, ….
func numbered(query string) string {
	parts := strings.Split(query, "?")
	for i := range len(parts) - 1 {
		parts[i] += "$" + strconv.Itoa(i+1)
	}
	return strings.Join(parts, "")
}
