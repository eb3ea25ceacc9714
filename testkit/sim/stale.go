package sim

import (
	"strings"

	"moonfund/ledger"
	"moonfund/testkit"
)

// countElsewhere counts rows that only a stale server reaches: rewards delivered by orders that its
// copy of the database does not contain.
func (sc *scenario) countElsewhere(stale *testkit.World) {
	for _, row := range ledger.Stages.Rows {
		if row.Event != ledger.DeliveredElsewhere {
			continue
		}
		moved := stale.Rows(`SELECT number FROM journal WHERE event = ? AND from_account = ?`, string(row.Event),
			string(row.From))
		if n := strings.Count(moved, "\n"); n > 0 {
			if sc.stale == nil {
				sc.stale = map[[3]string]int{}
			}
			sc.stale[[3]string{string(row.From), string(row.Event), string(row.To)}] += n
		}
	}
}
