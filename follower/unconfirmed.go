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

// unconfirmed sees what a mempool transaction would allocate, through its unconfirmed ancestors.
type unconfirmed struct {
	node  Node
	rules runes.Rules
	index runes.Store
	known map[chainhash.Hash]chain.Tx
	order []chain.Tx // parents before children
	done  map[chainhash.Hash][][]runes.Balance
}

func newUnconfirmed(node Node, rules runes.Rules, index runes.Store) *unconfirmed {
	return &unconfirmed{
		node: node, rules: rules, index: index, known: map[chainhash.Hash]chain.Tx{}, done: map[chainhash.Hash][][]runes.Balance{},
	}
}

func (u *unconfirmed) allocate(ctx context.Context, t chain.Tx) ([][]runes.Balance, error) {
	if outputs, ok := u.done[t.ID]; ok {
		return outputs, nil
	}
	inputs := map[wire.OutPoint][]runes.Balance{}
	for _, in := range t.Msg.TxIn {
		balances, err := u.held(ctx, in.PreviousOutPoint)
		if err != nil {
			return nil, err
		}
		inputs[in.PreviousOutPoint] = balances
	}
	outputs, _, _, err := u.rules.Allocate(t.Msg, func(out wire.OutPoint) []runes.Balance { return inputs[out] }, u.index, math.MaxInt32)
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
func (u *unconfirmed) held(ctx context.Context, out wire.OutPoint) ([]runes.Balance, error) {
	balances, err := u.index.RuneBalances(out)
	if err != nil || len(balances) > 0 || len(u.done) > maxAncestors {
		return balances, err
	}
	parent, ok := u.known[out.Hash]
	if !ok {
		found, status, err := u.node.Tx(ctx, out.Hash)
		if errors.Is(err, chain.ErrNotFound) || (err == nil && status.Confirmations > 0) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		parent = found
		u.known[out.Hash] = parent
	}
	outputs, err := u.allocate(ctx, parent)
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
