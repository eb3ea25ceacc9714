package main

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"moonfund/amount"
	"moonfund/audit"
	"moonfund/runes"
	"moonfund/store"
)

// guard audits the running server after each block and before each payout, and
// pauses payouts when a promise is broken. It never resumes them: a person does.
type guard struct {
	audit *audit.Guard
	db    *sql.DB
	store *store.Store
	clock *clock
	log   *slog.Logger

	mu     sync.Mutex
	latest audit.Report
	at     time.Time // of the latest audit; zero before the first
	seen   standpoint
}

// standpoint is what an audit saw. Nothing of the ledger moves without one of these.
type standpoint struct {
	tip     string
	posting int64
	pause   string
}

// betweenLooks is how long the guard waits before it believes what it found. It
// looks while nothing is under way, so that this only guards against a node that changes its mind.
const betweenLooks = 200 * time.Millisecond

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
		audit: audit.NewGuard(db, h.node, audit.Config{
			Rules: runes.RulesFor(h.network), Start: h.start, MinimumStake: minimum, Again: betweenLooks,
		}),
		db: db, store: h.store, clock: h.clock, log: h.log,
	}, nil
}

// Close closes the audit's own connections.
func (g *guard) Close() error { return g.db.Close() }

// Look audits when anything moved since the last look. An error means that no
// audit could be made, so that nothing should be paid.
func (g *guard) Look(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, err := g.standpoint(ctx)
	if err != nil || (now == g.seen && !g.at.IsZero()) {
		return err
	}
	report, err := g.audit.Check(ctx)
	if err != nil {
		return err
	}
	g.latest, g.at = report, g.clock.real()
	if !report.OK() {
		for _, v := range report.Violations {
			g.log.Error("a promise is broken: payouts are paused", "violation", v.String())
		}
		if err := g.pause(ctx, report); err != nil {
			return err
		}
		if now, err = g.standpoint(ctx); err != nil {
			return err
		}
	}
	g.seen = now
	return nil
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
func (g *guard) pause(ctx context.Context, report audit.Report) error {
	reason := "audit: " + report.Violations[0].String()
	if more := len(report.Violations) - 1; more > 0 {
		reason += fmt.Sprintf(" (and %d more; see `moonfund audit`)", more)
	}
	m, err := g.clock.moment()
	if err != nil {
		return err
	}
	return g.store.Update(ctx, func(tx *store.Tx) error { return tx.Pause(ctx, store.PausePayouts, reason, m.Now) })
}

// Latest returns the latest report and when it was made, zero before the first.
func (g *guard) Latest() (audit.Report, time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.latest, g.at
}
