package model

import (
	"maps"
	"slices"
)

// Fork returns a copy of the model that continues on another chain.
func (m *Model) Fork(on Chain) *Model {
	forked := *m
	forked.Chain = on
	forked.outputs, forked.txs, forked.stakes = maps.Clone(m.outputs), maps.Clone(m.txs), maps.Clone(m.stakes)
	forked.intents, forked.deposits, forked.acked = maps.Clone(m.intents), slices.Clone(m.deposits), slices.Clone(m.acked)
	forked.spenders, forked.recent = maps.Clone(m.spenders), maps.Clone(m.recent)
	forked.givenUp = maps.Clone(m.givenUp)
	forked.costly = map[string]int64{}
	for point, ids := range forked.spenders {
		forked.spenders[point] = slices.Clip(ids)
	}
	forked.orders, forked.payees = map[string]*order{}, map[string]*order{}
	for script, o := range m.payees {
		copied := *o
		copied.paid, copied.deliveries = slices.Clone(o.paid), slices.Clone(o.deliveries)
		forked.orders[o.id], forked.payees[script] = &copied, &copied
	}
	return &forked
}
