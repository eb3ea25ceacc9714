package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/testkit/engine"
)

// failoverLimit is the time limit for a store to continue after a change of the primary, on a busy machine.
const failoverLimit = 60 * time.Second

// openPair starts a primary and its standby, and opens a new ledger there. On SQLite it returns nil.
func openPair(t *testing.T, start func(testing.TB) *engine.Pair) (*engine.Pair, *Store) {
	t.Helper()
	if engine.Current() != engine.Postgres {
		t.Log("SQLite has no standby")
		return nil, nil
	}
	pair := start(t)
	return pair, openAt(t, pair.URL())
}

// number stores the next number of a counter under a name, once: it returns the number of an earlier call, if any.
func (s *Store) number(ctx context.Context, name string) (n int64, err error) {
	err = s.Update(ctx, func(tx *Tx) error {
		text, err := tx.Setting(ctx, name)
		if err != nil {
			return err
		}
		if text != "" {
			n, err = strconv.ParseInt(text, 10, 64)
			return err
		}
		if n, err = tx.next(ctx, "numbers"); err != nil {
			return err
		}
		return tx.PutSetting(ctx, name, strconv.FormatInt(n, 10))
	})
	return n, err
}

// acknowledged are the numbers that a store returned, by name.
type acknowledged struct {
	sync.Mutex
	numbers map[string]int64
}

func (a *acknowledged) count() int {
	a.Lock()
	defer a.Unlock()
	return len(a.numbers)
}

// load stores numbers with several callers until stop is called. A caller repeats a failed call.
func (a *acknowledged) load(s *Store) (stop func()) {
	a.numbers = map[string]int64{}
	ctx, cancel := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Go(func() {
			for i := 0; ctx.Err() == nil; {
				name := fmt.Sprint(caller, " ", i)
				n, err := s.number(ctx, name)
				if err != nil {
					continue
				}
				a.Lock()
				a.numbers[name] = n
				a.Unlock()
				i++
			}
		})
	}
	return func() { cancel(); callers.Wait() }
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(failoverLimit)
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", failoverLimit, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// waitLimit is the timeout of a caller. It is shorter than the time after which a new connection gives up a host.
const waitLimit = 4 * time.Second

// The primary is lost under load and the standby is promoted. The store continues there by itself: everything that it
// acknowledged is stored, nothing is applied twice, and the leader keeps its lease. A killed primary closes its
// connections and refuses new ones; a silent primary does not answer; a primary behind a cut network runs, but no
// packet passes between it and the store.
func TestFailover(t *testing.T) {
	t.Run("killed", func(t *testing.T) { failOver(t, engine.NewPair, (*engine.PostgresServer).Kill) })
	t.Run("silent", func(t *testing.T) {
		pair, s := failOver(t, engine.NewPair, (*engine.PostgresServer).Freeze)
		checkReturn(t, pair, s, (*engine.PostgresServer).Thaw)
	})
	t.Run("cut off", func(t *testing.T) {
		pair, s := failOver(t, engine.NewLinkedPair, (*engine.PostgresServer).Cut)
		checkReturn(t, pair, s, (*engine.PostgresServer).Restore)
	})
}

// checkReturn lets a former primary answer again, and checks that the store closes its connections to it and writes
// only to the new primary.
func checkReturn(t *testing.T, pair *engine.Pair, s *Store, comesBack func(*engine.PostgresServer)) {
	t.Helper()
	if s == nil {
		return
	}
	s.reader.SetMaxIdleConns(0) // each read opens a connection
	for range 5 {
		must(t, briefly(t, s.Ping))
	}
	comesBack(pair.Primary)
	const numbers = `SELECT value FROM counter WHERE name = 'numbers'`
	eventually(t, "the store leaves the former primary", func() bool { // a commit that waits for the standby stays
		return pair.Primary.SQL(`SELECT count(*) FROM pg_stat_activity
			WHERE application_name = 'moonfund' AND state LIKE 'idle%'`) == "0"
	})
	last := pairSQL(t, pair.Primary, numbers) // now, because a commit that the standby had confirmed has ended, too
	var n int64
	for i := range 50 {
		var err error
		n, err = s.number(t.Context(), fmt.Sprint("after the former primary answers again ", i))
		must(t, err)
	}
	if former := pairSQL(t, pair.Primary, numbers); former != last {
		t.Errorf("the former primary continued from %s to %s", last, former)
	}
	if stored := pairSQL(t, pair.Standby, numbers); stored != fmt.Sprint(n) {
		t.Errorf("the number %d was acknowledged; stored is %s", n, stored)
	}
}

// briefly calls fn with a context that ends after waitLimit.
func briefly(t *testing.T, fn func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	return fn(ctx)
}

// failOver loses the primary of a pair under load, promotes the standby, and checks the rows of the store.
func failOver(
	t *testing.T, start func(testing.TB) *engine.Pair, lose func(*engine.PostgresServer),
) (*engine.Pair, *Store) {
	t.Helper()
	pair, s := openPair(t, start)
	if s == nil {
		return nil, nil
	}
	ctx := t.Context()
	lease := s.Lease()
	must(t, lease.Seize(ctx))
	term, _ := lease.Term()
	var told acknowledged
	stop := told.load(s)
	eventually(t, "the load begins", func() bool { return told.count() > 200 })
	lose(pair.Primary)
	renew := func(ctx context.Context) error { return lease.AcquireOrRenew(ctx, "") }
	read := func(ctx context.Context) error { return s.View(ctx, func(*Tx) error { return nil }) }
	for what, try := range map[string]func(context.Context) error{"renewed the lease": renew, "read": read} {
		if err := briefly(t, try); err == nil || !s.engine.isUnavailable(err) {
			t.Errorf("without a primary, the store %s: %v", what, err)
		}
	}
	before := told.count()
	pair.Standby.Promote()
	eventually(t, "the load continues", func() bool { return told.count() > before+200 })
	stop()
	told.check(t, s, pair.Standby)
	if r, err := s.Replication(ctx); err != nil || !r.Missing {
		t.Errorf("the new primary has no standby, and the store reports %+v, %v", r, err)
	}
	must(t, lease.AcquireOrRenew(ctx, ""))
	if now, leads := lease.Term(); !leads || now != term {
		t.Errorf("the term is %d (%t); it was %d", now, leads, term)
	}
	return pair, s
}

