package main

import (
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/community"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/store"
	"moonfund/testkit"
)

// An index is served as it was made, with the communities that it was made for; else
// it is said what to do.
func TestIndexAgrees(t *testing.T) {
	lobo, wolf := community.Manifest{Prefix: "lobo"}, community.Manifest{Prefix: "wolf"}
	lobo.Rune.ID, wolf.Rune.ID = "840000:1", "840000:2"
	followed := []runes.ID{{Block: 840_000, Tx: 1}, {Block: 840_001, Tx: 9}}
	for name, c := range map[string]struct {
		asked     string
		kept      []runes.ID
		manifests []community.Manifest
		how       remedy
		want      []string // of what is said; none: it agrees
	}{
		"every rune":         {"full", nil, []community.Manifest{lobo, wolf}, rebuildLedger, nil},
		"its rune":           {"followed", followed, []community.Manifest{lobo}, rebuildLedger, nil},
		"another rune":       {"followed", followed, []community.Manifest{lobo, wolf}, rebuildLedger, []string{"community wolf", "840000:2", "moonfund rebuild --from-chain --index followed"}},
		"it was full":        {"followed", nil, []community.Manifest{lobo}, rebuildLedger, []string{"made with --index full", "start with --index full", "rebuild --from-chain --index followed"}},
		"it was not full":    {"full", followed, []community.Manifest{lobo}, rebuildLedger, []string{"made with --index followed", "rebuild --from-chain --index full"}},
		"the signer's":       {"full", followed, []community.Manifest{lobo}, deleteIndex, []string{"delete index.db"}},
		"the signer's, more": {"followed", followed, []community.Manifest{wolf}, deleteIndex, []string{"community wolf", "delete index.db"}},
		"a bad id":           {"followed", followed, []community.Manifest{{Prefix: "none"}}, rebuildLedger, []string{"community none"}},
	} {
		err := indexFlag{c.asked}.agrees(c.kept, c.manifests, c.how)
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
				t.Errorf("%s: it says %q, not %q", name, err, want)
			}
		}
	}
}

// What counts by the whole index must be provable before an index of some runes
// takes its place: a deposit whose origin is too far back stands in the way.
func TestCreditedMustBeProvable(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Bert, 5000)
	origin := runes.Provenance{
		Rules: runes.RulesFor(w.Network).Only(testkit.Rune), Entries: etchings{testkit.Rune: {ID: testkit.Rune, Etching: etchedIn(w)}},
		Node: w.Node, Limit: runes.ProvenanceLimit,
	}
	prove := func() error {
		return w.Store.View(t.Context(), func(tx *store.Tx) error { return proveCredited(t.Context(), tx, origin) })
	}
	testkit.Must(t, prove())
	coin := w.Anna.Sats()
	for range runes.ProvenanceLimit + 1 {
		tx := w.Elsewhere(w.Anna, 200, coin)
		w.Node.MineOnly(tx)
		coin = testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]}
	}
	_, script := w.StakeAddress(w.Anna, 5000)
	held := w.Anna.Runes()
	whole := w.Send(w.Anna.Spend([]testkit.Coin{held, coin}, wire.NewTxOut(546, script))) // all runes go to the first output
	w.Settle(1)
	w.WantStage(wire.OutPoint{Hash: whole.ID}.String(), ledger.PendingStake)
	if err := prove(); err == nil || !strings.Contains(err.Error(), "keep the full index") || !strings.Contains(err.Error(), whole.ID.String()) {
		t.Errorf("it says %v", err)
	}
}

// etchedIn is the transaction that etched the world's rune.
func etchedIn(w *testkit.World) chainhash.Hash {
	w.Helper()
	hash, err := w.Node.BlockHash(w.Context(), int64(testkit.Rune.Block))
	testkit.Must(w, err)
	block, err := w.Node.Block(w.Context(), hash, int64(testkit.Rune.Block))
	testkit.Must(w, err)
	txid, err := runes.RulesFor(w.Network).Etched(testkit.Rune, block)
	testkit.Must(w, err)
	return txid
}
