package chain

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
)

const (
	mempoolLimit   = 500_000 // maximum number of returned transactions that are tracked
	mempoolBatch   = 5_000   // maximum number of transactions fetched by one Poll
	mempoolWorkers = 4       // concurrent fetches

	// A list costs the server 0.5 µs for each id and the node at most 1.5 µs, so that a pause of 20 times as long
	// keeps both below 5 % of a core. Lists of smallMempool ids or fewer are fetched without a pause.
	pausePerID   = 30 * time.Microsecond
	smallMempool = 20_000
	// relistAfter is the time after which the list is fetched even if the notifications seem complete.
	relistAfter = 5 * time.Minute
)

// MempoolSource is the part of Client that Mempool uses.
type MempoolSource interface {
	Mempool(ctx context.Context) ([]chainhash.Hash, error)
	Tx(ctx context.Context, txid chainhash.Hash) (Tx, Status, error)
}

// MempoolChange is a transaction that entered or left a node's mempool.
type MempoolChange struct {
	ID    chainhash.Hash
	Added bool // false: it was replaced or evicted
}

// MempoolChanges returns the changes of a node's mempool since the last call, in their order. complete is false if
// changes may be missing: notifications were lost, there is no connection, or a block was connected or disconnected.
type MempoolChanges func() (changes []MempoolChange, complete bool)

// Mempool tracks a node's mempool. It stores only ids. It is not safe for concurrent use.
type Mempool struct {
	source       MempoolSource
	changes      MempoolChanges             // nil: the list is the only source
	listed       map[chainhash.Hash]listing // the node's mempool
	round        bool                       // flips with each list
	unseen       []chainhash.Hash           // listed transactions that Poll has not returned, and ids that left since
	left         []chainhash.Hash           // returned transactions that left, to be returned by Poll
	returned     int                        // number of listed transactions that Poll returned
	stale        bool                       // the node's mempool may differ from listed
	listedAt     time.Time                  // when the list was fetched
	limit, batch int                        // mempoolLimit and mempoolBatch
}

// listing is the state of a transaction in the node's mempool.
type listing struct {
	returned bool // Poll returned the transaction
	round    bool // Mempool.round when the transaction was last listed
}

// NewMempool returns a tracker with no known transactions. Without changes it fetches the node's list in each Poll,
// unless the list is long. With changes it fetches the list at the start, when changes are missing, and every five
// minutes.
func NewMempool(source MempoolSource, changes MempoolChanges) *Mempool {
	return &Mempool{
		source: source, changes: changes, listed: map[chainhash.Hash]listing{}, stale: true,
		limit: mempoolLimit, batch: mempoolBatch,
	}
}

// Poll reads the mempool. It returns the transactions that it has not returned before, parents before children, and the
// ids of returned transactions that left the mempool: they were mined, replaced or evicted. One call returns at most
// 5,000 transactions; the next one continues. While 500,000 returned transactions are in the mempool, Poll returns no
// further ones. It skips a transaction that leaves the mempool between listing and fetching. After an error, the next
// call returns what this one would have returned.
func (m *Mempool) Poll(ctx context.Context) (added []Tx, removed []chainhash.Hash, err error) {
	if err := m.update(ctx); err != nil {
		return nil, nil, err
	}
	batch, rest := m.nextUnseen()
	added, err = m.fetch(ctx, batch)
	if err != nil {
		return nil, nil, err
	}
	for _, tx := range added {
		m.listed[tx.ID] = listing{returned: true, round: m.round}
	}
	m.returned += len(added)
	for _, id := range batch {
		if !m.listed[id].returned {
			rest = append(rest, id) // the node did not have the transaction; try again while it is listed
		}
	}
	m.unseen = rest
	removed, m.left = m.left, nil
	return parentsFirst(added), removed, nil
}

// update brings the list up to date.
func (m *Mempool) update(ctx context.Context) error {
	var changes []MempoolChange
	complete := false
	if m.changes != nil {
		changes, complete = m.changes()
	}
	age := time.Since(m.listedAt)
	if m.stale = m.stale || !complete || age > relistAfter; m.stale && age > m.pause() {
		ids, err := m.source.Mempool(ctx) // the list includes the changes
		if err != nil {
			return err
		}
		m.replace(ids)
		m.stale, m.listedAt = false, time.Now()
		return nil
	}
	for _, change := range changes {
		if _, listed := m.listed[change.ID]; change.Added && !listed {
			m.listed[change.ID] = listing{round: m.round}
			m.unseen = append(m.unseen, change.ID)
		} else if !change.Added && listed {
			m.remove(change.ID)
		}
	}
	return nil
}

// pause returns the least time between two lists.
func (m *Mempool) pause() time.Duration {
	if len(m.listed) <= smallMempool {
		return -1
	}
	return time.Duration(len(m.listed)) * pausePerID
}

// replace makes ids the list. It changes the map in place, because two maps of a large mempool would double the peak
// memory.
func (m *Mempool) replace(ids []chainhash.Hash) {
	m.round = !m.round
	m.unseen = m.unseen[:0]
	for _, id := range ids {
		returned := m.listed[id].returned
		m.listed[id] = listing{returned, m.round}
		if !returned {
			m.unseen = append(m.unseen, id)
		}
	}
	for id, listing := range m.listed {
		if listing.round != m.round {
			m.remove(id)
		}
	}
}

// remove removes a transaction from the list.
func (m *Mempool) remove(id chainhash.Hash) {
	if m.listed[id].returned {
		m.returned--
		m.left = append(m.left, id)
	}
	delete(m.listed, id)
}

// nextUnseen returns the ids to fetch now, and the other ids of unseen. It drops ids that left the mempool.
func (m *Mempool) nextUnseen() (batch, rest []chainhash.Hash) {
	room := min(m.batch, m.limit-m.returned)
	taken := map[chainhash.Hash]struct{}{}
	for i, id := range m.unseen {
		if len(batch) >= room {
			return batch, m.unseen[i:]
		}
		known, listed := m.listed[id]
		if _, twice := taken[id]; listed && !known.returned && !twice {
			taken[id] = struct{}{}
			batch = append(batch, id)
		}
	}
	return batch, nil
}

// Contains reports whether a transaction was in the node's mempool at the last Poll. The list includes every
// unconfirmed ancestor of its transactions.
func (m *Mempool) Contains(id chainhash.Hash) bool {
	_, found := m.listed[id]
	return found
}

// Forget makes the next Poll return the transactions again. A caller that failed to store them calls it.
func (m *Mempool) Forget(ids ...chainhash.Hash) {
	for _, id := range ids {
		if m.listed[id].returned {
			m.returned--
			m.listed[id] = listing{round: m.round}
			m.unseen = append(m.unseen, id)
		}
	}
}

// fetch returns the transactions that are still in the mempool.
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

// parentsFirst sorts transactions so that each follows its parents.
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
