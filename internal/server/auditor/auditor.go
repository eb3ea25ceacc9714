// Package auditor audits a running server's ledger. What an audit finds stops an order, the payouts of a community, or
// all payouts.
package auditor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/audit"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
)

const (
	// defaultRecheck is the delay before the second audit, which must confirm a violation. Each audit reads one
	// consistent state of the ledger, so the second audit protects only against inconsistent responses of the node.
	defaultRecheck = 200 * time.Millisecond
	// defaultPatience is long enough for a small ledger's audit, so that its payouts are sent in the step in which they
	// are due.
	defaultPatience = 100 * time.Millisecond
	// Without a new block the next audit starts after restFactor times the last one's duration, and at least minRest.
	restFactor = 10
	minRest    = time.Minute
	// maxApproved is the maximum number of stored approvals.
	maxApproved = 10_000
)

// Config configures an Auditor.
type Config struct {
	Address  string // of the ledger's database; the auditor opens its own connections
	Node     audit.Node
	Rules    audit.Config
	Store    *store.Store
	Now      func() time.Time // time of reports
	Deadline func() time.Time // time of pauses, which is the time that deadlines use
	Log      *slog.Logger
	Patience time.Duration // maximum time that a step waits for an audit; 0: defaultPatience
	Recheck  time.Duration // minimum time between two audits that must agree; 0: defaultRecheck
}

// Auditor audits the ledger after each block and before payouts. A violation stops what its rule names: an order goes
// to AUDIT and its payouts are not broadcast, or payouts are paused, of one community or all. Only an operator ends a
// pause. An audit reads the ledger's state at the start of the audit, while the server continues to change the ledger.
// Each payout is also audited separately before it is sent, because it may be newer than the last audit.
type Auditor struct {
	Config
	audit *audit.Checker
	db    *sql.DB
	wake  func() // makes the follower begin its next step; nil: the follower's interval applies

	// shown has the last report for Latest, without a lock, because mu is held during queries, which may hang if the
	// PostgreSQL server vanished.
	shown atomic.Pointer[dated]

	mu       sync.Mutex
	running  *run               // nil: no audit is running
	cancel   context.CancelFunc // of the latest run
	runs     sync.WaitGroup
	suspects []audit.Violation       // found by the last audit and not confirmed by a second one
	latest   audit.Report            // the last report that did not need or has passed a second run
	at       time.Time               // time of latest; zero before the first
	seen     snapshot                // the state of the ledger that latest covers
	stops    stops                   // what latest stops
	ended    time.Time               // the end of the last run
	took     time.Duration           // the duration of the last run
	approved map[chainhash.Hash]bool // the approved payouts since the last violation
}

// snapshot identifies a state of the ledger. Every change of the ledger changes one of its fields.
type snapshot struct {
	tip     string // hash of the last block
	posting int64  // number of the last posting
	pause   string // reasons for the pauses of payouts, and the last accepted violation
}

// run is one audit. Its result is valid after done is closed.
type run struct {
	of     snapshot
	done   chan struct{}
	late   atomic.Bool // a caller stopped waiting
	report audit.Report
	took   time.Duration
	err    error
}

// New returns an auditor with its own connections to the ledger's database. Close closes them.
func New(c Config) (*Auditor, error) {
	db, err := audit.Open(c.Address)
	if err != nil {
		return nil, err
	}
	if c.Patience == 0 {
		c.Patience = defaultPatience
	}
	if c.Recheck == 0 {
		c.Recheck = defaultRecheck
	}
	c.Rules.Walking, c.Rules.Copying = logWalk(c.Log)
	return &Auditor{Config: c, audit: audit.NewChecker(db, c.Node, c.Rules), db: db}, nil
}

// walkEvery is the interval at which a server that does not lead reads new blocks for its audit.
const walkEvery = 10 * time.Minute

// Run reads new blocks for the audit while this server does not lead, until ctx is done. If the server takes the lead,
// its payouts then need not wait until the audit has read the whole chain.
func (a *Auditor) Run(ctx context.Context, leads func() bool) {
	tick := time.NewTicker(walkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if leads() {
			continue
		}
		if err := a.audit.Walk(ctx); err != nil && ctx.Err() == nil {
			a.Log.Warn("the audit could not read the chain; it tries again", "error", err.Error())
		}
	}
}

// logWalk returns functions that log the progress of a walk of the chain, and of the copy with which it may begin, once
// a minute. Payouts wait meanwhile.
func logWalk(log *slog.Logger) (walking func(height, last int64), copying func(outputs int64)) {
	logged := time.Now()
	each := func(text string, args ...any) {
		if time.Since(logged) >= time.Minute {
			logged = time.Now()
			log.Info(text+"; payouts wait for it", args...)
		}
	}
	return func(height, last int64) { each("the audit reads the chain", "height", height, "of", last) },
		func(outputs int64) { each("the audit copies the rune index", "outputs", outputs) }
}

// OnLate sets the function to call when an audit ends after a step has stopped waiting for it. Call OnLate before the
// first audit.
func (a *Auditor) OnLate(wake func()) { a.wake = wake }

// Close stops the running audit and closes the connections.
func (a *Auditor) Close() error {
	a.mu.Lock()
	stop := a.cancel
	a.mu.Unlock()
	if stop != nil {
		stop()
	}
	a.runs.Wait()
	return errors.Join(a.audit.Close(), a.db.Close())
}

