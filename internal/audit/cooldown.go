package audit

import "moonfund/internal/bitcoin/chain"

// cooldownEpochs is the number of whole epochs that an unstaked unit waits after the epoch in which it was unstaked.
// The ledger has its own constant.
const cooldownEpochs = 1

// checkCooldown checks the epoch that ends the cooldown of an unstaked unit (invariant 4).
func (a *auditor) checkCooldown(u unit) {
	unstaked := u.stakedTo != chain.None || u.unlock != chain.None
	if unstaked && (u.stakedTo < 0 || u.unlock != u.stakedTo+1+cooldownEpochs) {
		a.fail(Locks, a.onUnit(u.community, u.id),
			"it was unstaked in epoch %d and unlocks with epoch %d, not with epoch %d", u.stakedTo,
			u.unlock, u.stakedTo+1+cooldownEpochs)
	}
}

// cooled is a unit whose cooldown is over, and the times of the postings that began and ended it.
type cooled struct {
	community, id    string
	stakedTo, unlock int64
	began, ended     int64
}

var cooledRows = table[cooled]{`SELECT u.community, u.id, u.staked_to, u.unlock_epoch,
		COALESCE((SELECT MAX(j.at) FROM journal j
			WHERE j.subject = u.id AND j.community = u.community AND j.event = 'unstake'), 0),
		COALESCE((SELECT MAX(j.at) FROM journal j
			WHERE j.subject = u.id AND j.community = u.community AND j.event = 'cooldown over'), 0)
	FROM unit u`, func(c *cooled) []any {
	return []any{&c.community, &c.id, &c.stakedTo, &c.unlock, &c.began, &c.ended}
}}

// hasCooled selects the live units of cooledRows.
const hasCooled = `u.stage IN ('UNLOCKED', 'PO_LOCKED', 'PENDING_WITHDRAW', 'BATCH_LOCKED') AND u.unlock_epoch >= 0`

// checkCooled checks that each cooldown lasted for the whole epochs between (invariant 4). It compares durations, since
// the journal and the calendar of a dev network have different clocks. Epochs that end by hand have no fixed length.
func (a *auditor) checkCooled(r *reader, condition string, args ...any) {
	calendars := map[string]calendar{}
	for _, c := range a.communities {
		if calendar, err := a.calendarOf(c.prefix); err == nil { // else checkEpochs reports it
			calendars[c.prefix] = calendar
		}
	}
	each(r, cooledRows, condition, func(c cooled) {
		calendar, known := calendars[c.community]
		if !known || calendar.manual {
			return
		}
		from, _ := calendar.start(c.stakedTo + 1)
		until, _ := calendar.start(c.unlock)
		if least := int64(until.Sub(from).Seconds()); c.ended-c.began < least {
			a.fail(Locks, a.onUnit(c.community, c.id),
				"its cooldown began at %d and was over at %d, after less than %d seconds", c.began,
				c.ended, least)
		}
	}, args...)
}
