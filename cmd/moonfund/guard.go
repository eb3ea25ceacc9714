package main

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

	"moonfund/amount"
	"moonfund/audit"
	"moonfund/follower"

	"moonfund/store"
)

// guard audits the running server after each block and before anything is paid,
// and pauses payouts when a promise is broken. It never resumes them: a person
// does. An audit works on the ledger as it was when it began, beside everything
// else; what it can't have seen yet is looked at by itself before it is sent.
type guard struct {
	audit    *audit.Guard
	db       *sql.DB
	store    *store.Store
	clock    *clock
	log      *slog.Logger
	patience time.Duration // how long a step may wait for an audit
	again    time.Duration // until it believes what an audit found
	wake     func()        // has the follower step; nil: it does so by itself

	mu       sync.Mutex
	running  *pass              // nil: no audit is under way
	stop     context.CancelFunc // of the one that began last
	passes   sync.WaitGroup
	suspects []audit.Violation // found by the last audit, and not yet by a second one
	latest   audit.Report      // of what was concluded
	at       time.Time         // of the latest report; zero before the first
	seen     standpoint        // of the latest report
	ended    time.Time         // of the last audit, and how long it took
	took     time.Duration
	vouched  map[chainhash.Hash]bool
}

// standpoint is what an audit saw. Nothing of the ledger moves without one of these.
type standpoint struct {
	tip     string
	posting int64
	pause   string
}

// pass is an audit that is under way, and what came of it once done is closed.
type pass struct {
	of     standpoint
	done   chan struct{}
	late   atomic.Bool // somebody waited for it in vain
	report audit.Report
	took   time.Duration
	err    error
}

const (
	// betweenLooks is how long the guard waits before it believes what it found. It
	// looks while nothing is under way, so that this only guards against a node that changes its mind.
	betweenLooks = 200 * time.Millisecond
	// patience lets the payouts of a small ledger go in the step in which they are due.
	patience = 100 * time.Millisecond
	// rest is how many times as long as an audit took there is none, and leastRest at least, as long as no block comes.
	rest      = 10
	leastRest = time.Minute
	// mostVouched bounds what is remembered of payouts that were sent.
	mostVouched = 10_000
)

// newGuard opens the audit's own way into the database.
func (h *house) newGuard(address string) (*guard, error) {
	db, err := audit.Open(address)
	if err != nil {
		return nil, err
	}
	minimum := map[string]amount.Runes{}
	for _, m := range h.manifests {
		minimum[m.Prefix] = m.MinimumStake
	}
	return &guard{
		audit: audit.NewGuard(db, h.node, audit.Config{Rules: h.rules, Start: h.rules.Start(), MinimumStake: minimum}),
		db:    db, store: h.store, clock: h.clock, log: h.log, patience: patience, again: betweenLooks,
	}, nil
}

// Close ends the audit that is under way and closes its connections.
func (g *guard) Close() error {
	g.mu.Lock()
	stop := g.stop
	g.mu.Unlock()
	if stop != nil {
		stop()
	}
	g.passes.Wait()
	return g.db.Close()
}

// Look returns nil when the ledger was audited at its tip and as it is paused, or
// follower.ErrAuditing while that is under way. Another error means that no audit
// could be made, so that nothing should be paid.
func (g *guard) Look(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		if g.running == nil {
			now, err := g.standpoint(ctx)
			if err != nil || !g.wants(now) {
				return err
			}
			if len(g.suspects) > 0 && time.Since(g.ended) < g.again {
				return follower.ErrAuditing
			}
			if err := g.begin(ctx, now); err != nil {
				return err
			}
		}
		select {
		case <-g.running.done:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(g.patience):
			g.running.late.Store(true)
			return follower.ErrAuditing
		}
		if err := g.conclude(ctx); err != nil {
			return err
		}
	}
}

