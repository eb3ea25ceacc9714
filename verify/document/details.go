package document

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Details are the inputs of the rewards, the instructions to compound automatically and the leaves of the tree.
type Details struct {
	Binding
	Inputs            []Input
	ListsInstructions bool // false: the format is moonfund/details/1
	Instructions      []Instruction
	Owners            []Owner
	Digest            Hash
}

// Input is a unit that the epoch rewards.
type Input struct {
	Unit, Owner string
	Amount      Amount
}

// Owner is a leaf of the tree.
type Owner struct {
	Owner string
	Sums
}

// ReadDetails reads details in canonical form.
func ReadDetails(text []byte) (d Details, err error) {
	r := &reader{text: string(text)}
	r.token(`{"community":`)
	d.Community = r.name()
	r.token(`,"epoch":`)
	d.Epoch = r.integer()
	r.token(`,"format":`)
	format := r.str(maxText)
	if d.ListsInstructions = format == "moonfund/details/2"; !d.ListsInstructions && format != "moonfund/details/1" {
		r.fail("the format %q", format)
	}
	r.token(`,"inputs":`)
	d.Inputs = list(r, func() (i Input) {
		r.token(`{"amount":`)
		if i.Amount = r.amount(); i.Amount.IsZero() {
			r.fail("an input of 0")
		}
		r.token(`,"owner":`)
		i.Owner = r.owner()
		r.token(`,"unit":`)
		i.Unit = r.str(maxText)
		r.token("}")
		return i
	})
	if d.ListsInstructions {
		r.token(`,"instructions":`)
		d.Instructions = list(r, r.instruction)
	}
	r.token(`,"network":`)
	d.Network = r.network()
	r.token(`,"owners":`)
	d.Owners = list(r, func() (o Owner) {
		r.token(`{"owed":`)
		o.Owed = r.amount()
		r.token(`,"owner":`)
		o.Owner = r.owner()
		r.token(`,"reward":`)
		o.Reward = r.amount()
		r.token(`,"stake":`)
		o.Stake = r.amount()
		r.token("}")
		return o
	})
	r.token("}")
	r.end()
	ascending(r, d.Inputs, func(i Input) string { return i.Unit })
	ascending(r, d.Instructions, func(i Instruction) string { return i.ID })
	ascending(r, d.Owners, func(o Owner) string { return o.Owner })
	for _, i := range d.Inputs {
		if r.err == nil && !outpoint(i.Unit) && !d.isReward(i) {
			r.fail("%q is neither an outpoint nor a reward of an earlier epoch to %s", i.Unit, i.Owner)
		}
	}
	if r.err != nil {
		return Details{}, fmt.Errorf("not details in canonical form: %w", r.err)
	}
	d.Digest = Tagged("moonfund/details", text)
	return d, nil
}

// isReward reports whether an input has the id of a reward of an earlier epoch to its owner.
func (d Details) isReward(i Input) bool {
	number, _ := strings.CutPrefix(i.Unit, "reward:")
	number, _, _ = strings.Cut(number, ":")
	if !decimal(number, maxInteger) {
		return false
	}
	earned, err := ParseAmount(number)
	return err == nil && earned.lo < uint64(d.Epoch) && i.Unit == d.rewardUnit(int64(earned.lo), i.Owner)
}

// rewardUnit returns the id of the reward of an epoch to an owner.
func (d Details) rewardUnit(epoch int64, owner string) string {
	digest := sha256.Sum256([]byte(d.Community + "\n" + owner))
	return fmt.Sprintf("reward:%d:%s", epoch, hex.EncodeToString(digest[:8]))
}

// EarlierEpoch returns the epoch of the reward that an input is, or false if the input is an outpoint.
func (i Input) EarlierEpoch() (epoch int64, isReward bool) {
	number, isReward := strings.CutPrefix(i.Unit, "reward:")
	number, _, _ = strings.Cut(number, ":")
	n, err := ParseAmount(number)
	return int64(n.lo), isReward && err == nil
}

// RewardOf returns the reward of an owner.
func (d Details) RewardOf(owner string) Amount {
	at, found := slices.BinarySearchFunc(d.Owners, owner, func(o Owner, owner string) int {
		return strings.Compare(o.Owner, owner)
	})
	if !found {
		return Amount{}
	}
	return d.Owners[at].Reward
}

