package inquiry

import (
	"errors"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Maximum numbers of rows of each kind, so that an answer fits one page.
const (
	mostUnits     = 30
	mostOrders    = 10
	mostAddresses = 10
	mostPayments  = 10
)

// address describes an address, and the units and orders of its owner.
func (f *finder) address(a chain.Address) error {
	watched, err := f.tx.WatchedScript(f.ctx, a.Script)
	if exists, err := known(err); err != nil {
		return err
	} else if exists {
		if err := f.ours(watched); err != nil {
			return err
		}
	}
	owners, err := f.tx.OwnersOfPayment(f.ctx, a.Text)
	if err != nil {
		return err
	}
	for _, c := range f.communities {
		exists, err := f.tx.WalletKnown(f.ctx, c.Prefix, a.Text)
		if err != nil {
			return err
		}
		if exists {
			owners = append(owners, store.OwnerOf{Community: c.Prefix, Owner: a.Text, Signed: true})
		}
	}
	for _, o := range owners {
		if err := f.owner(o, a.Text); err != nil {
			return err
		}
	}
	if err := f.deliveredElsewhere(a.Text); err != nil {
		return err
	}
	return f.runeOrdersOf(a)
}

// ours describes one of the server's addresses.
func (f *finder) ours(w ledger.Watched) error {
	c, exists := f.community(w.Community)
	if !exists {
		return nil
	}
	switch w.Kind {
	case ledger.StakeKind:
		if err := f.stakeAddress(w); err != nil {
			return err
		}
		return f.owner(store.OwnerOf{Community: w.Community, Owner: w.Owner, Signed: true}, w.Owner)
	case ledger.PaymentKind:
		_, err := f.orderByID(w.Ref)
		return err
	}
	what := runesWord
	if w.Kind == ledger.SatsKind {
		what = satsWord
	}
	name, err := f.name(c)
	f.found(treasuryAddress, what.text, name)
	return err
}

// stakeAddress describes the deposits at a stake address.
func (f *finder) stakeAddress(w ledger.Watched) error {
	f.section(stakeTitle)
	a, err := f.tx.StakeAddress(f.ctx, w.Ref)
	switch exists, err := known(err); {
	case err != nil:
		return err
	case !exists:
		f.found(stakeWatched, w.Ref, w.Owner)
	default:
		f.found(stakeGiven, a.Address, a.Owner, date(a.Created))
	}
	f.once(w.Ref)
	outputs, err := f.tx.OutputsAt(f.ctx, w.Ref)
	if err != nil {
		return err
	}
	if len(outputs) == 0 {
		f.say(stakeUnused)
	}
	for _, o := range outputs {
		held, err := f.contents(o)
		if err != nil {
			return err
		}
		f.say(stakeReceived, o.OutPoint.String(), held, f.block(o.Height))
		if o.Vanished {
			f.say(outReplaced)
		}
	}
	return nil
}

// owner describes an owner's units, orders and addresses in one community. asked is the address in the query.
func (f *finder) owner(o store.OwnerOf, asked string) error {
	c, exists := f.community(o.Community)
	if !exists || !f.once("owner "+o.Community+" "+o.Owner) {
		return nil
	}
	name, err := f.name(c)
	if err != nil {
		return err
	}
	f.answer.Found = true
	f.section(ownerTitle, name, o.Owner)
	if !o.Signed && asked != o.Owner {
		f.say(unsignedPair)
	}
	payments, err := f.tx.PaymentsOfOwner(f.ctx, c.Prefix, o.Owner)
	if err != nil {
		return err
	}
	for _, p := range payments[:min(len(payments), mostPayments)] {
		s := unsignedPayment
		if p.Signed {
			s = signedPayment
		}
		f.say(s, p.Address)
	}
	for _, part := range []func(community, string) error{
		f.units, f.instruction, f.unusedStakeAddresses, f.quarantine, f.orders,
	} {
		if err := part(c, o.Owner); err != nil {
			return err
		}
	}
	return nil
}

// unusedStakeAddresses lists an owner's stake addresses that the answer does not contain yet, and which of them have no
// deposit, because stakers often look there for runes that they sent to another address.
func (f *finder) unusedStakeAddresses(c community, owner string) error {
	all, err := f.tx.StakeAddressesOf(f.ctx, c.Prefix, owner)
	if err != nil {
		return err
	}
	f.section(stakeTitle)
	shown := 0
	for _, a := range all {
		if shown == mostAddresses {
			f.say(moreStakes, number(len(all)-shown))
			break
		}
		if !f.once(a.Address) {
			continue
		}
		shown++
		outputs, err := f.tx.OutputsAt(f.ctx, a.Address)
		if err != nil {
			return err
		}
		f.say(stakeGiven, a.Address, a.Owner, date(a.Created))
		if len(outputs) == 0 {
			f.say(stakeUnused)
		}
	}
	return nil
}

// quarantine lists an owner's quarantined outputs.
func (f *finder) quarantine(c community, owner string) error {
	outputs, err := f.tx.QuarantinedOf(f.ctx, c.Prefix, owner)
	if err != nil {
		return err
	}
	f.section(quarantineTitle)
	for _, o := range outputs {
		if err := f.uncredited(o); err != nil {
			return err
		}
	}
	return nil
}

// uncredited describes why an output can't be credited, and how it is returned.
func (f *finder) uncredited(o ledger.Output) error {
	held, err := f.contents(o)
	if err != nil {
		return err
	}
	reason := o.Quarantine
	if reason == "" {
		reason = runesInPayment.text
	}
	f.say(quarantined, o.OutPoint.String(), held, f.block(o.Height), reason)
	switch {
	case o.SpentBy != "":
		f.say(returned, o.SpentBy)
	case o.Owner != "" && o.Quarantine != "" && !o.Vanished:
		f.say(returnable, o.Owner, o.OutPoint.String())
	}
	return nil
}

// deliveredElsewhere lists the transactions by which another server moved runes of the treasury to an address.
func (f *finder) deliveredElsewhere(address string) error {
	for _, c := range f.communities {
		spends, err := f.tx.UnexplainedSpendsTo(f.ctx, c.Prefix, address)
		if err != nil && !errors.Is(err, state.ErrNotFound) {
			return err
		}
		for _, s := range spends {
			brought, err := f.tokens(c, s.Amount)
			if err != nil {
				return err
			}
			f.found(heldBack, s.TxID, brought)
		}
	}
	return nil
}
