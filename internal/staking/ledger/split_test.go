package ledger

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// TestSplitAgainstBig compares Split with its definition in integers of any size.
func TestSplitAgainstBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		owners := rapid.IntRange(1, 8).Draw(t, "owners")
		var units []Unit
		for i := range rapid.IntRange(1, 30).Draw(t, "units") {
			units = append(units, Unit{
				ID:     fmt.Sprintf("%02d", rapid.IntRange(0, 9).Draw(t, "id")*10+i%10) + fmt.Sprint("-", i),
				Owner:  fmt.Sprint("owner ", rapid.IntRange(1, owners).Draw(t, "owner")),
				Amount: amount.Runes(rapid.Int64Range(1, 1<<57).Draw(t, "amount")),
			})
		}
		budget := amount.Runes(rapid.Int64Range(0, 1<<62).Draw(t, "budget"))
		got, err := Split(budget, stakes(units))
		if err != nil {
			t.Fatal(err)
		}
		if want := splitBig(budget, units); !slices.Equal(got, want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
		var sum amount.Runes
		for _, r := range got {
			sum += r.Reward
		}
		if sum != budget {
			t.Fatalf("sum of the rewards: got %s, want %s", sum, budget)
		}
		shuffled := rapid.Permutation(units).Draw(t, "order")
		if again, _ := Split(budget, stakes(shuffled)); !slices.Equal(again, got) {
			t.Fatalf("with shuffled units: got %v, want %v", again, got)
		}
	})
}

// stakes sums units by owner, as the store does.
func stakes(units []Unit) (all []Stake) {
	for _, u := range units {
		i := slices.IndexFunc(all, func(s Stake) bool { return s.Owner == u.Owner })
		if i < 0 {
			i, all = len(all), append(all, Stake{Owner: u.Owner, Lowest: u.ID})
		}
		all[i].Amount += u.Amount
		all[i].Lowest = min(all[i].Lowest, u.ID)
	}
	slices.SortFunc(all, func(a, b Stake) int { return cmp.Compare(a.Owner, b.Owner) })
	return all
}

func splitBig(budget amount.Runes, units []Unit) (rewards []Reward) {
	type share struct {
		Reward
		lowest    string
		remainder *big.Int
	}
	total := new(big.Int)
	shares := map[string]*share{}
	for _, u := range units {
		total.Add(total, big.NewInt(int64(u.Amount)))
		s := cmp.Or(shares[u.Owner], &share{Reward: Reward{Owner: u.Owner}, lowest: u.ID})
		s.Stake += u.Amount
		s.lowest = min(s.lowest, u.ID)
		shares[u.Owner] = s
	}
	left := int64(budget)
	var all []*share
	for _, s := range shares {
		product := new(big.Int).Mul(big.NewInt(int64(budget)), big.NewInt(int64(s.Stake)))
		quotient, remainder := new(big.Int).QuoRem(product, total, new(big.Int))
		s.Reward.Reward, s.remainder = amount.Runes(quotient.Int64()), remainder
		left -= quotient.Int64()
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *share) int {
		return cmp.Or(b.remainder.Cmp(a.remainder), cmp.Compare(a.lowest, b.lowest))
	})
	for i, s := range all {
		if int64(i) < left {
			s.Reward.Reward++
		}
		rewards = append(rewards, s.Reward)
	}
	slices.SortFunc(rewards, func(a, b Reward) int { return cmp.Compare(a.Owner, b.Owner) })
	return rewards
}

