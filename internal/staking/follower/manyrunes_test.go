package follower_test

import (
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// Outputs of one transaction that hold the same long list of runes share one row. The row is stored as long as one of
// them is unspent, a reorg and a rebuild restore the row, and the audit compares it.
func TestManyRunesOnManyOutputs(t *testing.T) {
	const n = 40
	w := testkit.NewWorld(t)
	lists := func() string { return w.Rows(`SELECT tx FROM rune_list`) }
	tx := manyRunes(w, n, nil)[0]
	w.Mine(1)
	w.Step()
	list := lists()
	if list == "" {
		t.Fatal("the outputs share no list")
	}
	w.Audit()
	var coins []testkit.Coin
	for vout, out := range tx.Msg.TxOut[:n+1] {
		coins = append(coins, testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, Out: out})
	}
	for part := range slices.Chunk(coins, n/2+1) {
		if got := lists(); got != list {
			t.Errorf("while outputs are unspent: got lists %q, want %q", got, list)
		}
		w.Send(w.Anna.Spend(append(part[:len(part):len(part)], granted(w, 0)),
			wire.NewTxOut(vault.DustSats, w.Anna.Ordinals.Script)))
		w.Mine(1)
		w.Step()
		w.Audit()
	}
	if got := lists(); got != "" {
		t.Errorf("after all outputs are spent: got lists %q", got)
	}
	w.Restart()
	w.Node.Rewind(4) // the spends, and the blocks with coins for their fees
	for range 5 {
		w.Node.MineOnly()
	}
	w.Step()
	if got := lists(); got != list {
		t.Errorf("after a reorg: got lists %q, want %q", got, list)
	}
	w.Audit()
	w.Reindex(false)
	if got := lists(); got != list {
		t.Errorf("after a rebuild: got lists %q, want %q", got, list)
	}
	w.Audit()
	if engine.Damage(t, w.URL(), `DELETE FROM rune_list`) == 0 || w.AuditText() == "" {
		t.Error("the audit does not miss the shared list")
	}
}
