package sim

import (
	"slices"

	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/sim/model"
)

// Effects of instructions on rewards, counted in addition to the events of instructions.
const (
	rewardCompounded = "a reward is compounded"
	rewardLeft       = "a reward stays on its order"
)

// compoundingFacts must occur in a large run.
var compoundingFacts = []string{
	ledger.CompoundingBegun, ledger.CompoundingEnded, ledger.CompoundingReplaced, ledger.CompoundingExpired,
	ledger.CompoundingRestored, rewardCompounded, rewardLeft,
}

// longestInstruction is the greatest number of epochs of an instruction. Scenarios have few epochs, and rewards must
// remain for other actions.
const longestInstruction = 4

// instruct begins, renews or ends the instruction of an owner.
func (sc *scenario) instruct() {
	kind := choose(sc, []action.Type{action.AutoCompound, action.AutoCompound, action.EndAutoCompound})
	s := sc.prepareInstruction(sc.wallet(), kind, sc.between(1, longestInstruction))
	if s != nil && !sc.oneIn(6) { // otherwise signLate may submit it
		sc.submit(s)
	}
}

// prepareInstruction requests the beginning or the end of an instruction and signs its message.
func (sc *scenario) prepareInstruction(from *testkit.Wallet, kind action.Type, epochs int64) *signing {
	sc.note("  %s of %s for %d epochs", kind, from.Ordinals.Text, epochs)
	s := sc.request(from, kind, func() (action.Requested, error) {
		return sc.Actions.PostCompounding(sc.Context(), testkit.Prefix, from.Pair(), kind, epochs, sc.knownStatement())
	})
	if s != nil {
		s.epochs = epochs
	}
	return s
}

// endInstructions ends every active instruction, so that no reward is compounded after the last epoch of a scenario.
func (sc *scenario) endInstructions() {
	for _, wallet := range actors(sc.World) {
		if active := sc.column(`SELECT id FROM auto_compound WHERE ended_at = 0 AND owner = '` +
			wallet.Ordinals.Text + `'`); len(active) == 0 {
			continue
		}
		if !sc.submit(sc.prepareInstruction(wallet, action.EndAutoCompound, 1)) {
			sc.Fatalf("an instruction can't be ended although there is no fault")
		}
	}
}

// instructed records in the model that a signed message began or ended an instruction.
func (sc *scenario) instructed(s *signing) {
	switch s.kind {
	case action.AutoCompound:
		sc.require(sc.model.Began(s.request.ActionID, s.from.Ordinals.Text, s.text, s.epochs))
	case action.EndAutoCompound:
		sc.require(sc.model.Ended(s.from.Ordinals.Text))
	}
}

// claimBeforeInstruction claims a reward between its settlement and the transaction that applies an instruction to it,
// which leaves the reward to its owner, also if the order was canceled in between.
func (sc *scenario) claimBeforeInstruction() {
	from := sc.wallet()
	if !sc.submit(sc.prepareInstruction(from, action.AutoCompound, 2)) {
		return
	}
	sc.nextEpoch()
	sc.nextEpoch() // the first epoch after the beginning may not have been settled yet
	before := sc.units(from, ledger.Claimable)
	for range ledger.SettleDepth {
		sc.mineAll()
	}
	fresh := func() []string {
		old := func(id string) bool { return slices.Contains(before, id) }
		return slices.DeleteFunc(sc.units(from, ledger.Claimable), old)
	}
	// The server follows the blocks after the first crashes. A later crash is the one after the settlement.
	for _, after := range []int{2, 3, 4, 5, 2, 3, 4, 5, 6, 7, 8} {
		if len(fresh()) > 0 {
			break
		}
		sc.injected = &injection{kind: crashBeforeWrite, after: after}
		sc.followAndCheck()
		if sc.injected.fired {
			sc.faults[crashBeforeWrite]++
		}
		sc.injected = &injection{}
	}
	if units := fresh(); len(units) > 0 {
		claim := sc.prepare(from, action.Claim, units)
		if sc.submit(claim) && sc.oneIn(2) { // its order may close before the instruction is applied
			sc.cancelOrder(sc.Order(claim.orderID), from, func() {})
		}
	}
	sc.followAndCheck()
}

// restoreInstructions marks a stale server's ledger as restored, like the restore of a backup. The returned function
// checks that the server applied no instruction.
func (sc *scenario) restoreInstructions(stale *testkit.World) (check func()) {
	db := engine.Connect(sc, stale.URL())
	var before int64
	testkit.Must(sc, db.QueryRowContext(sc.Context(), `SELECT COALESCE(MAX(number), 0) FROM journal`).Scan(&before))
	testkit.Must(sc, stale.Store.Update(sc.Context(), func(tx *store.Tx) error {
		return tx.RecordIncident(sc.Context(), "", store.IncidentRestore, "a stale backup", stale.Clock.Now())
	}))
	return func() {
		ended, err := model.Restored(sc.Context(), db, before, stale.Follower.State().Synced)
		sc.require(err)
		sc.restored += ended
		testkit.Must(sc, db.Close())
	}
}

// countCompounded counts the events of instructions and their effects on rewards.
func (sc *scenario) countCompounded() map[string]int {
	counted := map[string]int{ledger.CompoundingRestored: sc.restored}
	for _, event := range sc.column(`SELECT event FROM journal WHERE asset = 'instruction'`) {
		counted[event]++
	}
	var err error
	counted[rewardCompounded], counted[rewardLeft], err = sc.model.Compounded(sc.tables)
	testkit.Must(sc, err)
	return counted
}