func TestSplitCorners(t *testing.T) {
	unit := func(id, owner string, n amount.Runes) Unit { return Unit{ID: id, Owner: owner, Amount: n} }
	if got, err := Split(100, nil); err != nil || got != nil {
		t.Errorf("Split without stakes: got %v, %v", got, err)
	}
	// Equal stakes: the odd base unit goes to the owner of the lowest unit id.
	got, err := Split(101, stakes([]Unit{unit("b", "anna", 5), unit("a", "bert", 5), unit("c", "anna", 0)}))
	if err != nil || got[0].Reward != 50 || got[1].Reward != 51 {
		t.Errorf("Split with equal remainders: got %v, %v", got, err)
	}
	// A reward of 0 is in the list.
	got, err = Split(1, stakes([]Unit{unit("a", "anna", 1), unit("b", "bert", 1_000_000)}))
	if err != nil || got[0].Reward != 0 || got[1].Reward != 1 {
		t.Errorf("Split with a reward of 0: got %v, %v", got, err)
	}
	if _, err := Split(1, stakes([]Unit{unit("a", "anna", 1<<62), unit("b", "bert", 1<<62)})); err == nil {
		t.Error("Split returned no error for stakes of 2^63 in total")
	}
}

// Every stage can be reached and left, and no event is ambiguous.
func TestStageTable(t *testing.T) {
	reached := map[Stage]bool{nowhere: true}
	left := map[Stage]bool{}
	known := map[Row]bool{}
	for range Stages.Rows {
		for _, row := range Stages.Rows {
			if reached[row.From] {
				reached[row.To] = true
			}
		}
	}
	for _, row := range Stages.Rows {
		left[row.From] = true
		if !reached[row.From] {
			t.Errorf("no row leads to %s", row.From)
		}
		key := Row{From: row.From, Event: row.Event, For: row.For}
		if known[key] || (row.For != Any && known[Row{From: row.From, Event: row.Event}]) {
			t.Errorf("two rows for %+v", key)
		}
		known[key] = true
		if to, err := Stages.Next(row.From, row.Event, row.For); err != nil || to != row.To {
			t.Errorf("Next%+v = %s, %v", key, to, err)
		}
	}
	for _, stage := range []Stage{
		PendingStake, Staked, PendingUnlock, Unlocked, Claimable, POLocked, POClaimed, PendingWithdraw, BatchLocked,
		Withdrawn,
	} {
		if !reached[stage] || !left[stage] {
			t.Errorf("%s: reached %v, left %v", stage, reached[stage], left[stage])
		}
		if stage.Live() != (stage != Withdrawn) {
			t.Errorf("%s: live is %v", stage, stage.Live())
		}
	}
	for _, bad := range []struct {
		from  Stage
		event Event
		why   Reason
	}{
		{Staked, WithdrawOrdered, ForWithdraw}, {Claimable, WithdrawOrdered, ForWithdraw}, {Unlocked, ClaimOrdered, ForClaim},
		{POLocked, OrderClosed, ForClaim}, {Withdrawn, UnstakeSigned, Any}, {Withdrawn, RestakeSigned, Any},
		{nowhere, UnstakeSigned, Any},
		{BatchLocked, DepositVanished, Any}, {BatchLocked, RecoveredByStaker, Any},
	} {
		if to, err := Stages.Next(bad.from, bad.event, bad.why); err == nil {
			t.Errorf("Next of a %s unit on %q: got %q, want an error", bad.from, bad.event, to)
		}
	}
}

func TestConfirmations(t *testing.T) {
	for _, row := range [][3]int64{{chain.None, 10, 0}, {11, 10, 0}, {10, 10, 1}, {5, 10, 6}, {0, 0, 1},
		{5, chain.None, 0}} {
		if got := Confirmations(row[0], row[1]); got != row[2] {
			t.Errorf("Confirmations(%d, %d): got %d, want %d", row[0], row[1], got, row[2])
		}
	}
}

func TestParseOutPoint(t *testing.T) {
	good := "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff:7"
	if out, err := ParseOutPoint(good); err != nil || out.String() != good {
		t.Errorf("ParseOutPoint of a valid id: got %v, %v", out, err)
	}
	for _, bad := range []string{"", "reward:1:ab", good[:64], good[:65], "x" + good[1:], good[:65] + "x",
		good[:65] + "-1", good + "x", good[:65] + "99999999999"} {
		if out, err := ParseOutPoint(bad); err == nil {
			t.Errorf("ParseOutPoint(%q): got %s, want an error", bad, out)
		}
	}
}
