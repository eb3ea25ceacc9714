package testkit

import "moonfund/internal/store"

// At returns a second World on another database, with the same node, clock and wallets. It simulates a server with a
// restored ledger.
func (w *World) At(address string) *World {
	w.Helper()
	other := &World{
		TB: w.TB, Clock: w.Clock, Node: w.Node, Network: w.Network, Rate: w.Rate,
		Anna: w.Anna, Bert: w.Bert, Cleo: w.Cleo, ids: w.ids.from(0), tune: w.tune, url: address,
		FetchAhead: w.FetchAhead, others: w.others, own: w.own,
	}
	other.ids.next += 1 << 34
	other.open()
	return other
}

// Identify assigns an id to the world's ledger, which has none.
func Identify(w *World) {
	w.Helper()
	_, err := store.Create(w.Context(), w.url)
	Must(w, err)
}
