package follower

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// watchList filters the transactions that concern the ledger, so that most of them need no read of the store. It holds
// 64-bit hashes of scripts and outpoints, because a ledger can have millions. It may have false positives, never false
// negatives.
type watchList struct {
	mu      sync.Mutex
	seed    maphash.Seed
	loaded  loadedHashes
	scripts map[uint64]uint32 // number of scripts with the hash, because one of them may expire
	outputs map[uint64]struct{}
	tracked map[uint64]struct{}
	last    int64 // number of the last script
}

// loadedHashes holds the sorted hashes of the scripts and outputs that were loaded from the store. A hash takes 8 bytes
// here and 20 in a map, and sorting a million hashes takes a third of the time of filling a map. The maps of watchList
// hold the later additions.
type loadedHashes struct {
	scripts []uint64 // may have duplicates, as watchList.scripts counts them
	outputs []uint64
	last    int64 // number of the last script
}

var _ ledger.WatchList = (*watchList)(nil)

func newWatchList() *watchList {
	return &watchList{
		seed: maphash.MakeSeed(), scripts: map[uint64]uint32{}, outputs: map[uint64]struct{}{},
		tracked: map[uint64]struct{}{},
	}
}

func (w *watchList) script(script []byte) uint64 { return maphash.Bytes(w.seed, script) }

func (w *watchList) point(out wire.OutPoint) uint64 { return maphash.Comparable(w.seed, out) }

// setLoaded replaces the watched scripts and outputs, but not the inputs of tracked transactions.
func (w *watchList) setLoaded(loaded loadedHashes) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loaded, w.last = loaded, loaded.last
	clear(w.scripts)
	clear(w.outputs)
}

func (w *watchList) addScript(number int64, script []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scripts[w.script(script)]++
	w.last = max(w.last, number)
}

// drop removes scripts that are no longer watched. A script that was added twice stays.
func (w *watchList) drop(scripts [][]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	loaded := map[uint64]int{}
	for _, script := range scripts {
		switch hash := w.script(script); w.scripts[hash] {
		case 0:
			loaded[hash]++
		case 1:
			delete(w.scripts, hash)
		default:
			w.scripts[hash]--
		}
	}
	if len(loaded) == 0 {
		return
	}
	w.loaded.scripts = slices.DeleteFunc(w.loaded.scripts, func(hash uint64) bool {
		if loaded[hash] == 0 {
			return false
		}
		loaded[hash]--
		return true
	})
}

// hasScript reports whether a script has the hash. The caller holds mu.
func (w *watchList) hasScript(hash uint64) bool {
	if _, ok := w.scripts[hash]; ok {
		return true
	}
	_, ok := slices.BinarySearch(w.loaded.scripts, hash)
	return ok
}

// hasOutput reports whether an output has the hash. The caller holds mu.
func (w *watchList) hasOutput(hash uint64) bool {
	if _, ok := w.outputs[hash]; ok {
		return true
	}
	_, ok := slices.BinarySearch(w.loaded.outputs, hash)
	return ok
}

// Script reports whether a script may be ours.
func (w *watchList) Script(script []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hasScript(w.script(script))
}

// Output reports whether an output may be ours.
func (w *watchList) Output(out wire.OutPoint) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hasOutput(w.point(out))
}

// Tracked reports whether a tracked transaction may spend an output.
func (w *watchList) Tracked(out wire.OutPoint) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.tracked[w.point(out)]
	return ok
}

// Add adds the inputs of a tracked transaction, and its outputs that are ours.
func (w *watchList) Add(tx chain.Tx, ours []wire.OutPoint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range tx.Msg.TxIn {
		w.tracked[w.point(in.PreviousOutPoint)] = struct{}{}
	}
	for _, out := range ours {
		w.outputs[w.point(out)] = struct{}{}
	}
}

// note adds a transaction like Add, with the outputs that may be ours by their scripts.
func (w *watchList) note(tx chain.Tx) {
	var ours []wire.OutPoint
	for i, out := range tx.Msg.TxOut {
		if w.Script(out.PkScript) {
			ours = append(ours, wire.OutPoint{Hash: tx.ID, Index: uint32(i)})
		}
	}
	w.Add(tx, ours)
}

// concerns reports whether a transaction may concern the ledger.
func (w *watchList) concerns(tx chain.Tx) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, out := range tx.Msg.TxOut {
		if w.hasScript(w.script(out.PkScript)) {
			return true
		}
	}
	for _, in := range tx.Msg.TxIn {
		point := w.point(in.PreviousOutPoint)
		if w.hasOutput(point) {
			return true
		}
		if _, ok := w.tracked[point]; ok {
			return true
		}
	}
	return false
}

// touched collects the owners and communities to notify after the commit.
type touched struct {
	owners map[[2]string]struct{} // community, owner
	blocks bool
}

func newTouched() *touched { return &touched{owners: map[[2]string]struct{}{}} }

func (t *touched) any() bool { return t.blocks || len(t.owners) > 0 }

func (t *touched) seen(seen ledger.Changes) {
	for _, outputs := range [][]ledger.Output{seen.Outputs, seen.Spent, seen.Vanished} {
		for _, output := range outputs {
			t.owners[[2]string{output.Community, output.Owner}] = struct{}{}
		}
	}
}

func (t *touched) orders(orders []order.Order) {
	for _, o := range orders {
		t.owners[[2]string{o.Community, o.Owner}] = struct{}{}
	}
}

func (t *touched) units(units []ledger.Unit) {
	for _, u := range units {
		t.owners[[2]string{u.Community, u.Owner}] = struct{}{}
	}
}

func (t *touched) rewards(community string, paid []ledger.Reward) {
	for _, r := range paid {
		t.owners[[2]string{community, r.Owner}] = struct{}{}
	}
}

// publish calls changed for each owner, and with two empty strings if a block was applied or undone.
func (t *touched) publish(changed func(community, owner string)) {
	for owner := range t.owners {
		changed(owner[0], owner[1])
	}
	if t.blocks {
		changed("", "")
	}
}
