package action

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"moonfund/internal/staking/ledger"
)

// An encoded list decodes to exactly its units, also after the owner got more units, and has at most maxMarks
// characters. A selection that needs more is refused.
func TestListsOfUnits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	refusals := 0
	for range 400 {
		owned := make([]ledger.Unit, 1+random.IntN(9_000))
		for i := range owned {
			owned[i] = ledger.Unit{ID: fmt.Sprint("unit-", i), Number: int64(3*i + 1 + random.IntN(3))}
		}
		at, n := random.IntN(len(owned)), 0
		units := slices.Clone(owned[at : at+random.IntN(len(owned)-at)+1])
		if random.IntN(2) == 0 { // scattered
			units = slices.DeleteFunc(units, func(ledger.Unit) bool { n++; return n > 1 && random.IntN(3) > 0 })
		}
		if len(units) <= numberedUnits {
			random.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
		}
		list, err := listUnits(units, owned)
		if err != nil {
			if refusals++; len(owned) <= 3_840 {
				t.Errorf("%d of %d units: %v", len(units), len(owned), err)
			}
			continue
		}
		later := append(slices.Clone(owned), ledger.Unit{ID: "later", Number: int64(3 * len(owned) * 2)})
		slices.Reverse(later)
		ids, ok := readUnits(list, later)
		same := slices.EqualFunc(ids, units, func(id string, unit ledger.Unit) bool { return id == unit.ID })
		if !ok || !same || len(list) > maxMarks+1 {
			t.Fatalf("%d of %d units: got %d, %t, from %d characters", len(units), len(owned), len(ids), ok, len(list))
		}
	}
	if refusals == 0 {
		t.Error("no list was refused")
	}
	for _, broken := range []string{"", "x", "n!", "n/w", "r/////w", "nAg"} {
		if ids, ok := readUnits(broken, []ledger.Unit{{ID: "a", Number: 5}}); ok {
			t.Errorf("readUnits(%q): got %v, want none", broken, ids)
		}
	}
}
