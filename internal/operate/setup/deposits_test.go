package setup_test

import (
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/setup"
	"moonfund/internal/testkit"
)

// TestDoctorShowsDeposits checks that doctor reports what was sent to the treasury and is not credited, also to the
// wrong one of its addresses.
func TestDoctorShowsDeposits(t *testing.T) {
	w := testkit.NewWorld(t)
	examine := func() []setup.Finding {
		return setup.Installation{Network: w.Network, Database: w.URL(), Data: t.TempDir(), Domains: []string{"example.org"},
			Node: chain.NewClient(chain.ClientConfig{URL: "http://127.0.0.1:1"}), Communities: t.TempDir(), Now: w.Clock.Now,
			Synchronized: func() (bool, error) { return true, nil },
			Receivers:    func() ([]string, error) { return nil, nil }}.Examine(t.Context())
	}
	want(t, find(t, examine(), "deposits"), setup.OK, "all are credited")
	runes, _ := w.Account.TreasuryRunes()
	sats, _ := w.Account.TreasurySats()
	w.Node.Grant(wire.NewTxOut(40_000, sats.Script), wire.NewTxOut(50_000, runes.Script))
	w.Step()
	want(t, find(t, examine(), "deposits"), setup.Warn, "deposits of lobo that are not credited: 1",
		"outputs in quarantine: 1 (sats at the address for runes)", "moonfund treasury credit lobo",
		"moonfund quarantine list")
}
