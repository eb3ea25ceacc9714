package console_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/action"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestSurplusIsTheCommands checks that the console shows the surplus of runes and of sats that `moonfund treasury
// surplus` prints, with its computation.
func TestSurplusIsTheCommands(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetServiceFee(60_000)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Settle(18)
	var surplus decisions.SurplusView
	w.Update(func(tx *store.Tx) (err error) {
		surplus, err = decisions.ReadSurplus(t.Context(), tx, testkit.Prefix, nil)
		return err
	})
	if surplus.SurplusRunes <= 0 || surplus.SurplusSats != 60_000 {
		t.Fatalf("the surplus is %+v", surplus)
	}
	runes := strings.TrimRight(strings.TrimRight(surplus.SurplusRunes.Whole(), "0"), ".")
	s := entered(t, of(w))
	page := html.UnescapeString(s.want(http.StatusOK, "/treasury"))
	if !strings.Contains(page, surplus.String()) {
		t.Errorf("the command prints\n%s\nand the page is\n%s", surplus, page)
	}
	for name, value := range map[string]string{"Surplus": runes, "Surplus of sats": "60,000"} {
		tile := fmt.Sprintf("<h3>%s</h3>\n<p class=\"value\">%s</p>", name, value)
		for path, text := range map[string]string{"/treasury": page, "/": s.want(http.StatusOK, "/")} {
			if !strings.Contains(text, tile) {
				t.Errorf("%s has no tile %s of %s:\n%s", path, name, value, text)
			}
		}
	}
}
