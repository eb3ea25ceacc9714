package audit

// unit is a unit with the reward that created it and its deposit.
type unit struct {
	community, id, owner, origin string
	amount                       int64
	stage                        string
	notBefore, eligible          int64
	stakedTo, unlock             int64
	rewardEpoch                  int64
	orderID, before, txid        string
	vout                         int64

	rewardUnit string // the unit of its owner's reward in rewardEpoch
	reward     int64
	deposit    deposit
	output     *output // on the chain at the unit's id; nil if there is none
}

// deposit is the custody row of a unit's owner at the unit's outpoint. kind is "" if there is none.
type deposit struct {
	kind       string
	runes      int64
	quarantine string
	vanished   bool
	spentBy    string
	spentOurs  bool
	self       bool // in self-custody
}

// unitKey identifies a unit.
type unitKey struct{ community, id string }

func (u unit) key() unitKey { return unitKey{u.community, u.id} }

var unitRows = table[unit]{`SELECT u.community, u.id, u.owner, u.origin, u.amount, u.stage, u.not_before,
		u.eligible_epoch, u.staked_to, u.unlock_epoch, u.reward_epoch, u.order_id, u.stage_before, u.txid, u.vout,
		COALESCE(w.unit_id, ''), COALESCE(w.reward, 0),
		COALESCE(c.kind, ''), COALESCE(c.runes, 0),
		COALESCE(c.quarantine, ''), COALESCE(c.vanished, 0), COALESCE(c.spent_by, ''), COALESCE(c.spent_ours, 0),
		COALESCE(s.self_custody, 0)
	FROM unit u
	LEFT JOIN epoch_reward w ON w.community = u.community AND w.epoch = u.reward_epoch AND w.owner = u.owner
	LEFT JOIN custody c
		ON c.owner = u.owner AND c.community = u.community AND c.txid = u.txid AND c.vout = u.vout
	LEFT JOIN stake_address s ON s.address = c.ref`, func(u *unit) []any {
	d := &u.deposit
	return []any{&u.community, &u.id, &u.owner, &u.origin, &u.amount, &u.stage, &u.notBefore, &u.eligible,
		&u.stakedTo, &u.unlock, &u.rewardEpoch, &u.orderID, &u.before, &u.txid, &u.vout,
		&u.rewardUnit, &u.reward,
		&d.kind, &d.runes, &d.quarantine, &d.vanished, &d.spentBy, &d.spentOurs, &d.self}
}}

// checkUnits reads every unit once and checks it against its deposit (invariant 1), its reward and its epochs (2) and
// its order (4). It computes sums, and stores the units that orders and transactions refer to.
func (a *auditor) checkUnits(r *reader) {
	cuts := a.cuts()
	each(r, unitRows, "", func(u unit) {
		a.report.Checked.Units++
		u.output = a.outputs.at(u.id)
		if a.needed[u.id] || u.orderID != "" {
			a.units[u.key()] = u
		}
		if u.stage == "STAKED" {
			a.stakedSums[u.community] += u.amount
		}
		a.ledgerUnits.add(u.community, u.id, u.owner, u.stage, u.amount)
		a.addStake(u)
		a.addBacking(u)
		a.addVirtual(u)
		a.addMember(u)
		a.checkUnit(u, cuts)
	})
	a.checkCooled(r, "WHERE "+hasCooled)
	a.checkChosen(r, "WHERE "+hasChosen)
}

// checkUnit checks a single unit.
func (a *auditor) checkUnit(u unit, cuts map[epochKey]int64) {
	a.checkRewarded(u)
	a.checkPlace(u, cuts)
	a.checkStage(u)
	a.checkCooldown(u)
	a.checkLock(u)
	if u.origin == "STAKE" {
		a.checkStake(u)
	}
}
