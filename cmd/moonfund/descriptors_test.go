package main

import (
	"encoding/json"
	"strings"
	"testing"

	"moonfund/internal/signer"
	"moonfund/internal/testkit"
)

// TestTreasuryDescriptors prints the watch-only descriptors of the ledger's treasury, with the warning, and refuses
// another key and an unknown community.
func TestTreasuryDescriptors(t *testing.T) {
	for scheme, world := range map[signer.Scheme]func(testing.TB) *testkit.World{
		signer.SchemeSeed: testkit.NewWorld, signer.SchemeBIP39: testkit.NewStandard,
	} {
		t.Run(string(scheme), func(t *testing.T) {
			w := cli{world(t)}
			key := schemeKey(t, scheme)
			line := []string{"treasury", "descriptors", testkit.Prefix, "--key", key}
			text := w.must(line...)
			runes, _ := w.Account.TreasuryRunes()
			sats, _ := w.Account.TreasurySats()
			for _, part := range []string{runes.Text, sats.Text, "/86h/1h/0h]tpub", "/2/0)#", "/3/0)#", "burns the runes"} {
				if !strings.Contains(strings.ReplaceAll(text, "\n", " "), part) {
					t.Errorf("the output does not contain %q:\n%s", part, text)
				}
			}
			if strings.Contains(text, "prv") {
				t.Error("a private key is printed")
			}
			var view descriptorsView
			testkit.Must(t, json.Unmarshal([]byte(w.must(append(line, "--json")...)), &view))
			if view.Warning != runeBlind || !strings.Contains(text, view.Runes) || !strings.Contains(text, view.Sats) {
				t.Errorf("the descriptors as JSON are %+v", view)
			}
			w.refused("has no community", "treasury", "descriptors", "wolf", "--key", key)
			w.refused("one of --key FILE and --signer SOCKET", "treasury", "descriptors", testkit.Prefix)
		})
	}
	w := cli{testkit.NewWorld(t)}
	w.refused("this is another key", "treasury", "descriptors", testkit.Prefix, "--key",
		schemeKey(t, signer.SchemeBIP39))
}
