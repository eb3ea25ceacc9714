package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"moonfund/internal/state"
	"moonfund/internal/store/sqlc"
)

// Timing of the lease. Clocks of different machines are never compared: each server measures with its own clock how
// long the leader's heartbeat has not changed.
const (
	heartbeatInterval = 500 * time.Millisecond
	leaseTimeout      = 3 * time.Second
)

// Lease is one server's part in the election of the leader among all servers on one database. The leader's token
// increases with every change of the leader, and each of the leader's transactions checks it, so that a former leader
// can't write.
type Lease struct {
	store  *Store
	holder string
	now    func() time.Time

	mu    sync.Mutex
	seen  sqlc.Lease // the last row that was read
	since time.Time  // when the row last changed
	term  int64      // the token with which this server leads; 0 while it does not lead
}

// Lease returns a new lease for a server, which does not lead yet.
func (s *Store) Lease() *Lease {
	return &Lease{store: s, holder: rand.Text(), now: time.Now, seen: sqlc.Lease{Token: -1}}
}

// Term returns the token with which this server leads, and whether it leads. The token is 0 if it does not lead.
func (l *Lease) Term() (token int64, leads bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.term, l.term > 0
}

// LeaderState returns the state that the leader last stored, and whether its heartbeat changed within leaseTimeout. It
// is for servers that do not lead: the leader does not read its own state.
func (l *Lease) LeaderState() (state string, alive bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen.State, l.seen.Beat > 0 && l.now().Sub(l.since) < leaseTimeout
}

// Seize acquires the lease even if another server holds it. The only server on a database calls Seize, so that it need
// not wait until its predecessor's lease expires.
func (l *Lease) Seize(ctx context.Context) error {
	var token int64
	err := l.store.Update(ctx, func(tx *Tx) (err error) {
		token, err = tx.q.SeizeLease(ctx, l.holder)
		return wrap(err)
	})
	if err == nil {
		l.setTerm(token)
	}
	return err
}

// Run calls AcquireOrRenew with the result of report every heartbeatInterval until ctx is done, and then releases the
// lease. After each of these calls it calls turned with the error, or nil.
func (l *Lease) Run(ctx context.Context, report func() string, turned func(error)) {
	tick := time.NewTicker(heartbeatInterval)
	defer tick.Stop()
	for ctx.Err() == nil {
		turned(l.AcquireOrRenew(ctx, report()))
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseTimeout)
	defer cancel()
	turned(l.release(last))
}

// AcquireOrRenew renews the heartbeat and stores the report if this server leads. Otherwise it acquires the lease if
// the leader's heartbeat has not changed for leaseTimeout, or if the leader released the lease.
func (l *Lease) AcquireOrRenew(ctx context.Context, report string) error {
	q := sqlc.New(l.store.direct)
	if term, leads := l.Term(); leads && l.store.engine.shared {
		beaten, err := q.BeatLease(ctx, sqlc.BeatLeaseParams{Token: term, State: report})
		if err == nil && beaten == 0 {
			l.setTerm(0)
		}
		return wrap(err)
	}
	row, err := sqlc.New(l.store.reader).Lease(ctx)
	if errors.Is(err, sql.ErrNoRows) { // no server ever led
		row, err = sqlc.Lease{Beat: -1}, nil
	}
	if err != nil {
		return wrap(err)
	}
	if l.observe(row) || !l.store.engine.shared {
		return nil
	}
	var taken int64
	err = l.store.Update(ctx, func(tx *Tx) (err error) {
		taken, err = tx.q.TakeLease(ctx, sqlc.TakeLeaseParams{Token: row.Token + 1, Holder: l.holder, Beat: row.Beat})
		return wrap(err)
	})
	if err == nil && taken == 1 {
		l.setTerm(row.Token + 1)
	}
	return err
}

// observe records a row that was read. It reports whether the lease can't be acquired, because this server leads or
// another server's lease has not expired.
func (l *Lease) observe(row sqlc.Lease) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.term > 0 && row.Token != l.term {
		l.term = 0
	}
	if row.Token != l.seen.Token || row.Beat != l.seen.Beat {
		l.since = l.now()
	}
	l.seen = row
	return l.term > 0 || (row.Beat >= 0 && l.now().Sub(l.since) < leaseTimeout)
}

func (l *Lease) setTerm(token int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.term, l.since, l.seen = token, l.now(), sqlc.Lease{Token: token}
}

// release releases the lease if this server leads, so that another server can acquire it immediately.
func (l *Lease) release(ctx context.Context) error {
	term, leads := l.Term()
	if !leads {
		return nil
	}
	l.setTerm(0)
	return l.store.Update(ctx, func(tx *Tx) error {
		_, err := tx.q.YieldLease(ctx, term)
		return wrap(err)
	})
}

// Leading returns nil if a token is the leader's, or state.ErrNotLeading. The token remains the leader's until the end
// of this write transaction, because the lease changes only in other write transactions.
func (t *Tx) Leading(ctx context.Context, token int64) error {
	row, err := t.q.Lease(ctx)
	if err == nil && row.Token != token {
		return fmt.Errorf("%w since its term %d; this one's was %d", state.ErrNotLeading, row.Token, token)
	}
	return wrap(err)
}

// changes is the name of the counter of announcements.
const changes = "change"

// Announce announces to the other servers that this server changed data. It returns the number of announcements of all
// servers.
func (s *Store) Announce(ctx context.Context) (int64, error) {
	n, err := sqlc.New(s.direct).ReserveNumbers(ctx, sqlc.ReserveNumbersParams{Name: changes, Value: 1})
	return n, wrap(err)
}

// Announced returns the number of announcements of all servers.
func (s *Store) Announced(ctx context.Context) (int64, error) {
	n, err := sqlc.New(s.reader).LastNumber(ctx, changes)
	if ok, err := absent(err); !ok {
		return 0, err
	}
	return n, nil
}

// Shared reports whether several servers may work on this database at once.
func (s *Store) Shared() bool { return s.engine.shared }
