package follower

import (
	"context"
	"errors"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// maxAncestors is the maximum number of ancestors of an unconfirmed transaction that are examined. It exceeds the
// longest chain of unconfirmed transactions that nodes relay.
const maxAncestors = 100

// fetchAncestors adds the unconfirmed ancestors of t to known. It requests only transactions that were in the node's
// mempool together with t, so it makes no calls for confirmed inputs.
func (f *Follower) fetchAncestors(ctx context.Context, t chain.Tx, known map[chainhash.Hash]chain.Tx) error {
	unread := []chain.Tx{t}
	for fetched := 0; len(unread) > 0 && fetched <= maxAncestors; {
		last := len(unread) - 1
		tx := unread[last]
		unread = unread[:last]
		for _, in := range tx.Msg.TxIn {
			id := in.PreviousOutPoint.Hash
			if _, have := known[id]; have || !f.mempool.Contains(id) {
				continue
			}
			parent, status, err := f.Node.Tx(ctx, id)
			if errors.Is(err, chain.ErrUnknown) || (err == nil && status.Confirmations > 0) {
				continue // mined or replaced meanwhile
			}
			if err != nil {
				return err
			}
			known[id] = parent
			unread = append(unread, parent)
			fetched++
		}
	}
	return nil
}

// unconfirmed computes the runes that mempool transactions would allocate, including the runes from unconfirmed
// ancestors. It reads the index and does not call the node.
type unconfirmed struct {
	rules runes.Rules
	index runes.Store
	known map[chainhash.Hash]chain.Tx // ancestors of all transactions
	order []chain.Tx                  // parents before children
	done  map[chainhash.Hash][]runes.Holding
	held  map[wire.OutPoint]runes.Holding // runes of confirmed outputs that allocate has read
}

func newUnconfirmed(rules runes.Rules, index runes.Store, known map[chainhash.Hash]chain.Tx) *unconfirmed {
	return &unconfirmed{
		rules: rules, index: index, known: known, done: map[chainhash.Hash][]runes.Holding{},
		held: map[wire.OutPoint]runes.Holding{},
	}
}

// allocate returns the runes on each output of t, or nil if the mints of t and its ancestors exceed a supply.
func (u *unconfirmed) allocate(t chain.Tx) ([]runes.Holding, error) {
	if outputs, ok := u.done[t.ID]; ok {
		return outputs, nil
	}
	if err := u.load(t); err != nil {
		return nil, err
	}
	inputs := map[wire.OutPoint]runes.Holding{}
	for _, in := range t.Msg.TxIn {
		holding, err := u.holding(in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		inputs[in.PreviousOutPoint] = holding
	}
	outputs, _, _, err := u.rules.AllocateHeld(t.Msg, func(out wire.OutPoint) runes.Holding {
		return inputs[out]
	}, u.index, math.MaxInt32)
	if errors.Is(err, runes.ErrOverflow) { // together the mints exceed the supply; their blocks decide which are valid
		outputs, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	u.done[t.ID] = outputs
	u.order = append(u.order, t)
	return outputs, nil
}

// load reads the runes of all confirmed outputs that t spends.
func (u *unconfirmed) load(t chain.Tx) error {
	spent := t.Spends(func(wire.OutPoint) bool { return true })
	held, err := u.index.RuneBalances(spent...)
	for _, h := range held {
		u.held[h.OutPoint] = h.Holding
	}
	return err
}

// holding returns the runes on an output, which load has read if its transaction is confirmed.
func (u *unconfirmed) holding(out wire.OutPoint) (runes.Holding, error) {
	if holding, confirmed := u.held[out]; confirmed || len(u.done) > maxAncestors {
		return holding, nil
	}
	parent, ok := u.known[out.Hash]
	if !ok {
		return runes.Holding{}, nil
	}
	outputs, err := u.allocate(parent)
	if err != nil || int(out.Index) >= len(outputs) {
		return runes.Holding{}, err
	}
	return outputs[out.Index], nil
}

// ancestors returns the unconfirmed ancestors of t, parents first.
func (u *unconfirmed) ancestors(t chain.Tx) (parents []chain.Tx) {
	for _, p := range u.order {
		if p.ID != t.ID {
			parents = append(parents, p)
		}
	}
	return parents
}
