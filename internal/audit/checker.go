package audit

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"sync"
)

// Checker audits a running server repeatedly. It makes every check that Run makes, but stores the walked chain in
// Config.WalkFile: each audit reads only the new blocks, and undoes blocks that a reorg replaced. The first audit walks
// the whole chain if there is no file, unless the server is new, see seed.
//
// The inputs and rewards of a settled epoch never change. The first audit recomputes every epoch. Later audits
// recompute the epochs that settled since, the newest epoch, and one of the others in turn, so that their work does not
// grow with the number of epochs.
type Checker struct {
	db   *sql.DB
	node Node
	Config

	mu         sync.Mutex
	chain      *chainState
	recomputed map[epochKey]int // number of the audit that recomputed an epoch last
	audits     int
}

// maxHeldWalk is the maximum number of blocks to walk while a snapshot is open. A database retains every page that
// changes during a snapshot, so a longer walk closes its snapshot and audits a new one.
const maxHeldWalk = 144

// NewChecker returns a Checker. It only reads db. The caller must call Close.
func NewChecker(db *sql.DB, node Node, c Config) *Checker {
	return &Checker{db: db, node: node, Config: c, chain: &chainState{path: c.WalkFile}, recomputed: map[epochKey]int{}}
}

// Close closes Config.WalkFile. No pass may be running.
func (c *Checker) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.chain.file.close()
	c.chain.file, c.chain.loaded = nil, false
	return err
}

// Pass is one audit of the ledger's state at the beginning of the pass.
type Pass struct {
	checker *Checker
	tx      *sql.Tx
}

// Begin opens a snapshot of the ledger. It is fast. The caller must call Run, which closes the snapshot.
func (c *Checker) Begin(ctx context.Context) (*Pass, error) {
	tx, err := snapshot(ctx, c.db)
	return &Pass{c, tx}, err
}

// Run runs the audit, up to the server's tip in the snapshot, or in a newer snapshot after a long walk. Only one pass
// runs at a time. After an error the next pass continues after the last saved block.
func (p *Pass) Run(ctx context.Context) (Report, error) {
	g := p.checker
	g.mu.Lock()
	defer g.mu.Unlock()
	defer func() { _ = p.tx.Rollback() }()
	g.audits++
	report, err := p.audit(ctx)
	if err != nil {
		g.chain.discard(err)
	}
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
	if err := a.seed(ctx, r, g.node); err != nil {
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

// walk walks the chain to the tip of an audit. Without a reader it omits the deposits at addresses that were issued
// again.
func (c *Checker) walk(ctx context.Context, a *auditor, r *reader) error {
	err := a.walk(ctx, c.node)
	if err == nil && r != nil {
		err = a.recordAdopted(ctx, r, c.node)
	}
	return err
}

// Check audits the ledger's present state, up to the server's tip. If it finds violations, it audits again after
// Config.RecheckAfter.
func (c *Checker) Check(ctx context.Context) (Report, error) {
	return recheck(ctx, c.RecheckAfter, func() (Report, error) { return c.once(ctx) })
}

// once audits the ledger's present state.
func (c *Checker) once(ctx context.Context) (Report, error) {
	p, err := c.Begin(ctx)
	if err != nil {
		return Report{}, err
	}
	return p.Run(ctx)
}

// Walk walks the chain to the server's tip in advance of the next audit, and checks nothing. It does not begin while
// the server catches up, because seed could then copy only a part of the index.
func (c *Checker) Walk(ctx context.Context) error {
	p, err := c.Begin(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a, r, err := p.read(ctx)
	early := false
	if err == nil {
		early, err = a.isEarly(ctx, c.node)
	}
	if err == nil && !early {
		err = a.seed(ctx, r, c.node)
	}
	_ = p.tx.Rollback() // before the walk, which can take hours
	if err == nil && !early {
		err = c.walk(ctx, a, nil)
	}
	if err != nil {
		c.chain.discard(err)
	}
	return err
}

// selectEpochs returns a function that reports whether this audit recomputes an epoch. It must be called with the
// accounts in their order.
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
