package e2e

import (
	"math/big"
	"slices"
	"strconv"
	"testing"
)

// epochDetail is an epoch in wire format.
type epochDetail struct {
	Epoch struct {
		Epoch    int64  `json:"epoch"`
		Settled  bool   `json:"settled"`
		Budget   string `json:"budget"`
		Staked   string `json:"total_staked"`
		Rewarded string `json:"rewarded"`
		Owners   int64  `json:"owners"`
	} `json:"epoch"`
	Cut     *int64 `json:"cut_height"`
	CutHash string `json:"cut_hash"`
	Inputs  []struct {
		UnitID string `json:"unit_id"`
		Owner  string `json:"owner"`
		Amount string `json:"amount"`
	} `json:"inputs"`
	Rewards []struct {
		Owner  string  `json:"owner"`
		Stake  string  `json:"stake"`
		Reward string  `json:"reward"`
		UnitID *string `json:"unit_id"`
	} `json:"rewards"`
}

// stakes are the expected inputs of an epoch: base units by owner and unit id.
type stakes map[string]map[string]int64

// rewards splits a budget according to the specification, independently of the server: each owner gets ⌊budget ×
// stake ÷ total⌋, and the owners with the largest remainders get one of the remaining base units each, ties by the
// lowest unit id.
func (s stakes) rewards(budget *big.Int) map[string]*big.Int {
	total := new(big.Int)
	for _, units := range s {
		for _, amount := range units {
			total.Add(total, big.NewInt(amount))
		}
	}
	type share struct {
		owner, lowest    string
		reward, fraction *big.Int
	}
	var shares []share
	left := new(big.Int).Set(budget)
	for owner, units := range s {
		part := share{owner: owner, reward: new(big.Int), fraction: new(big.Int)}
		stake := new(big.Int)
		for id, amount := range units {
			stake.Add(stake, big.NewInt(amount))
			if part.lowest == "" || id < part.lowest {
				part.lowest = id
			}
		}
		part.reward.QuoRem(stake.Mul(stake, budget), total, part.fraction)
		left.Sub(left, part.reward)
		shares = append(shares, part)
	}
	slices.SortFunc(shares, func(a, b share) int {
		if order := b.fraction.Cmp(a.fraction); order != 0 {
			return order
		}
		if a.lowest < b.lowest {
			return -1
		}
		return 1
	})
	result := map[string]*big.Int{}
	for i, part := range shares {
		if int64(i) < left.Int64() {
			part.reward.Add(part.reward, big.NewInt(1))
		}
		result[part.owner] = part.reward
	}
	return result
}

// wantRewards checks the inputs and rewards of a settled epoch, and that the whole budget was paid.
func (s site) wantRewards(n int64, staked stakes) map[string]int64 {
	s.t.Helper()
	var d epochDetail
	s.get("epochs/"+strconv.FormatInt(n, 10), &d)
	if !d.Epoch.Settled || d.Cut == nil || d.Epoch.Owners != int64(len(staked)) {
		s.t.Fatalf("epoch %d is %+v, want it settled for %d owners", n, d.Epoch, len(staked))
	}
	inputs := 0
	for _, units := range staked {
		inputs += len(units)
	}
	for _, input := range d.Inputs {
		if amount := staked[input.Owner][input.UnitID]; strconv.FormatInt(amount, 10) != input.Amount {
			s.t.Errorf("epoch %d has the input %+v, want the amount %d", n, input, amount)
		}
	}
	if len(d.Inputs) != inputs {
		s.t.Errorf("epoch %d has %d inputs, want %d", n, len(d.Inputs), inputs)
	}
	budget, ok := new(big.Int).SetString(d.Epoch.Budget, 10)
	if !ok || budget.Sign() <= 0 {
		s.t.Fatalf("epoch %d has the budget %q", n, d.Epoch.Budget)
	}
	paid := map[string]int64{}
	sum := new(big.Int)
	for owner, reward := range staked.rewards(budget) {
		paid[owner] = reward.Int64()
		sum.Add(sum, reward)
	}
	if sum.Cmp(budget) != 0 || d.Epoch.Rewarded != d.Epoch.Budget {
		s.t.Errorf("epoch %d: %s of %s was paid", n, d.Epoch.Rewarded, d.Epoch.Budget)
	}
	for _, reward := range d.Rewards {
		if reward.Reward != strconv.FormatInt(paid[reward.Owner], 10) || reward.UnitID == nil {
			s.t.Errorf("epoch %d: %+v, want %d", n, reward, paid[reward.Owner])
		}
	}
	return paid
}

// wantReward returns the wallet's newest reward and checks its amount.
func (p *staker) wantReward(units int64) unit {
	p.t.Helper()
	claimable := p.in("CLAIMABLE")
	if len(claimable) == 0 {
		p.t.Fatalf("%s has no claimable unit", p.ordinals.text)
	}
	newest := claimable[len(claimable)-1]
	if newest.Amount != strconv.FormatInt(units, 10) || !newest.Virtual || newest.TxID != nil || newest.Vout != nil {
		p.t.Errorf("the newest reward is %+v, want %d base units", newest, units)
	}
	return newest
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		budget int64
		staked stakes
		want   map[string]int64
	}{
		{100, stakes{"a": {"1": 1}, "b": {"2": 1}, "c": {"3": 1}}, map[string]int64{"a": 34, "b": 33, "c": 33}},
		{100, stakes{"a": {"9": 1}, "b": {"2": 1}, "c": {"3": 1}}, map[string]int64{"a": 33, "b": 34, "c": 33}},
		{10, stakes{"a": {"1": 2}, "b": {"2": 4}}, map[string]int64{"a": 3, "b": 7}},
	} {
		for owner, reward := range c.staked.rewards(big.NewInt(c.budget)) {
			if reward.Int64() != c.want[owner] {
				t.Errorf("%s gets %s of %d, want %d", owner, reward, c.budget, c.want[owner])
			}
		}
	}
}
