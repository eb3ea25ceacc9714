package sim

import "slices"

// notDuringAStep are the operations that a Step excludes: they inject faults, replace the server, or need a Step of
// their own.
var notDuringAStep = []string{
	"follow the chain", "injected fault", "server restarts", "clock jumps", "back up", "stale backup", "two leaders",
	"change while a payout is signed", "schedule", "the node refuses everything for a while", "execute",
}

// stepAmongOperations runs the follower once, and one to three operations while it runs.
func (sc *scenario) stepAmongOperations() {
	if sc.oneIn(2) {
		sc.block()
	}
	sc.injected = &injection{kind: concurrent, after: int(sc.between(1, sc.between(2, 20)))}
	sc.follow()
	if sc.injected.fired {
		sc.faults[concurrent]++
	}
	sc.injected = &injection{}
}

// operateDuringStep performs operations if the pending fault fires at this point of a Step: before a call to the node
// or the signer, or before a write transaction. A Step holds no lock of the database at these points, so that calls of
// users and operators, blocks and payments can come in between.
func (sc *scenario) operateDuringStep() {
	if !sc.injected.fires(concurrent) {
		return
	}
	now, _ := sc.moment()
	sc.require(sc.model.ReadCompounded(sc.Context(), sc.db, sc.stepBegan.Now, now.Now))
	possible := slices.Clone(operations)
	if sc.plan.Runes {
		possible = append(possible, runeOperations...)
	}
	possible = slices.DeleteFunc(possible, func(o operation) bool { return slices.Contains(notDuringAStep, o.name) })
	for range sc.between(1, 3) {
		sc.operate("  during the step:", possible)
		sc.check()
	}
}