// check compares the acknowledged numbers with the numbers that are stored on a server.
func (a *acknowledged) check(t *testing.T, s *Store, on *engine.PostgresServer) {
	t.Helper()
	ctx := t.Context()
	stored := map[string]string{}
	must(t, s.View(ctx, func(tx *Tx) error {
		for name := range a.numbers {
			text, err := tx.Setting(ctx, name)
			if err != nil {
				return err
			}
			stored[name] = text
		}
		return nil
	}))
	for name, n := range a.numbers {
		if stored[name] != strconv.FormatInt(n, 10) {
			t.Errorf("%s is %q; acknowledged was %d", name, stored[name], n)
		}
	}
	last := pairSQL(t, on, `SELECT value FROM counter WHERE name = 'numbers'`)
	names := pairSQL(t, on, `SELECT count(*) FROM setting WHERE name ~ '^[0-7] '`)
	if names != last {
		t.Errorf("%s names have one of %s numbers", names, last)
	}
}

// pairSQL returns the first value that a query returns on one server.
func pairSQL(t *testing.T, on *engine.PostgresServer, query string) (text string) {
	t.Helper()
	must(t, engine.Connect(t, on.URL()).QueryRow(query).Scan(&text))
	return text
}

// waiting returns the number of commits that wait for the standby.
func waiting(t *testing.T, on *engine.PostgresServer) string {
	t.Helper()
	return on.SQL(`SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
}

// Without its standby a primary acknowledges nothing: neither a commit that PostgreSQL reports because the wait for the
// standby was canceled, nor the result of a commit that only the primary has stored.
func TestCommitWithoutStandby(t *testing.T) {
	pair, s := openPair(t, engine.NewPair)
	if s == nil {
		return
	}
	pair.Primary.SQL(`CREATE ROLE plain LOGIN`)
	plain, err := connect(strings.Replace(pair.URL(), "moonfund@", "plain@", 1))
	must(t, err)
	defer plain.Close()
	missing := func(s *Store) bool {
		r, err := s.Replication(t.Context())
		must(t, err)
		return r.Missing
	}
	if missing(s) || missing(plain) {
		t.Error("the standby is reported as missing")
	}
	pair.Standby.Kill()
	eventually(t, "the standby is missing", func() bool { return missing(s) && missing(plain) })
	answers := make(chan error, 1)
	try := func(ctx context.Context) {
		go func() { _, err := s.number(ctx, "in doubt"); answers <- err }()
		eventually(t, "the commit waits", func() bool { return waiting(t, pair.Primary) != "0" || len(answers) > 0 })
	}
	ctx, cancel := context.WithCancel(t.Context())
	try(ctx)
	cancel() // must not cancel the commit
	pair.Primary.SQL(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
	if err := <-answers; !errors.Is(err, errInDoubt) {
		t.Errorf("after its wait was canceled, the commit returned %v", err)
	}
	try(t.Context())
	select {
	case err := <-answers:
		t.Errorf("what only the primary has was acknowledged with %v", err)
	case <-time.After(200 * time.Millisecond):
		pair.Standby.Start()
		must(t, <-answers)
		eventually(t, "the standby is back", func() bool { return !missing(s) && !missing(plain) })
	}
}

// The standby is promoted although the primary still runs. The store moves to the new primary, and stays there when the
// former primary starts again. The former primary acknowledges nothing to any client.
func TestFormerPrimary(t *testing.T) {
	pair, s := openPair(t, engine.NewPair)
	if s == nil {
		return
	}
	ctx := t.Context()
	_, err := s.number(ctx, "before")
	must(t, err)
	alone, err := Open(ctx, pair.Primary.URL())
	must(t, err)
	defer alone.Close()
	pair.Standby.Promote()
	unanswered := make(chan error, 1)
	go func() { _, err := alone.number(ctx, "on the former primary"); unanswered <- err }()
	eventually(t, "the store writes to the new primary", func() bool {
		_, err := s.number(ctx, "after")
		return err == nil
	})
	has := func(s *Store, name string) bool {
		var text string
		err := s.View(ctx, func(tx *Tx) (err error) { text, err = tx.Setting(ctx, name); return err })
		must(t, err)
		return text != ""
	}
	pair.Primary.Kill()
	pair.Primary.Start()
	if err := <-unanswered; err == nil {
		t.Error("the former primary acknowledged a commit")
	}
	another := openAt(t, pair.URL()) // the former primary is first in the URL
	for range 20 {
		if !has(s, "after") || !has(another, "after") || has(another, "on the former primary") {
			t.Fatal("the former primary is used again")
		}
	}
	_, err = another.number(ctx, "on the new primary")
	must(t, err)
	go func() { _, err := alone.number(ctx, "on the former primary"); unanswered <- err }()
	eventually(t, "the commit waits", func() bool {
		return waiting(t, pair.Primary) != "0" || len(unanswered) > 0
	})
	pair.Primary.Kill()
	if err := <-unanswered; err == nil {
		t.Error("the former primary acknowledged a commit after its start")
	}
	pair.Join(pair.Primary, pair.Standby)
	_, err = s.number(ctx, "with a new standby")
	must(t, err)
}
