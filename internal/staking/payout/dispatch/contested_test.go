package dispatch_test

import (
	"testing"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// A payout is not replaced while a foreign transaction spends one of its inputs. A replacement would be harmless but
// useless, because only one of the two transactions can confirm.
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
			before := len(w.Versions(o.ID))
			w.Request(payout.RequestBump, w.Order(o.ID).PayoutID)
			w.Step()
			if after := len(w.Versions(o.ID)); after != before {
				t.Errorf("got %d versions of the payout, want %d as before the request", after, before)
			}
			if !mined {
				w.Node.MineOnly(recovery)
			}
			w.EmptyBlocks(order.FinalDepth)
			w.WantStage(o.UnitIDs[0], ledger.Withdrawn)
			w.WantStatus(o.ID, order.Audit)
			w.Check()
		})
	}
}
