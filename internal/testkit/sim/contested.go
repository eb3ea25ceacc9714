package sim

import (
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
)

// bumpContested requests a fee bump of a payout while its owner's recovery spends one of its inputs, in the mempool or
// in a block. The server must not build a replacement, which would spend an output that the recovery may already have
// spent.
func (sc *scenario) bumpContested(byBlock bool) {
	sc.Rate = amount.SatPerVB(2)
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	sc.paying(o, from, o.Due())
	sc.mineAll()
	sc.pass(time.Hour)
	sc.followAndCheck()
	if o = sc.Order(o.ID); o.Status != order.Sent || !sc.synced {
		return
	}
	recovery := sc.RecoverWith(from, o.UnitIDs[0], sc.sats(from), 40*fee)
	if byBlock && !sc.mineOnly(recovery) || !byBlock && !sc.broadcast(recovery) {
		return
	}
	sc.followAndCheck()
	versions := sc.versions(o.PayoutID)
	sc.Rate = amount.SatPerVB(30)
	sc.requestOnce(payout.RequestBump, o.PayoutID)
	sc.followAndCheck()
	if got := sc.versions(o.PayoutID); sc.synced && got != versions {
		sc.Fatalf("a payout with a foreign-spent input is not replaced: payout %s has another version", o.PayoutID)
	}
	for range order.FinalDepth {
		sc.mineAll()
	}
	sc.followAndCheck()
}

// contestPaid starts the recovery of a unit of a PAID order while payouts are paused. The server must not send the
// order after the pause.
func (sc *scenario) contestPaid() {
	sc.Rate = amount.SatPerVB(2)
	sc.pausePayouts()
	defer sc.resume()
	o, from, ok := sc.newOrder(action.Withdraw)
	if !ok {
		return
	}
	sc.paying(o, from, o.Due())
	sc.mineAll()
	sc.followAndCheck()
	if sc.Order(o.ID).Status != order.Paid || !sc.broadcast(sc.RecoverWith(from, o.UnitIDs[0], sc.sats(from), 40*fee)) {
		return
	}
	sc.followAndCheck()
	sc.resume()
	sc.pass(time.Hour)
	sc.followAndCheck()
	sc.mustHaveStatus(o, order.Paid)
	for range ledger.RecoveryDepth {
		sc.mineAll()
	}
	sc.followAndCheck()
}

// versions returns the number of transactions of a payout.
func (sc *scenario) versions(payoutID string) string {
	return sc.column(`SELECT CAST(COUNT(*) AS TEXT) FROM payout_version WHERE payout_id = '` + payoutID + `'`)[0]
}