// wants reports whether an audit is due: at once after a block, a change of the
// pause, or when the last one found something, and now and then when only postings came.
func (g *guard) wants(now standpoint) bool {
	if g.at.IsZero() || len(g.suspects) > 0 || now.tip != g.seen.tip || now.pause != g.seen.pause {
		return true
	}
	return now.posting != g.seen.posting && time.Since(g.ended) >= max(leastRest, rest*g.took)
}

// begin has the ledger audited as it is at this moment, even if who asked for the
// step does not wait for it.
func (g *guard) begin(ctx context.Context, now standpoint) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	work, err := g.audit.Begin(ctx)
	if err != nil {
		stop()
		return err
	}
	g.stop = stop
	p := &pass{of: now, done: make(chan struct{})}
	g.running = p
	g.passes.Go(func() {
		defer stop()
		began := time.Now()
		p.report, p.err = work.Run(ctx)
		p.took = time.Since(began)
		close(p.done)
		if p.late.Load() && g.wake != nil {
			g.wake()
		}
	})
	return nil
}

// conclude takes in what an audit found. What two in a row found pauses payouts.
func (g *guard) conclude(ctx context.Context) error {
	p := g.running
	g.running, g.ended, g.took = nil, time.Now(), p.took
	if p.err != nil {
		return p.err
	}
	first := g.suspects
	g.suspects = p.report.Violations
	if !p.report.OK() {
		if p.report.Violations = audit.Both(first, p.report.Violations); p.report.OK() {
			return nil // nothing that was seen twice: another look
		}
		g.suspects = nil
		if err := g.pause(ctx, p.report.Violations); err != nil {
			return err
		}
		now, err := g.standpoint(ctx)
		if err != nil {
			return err
		}
		p.of.pause = now.pause
	}
	g.latest, g.at, g.seen = p.report, g.clock.real(), p.of
	return nil
}

// Vouch reports whether a stored payout may be sent: the ledger was audited at
// this tip and as it is paused, and everything that the payout hangs on is right
// as it is now. What is wrong pauses payouts.
func (g *guard) Vouch(ctx context.Context, txid chainhash.Hash) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, err := g.standpoint(ctx)
	if err != nil || g.at.IsZero() || !g.latest.OK() || len(g.suspects) > 0 || now.pause != g.seen.pause {
		return false, err
	}
	if g.vouched[txid] {
		return true, nil
	}
	if g.running != nil || now.tip != g.seen.tip {
		return false, nil
	}
	found, err := g.audit.Sending(ctx, txid.String())
	if errors.Is(err, audit.ErrOtherTip) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if len(found) > 0 {
		return false, g.pause(ctx, found)
	}
	if len(g.vouched) >= mostVouched || g.vouched == nil {
		g.vouched = map[chainhash.Hash]bool{}
	}
	g.vouched[txid] = true
	return true, nil
}

func (g *guard) standpoint(ctx context.Context) (s standpoint, err error) {
	err = g.store.View(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		s.tip = tip.Hash
		if s.posting, err = tx.JournalHead(ctx); err != nil {
			return err
		}
		s.pause, err = tx.Setting(ctx, store.PausePayouts)
		return err
	})
	return s, err
}

// pause holds payouts back until `moonfund resume payouts`; a pause that stands keeps its reason.
func (g *guard) pause(ctx context.Context, found []audit.Violation) error {
	for _, v := range found {
		g.log.Error("a promise is broken: payouts are paused", "violation", v.String())
	}
	g.vouched = nil
	reason := "audit: " + found[0].String()
	if more := len(found) - 1; more > 0 {
		reason += fmt.Sprintf(" (and %d more; see `moonfund audit`)", more)
	}
	now := g.clock.shown().Now
	return g.store.Update(ctx, func(tx *store.Tx) error { return tx.Pause(ctx, store.PausePayouts, reason, now) })
}

// Latest returns the latest report and when it was made, zero before the first.
func (g *guard) Latest() (audit.Report, time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.latest, g.at
}
