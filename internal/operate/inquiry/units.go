package inquiry

import (
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/ledger"
)

// units lists an owner's stakes and rewards, by stage.
func (f *finder) units(c community, owner string) error {
	all, err := f.tx.UnitsOf(f.ctx, c.Prefix, owner)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		f.say(noUnits)
		return nil
	}
	live, err := f.sums(c, all)
	if err != nil {
		return err
	}
	f.section(unitsTitle)
	for _, u := range live[:min(len(live), mostUnits)] {
		if err := f.unit(c, u); err != nil {
			return err
		}
	}
	if more := len(live) - mostUnits; more > 0 {
		f.say(moreUnits, count(more, "unit", "units"), owner)
	}
	if old := len(all) - len(live); old > 0 {
		f.say(oldUnits, count(old, "unit was", "units were"), owner)
	}
	return nil
}

// sums adds the sum of each stage, and returns the units that are not WITHDRAWN, by stage.
func (f *finder) sums(c community, all []ledger.Unit) (live []ledger.Unit, err error) {
	for _, stage := range decisions.Stages {
		in := slices.DeleteFunc(slices.Clone(all), func(u ledger.Unit) bool { return u.Stage != stage })
		if len(in) == 0 {
			continue
		}
		var sum amount.Runes
		for _, u := range in {
			if sum, err = sum.Add(u.Amount); err != nil {
				return nil, err
			}
		}
		text, err := f.tokens(c, sum)
		if err != nil {
			return nil, err
		}
		f.say(sums, inStage[stage].text, text, count(len(in), "unit", "units"))
		if stage != ledger.Withdrawn {
			live = append(live, in...)
		}
	}
	return live, nil
}

// unit describes the stage of one unit and the next step.
func (f *finder) unit(c community, u ledger.Unit) error {
	held, err := f.tokens(c, u.Amount)
	if err != nil {
		return err
	}
	stands, err := f.stageLine(c, u)
	if err != nil {
		return err
	}
	f.once("unit " + u.ID)
	f.say(unitLine, held, u.ID, stands.Text)
	switch {
	case u.Virtual() || u.Stage == ledger.Withdrawn:
	case u.Vanished:
		f.say(lostDeposit)
	case u.Contested:
		f.say(spentByOther)
	case u.Self:
		f.say(inSelfCustody)
	default:
		f.say(inOperatorCustody)
	}
	return nil
}

// stageLine returns the sentence about a unit's stage and the next step.
func (f *finder) stageLine(c community, u ledger.Unit) (Line, error) {
	switch u.Stage {
	case ledger.PendingStake:
		return f.pending(c, u)
	case ledger.Staked:
		return line(unitEarns, number(u.EligibleEpoch)), nil
	case ledger.PendingUnlock:
		when, err := f.epochStart(c, u.UnlockEpoch)
		return line(unitUnlocks, number(u.UnlockEpoch), when), err
	case ledger.Unlocked:
		return line(unitUnlocked), nil
	case ledger.Claimable:
		return line(unitClaim, number(u.RewardEpoch)), nil
	case ledger.POLocked, ledger.POClaimed, ledger.PendingWithdraw:
		return line(unitAwaitsPay, u.OrderID), nil
	case ledger.BatchLocked:
		return line(unitAwaitsSend, u.OrderID), nil
	}
	switch {
	case u.OrderID != "":
		return line(unitDelivered, u.OrderID), nil
	case u.Virtual():
		return line(unitElsewhere), nil
	}
	return line(unitRecovered), nil
}

// pending returns the sentence about when a deposited unit starts to earn.
func (f *finder) pending(c community, u ledger.Unit) (Line, error) {
	if u.EligibleEpoch != chain.None {
		when, err := f.epochStart(c, u.EligibleEpoch)
		return line(unitWaitsEpoch, number(u.EligibleEpoch), when), err
	}
	when, err := f.nextEpoch(c)
	if u.Height == chain.None && !u.Virtual() {
		return line(unitWaitsBlock, when), err
	}
	return line(unitWaitsStart, when), err
}

// unitByID describes a unit by its id.
func (f *finder) unitByID(id string) (found bool, err error) {
	for _, c := range f.communities {
		u, err := f.tx.Unit(f.ctx, c.Prefix, id)
		exists, err := known(err)
		if err != nil {
			return found, err
		}
		if exists {
			if err := f.ownedUnit(c, u); err != nil {
				return found, err
			}
			found = true
		}
	}
	return found, nil
}

// ownedUnit describes a unit with its owner.
func (f *finder) ownedUnit(c community, u ledger.Unit) error {
	name, err := f.name(c)
	if err != nil {
		return err
	}
	f.answer.Found = true
	f.section(ownerTitle, name, u.Owner)
	return f.unit(c, u)
}
