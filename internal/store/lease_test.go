package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"moonfund/internal/state"
	"moonfund/internal/testkit/engine"
)

// leaseAt returns a lease whose clock is *now.
func leaseAt(s *Store, now *time.Time) *Lease {
	l := s.Lease()
	l.now = func() time.Time { return *now }
	return l
}

func (l *Lease) leads() bool {
	_, leads := l.Term()
	return leads
}

func TestLeasePassesOn(t *testing.T) {
	if engine.Current() != engine.Postgres {
		t.Log("only one server works on a SQLite file: see TestSeize")
		return
	}
	s, ctx, now := open(t), t.Context(), time.Now()
	a, b := leaseAt(s, &now), leaseAt(s, &now)
	must(t, a.AcquireOrRenew(ctx, ""))
	must(t, b.AcquireOrRenew(ctx, ""))
	first, leads := a.Term()
	if !leads || b.leads() {
		t.Fatalf("leads: got %v and %v, want true and false", leads, b.leads())
	}
	for range 10 { // while a renews its lease, b does not acquire it
		now = now.Add(leaseTimeout / 2)
		must(t, a.AcquireOrRenew(ctx, "synced"))
		must(t, b.AcquireOrRenew(ctx, ""))
	}
	if state, alive := b.LeaderState(); !alive || state != "synced" || b.leads() {
		t.Errorf("%q, alive %v, leads %v", state, alive, b.leads())
	}
	now = now.Add(leaseTimeout) // a no longer renews
	if _, alive := b.LeaderState(); alive {
		t.Error("a leader without a heartbeat is alive")
	}
	must(t, b.AcquireOrRenew(ctx, ""))
	second, leads := b.Term()
	if !leads || second <= first {
		t.Fatalf("leads %v with token %d, after %d", leads, second, first)
	}
	// The former leader still assumes that it leads, but its writes fail.
	deposed := s.Update(ctx, func(tx *Tx) error {
		if err := tx.Leading(ctx, first); err != nil {
			return err
		}
		return tx.PutSetting(ctx, "a", "1")
	})
	if !errors.Is(deposed, state.ErrNotLeading) {
		t.Errorf("got %v, want ErrNotLeading", deposed)
	}
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.Leading(ctx, second) }))
	must(t, a.AcquireOrRenew(ctx, ""))
	if a.leads() {
		t.Error("two servers lead")
	}
	// After a release, another server acquires the lease immediately.
	must(t, b.release(ctx))
	must(t, a.AcquireOrRenew(ctx, ""))
	if !a.leads() || b.leads() {
		t.Errorf("leads: %v, %v", a.leads(), b.leads())
	}
}

func TestOneOfManyLeads(t *testing.T) {
	if engine.Current() != engine.Postgres {
		t.Log("only one server works on a SQLite file: see TestSeize")
		return
	}
	s, ctx, now := open(t), t.Context(), time.Now()
	var all []*Lease
	done := make(chan error)
	for range 16 {
		l := leaseAt(s, &now)
		all = append(all, l)
		go func() { done <- l.AcquireOrRenew(ctx, "") }()
	}
	for range all {
		must(t, <-done)
	}
	leaders := 0
	for _, l := range all {
		if l.leads() {
			leaders++
		}
	}
	if leaders != 1 {
		t.Errorf("%d servers lead, want 1", leaders)
	}
}

// The only server on a database becomes the leader immediately. The former leader's transactions fail.
func TestSeize(t *testing.T) {
	s, ctx := open(t), t.Context()
	a, b := s.Lease(), s.Lease()
	must(t, a.Seize(ctx))
	must(t, a.AcquireOrRenew(ctx, "synced"))
	term, leads := a.Term()
	if !leads {
		t.Fatal("the server does not lead")
	}
	must(t, b.Seize(ctx))
	if err := s.Update(ctx, func(tx *Tx) error { return tx.Leading(ctx, term) }); !errors.Is(err, state.ErrNotLeading) {
		t.Errorf("got %v, want ErrNotLeading", err)
	}
	must(t, a.AcquireOrRenew(ctx, ""))
	must(t, b.AcquireOrRenew(ctx, ""))
	if a.leads() || !b.leads() {
		t.Errorf("leads: %v, %v", a.leads(), b.leads())
	}
}

func TestAnnounce(t *testing.T) {
	s, ctx := open(t), t.Context()
	for want := range int64(3) {
		got, err := s.Announced(ctx)
		same(t, "announced", got, err, want)
		got, err = s.Announce(ctx)
		same(t, "announcing", got, err, want+1)
	}
}

// Texts compare by their bytes in every locale of the cluster. The distribution of rewards depends on it.
func TestTextsCompareByBytes(t *testing.T) {
	s := open(t)
	var order string
	for _, id := range []string{"b", "B", "a", "É"} {
		_, err := s.writer.ExecContext(t.Context(), `INSERT INTO setting (name, value) VALUES ($1, '')`, id)
		must(t, err)
	}
	rows, err := s.reader.QueryContext(t.Context(), `SELECT name FROM setting ORDER BY name`)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		order += name
	}
	same(t, "order", order, rows.Err(), "BabÉ")
	if engine.Current() == engine.Postgres {
		var loose int
		must(t, s.reader.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM information_schema.columns
			WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
			AND table_name NOT LIKE 'goose%'`).Scan(&loose))
		same(t, "columns of another collation", loose, nil, 0)
	}
}

// PostgreSQL can't store a zero byte, so no row has such an id.
func TestUnstorableText(t *testing.T) {
	s, ctx := open(t), t.Context()
	for _, id := range []string{"a\x00b", "\xff"} {
		err := s.View(ctx, func(tx *Tx) error {
			_, err := tx.Order(ctx, id)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("order %q: got %v, want ErrNotFound", id, err)
		}
	}
}
