package audit

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"sync"
)

// Guard audits a running server again and again. It makes every check that Run
// makes, but remembers what it read of the chain: each audit reads only the
// blocks that came since, and takes back those that a reorg replaced. The first
// one walks the whole chain.
//
// What an epoch paid never changes once it settled. The first audit recomputes
// every epoch; a later one those that settled since, the last one, and of the
// others the next in turn, so that its work does not grow with every week.
type Guard struct {
	db   *sql.DB
	node Node
	Config

	mu         sync.Mutex
	walked     chained
	recomputed map[epochKey]int // in which audit
	audits     int
}

// NewGuard returns a guard that has walked nothing yet. It reads db only.
func NewGuard(db *sql.DB, node Node, c Config) *Guard {
	return &Guard{db: db, node: node, Config: c, walked: newChained(c), recomputed: map[epochKey]int{}}
}

// Pass is one audit of the ledger as it was when it began.
type Pass struct {
	guard *Guard
	tx    *sql.Tx
}

// Begin takes the ledger as it is now, whatever is written from here on. It is
// quick: Run does the work, and must follow.
func (g *Guard) Begin(ctx context.Context) (*Pass, error) {
	tx, err := snapshot(ctx, g.db)
	return &Pass{g, tx}, err
}

// Run makes the audit, up to the server's tip of then. Only one runs at a time.
// After an error the next one walks the whole chain again.
func (p *Pass) Run(ctx context.Context) (Report, error) {
	g := p.guard
	g.mu.Lock()
	defer g.mu.Unlock()
	g.audits++
	a := newAuditor(g.Config, g.walked)
	a.recomputes = g.turn()
	report, err := a.look(ctx, p.tx, g.node, &g.walked)
	if err != nil || !report.OK() {
		g.recomputed = map[epochKey]int{}
	}
	return report, err
}

// Check audits the ledger as it is now, up to the server's tip.
func (g *Guard) Check(ctx context.Context) (Report, error) {
	return twice(ctx, g.Again, func() (Report, error) {
		p, err := g.Begin(ctx)
		if err != nil {
			return Report{}, err
		}
		return p.Run(ctx)
	})
}

// turn says which settled epochs this audit recomputes. Accounts come in order.
func (g *Guard) turn() func(epochAccount) bool {
	oldest := epochKey{}
	for key, at := range g.recomputed {
		if since, exists := g.recomputed[oldest]; !exists || at < since || (at == since && key.before(oldest)) {
			oldest = key
		}
	}
	newest := map[string]int64{}
	for key := range g.recomputed {
		newest[key.community] = max(newest[key.community], key.epoch)
	}
	now := g.audits
	return func(e epochAccount) bool {
		key := epochKey{e.community, e.epoch}
		if !e.settled {
			return true
		}
		at, known := g.recomputed[key]
		if known && at != now && key != oldest && key.epoch != newest[key.community] {
			return false
		}
		g.recomputed[key] = now
		return true
	}
}

func (k epochKey) before(other epochKey) bool {
	return cmp.Or(strings.Compare(k.community, other.community), cmp.Compare(k.epoch, other.epoch)) < 0
}
