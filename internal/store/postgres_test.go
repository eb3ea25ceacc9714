package store

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"moonfund/internal/fault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/testkit/engine"
)

// The error for an invalid database is returned on opening, and never contains the password.
func TestBadDatabases(t *testing.T) {
	if engine.Current() != engine.Postgres {
		t.Log("SQLite's are in TestBadAddresses")
		return
	}
	good := engine.New(t, migrated)
	for name, test := range map[string]struct{ address, want string }{
		"nobody listens": {"postgres://anna:secret@127.0.0.1:1/moonfund", "can't be opened"},
		"unknown":        {strings.Replace(good, "@/", "@/no", 1), "can't be opened"},
		"unsafe":         {good + "&synchronous_commit=off", "synchronous_commit is off"},
	} {
		s, err := Open(t.Context(), test.address)
		if err == nil {
			must(t, s.Close())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The server's connections use its own settings of PostgreSQL, unless the address sets other values.
func TestSettingsOfPostgreSQL(t *testing.T) {
	address := engine.NewPostgres(t, nil)
	for _, c := range []struct{ suffix, setting, want string }{
		{"", "jit", "off"},
		{"&jit=on", "jit", "on"},
		{"", "random_page_cost", randomPageCost},
		{"&random_page_cost=2", "random_page_cost", "2"},
		{"", "idle_in_transaction_session_timeout", idleLimit},
		{"", "application_name", "moonfund"},
	} {
		s, err := connect(address + c.suffix)
		must(t, err)
		for name, pool := range map[string]*sql.DB{"writer": s.writer, "reader": s.reader, "direct": s.direct} {
			var got string
			must(t, pool.QueryRowContext(t.Context(), "SHOW "+c.setting).Scan(&got))
			if got != c.want {
				t.Errorf("%s, %q: %s is %q, want %q", name, c.suffix, c.setting, got, c.want)
			}
		}
		must(t, s.Close())
	}
}

// A connection that does not keep the settings of its session is refused.
func TestPooler(t *testing.T) {
	s := openAt(t, engine.NewPostgres(t, nil))
	must(t, s.reachable(t.Context()))
	s.direct.SetMaxOpenConns(1)
	if _, err := s.direct.ExecContext(t.Context(), `SET random_page_cost = 4`); err != nil {
		t.Fatal(err)
	}
	if err := s.reachable(t.Context()); !errors.Is(err, errPooler) {
		t.Errorf("a connection with other settings: %v", err)
	}
}

// PgBouncer is refused with one sentence, whether it refuses the settings of a session or ignores them.
func TestPgBouncer(t *testing.T) {
	if engine.Current() != engine.Postgres {
		t.Log("SQLite has no pooler")
		return
	}
	address := engine.NewPostgres(t, nil)
	for _, c := range []struct {
		mode    string
		ignored []string
	}{
		{"transaction", nil},
		{"transaction", []string{"jit", "random_page_cost", "idle_in_transaction_session_timeout"}},
		{"session", nil},
	} {
		pooled := engine.Pooler(t, address, c.mode, c.ignored...)
		var one int
		must(t, engine.Connect(t, pooled).QueryRowContext(t.Context(), "SELECT 1").Scan(&one)) // it works for others
		s, err := Open(t.Context(), pooled)
		if err == nil {
			must(t, s.Close())
		}
		if !errors.Is(err, errPooler) || strings.Contains(err.Error(), "\n") ||
			!strings.Contains(err.Error(), "a pooler such as PgBouncer in transaction mode: name PostgreSQL itself") {
			t.Errorf("PgBouncer in %s mode that ignores %v: %v", c.mode, c.ignored, err)
		}
	}
}

// The error for a database that can't be reached differs from an internal error: the caller may retry.
func TestUnreachableDatabase(t *testing.T) {
	s, err := connect("postgres://anna@127.0.0.1:1/moonfund")
	must(t, err)
	s.group = newGroupCommit()
	nothing := func(*Tx) error { return nil }
	for name, err := range map[string]error{"View": s.View(t.Context(), nothing),
		"Update": s.Update(t.Context(), nothing)} {
		if f := fault.From(err); f.Kind != fault.Unavailable || strings.Contains(f.Message, "127.0.0.1") {
			t.Errorf("%s: %v becomes %d %q", name, err, f.Kind, f.Message)
		}
	}
	must(t, s.Close())
}

// The stakes of a statement are found by the keys of their units. A plan that compared every output with every unit
// took more than nine minutes for an owner of 22,000 units, and held the writer. The tables have no statistics, as on a
// server that has just recorded a block of stakes.
func TestStatementStakesAreLookedUp(t *testing.T) {
	if engine.Current() != engine.Postgres {
		t.Log("TestQuestionsHaveTheirIndex checks SQLite's plan")
		return
	}
	ctx := t.Context()
	within(t, func(tx *Tx) {
		for n := range 2000 {
			must(t, tx.PutOutput(ctx, output(n, ledger.StakeKind)))
			must(t, tx.InsertUnit(ctx, unit(n)))
		}
		text := questions(t)["InsertStatementStakes"]
		for parameter, value := range map[string]string{"@sequence": "1", "@community": "'lobo'", "@epoch": "0"} {
			text = strings.ReplaceAll(text, parameter, value)
		}
		rows, err := tx.db.QueryContext(ctx, "EXPLAIN "+text)
		must(t, err)
		var plan []string
		for rows.Next() {
			var step string
			must(t, rows.Scan(&step))
			plan = append(plan, step)
		}
		must(t, rows.Close())
		steps := strings.Join(plan, "\n")
		if strings.Contains(steps, "Nested Loop") && strings.Contains(steps, "Seq Scan on custody") {
			t.Errorf("every output is compared with every unit:\n%s", steps)
		}
	})
}
