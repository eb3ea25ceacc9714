package console_test

import (
	"net/http"
	"strings"
	"testing"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestSurplusIsTheCommands checks that the console's surplus is the one that may be withdrawn.
func TestSurplusIsTheCommands(t *testing.T) {
	w := testkit.NewWorld(t)
	w.NextEpoch()
	var surplus decisions.SurplusView
	w.Update(func(tx *store.Tx) (err error) {
		surplus, err = decisions.ReadSurplus(t.Context(), tx, testkit.Prefix, nil)
		return err
	})
	digits := strings.TrimRight(strings.TrimRight(surplus.SurplusRunes.Whole(), "0"), ".")
	page := entered(t, of(w)).want(http.StatusOK, "/treasury")
	page = strings.NewReplacer(",", "", "\u202f", "", "\u00a0", "").Replace(page)
	if surplus.SurplusRunes <= 0 || !strings.Contains(page, digits) {
		t.Errorf("the surplus is %s; the page is\n%s", digits, page)
	}
}
