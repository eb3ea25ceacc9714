package audit

import (
	"maps"
	"testing"

	"moonfund/internal/signed/message"
	"moonfund/internal/staking/ledger"
	orders "moonfund/internal/staking/order"
)

// The audit's state tables equal the tables of the ledger and the orders.
func TestMovesAreTheTables(t *testing.T) {
	outside := func(state string) string {
		if state == "" {
			return "outside"
		}
		return state
	}
	units := map[[2]string]bool{}
	for _, row := range ledger.Stages.Rows {
		units[[2]string{outside(string(row.From)), outside(string(row.To))}] = true
		if row.Event == ledger.RecoveredByStaker {
			units[[2]string{string(row.To), string(row.From)}] = true
		}
	}
	if !maps.Equal(units, unitMoves) {
		t.Errorf("units move as\n%v\naudited as\n%v", units, unitMoves)
	}
	statuses := map[[2]string]bool{}
	for _, row := range orders.Statuses.Rows {
		statuses[[2]string{outside(string(row.From)), outside(string(row.To))}] = true
	}
	if !maps.Equal(statuses, orderMoves) {
		t.Errorf("orders move as\n%v\naudited as\n%v", statuses, orderMoves)
	}
}

func TestDigest(t *testing.T) {
	ids := []string{"b:1", "a:0", "reward:3:ff"}
	if digest(ids) != message.Digest(ids) {
		t.Error("the digest of a message's units differs")
	}
}

// The remainder is distributed by largest remainder, ties by the lowest unit id.
func TestSplit(t *testing.T) {
	shares, total := split(100, []epochInput{
		{owner: "anna", unitID: "c", amount: 1}, {owner: "bert", unitID: "b", amount: 1},
		{owner: "cleo", unitID: "a", amount: 1},
	})
	got := map[string]int64{}
	for _, s := range shares {
		got[s.owner] = s.reward.Int64()
	}
	if total.Int64() != 3 || got["cleo"] != 34 || got["bert"] != 33 || got["anna"] != 33 {
		t.Errorf("split of 100 over 3 equal stakes: %v", got)
	}
	if shares, _ := split(100, nil); shares != nil {
		t.Errorf("without stakes: %v, want no shares", shares)
	}
}

func TestBothLooks(t *testing.T) {
	first := []Violation{{Invariant: 1, Subject: "a", Detail: "x"}, {Invariant: 2, Subject: "b", Detail: "y"}}
	second := []Violation{{Invariant: 1, Subject: "a", Detail: "z"}, {Invariant: 3, Subject: "b", Detail: "y"}}
	if kept := Persisting(first, second); len(kept) != 1 || kept[0].Detail != "z" {
		t.Errorf("kept %v", kept)
	}
}
