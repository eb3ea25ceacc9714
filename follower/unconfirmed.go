package follower

import (
	"context"
	"errors"
	"math"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/runes"
)

// maxAncestors bounds how far back an unconfirmed transaction is looked into; nodes relay no longer chains.
const maxAncestors = 100

// fetchAncestors adds to known the unconfirmed transactions that t builds on. It asks
// the node only for what was in its mempool together with t, so that a transaction with
// a thousand confirmed inputs costs no question.
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
				continue // it was mined or replaced since
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

// unconfirmed sees what a mempool transaction would allocate, through its unconfirmed
// ancestors. It asks the index and no node.
type unconfirmed struct {
	rules runes.Rules
	index runes.Store
	known map[chainhash.Hash]chain.Tx // ancestors, of any transaction
	order []chain.Tx                  // parents before children
	done  map[chainhash.Hash][][]runes.Balance
}

func newUnconfirmed(rules runes.Rules, index runes.Store, known map[chainhash.Hash]chain.Tx) *unconfirmed {
	return &unconfirmed{rules: rules, index: index, known: known, done: map[chainhash.Hash][][]runes.Balance{}}
}

func (u *unconfirmed) allocate(t chain.Tx) ([][]runes.Balance, error) {
	if outputs, ok := u.done[t.ID]; ok {
		return outputs, nil
	}
	inputs := map[wire.OutPoint][]runes.Balance{}
	for _, in := range t.Msg.TxIn {
		balances, err := u.held(in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		inputs[in.PreviousOutPoint] = balances
	}
	outputs, _, _, err := u.rules.Allocate(t.Msg, func(out wire.OutPoint) []runes.Balance {
		return inputs[out]
	}, u.index, math.MaxInt32)
	if errors.Is(err, runes.ErrOverflow) { // mints that can't all be: a block decides which of them are
		outputs, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	u.done[t.ID] = outputs
	u.order = append(u.order, t)
	return outputs, nil
}

// held returns the runes on an output, whether its transaction is in a block or not.
func (u *unconfirmed) held(out wire.OutPoint) ([]runes.Balance, error) {
	balances, err := u.index.RuneBalances(out)
	if err != nil || len(balances) > 0 || len(u.done) > maxAncestors {
		return balances, err
	}
	parent, ok := u.known[out.Hash]
	if !ok {
		return nil, nil
	}
	outputs, err := u.allocate(parent)
	if err != nil || int(out.Index) >= len(outputs) {
		return nil, err
	}
	return outputs[out.Index], nil
}

// ancestors returns the unconfirmed transactions that t builds on, parents first.
func (u *unconfirmed) ancestors(t chain.Tx) (parents []chain.Tx) {
	for _, p := range u.order {
		if p.ID != t.ID {
			parents = append(parents, p)
		}
	}
	return parents
}
