package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"moonfund/community"
	"moonfund/runes"
	"moonfund/testkit"
)

// A community's rune is the one that the chain has under its id, by the name that it has there.
func TestRunesFit(t *testing.T) {
	w := testkit.NewWorld(t)
	right := runes.ReservedName(testkit.Rune).String() // it was etched without one
	for _, row := range []struct{ id, name, reason string }{
		{testkit.Rune.String(), right, ""},
		{testkit.Rune.String(), "", ""},
		{testkit.Rune.String(), "LOBO•THE•WOLF•PUP", `community wolf: rune.name: found "LOBO•THE•WOLF•PUP", want "` + right + `", which is the name of rune ` + testkit.Rune.String()},
		{runes.ID{Block: testkit.Rune.Block, Tx: 0}.String(), right, "community wolf: rune.id is " + runes.ID{Block: testkit.Rune.Block, Tx: 0}.String()},
		{runes.ID{Block: testkit.Rune.Block, Tx: 0}.String(), right, "etches no rune"},
		{runes.ID{Block: testkit.Rune.Block, Tx: 999}.String(), right, "transactions"},
		{"", right, "community wolf: rune.id"},
	} {
		manifests := []community.Manifest{{Prefix: "wolf", Rune: community.Rune{ID: row.id, Name: row.name}}}
		var log bytes.Buffer
		err := runesFit(t.Context(), w.Node, runes.RulesFor(w.Network), manifests, slog.New(slog.NewTextHandler(&log, nil)))
		if row.reason == "" && (err != nil || manifests[0].Rune.Name != right || log.Len() > 0) {
			t.Errorf("%s %q: %v, called %q, %s", row.id, row.name, err, manifests[0].Rune.Name, &log)
		}
		if row.reason != "" && (err == nil || !strings.Contains(err.Error(), row.reason)) {
			t.Errorf("%s %q: %v; want %q", row.id, row.name, err, row.reason)
		}
	}
	var log bytes.Buffer
	later := []community.Manifest{{Prefix: "wolf", Rune: community.Rune{ID: "8400000:1"}}}
	if err := runesFit(t.Context(), w.Node, runes.RulesFor(w.Network), later, slog.New(slog.NewTextHandler(&log, nil))); err != nil ||
		!strings.Contains(log.String(), "does not have the community's rune yet") || !strings.Contains(log.String(), "8400000:1") {
		t.Errorf("one to come: %v, %s", err, &log)
	}
}
