package custody

import (
	"testing"

	"moonfund/internal/staking/community"
	"moonfund/internal/testkit"
)

// TestBoundedCandidates checks that an automatic search is limited: the highest indexes are omitted and counted.
func TestBoundedCandidates(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Deposit(w.Anna, 50_000)
	w.Deposit(w.Bert, 50_000)
	a := Accounts{
		Network:   w.Network,
		Manifests: []community.Manifest{{Prefix: testkit.Prefix, RecoveryDelay: 144}},
	}
	a.ByPrefix.Add(testkit.Prefix, w.Account)
	all, err := a.candidates(t.Context(), w.Store, span{gap: 20})
	testkit.Must(t, err)
	few, err := a.candidates(t.Context(), w.Store, span{gap: 20, most: 10})
	testkit.Must(t, err)
	if len(few.byScript) > 10 || few.leftOut == 0 || all.leftOut != 0 ||
		len(few.byScript)+few.leftOut < len(all.byScript) {
		t.Errorf("with a maximum: %d of %d candidates, %d left out", len(few.byScript), len(all.byScript), few.leftOut)
	}
	later, err := a.candidates(t.Context(), w.Store, span{from: map[string]int64{testkit.Prefix: 15}, gap: 20})
	testkit.Must(t, err)
	if len(later.byScript) == 0 || len(later.byScript) >= len(all.byScript) {
		t.Errorf("from index 15 on there are %d of %d candidates", len(later.byScript), len(all.byScript))
	}
}
