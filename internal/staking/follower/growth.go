package follower

import "context"

// analyzedAfter is the number of recorded rows after which the database's statistics are updated.
const analyzedAfter = 3000

// growth counts the inputs, outputs and rewards that were recorded.
type growth struct{ before, since int } // before and since the last update of the statistics

// analyze updates the database's statistics if its tables grew by more than analyzedAfter rows, and by a tenth of what
// this server has recorded. Otherwise the next queries would use plans for the smaller tables.
func (f *Follower) analyze(ctx context.Context) {
	g := &f.growth
	if f.Analyze == nil || g.since < max(analyzedAfter, g.before/10) {
		return
	}
	g.before, g.since = g.before+g.since, 0
	if err := f.Analyze(ctx); err != nil { // the database does so by itself within a minute
		f.Log.Warn("the statistics of the database were not updated", "error", err)
	}
}
