package ledger_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// The terms of an unknown community are an error that names it, also before any community is added.
func TestCommunities(t *testing.T) {
	var c ledger.Communities[int]
	if _, err := c.Of("lobo"); !errors.Is(err, ledger.ErrUnknownCommunity) || !strings.Contains(err.Error(), `"lobo"`) {
		t.Errorf("of no communities: %v", err)
	}
	c.Add("wolf", 1)
	c.Add("lobo", 2)
	c.Add("wolf", 3)
	var all []string
	for name, terms := range c.All() {
		all = append(all, fmt.Sprint(name, terms))
	}
	if got := strings.Join(all, " "); got != "lobo2 wolf3" {
		t.Errorf("all: got %s", got)
	}
	if terms, err := c.Of("wolf"); terms != 3 || err != nil || !c.Has("wolf") || c.Has("moon") {
		t.Errorf("wolf: %d, %v", terms, err)
	}
}

func TestNextBudgetOfNoCommunity(t *testing.T) {
	w := testkit.NewWorld(t)
	err := w.Store.View(t.Context(), func(tx *store.Tx) error {
		_, err := w.Ledger.NextBudget(t.Context(), tx.LedgerTx(), "removed")
		return err
	})
	if !errors.Is(err, ledger.ErrUnknownCommunity) {
		t.Errorf("got %v", err)
	}
}
