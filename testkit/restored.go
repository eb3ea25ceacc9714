package testkit

import "moonfund/store"

// At returns a second World over another database, on the same node, clock and
// wallets: a server that was started on what was restored there.
func (w *World) At(address string) *World {
	w.Helper()
	other := &World{
		TB: w.TB, Clock: w.Clock, Node: w.Node, Network: w.Network, Rate: w.Rate,
		Anna: w.Anna, Bert: w.Bert, Cleo: w.Cleo, ids: w.ids.from(0), tune: w.tune, url: address,
	}
	other.ids.next += 1 << 34
	other.open()
	return other
}

// Identify gives the world's ledger an id, as its server's start does.
func Identify(w *World) {
	w.Helper()
	opened, err := store.OpenLedger(w.Context(), w.url)
	Must(w, err)
	Must(w, opened.Close())
}
