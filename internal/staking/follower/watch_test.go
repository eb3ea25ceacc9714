package follower

import (
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// spending returns a transaction that spends an output.
func spending(out wire.OutPoint) chain.Tx {
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: out})
	return chain.NewTx(tx)
}

// A script that was loaded at the start, added later, or both is watched until it was dropped as often.
func TestWatchListDrops(t *testing.T) {
	w := newWatchList()
	once, twice, later, again, other := []byte{1}, []byte{2}, []byte{3}, []byte{4}, []byte{5}
	loaded := []uint64{w.script(once), w.script(twice), w.script(twice), w.script(again)}
	slices.Sort(loaded)
	w.addScript(3, other) // is not in what is loaded then
	w.setLoaded(loadedHashes{scripts: loaded, last: 4})
	w.addScript(5, later)
	w.addScript(6, again)
	if w.last != 6 {
		t.Errorf("the last number is %d, want 6", w.last)
	}
	watched := func(after string, want ...bool) {
		t.Helper()
		for i, script := range [][]byte{once, twice, later, again, other} {
			if got := w.Script(script); got != want[i] {
				t.Errorf("%s, script %d: watched %t, want %t", after, script[0], got, want[i])
			}
		}
	}
	watched("at the start", true, true, true, true, false)
	w.drop(nil)
	w.drop([][]byte{once, twice, later, again, other})
	watched("each dropped", false, true, false, true, false)
	w.drop([][]byte{twice, again})
	watched("all dropped", false, false, false, false, false)
	w.addScript(7, once)
	watched("one added again", true, false, false, false, false)
}

func TestWatchListOutputs(t *testing.T) {
	w := newWatchList()
	before, loaded, added := wire.OutPoint{Index: 1}, wire.OutPoint{Index: 2}, wire.OutPoint{Index: 3}
	add := func(out wire.OutPoint) { w.Add(spending(out), []wire.OutPoint{out}) }
	add(before)
	w.setLoaded(loadedHashes{outputs: []uint64{w.point(loaded)}})
	add(added)
	for out, want := range map[wire.OutPoint]bool{before: false, loaded: true, added: true, {Index: 4}: false} {
		if got := w.Output(out); got != want {
			t.Errorf("output %d: watched %t, want %t", out.Index, got, want)
		}
	}
	if !w.concerns(spending(loaded)) || !w.concerns(spending(before)) || w.concerns(spending(wire.OutPoint{Index: 4})) {
		t.Error("a spend of a loaded output or of a tracked transaction's input concerns the ledger, others do not")
	}
}
