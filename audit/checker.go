package audit

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"sync"
)

// Checker audits a running server repeatedly. It makes every check that Run makes,
// but keeps the chain that it walked: each audit reads only the new blocks, and
// undoes those that a reorg replaced. The first audit walks the whole chain.
//
// The inputs and rewards of a settled epoch never change. The first audit
// recomputes every epoch; a later one those that settled since, the newest one,
// and one of the others in turn, so that its work does not grow every week.
type Checker struct {
	db   *sql.DB
	node Node
	Config

	mu         sync.Mutex
	chain      chainState
	recomputed map[epochKey]int // in which audit
	audits     int
}

// maxHeldWalk is how many blocks may be walked while a snapshot is held. A database keeps every page that changes
// meanwhile, so a long walk releases its snapshot and audits a new one.
const maxHeldWalk = 144

// NewChecker returns a Checker that has not walked the chain yet. It only reads db.
func NewChecker(db *sql.DB, node Node, c Config) *Checker {
	return &Checker{db: db, node: node, Config: c, chain: newChainState(c), recomputed: map[epochKey]int{}}
}

// Pass is one audit of the ledger as it was when the pass began.
type Pass struct {
	checker *Checker
	tx      *sql.Tx
}

// Begin takes a snapshot of the ledger. It is quick; the caller must call Run, which releases the snapshot.
func (c *Checker) Begin(ctx context.Context) (*Pass, error) {
	tx, err := snapshot(ctx, c.db)
	return &Pass{c, tx}, err
}

// Run makes the audit, up to the server's tip in the snapshot, or in a newer one after a long walk. Only one pass
// runs at a time. After an error the next one walks the whole chain again.
func (p *Pass) Run(ctx context.Context) (Report, error) {
	g := p.checker
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() { _ = p.tx.Rollback() }()
	g.audits++
	report, err := p.audit(ctx)
	if err != nil || !report.OK() {
		g.recomputed = map[epochKey]int{}
	}
	return report, err
}

func (p *Pass) audit(ctx context.Context) (Report, error) {
	g := p.checker
	a, r, err := p.read(ctx)
	if err != nil {
		return a.report, err
	}
	if a.blocksToWalk() > maxHeldWalk {
		_ = p.tx.Rollback()
		if err := g.walk(ctx, a, nil); err != nil {
			return a.report, err
		}
		if p.tx, err = snapshot(ctx, g.db); err != nil {
			return a.report, err
		}
		if a, r, err = p.read(ctx); err != nil {
			return a.report, err
		}
	}
	if err := g.walk(ctx, a, r); err != nil {
		return a.report, err
	}
	a.recomputes = g.selectEpochs()
	return a.check(r)
}

// read begins an audit of the pass's snapshot.
func (p *Pass) read(ctx context.Context) (*auditor, *reader, error) {
	r := &reader{ctx: ctx, tx: p.tx}
	a := newAuditor(p.checker.Config, p.checker.chain)
	return a, r, a.read(r)
}

// walk walks the chain to the tip of an audit, and keeps it for the next one. Without a reader it leaves out the
// deposits at addresses that were handed out again.
func (c *Checker) walk(ctx context.Context, a *auditor, r *reader) error {
	err := a.walk(ctx, c.node)
	if err == nil && r != nil {
		err = a.recordAdopted(ctx, r, c.node)
	}
	if err != nil {
		c.chain = newChainState(c.Config) // the walk may have ended in the middle of a block
		return err
	}
	c.chain = a.chainState
	return nil
}

// Check audits the ledger as it is now, up to the server's tip.
func (c *Checker) Check(ctx context.Context) (Report, error) {
	return recheck(ctx, c.RecheckAfter, func() (Report, error) {
		p, err := c.Begin(ctx)
		if err != nil {
			return Report{}, err
		}
		return p.Run(ctx)
	})
}

// selectEpochs returns which epochs this audit recomputes. It must be called for the accounts in their order.
func (c *Checker) selectEpochs() func(epochAccount) bool {
	oldest := epochKey{}
	for key, at := range c.recomputed {
		if since, exists := c.recomputed[oldest]; !exists || at < since || (at == since && key.before(oldest)) {
			oldest = key
		}
	}
	newest := map[string]int64{}
	for key := range c.recomputed {
		newest[key.community] = max(newest[key.community], key.epoch)
	}
	now := c.audits
	return func(e epochAccount) bool {
		key := epochKey{e.community, e.epoch}
		if !e.settled {
			return true
		}
		at, known := c.recomputed[key]
		if known && at != now && key != oldest && key.epoch != newest[key.community] {
			return false
		}
		c.recomputed[key] = now
		return true
	}
}

func (k epochKey) before(other epochKey) bool {
	return cmp.Or(strings.Compare(k.community, other.community), cmp.Compare(k.epoch, other.epoch)) < 0
}
