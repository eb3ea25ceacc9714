package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"moonfund/testkit/engine"
)

// failoverLimit limits what a store needs to continue after a change of the primary, on a busy machine.
const failoverLimit = 60 * time.Second

// openPair starts a primary and its standby, and opens a new ledger there. On SQLite it returns nil.
func openPair(t *testing.T) (*engine.Pair, *Store) {
	t.Helper()
	if engine.Current() != engine.Postgres {
		t.Log("SQLite has no standby")
		return nil, nil
	}
	pair := engine.NewPair(t)
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

// load stores numbers with several callers until stop is called. A caller repeats what failed.
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

// The primary is killed under load and the standby is promoted. The store continues there by itself: everything that it
// acknowledged is stored, nothing is applied twice, and the leader keeps its lease.
func TestFailover(t *testing.T) {
	pair, s := openPair(t)
	if s == nil {
		return
	}
	ctx := t.Context()
	lease := s.Lease()
	must(t, lease.Seize(ctx))
	term, _ := lease.Term()
	var told acknowledged
	stop := told.load(s)
	eventually(t, "the load begins", func() bool { return told.count() > 200 })
	pair.Primary.Kill()
	if err := lease.AcquireOrRenew(ctx, ""); err == nil {
		t.Error("the lease was renewed without a primary")
	}
	before := told.count()
	pair.Standby.Promote()
	eventually(t, "the load continues", func() bool { return told.count() > before+200 })
	stop()

	stored := map[string]string{}
	must(t, s.View(ctx, func(tx *Tx) error {
		for name := range told.numbers {
			text, err := tx.Setting(ctx, name)
			if err != nil {
				return err
			}
			stored[name] = text
		}
		return nil
	}))
	for name, n := range told.numbers {
		if stored[name] != strconv.FormatInt(n, 10) {
			t.Errorf("%s is %q; acknowledged was %d", name, stored[name], n)
		}
	}
	last := pairSQL(t, pair.Standby, `SELECT value FROM counter WHERE name = 'numbers'`)
	names := pairSQL(t, pair.Standby, `SELECT count(*) FROM setting WHERE name ~ '^[0-7] '`)
	if names != last {
		t.Errorf("%s names have one of %s numbers", names, last)
	}
	must(t, lease.AcquireOrRenew(ctx, ""))
	if now, leads := lease.Term(); !leads || now != term {
		t.Errorf("the term is %d (%t); it was %d", now, leads, term)
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

// Without its standby a primary acknowledges nothing: neither a commit that PostgreSQL reports because its wait was
// canceled, nor the result of one that is stored on the primary alone.
func TestCommitWithoutStandby(t *testing.T) {
	pair, s := openPair(t)
	if s == nil {
		return
	}
	pair.Standby.Kill()
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
	}
}

// The standby is promoted although the primary still runs. The store goes to the new primary, and stays there when the
// former one starts again. The former primary acknowledges nothing, whoever asks.
func TestFormerPrimary(t *testing.T) {
	pair, s := openPair(t)
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
