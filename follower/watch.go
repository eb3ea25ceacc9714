package follower

import (
	"sync"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/order"
)

// watchList caches the scripts and outputs that concern the ledger, so that most transactions need no read of the
// store. It may have false positives, never false negatives.
type watchList struct {
	mu      sync.Mutex
	scripts map[string]ledger.Watched
	outputs map[wire.OutPoint]struct{}
	tracked map[wire.OutPoint]struct{}
	last    int64
}

var _ ledger.WatchList = (*watchList)(nil)

func newWatchList() *watchList {
	return &watchList{
		scripts: map[string]ledger.Watched{}, outputs: map[wire.OutPoint]struct{}{}, tracked: map[wire.OutPoint]struct{}{},
	}
}

func (w *watchList) addScript(s ledger.Watched) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scripts[string(s.Script)] = s
	w.last = max(w.last, s.Number)
}

func (w *watchList) addOutput(out wire.OutPoint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outputs[out] = struct{}{}
}

// drop removes scripts that are no longer watched.
func (w *watchList) drop(scripts [][]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, script := range scripts {
		delete(w.scripts, string(script))
	}
}

// Script returns the purpose of a script of ours.
func (w *watchList) Script(script []byte) (ledger.Watched, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, ok := w.scripts[string(script)]
	return s, ok
}

// Output reports whether an output may be ours.
func (w *watchList) Output(out wire.OutPoint) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.outputs[out]
	return ok
}

// Tracked reports whether a tracked transaction may spend an output.
func (w *watchList) Tracked(out wire.OutPoint) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.tracked[out]
	return ok
}

// Add adds the inputs of a tracked transaction, and its outputs that are ours.
func (w *watchList) Add(tx chain.Tx, ours []wire.OutPoint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, in := range tx.Msg.TxIn {
		w.tracked[in.PreviousOutPoint] = struct{}{}
	}
	for _, out := range ours {
		w.outputs[out] = struct{}{}
	}
}

// note adds a transaction like Add. It finds the outputs that are ours by their scripts.
func (w *watchList) note(tx chain.Tx) {
	var ours []wire.OutPoint
	for i, out := range tx.Msg.TxOut {
		if _, ok := w.Script(out.PkScript); ok {
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
		if _, ok := w.scripts[string(out.PkScript)]; ok {
			return true
		}
	}
	for _, in := range tx.Msg.TxIn {
		if _, ok := w.outputs[in.PreviousOutPoint]; ok {
			return true
		}
		if _, ok := w.tracked[in.PreviousOutPoint]; ok {
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

func (t *touched) rewards(paid map[string][]ledger.Reward) {
	for community, rewards := range paid {
		for _, r := range rewards {
			t.owners[[2]string{community, r.Owner}] = struct{}{}
		}
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
