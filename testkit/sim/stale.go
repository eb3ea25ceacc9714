package sim

import (
	"strings"

	"moonfund/ledger"
	"moonfund/testkit"
)

// noteElsewhere counts what only a stale server can meet: rewards that were
// delivered by orders which it does not remember.
func (l *life) noteElsewhere(stale *testkit.World) {
	for _, row := range ledger.Stages.Rows {
		if row.Event != ledger.DeliveredElsewhere {
			continue
		}
		moved := stale.Rows(`SELECT number FROM journal WHERE event = ? AND from_account = ?`, string(row.Event),
			string(row.From))
		if n := strings.Count(moved, "\n"); n > 0 {
			if l.stale == nil {
				l.stale = map[[3]string]int{}
			}
			l.stale[[3]string{string(row.From), string(row.Event), string(row.To)}] += n
		}
	}
}
