package testkit

import (
	"context"
	"maps"
	"slices"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/testkit/engine"
)

// Checkpoint is a snapshot of a world, from which other worlds can start.
type Checkpoint struct {
	world *World
	rows  engine.Still
}

// Checkpoint closes the database of a world and returns its snapshot.
func (w *World) Checkpoint() Checkpoint {
	w.Helper()
	w.close()
	return Checkpoint{w, engine.Freeze(w, w.url)}
}

// Copy returns the URL of a copy of its database.
func (p Checkpoint) Copy(t testing.TB) string {
	t.Helper()
	return p.rows.Copy(t)
}

// close closes all connections to the world's database.
func (w *World) close() {
	w.Helper()
	Must(w, w.Store.Close())
	Must(w, w.reader.Close())
	w.reader = engine.Reader{}
}

// Start returns a world that continues from the snapshot and shares nothing with other worlds. tune, if not nil,
// changes it before its services are wired.
func (p Checkpoint) Start(t testing.TB, tune func(*World)) *World {
	t.Helper()
	clock := p.world.Clock.fork()
	return p.begin(t, clock, p.world.Node.own(t, clock), tune)
}

// Resume is like Start, but the new world takes over the real node, if there is one, instead of starting a copy of it.
func (p Checkpoint) Resume(t testing.TB, tune func(*World)) *World {
	t.Helper()
	clock := p.world.Clock.fork()
	node := p.world.Node.Fork(clock)
	if real := p.world.Node.real; real != nil {
		node.real, p.world.Node.real = real, &btcd{t: real.t, blocks: slices.Clone(real.blocks)}
	}
	return p.begin(t, clock, node, tune)
}

func (p Checkpoint) begin(t testing.TB, clock *Clock, node *Node, tune func(*World)) *World {
	t.Helper()
	b := p.world
	w := &World{
		TB: t, Clock: clock, Node: node, Network: b.Network, Rate: b.Rate, ids: b.ids.from(0), tune: b.tune, etches: b.etches,
		FetchAhead: b.FetchAhead,
		Anna:       b.Anna.fork(t), Bert: b.Bert.fork(t), Cleo: b.Cleo.fork(t),
	}
	w.url = p.rows.Copy(t)
	if tune != nil {
		tune(w)
	}
	w.open()
	return w
}

// own is like Fork, but if n has a real node, the result has a copy of it, which is stopped when the test ends.
func (n *Node) own(t testing.TB, clock *Clock) *Node {
	fork := n.Fork(clock)
	if n.real == nil {
		return fork
	}
	fork.real = n.real.copy(t)
	for _, tx := range fork.mempool {
		Must(t, fork.real.client.Broadcast(context.Background(), tx.Bytes()))
	}
	return fork
}

// Fork returns a node in memory with the same chain and mempool, on another clock.
func (n *Node) Fork(clock *Clock) *Node {
	n.mu.Lock()
	defer n.mu.Unlock()
	known := n.known[:len(n.known):len(n.known)]
	return &Node{
		clock: clock, blocks: slices.Clone(n.blocks), stale: slices.Clone(n.stale), unspent: n.unspent.fork(),
		mempool: slices.Clone(n.mempool),
		waiting: maps.Clone(n.waiting), proved: maps.Clone(n.proved), known: known, salt: n.salt,
		spare: slices.Clone(n.spare), sent: maps.Clone(n.sent),
	}
}

func (w *Wallet) fork(t testing.TB) *Wallet {
	same := *w
	same.t, same.sats, same.runes = t, slices.Clone(w.sats), slices.Clone(w.runes)
	return &same
}

// Known returns the transactions that the node accepted or had in a block, in order of arrival, starting at the given
// index.
func (n *Node) Known(from int) []chain.Tx {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.known[from:]
}

// Copy returns a second World on a copy of the database, with the same node and clock. It simulates a server that does
// not know later changes of this one.
func (w *World) Copy() *World {
	w.Helper()
	twin := &World{
		TB: w.TB, Clock: w.Clock, Node: w.Node, Network: w.Network, Rate: w.Rate,
		Anna: w.Anna, Bert: w.Bert, Cleo: w.Cleo, ids: w.ids.from(0), partial: w.partial, start: w.start, etches: w.etches,
		FetchAhead: w.FetchAhead, serviceFee: w.serviceFee, others: w.others,
	}
	twin.url = w.copyDatabase()
	twin.open()
	return twin
}

// SecondServer returns a second World on the same database, node and clock, which simulates a second server. It takes
// the lease.
func (w *World) SecondServer() *World {
	w.Helper()
	other := &World{
		TB: w.TB, Clock: w.Clock, Node: w.Node, Network: w.Network, Rate: w.Rate,
		Anna: w.Anna, Bert: w.Bert, Cleo: w.Cleo, ids: w.ids.from(0), url: w.url, tune: w.tune,
		WrapTransaction: w.WrapTransaction, FollowedNode: w.FollowedNode, ReadClock: w.ReadClock,
		partial: w.partial, start: w.start,
		etches: w.etches, EtchingLog: w.EtchingLog, FetchAhead: w.FetchAhead,
	}
	other.ids.next += 1 << 32
	other.TakeLead()
	return other
}

// TakeLead restarts the services as one of several servers and takes the lease.
func (w *World) TakeLead() {
	w.Helper()
	if w.Store != nil {
		Must(w, w.Store.Close())
	}
	w.Leads = true
	w.open()
}

// Backup returns the URL of a copy of the database.
func (w *World) Backup() string {
	w.Helper()
	return w.copyDatabase()
}

// Restored returns a world whose server starts from a backup, with a copy of the node and of the clock.
func (w *World) Restored(backup string) *World {
	w.Helper()
	clock := w.Clock.fork()
	restored := &World{
		TB: w.TB, Clock: clock, Node: w.Node.own(w, clock), Network: w.Network, Rate: w.Rate, ids: w.ids.from(0),
		tune: w.tune,
		Anna: w.Anna.fork(w), Bert: w.Bert.fork(w), Cleo: w.Cleo.fork(w), url: backup, partial: w.partial, start: w.start,
		etches: w.etches, FetchAhead: w.FetchAhead,
	}
	restored.ids.next += 1 << 33
	restored.open()
	return restored
}

// MarkIDs returns a function that resets the source of ids to its current position.
func (w *World) MarkIDs() (again func()) {
	drawn := w.ids.next
	return func() { w.ids.next = drawn }
}
