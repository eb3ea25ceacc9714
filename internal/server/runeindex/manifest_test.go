package runeindex

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/community"
	"moonfund/internal/testkit"
)

// TestRunesFit checks that a community's rune must have the manifest's id and name on the chain.
func TestRunesFit(t *testing.T) {
	w := testkit.NewWorld(t)
	right := runes.ReservedName(testkit.Rune).String() // this rune was etched without a name
	for _, row := range []struct{ id, name, reason string }{
		{testkit.Rune.String(), right, ""},
		{testkit.Rune.String(), "", ""},
		{testkit.Rune.String(), "LOBO•THE•WOLF•PUP", `community wolf: rune.name: found "LOBO•THE•WOLF•PUP", ` +
			`want "` + right + `", which is the name of rune ` + testkit.Rune.String()},
		{runes.ID{Block: testkit.Rune.Block, Tx: 0}.String(), right,
			"community wolf: rune.id is " + runes.ID{Block: testkit.Rune.Block, Tx: 0}.String()},
		{runes.ID{Block: testkit.Rune.Block, Tx: 0}.String(), right, "etches no rune"},
		{runes.ID{Block: testkit.Rune.Block, Tx: 999}.String(), right, "transactions"},
		{"", right, "community wolf: rune.id"},
	} {
		manifests := []community.Manifest{{Prefix: "wolf", Rune: community.Rune{ID: row.id, Name: row.name}}}
		var log bytes.Buffer
		err := CheckManifests(t.Context(), w.Node, runes.RulesFor(w.Network), manifests,
			slog.New(slog.NewTextHandler(&log, nil)))
		if row.reason == "" && (err != nil || manifests[0].Rune.Name != right || log.Len() > 0) {
			t.Errorf("%s %q: %v, called %q, %s", row.id, row.name, err, manifests[0].Rune.Name, &log)
		}
		if row.reason != "" && (err == nil || !strings.Contains(err.Error(), row.reason)) {
			t.Errorf("%s %q: %v; want %q", row.id, row.name, err, row.reason)
		}
	}
	var log bytes.Buffer
	later := []community.Manifest{{Prefix: "wolf", Rune: community.Rune{ID: "8400000:1"}}}
	if err := CheckManifests(t.Context(), w.Node, runes.RulesFor(w.Network), later,
		slog.New(slog.NewTextHandler(&log, nil))); err != nil ||
		!strings.Contains(log.String(), "does not have the community's rune yet") ||
		!strings.Contains(log.String(), "8400000:1") {
		t.Errorf("CheckManifests with a rune of a future block: error %v, log %s", err, &log)
	}
}

// TestRuneOfTooManyUnits checks that the maximum supply of a community's rune must fit an amount, so that no sum of a
// ledger can overflow.
func TestRuneOfTooManyUnits(t *testing.T) {
	w := testkit.NewWorld(t)
	etch := func(premine uint128.Uint128) error {
		one := uint128.From64(1)
		script, err := runes.Runestone{Etching: &runes.Etching{Premine: &premine,
			Terms: &runes.Terms{Cap: &one, Amount: &one}}}.Script()
		testkit.Must(t, err)
		etched := w.Node.Grant(wire.NewTxOut(546, w.Bert.Ordinals.Script), wire.NewTxOut(0, script))
		height, _ := w.Node.Locate(etched.ID)
		hash, err := w.Node.BlockHash(t.Context(), height)
		testkit.Must(t, err)
		block, err := w.Node.Block(t.Context(), hash, height)
		testkit.Must(t, err)
		at := slices.IndexFunc(block.Txs, func(tx chain.Tx) bool { return tx.ID == etched.ID })
		manifests := []community.Manifest{{Prefix: "wolf", Rune: community.Rune{ID: fmt.Sprintf("%d:%d", height, at)}}}
		return CheckManifests(t.Context(), w.Node, runes.RulesFor(w.Network), manifests, slog.New(slog.DiscardHandler))
	}
	if err := etch(uint128.From64(math.MaxInt64 - 1)); err != nil {
		t.Error("2^63 - 1 units:", err)
	}
	for _, premine := range []uint128.Uint128{uint128.From64(math.MaxInt64), uint128.Max.Sub64(1)} {
		if err := etch(premine); err == nil || !strings.Contains(err.Error(), "more than 9223372036854775807 base units") {
			t.Errorf("premine %s and one mint of 1: %v", premine, err)
		}
	}
}
