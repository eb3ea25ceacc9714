package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	StopPostgres()
	os.Exit(code)
}

// prepared creates a small schema with rows.
func prepared(address string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	_, err = db.Exec(`CREATE TABLE unit (id TEXT PRIMARY KEY, amount BIGINT NOT NULL); CREATE TABLE note (text TEXT NOT
		NULL); INSERT INTO note VALUES ('fresh')`)
	return errors.Join(err, db.Close())
}

// change executes statements on a database with separate connections, like a test.
func change(t *testing.T, address string, statements ...string) {
	t.Helper()
	db := Connect(t, address)
	for _, statement := range statements {
		_, err := db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	must(t, db.Close())
}

// holds returns all rows of a database.
func holds(t *testing.T, address string) string {
	t.Helper()
	var all strings.Builder
	rows, err := Read(t, address).QueryContext(t.Context(), `SELECT id, amount FROM unit UNION ALL SELECT text, 0
		FROM note ORDER BY 1, 2`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		var amount int64
		must(t, rows.Scan(&id, &amount))
		fmt.Fprintf(&all, "%s:%d ", id, amount)
	}
	must(t, rows.Err())
	return all.String()
}

// TestCopiesShareNothing checks that a reused database holds the same rows as a new copy.
func TestCopiesShareNothing(t *testing.T) {
	before := NewPostgres(t, prepared)
	change(t, before, `INSERT INTO unit VALUES ('a', 1), ('b', 2), ('c	\ ü', 3)`, `INSERT INTO note VALUES ('')`,
		`UPDATE unit SET amount = 4 WHERE id = 'b'`)
	past := Freeze(t, before)
	want := holds(t, before)
	for name, left := range map[string][]string{
		"nothing":              nil,
		"a row more":           {`INSERT INTO unit VALUES ('d', 4)`},
		"a row less":           {`DELETE FROM unit WHERE id = 'c	\ ü'`},
		"the newest row less":  {`DELETE FROM note`},
		"another value":        {`UPDATE unit SET amount = 9 WHERE id = 'a'`},
		"as many other rows":   {`DELETE FROM unit WHERE id = 'a'`, `INSERT INTO unit VALUES ('e', 5)`},
		"the same row again":   {`DELETE FROM unit WHERE id = 'a'`, `INSERT INTO unit VALUES ('a', 1)`},
		"nothing after a turn": {`INSERT INTO unit VALUES ('d', 4)`, `DELETE FROM unit WHERE id = 'd'`},
		"what was given up":    {`BEGIN; INSERT INTO unit VALUES ('d', 4); ROLLBACK`},
		"part of a change": {
			`BEGIN; SAVEPOINT x; INSERT INTO unit VALUES ('d', 4); ROLLBACK TO x; DELETE FROM note; COMMIT`},
		"everything else": {`TRUNCATE unit, note`, `INSERT INTO note VALUES ('x'), ('y')`},
	} {
		t.Run(name, func(t *testing.T) {
			var used string
			for range cleaned + 1 { // also after a VACUUM
				t.Run("left", func(t *testing.T) {
					used = past.Copy(t)
					change(t, used, left...)
				})
				t.Run("lent again", func(t *testing.T) {
					if again := past.Copy(t); again != used || holds(t, again) != want {
						t.Fatalf("%s holds %q, want %q like %s", again, holds(t, again), want, before)
					}
				})
			}
			t.Run("fresh", func(t *testing.T) {
				if fresh := NewPostgres(t, prepared); fresh != used || holds(t, fresh) != "fresh:0 " {
					t.Fatalf("a fresh database holds %q", holds(t, fresh))
				}
			})
		})
	}
	if holds(t, before) != want {
		t.Fatalf("the original database holds %q, want %q", holds(t, before), want)
	}
	one, other := past.Copy(t), past.Copy(t)
	change(t, one, `DELETE FROM unit`)
	if one == other || holds(t, other) != want {
		t.Fatalf("the second of two copies has the same URL or was changed; it holds %q", holds(t, other))
	}
}

// TestFreezeRefuses checks that a database that was created without the template cannot be copied.
func TestFreezeRefuses(t *testing.T) {
	c, err := started()
	must(t, err)
	if _, err := c.shelf.find(NewPostgres(t, nil)).read(context.Background(), c.tables); err == nil {
		t.Fatal("read succeeded, want an error")
	}
}
