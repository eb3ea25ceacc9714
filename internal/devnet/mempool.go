package devnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// mempool is the node's mempool applied to the index: the state if every unconfirmed transaction were mined now.
type mempool struct {
	ix      *index
	order   []*wire.MsgTx // parents before children
	txs     map[chainhash.Hash]*wire.MsgTx
	created map[wire.OutPoint]coin
	spent   map[wire.OutPoint]chainhash.Hash
}

// readMempool reads the node's mempool. It does not fetch known transactions again.
func (n *Network) readMempool(ctx context.Context) (*mempool, error) {
	ids, err := n.node.client.Mempool(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the mempool: %w", err)
	}
	txs := make(map[chainhash.Hash]*wire.MsgTx, len(ids))
	for _, id := range ids {
		if tx, known := n.waiting[id]; known {
			txs[id] = tx
			continue
		}
		tx, _, err := n.node.client.Tx(ctx, id)
		if errors.Is(err, chain.ErrUnknown) {
			continue // replaced after the node returned the list
		}
		if err != nil {
			return nil, fmt.Errorf("read mempool transaction %s: %w", id, err)
		}
		txs[id] = tx.Msg
	}
	n.waiting = txs
	return n.ix.overlay(txs)
}

// overlay applies transactions, including their runes, to the index.
func (ix *index) overlay(txs map[chainhash.Hash]*wire.MsgTx) (*mempool, error) {
	m := &mempool{ix: ix, order: topological(txs), txs: txs, created: map[wire.OutPoint]coin{},
		spent: map[wire.OutPoint]chainhash.Hash{}}
	for _, tx := range m.order {
		if err := m.add(tx); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *mempool) add(tx *wire.MsgTx) error {
	id := tx.TxHash()
	outputs, _, _, err := m.ix.rules.Allocate(tx, m.balances, m.ix.runes, m.ix.height()+1)
	if err != nil {
		return fmt.Errorf("runes of transaction %s: %w", id, err)
	}
	for _, in := range tx.TxIn {
		m.spent[in.PreviousOutPoint] = id
	}
	for vout, out := range tx.TxOut {
		at := wire.OutPoint{Hash: id, Index: uint32(vout)}
		m.created[at] = coin{OutPoint: at, TxOut: out, height: chain.None, runes: outputs[vout]}
	}
	return nil
}

// balances returns the runes on an output, whether confirmed, unconfirmed or spent.
func (m *mempool) balances(at wire.OutPoint) []runes.Balance {
	if c, waiting := m.created[at]; waiting {
		return c.runes
	}
	balances, _ := runes.BalancesOf(m.ix.runes, at) // the in-memory store has no errors
	return balances
}

// output returns a previous output, even if the mempool spends it.
func (m *mempool) output(at wire.OutPoint) (*wire.TxOut, bool) {
	if c, ok := m.created[at]; ok {
		return c.TxOut, true
	}
	c, ok := m.ix.coins[at]
	return c.TxOut, ok
}

// coinsOf returns the unspent outputs of a script with their runes, newest first.
func (m *mempool) coinsOf(script []byte) []coin {
	var coins []coin
	for at := range m.ix.byScript[string(script)] {
		if _, spent := m.spent[at]; !spent {
			c := m.ix.coins[at]
			c.runes = m.balances(at)
			coins = append(coins, c)
		}
	}
	for at, c := range m.created {
		if _, spent := m.spent[at]; !spent && string(c.PkScript) == string(script) {
			coins = append(coins, c)
		}
	}
	slices.SortFunc(coins, func(a, b coin) int {
		return cmp.Or(cmp.Compare(b.age(), a.age()), slices.Compare(a.Hash[:], b.Hash[:]), cmp.Compare(a.Index, b.Index))
	})
	return coins
}

// descendants returns the given ids and the ids of all transactions in txs that descend from them. txs must have
// parents before children.
func descendants(txs []*wire.MsgTx, ids []chainhash.Hash) map[chainhash.Hash]bool {
	family := map[chainhash.Hash]bool{}
	for _, id := range ids {
		family[id] = true
	}
	for _, tx := range txs {
		for _, in := range tx.TxIn {
			if family[in.PreviousOutPoint.Hash] {
				family[tx.TxHash()] = true
			}
		}
	}
	return family
}

// topological sorts transactions so that parents precede their children. Independent transactions are sorted by id, so
// that the order is deterministic.
func topological(txs map[chainhash.Hash]*wire.MsgTx) []*wire.MsgTx {
	ids := make([]chainhash.Hash, 0, len(txs))
	for id := range txs {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b chainhash.Hash) int { return slices.Compare(a[:], b[:]) })
	order := make([]*wire.MsgTx, 0, len(txs))
	visited := make(map[chainhash.Hash]bool, len(txs))
	var visit func(chainhash.Hash)
	visit = func(id chainhash.Hash) {
		tx, ok := txs[id]
		if !ok || visited[id] {
			return
		}
		visited[id] = true
		for _, in := range tx.TxIn {
			visit(in.PreviousOutPoint.Hash)
		}
		order = append(order, tx)
	}
	for _, id := range ids {
		visit(id)
	}
	return order
}
