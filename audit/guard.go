package audit

import (
	"context"
	"database/sql"
	"sync"
)

// Guard audits a running server again and again. It makes every check that Run
// makes, but remembers what it read of the chain: each audit reads only the
// blocks that came since, and takes back those that a reorg replaced. The first
// one walks the whole chain.
type Guard struct {
	db   *sql.DB
	node Node
	Config

	mu     sync.Mutex
	walked chained
}

// NewGuard returns a guard that has walked nothing yet. It reads db only.
func NewGuard(db *sql.DB, node Node, c Config) *Guard {
	return &Guard{db: db, node: node, Config: c, walked: newChained(c)}
}

// Check audits the ledger as it is now, up to the server's tip. After an error the
// next check walks the whole chain again.
func (g *Guard) Check(ctx context.Context) (Report, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return twice(ctx, g.db, g.node, g.Config, &g.walked)
}
