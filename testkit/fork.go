package testkit

import (
	"maps"
	"slices"
	"testing"

	"moonfund/chain"
	"moonfund/testkit/engine"
)

// Past is a world that stands still, from which others begin.
type Past struct{ world *World }

// Past ends a world: it closes its database, and what follows begins from here.
func (w *World) Past() Past {
	w.Helper()
	Must(w, w.Store.Close())
	if w.reader != nil {
		Must(w, w.reader.Close())
		w.reader = nil
	}
	return Past{w}
}

// Begin returns a world that goes on from the past and shares nothing with it or
// with another one. tune, if not nil, changes it before its rooms are wired.
func (p Past) Begin(t testing.TB, tune func(*World)) *World {
	t.Helper()
	b := p.world
	clock := NewClock(b.Clock.Now())
	w := &World{
		TB: t, Clock: clock, Node: b.Node.Fork(clock), Network: b.Network, Rate: b.Rate, ids: b.ids, tune: b.tune,
		Anna: b.Anna.fork(t), Bert: b.Bert.fork(t), Cleo: b.Cleo.fork(t),
	}
	w.url = engine.Copy(t, b.url)
	if tune != nil {
		tune(w)
	}
	w.open()
	return w
}

// Fork returns a node with the same chain and mempool, on another clock.
func (n *Node) Fork(clock *Clock) *Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	known := n.known[:len(n.known):len(n.known)]
	return &Node{
		clock: clock, blocks: slices.Clone(n.blocks), unspent: n.unspent.fork(), mempool: slices.Clone(n.mempool),
		waiting: maps.Clone(n.waiting), proved: maps.Clone(n.proved), known: known, salt: n.salt,
		spare: slices.Clone(n.spare), sent: maps.Clone(n.sent),
	}
}

func (w *Wallet) fork(t testing.TB) *Wallet {
	same := *w
	same.t, same.sats, same.runes = t, slices.Clone(w.sats), slices.Clone(w.runes)
	return &same
}

// Known returns every transaction that the node ever took or had in a block, in
// that order, from the given one on.
func (n *Node) Known(from int) []chain.Tx {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.known[from:]
}