// Audit returns nil if the ledger was audited at its tip and with its present pause, and follower.ErrAuditing while
// that audit runs. Any other error means that the audit failed, so nothing may be paid.
func (a *Auditor) Audit(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		if a.running == nil {
			now, err := a.snapshot(ctx)
			if err != nil || !a.needsAudit(now) {
				return err
			}
			if len(a.suspects) > 0 && time.Since(a.ended) < a.Recheck {
				return follower.ErrAuditing
			}
			if err := a.start(ctx, now); err != nil {
				return err
			}
		}
		if err := a.await(ctx); err != nil {
			return err
		}
		if err := a.conclude(ctx); err != nil {
			return err
		}
	}
}

// await waits until the running audit ends, and returns follower.ErrAuditing if it takes longer than Patience. The
// audit then wakes the follower at its end.
func (a *Auditor) await(ctx context.Context) error {
	select {
	case <-a.running.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(a.Patience):
	}
	a.running.late.Store(true)
	select {
	case <-a.running.done: // maybe before late was set
		return nil
	default:
		return follower.ErrAuditing
	}
}

// needsAudit reports whether an audit is due: immediately after a block, a change of the pause, or a finding of the
// last audit; after a delay if there are only new postings.
func (a *Auditor) needsAudit(now snapshot) bool {
	if a.at.IsZero() || len(a.suspects) > 0 || now.tip != a.seen.tip || now.pause != a.seen.pause {
		return true
	}
	return now.posting != a.seen.posting && time.Since(a.ended) >= max(minRest, restFactor*a.took)
}

// start begins an audit of the ledger's present state. The audit continues after the caller's ctx is done.
func (a *Auditor) start(ctx context.Context, now snapshot) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	work, err := a.audit.Begin(ctx)
	if err != nil {
		stop()
		return err
	}
	a.cancel = stop
	r := &run{of: now, done: make(chan struct{})}
	a.running = r
	a.runs.Go(func() {
		defer stop()
		began := time.Now()
		r.report, r.err = work.Run(ctx)
		r.took = time.Since(began)
		close(r.done)
		if r.late.Load() && a.wake != nil {
			a.wake()
		}
	})
	return nil
}

// conclude applies the result of the finished run. A violation stops something if two consecutive runs found it, and no
// operator ended or began a pause or accepted a violation during the second one.
func (a *Auditor) conclude(ctx context.Context) error {
	r := a.running
	a.running, a.ended, a.took = nil, time.Now(), r.took
	if r.err != nil {
		return r.err
	}
	first := a.suspects
	a.suspects = r.report.Violations
	if !r.report.OK() {
		if r.report.Violations = audit.Persisting(first, r.report.Violations); r.report.OK() {
			return nil // found for the first time: audit again
		}
		decided, err := a.stop(ctx, r.report.Violations, r.of.pause)
		if err != nil || decided { // audit again
			return err
		}
		a.suspects = nil
		now, err := a.snapshot(ctx)
		if err != nil {
			return err
		}
		r.of.pause = now.pause
	} else if err := a.Store.SetCondition( // Approve may have begun it
		ctx, store.EventViolation, store.SubjectLedger, false, store.EventData{}); err != nil {
		return err
	}
	a.latest, a.at, a.seen, a.stops = r.report, a.Now(), r.of, stopsOf(r.report.Violations)
	a.shown.Store(&dated{a.latest, a.at})
	return nil
}

// Approve reports whether a stored payout may be sent: the ledger was audited with these pauses, no violation of that
// audit stops the payout, and every row that it depends on passes an audit at the ledger's tip.
func (a *Auditor) Approve(ctx context.Context, txid chainhash.Hash) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, err := a.snapshot(ctx)
	if err != nil || a.at.IsZero() || len(a.suspects) > 0 || now.pause != a.seen.pause {
		return false, err
	}
	if held, err := a.holds(ctx, txid); err != nil || held {
		return false, err
	}
	if a.approved[txid] {
		return true, nil
	}
	if a.running != nil || now.tip != a.seen.tip {
		return false, nil
	}
	found, err := a.audit.Sending(ctx, txid.String())
	if errors.Is(err, audit.ErrOtherTip) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if len(found) > 0 {
		_, err := a.stop(ctx, found, now.pause)
		return false, err
	}
	if len(a.approved) >= maxApproved || a.approved == nil {
		a.approved = map[chainhash.Hash]bool{}
	}
	a.approved[txid] = true
	return true, nil
}

// snapshot returns the present state of the ledger.
func (a *Auditor) snapshot(ctx context.Context) (s snapshot, err error) {
	err = a.Store.View(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		s.tip = tip.Hash
		if s.posting, err = tx.JournalHead(ctx); err != nil {
			return err
		}
		s.pause, err = pausesOf(ctx, tx)
		return err
	})
	return s, err
}

// pausesOf returns the pauses and the last accepted violation, as one text to compare.
func pausesOf(ctx context.Context, tx *store.Tx) (string, error) {
	all, err := tx.Setting(ctx, store.PausePayouts)
	if err != nil {
		return "", err
	}
	some, err := tx.PausedCommunities(ctx)
	if err != nil {
		return "", err
	}
	accepted, err := tx.LastAccepted(ctx)
	return fmt.Sprintf("%q %q %d", all, some, accepted), err // maps are printed in the order of their keys
}

// Latest returns the latest report and its time, which is zero before the first report.
func (a *Auditor) Latest() (audit.Report, time.Time) {
	if shown := a.shown.Load(); shown != nil {
		return shown.report, shown.at
	}
	return audit.Report{}, time.Time{}
}

// dated is a report with its time.
type dated struct {
	report audit.Report
	at     time.Time
}
