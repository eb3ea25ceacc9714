package statement

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Verify returns an error unless the details belong to a document, the rewards follow from the inputs, and the
// instructions agree with the inputs and each other.
func (d Details) Verify(of Document) error {
	if err := of.Match(d); err != nil {
		return err
	}
	shares, err := split(of.Budget.Amount, d.Inputs)
	if err != nil {
		return err
	}
	for _, o := range d.Owners {
		want := shares[o.Owner]
		delete(shares, o.Owner)
		switch {
		case o.Stake != want.Stake || o.Reward != want.Reward:
			return fmt.Errorf("%w: %s has a reward of %s for a stake of %s; %s for %s are due", ErrForm, o.Owner, o.Reward,
				o.Stake, want.Reward, want.Stake)
		case o.Sums() == Sums{}:
			return fmt.Errorf("%w: the owner %s has nothing", ErrForm, o.Owner)
		}
	}
	for owner := range shares {
		return fmt.Errorf("%w: %s has inputs and is not among the owners", ErrForm, owner)
	}
	return d.verifyInstructions()
}

// split divides a budget among the owners of inputs, in proportion to their sums, and returns each owner's stake and
// reward. After rounding down, the owners with the largest remainders get one of the remaining base units each; of
// equal remainders, the owner with the lowest unit comes first. It does not use the ledger's code, whose result it
// checks.
func split(budget Sum, inputs []Input) (map[string]Sums, error) {
	type part struct {
		owner, lowest     string
		stake             Sum
		reward, remainder *big.Int
	}
	var total Sum
	var err error
	byOwner, parts := map[string]*part{}, []*part{}
	for _, i := range inputs {
		p := byOwner[i.Owner]
		if p == nil {
			p = &part{owner: i.Owner, lowest: i.Unit}
			byOwner[i.Owner], parts = p, append(parts, p)
		}
		p.lowest = min(p.lowest, i.Unit)
		p.stake, _ = p.stake.Add(i.Amount) // not above the total
		if total, err = total.Add(i.Amount); err != nil {
			return nil, err
		}
	}
	shares := map[string]Sums{}
	if total.IsZero() {
		return shares, nil
	}
	rest := budget.big()
	for _, p := range parts {
		product := new(big.Int).Mul(budget.big(), p.stake.big())
		p.reward, p.remainder = product.QuoRem(product, total.big(), new(big.Int))
		rest.Sub(rest, p.reward)
	}
	slices.SortFunc(parts, func(a, b *part) int {
		return cmp.Or(b.remainder.Cmp(a.remainder), strings.Compare(a.lowest, b.lowest))
	})
	for _, p := range parts[:rest.Int64()] {
		p.reward.Add(p.reward, big.NewInt(1))
	}
	for _, p := range parts {
		shares[p.owner] = Sums{Stake: p.stake, Reward: fromBig(p.reward)}
	}
	return shares, nil
}

// verifyInstructions returns an error unless every reward that an instruction compounded is an input of its owner and
// was compounded by one instruction, and an owner has at most one active instruction.
func (d Details) verifyInstructions() error {
	owners := map[string]string{} // by unit
	for _, i := range d.Inputs {
		owners[i.Unit] = i.Owner
	}
	compounded, active := map[string]string{}, map[string]string{}
	for _, i := range d.Instructions {
		for _, epoch := range i.Rewards {
			unit := d.rewardID(epoch, i.Owner)
			switch {
			case owners[unit] != i.Owner:
				return fmt.Errorf("%w: the instruction %q compounded %s, which is no input of its owner", ErrForm, i.ID, unit)
			case compounded[unit] != "":
				return fmt.Errorf("%w: the instructions %q and %q compounded %s", ErrForm, compounded[unit], i.ID, unit)
			}
			compounded[unit] = i.ID
		}
		if i.Ended != 0 {
			continue
		}
		if other := active[i.Owner]; other != "" {
			return fmt.Errorf("%w: the instructions %q and %q of %s are active", ErrForm, other, i.ID, i.Owner)
		}
		active[i.Owner] = i.ID
	}
	return nil
}
