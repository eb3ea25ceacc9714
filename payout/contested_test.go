package payout_test

import (
	"testing"

	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
)

// A payout is not replaced while somebody else spends one of its inputs. A replacement would do no harm:
// the chain takes one of the two, and the order ends as it does here. It would only be in vain.
func TestNoReplacementAgainstARecovery(t *testing.T) {
	for name, mined := range map[string]bool{"in the mempool": false, "in a block": true} {
		t.Run(name, func(t *testing.T) {
			w, o := stuck(t)
			recovery := w.Recover(w.Anna, o.UnitIDs[0])
			if mined {
				w.Node.MineOnly(recovery)
			} else {
				w.Send(recovery)
			}
			w.Step()
			before := len(versions(w, o.ID))
			w.Request(payout.RequestBump, w.Order(o.ID).PayoutID)
			w.Step()
			if after := len(versions(w, o.ID)); after != before {
				t.Errorf("the payout has %d versions, and had %d before the recovery", after, before)
			}
			if !mined {
				w.Node.MineOnly(recovery)
			}
			passOver(w, order.FinalDepth)
			w.WantStage(o.UnitIDs[0], ledger.Withdrawn)
			w.WantStatus(o.ID, order.Audit)
			w.Check()
		})
	}
}
