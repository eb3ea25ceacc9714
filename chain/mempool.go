package chain

import (
	"context"
	"errors"
	"sync"

	"github.com/btcsuite/btcd/chainhash/v2"
)

const (
	mempoolLimit   = 500_000 // maximum number of stored ids: 16 MB plus the map's overhead
	mempoolBatch   = 5_000   // maximum number of transactions fetched by one Poll
	mempoolWorkers = 4       // concurrent fetches
)

// MempoolSource is the part of Client that Mempool uses.
type MempoolSource interface {
	Mempool(ctx context.Context) ([]chainhash.Hash, error)
	Tx(ctx context.Context, txid chainhash.Hash) (Tx, Status, error)
}

// Mempool tracks a node's mempool. It stores only ids: a limited number of those that Poll
// returned, and the node's last list. It is not safe for concurrent use.
type Mempool struct {
	source       MempoolSource
	known        map[chainhash.Hash]struct{} // the returned transactions that were in the mempool at the last Poll
	listed       map[chainhash.Hash]struct{} // the node's list at the last Poll
	limit, batch int                         // mempoolLimit and mempoolBatch
}

// NewMempool returns a tracker with no known transactions.
func NewMempool(source MempoolSource) *Mempool {
	return &Mempool{source: source, known: map[chainhash.Hash]struct{}{}, limit: mempoolLimit, batch: mempoolBatch}
}

// Poll reads the mempool. It returns the transactions that it has not returned before, parents before children, and the
// ids of returned transactions that left the mempool: they were mined, replaced or evicted. One call returns at most
// 5,000 transactions; the next one continues. While 500,000 returned transactions are in the mempool, Poll returns no
// further ones. It skips a transaction that leaves the mempool between listing and fetching. After an error the state
// is unchanged.
func (m *Mempool) Poll(ctx context.Context) (added []Tx, removed []chainhash.Hash, err error) {
	ids, err := m.source.Mempool(ctx)
	if err != nil {
		return nil, nil, err
	}
	present := make(map[chainhash.Hash]struct{}, len(ids))
	var unseen []chainhash.Hash
	for _, id := range ids {
		present[id] = struct{}{}
		if _, known := m.known[id]; !known && len(unseen) < m.batch {
			unseen = append(unseen, id)
		}
	}
	for id := range m.known {
		if _, still := present[id]; !still {
			removed = append(removed, id)
		}
	}
	if room := m.limit - (len(m.known) - len(removed)); len(unseen) > room {
		unseen = unseen[:max(room, 0)]
	}
	added, err = m.fetch(ctx, unseen)
	if err != nil {
		return nil, nil, err
	}
	m.Forget(removed...)
	for _, tx := range added {
		m.known[tx.ID] = struct{}{}
	}
	m.listed = present
	return parentsFirst(added), removed, nil
}

// Contains reports whether the node listed a transaction at the last Poll. The list includes every unconfirmed ancestor
// of its transactions.
func (m *Mempool) Contains(id chainhash.Hash) bool {
	_, found := m.listed[id]
	return found
}

// Forget makes the next Poll return the transactions again. A caller that failed to store them calls it.
func (m *Mempool) Forget(ids ...chainhash.Hash) {
	for _, id := range ids {
		delete(m.known, id)
	}
}

// fetch returns those of the transactions that are still in the mempool.
func (m *Mempool) fetch(ctx context.Context, ids []chainhash.Hash) ([]Tx, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		workers sync.WaitGroup
		next    = make(chan int)
		found   = make([]Tx, len(ids))
	)
	for range min(mempoolWorkers, len(ids)) {
		workers.Go(func() {
			for i := range next {
				tx, status, err := m.source.Tx(ctx, ids[i])
				switch {
				case errors.Is(err, ErrUnknown):
				case err != nil:
					cancel(err)
				case status.BlockHash == nil:
					found[i] = tx
				}
			}
		})
	}
	for i := range ids {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	txs := found[:0]
	for _, tx := range found {
		if tx.Msg != nil {
			txs = append(txs, tx)
		}
	}
	return txs, nil
}

// parentsFirst sorts transactions so that each follows those whose outputs it spends.
func parentsFirst(txs []Tx) []Tx {
	index := make(map[chainhash.Hash]int, len(txs))
	for i, tx := range txs {
		index[tx.ID] = i
	}
	children := make([][]int, len(txs))
	waits := make([]int, len(txs)) // number of inputs whose parent is not sorted yet
	for i, tx := range txs {
		for _, in := range tx.Msg.TxIn {
			if parent, ok := index[in.PreviousOutPoint.Hash]; ok {
				children[parent] = append(children[parent], i)
				waits[i]++
			}
		}
	}
	ready := make([]int, 0, len(txs))
	for i := range txs {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	ordered := make([]Tx, 0, len(txs))
	for len(ordered) < len(ready) {
		i := ready[len(ordered)]
		ordered = append(ordered, txs[i])
		for _, child := range children[i] {
			if waits[child]--; waits[child] == 0 {
				ready = append(ready, child)
			}
		}
	}
	return ordered
}