// Verify returns an error unless the details are those of the statement, and the rewards and the tree that follow from
// them are those of the statement.
func (d Details) Verify(s Signed) error {
	if d.Digest != s.Rewards.Digest {
		return fmt.Errorf("the statement is of other details: their digest is %s, that of these is %s", s.Rewards.Digest,
			d.Digest)
	}
	if d.Binding != s.binding() {
		return fmt.Errorf("the details are of epoch %d of %s on %s", d.Epoch, d.Community, d.Network)
	}
	if s.Owners.Count != int64(len(d.Owners)) {
		return fmt.Errorf("the statement counts %d owners, the details have %d", s.Owners.Count, len(d.Owners))
	}
	if err := d.verifyRewards(s); err != nil {
		return err
	}
	if err := d.verifyInstructions(); err != nil {
		return err
	}
	leaves := make([]Node, len(d.Owners))
	for i, o := range d.Owners {
		leaves[i] = d.Leaf(o.Owner, o.Sums)
	}
	root, err := d.Root(leaves)
	if err != nil {
		return fmt.Errorf("the tree: %w", err)
	}
	if root != s.Owners.Node {
		return errors.New("the tree over the owners has another root than the statement, or other sums")
	}
	return nil
}

// verifyRewards computes the stakes and rewards again.
func (d Details) verifyRewards(s Signed) error {
	shares, err := Split(s.Budget.Amount, d.Inputs)
	if err != nil {
		return fmt.Errorf("the inputs: %w", err)
	}
	rewarded := int64(0)
	for _, o := range d.Owners {
		want := Share{Owner: o.Owner}
		if len(shares) > 0 && shares[0].Owner == o.Owner {
			want, shares = shares[0], shares[1:]
		}
		if o.Stake != want.Stake || o.Reward != want.Reward {
			return fmt.Errorf("%s has a reward of %s for a stake of %s; %s for %s are due", o.Owner, o.Reward, o.Stake,
				want.Reward, want.Stake)
		}
		if o.Sums == (Sums{}) {
			return fmt.Errorf("the owner %s has nothing", o.Owner)
		}
		if !o.Reward.IsZero() {
			rewarded++
		}
	}
	if len(shares) > 0 {
		return fmt.Errorf("%s has inputs and is not among the owners", shares[0].Owner)
	}
	if rewarded != s.Rewards.Count {
		return fmt.Errorf("%d owners have a reward, the statement says %d", rewarded, s.Rewards.Count)
	}
	return nil
}

// Share is an owner's part of a budget.
type Share struct {
	Owner         string
	Stake, Reward Amount
}

// Split divides a budget among the owners of inputs, in proportion to their sums. It returns the shares, ascending by
// owner. Their rewards add up to the budget exactly, unless there are no inputs.
func Split(budget Amount, inputs []Input) (shares []Share, err error) {
	type part struct {
		Share
		lowest    string
		remainder *big.Int
	}
	var total Amount
	owners := map[string]*part{}
	for _, i := range inputs {
		p := owners[i.Owner]
		if p == nil {
			p = &part{Share: Share{Owner: i.Owner}, lowest: i.Unit}
			owners[i.Owner] = p
		}
		p.lowest = min(p.lowest, i.Unit)
		if p.Stake, err = p.Stake.Add(i.Amount); err != nil {
			return nil, err
		}
		if total, err = total.Add(i.Amount); err != nil {
			return nil, err
		}
	}
	if total.IsZero() {
		return nil, nil
	}
	rest, whole := budget.Big(), total.Big()
	parts := make([]*part, 0, len(owners))
	for _, p := range owners {
		product := new(big.Int).Mul(budget.Big(), p.Stake.Big())
		quotient, remainder := new(big.Int).QuoRem(product, whole, new(big.Int))
		p.Reward, p.remainder = fromBig(quotient), remainder
		rest.Sub(rest, quotient)
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b *part) int {
		return cmp.Or(b.remainder.Cmp(a.remainder), strings.Compare(a.lowest, b.lowest))
	})
	for _, p := range parts[:rest.Int64()] {
		if p.Reward, err = p.Reward.Add(Amount{lo: 1}); err != nil {
			return nil, err
		}
	}
	for _, p := range parts {
		shares = append(shares, p.Share)
	}
	slices.SortFunc(shares, func(a, b Share) int { return strings.Compare(a.Owner, b.Owner) })
	return shares, nil
}

// fromBig returns an integer below 2^128 as an amount.
func fromBig(n *big.Int) Amount {
	lo := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1))
	return Amount{hi: new(big.Int).Rsh(n, 64).Uint64(), lo: lo.Uint64()}
}
