package chain

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// listed is a mempool whose list can be older than its transactions. With a real node this happens only by chance.
type listed struct {
	mu     sync.Mutex
	ids    []chainhash.Hash
	txs    map[chainhash.Hash]Tx
	mined  map[chainhash.Hash]bool
	broken error
	asked  int
	lists  int
}

func (l *listed) Mempool(context.Context) ([]chainhash.Hash, error) {
	l.lists++
	return slices.Clone(l.ids), nil
}

func (l *listed) Tx(_ context.Context, id chainhash.Hash) (Tx, Status, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	if l.broken != nil {
		return Tx{}, Status{}, l.broken
	}
	tx, ok := l.txs[id]
	if !ok {
		return Tx{}, Status{}, ErrUnknown
	}
	if l.mined[id] {
		return tx, Status{BlockHash: new(chainhash.Hash), Confirmations: 1}, nil
	}
	return tx, Status{}, nil
}

// family makes n transactions, each of which spends the previous one, and lists the last one first.
func family(n int) *listed {
	l := &listed{txs: map[chainhash.Hash]Tx{}, mined: map[chainhash.Hash]bool{}}
	var parent chainhash.Hash
	for range n {
		msg := wire.NewMsgTx(2)
		msg.AddTxIn(wire.NewTxIn(&wire.OutPoint{Hash: parent}, nil, nil))
		msg.AddTxIn(wire.NewTxIn(&wire.OutPoint{Hash: parent, Index: 1}, nil, nil))
		msg.AddTxOut(wire.NewTxOut(1000, nil))
		tx := NewTx(msg)
		parent = tx.ID
		l.txs[tx.ID] = tx
		l.ids = append([]chainhash.Hash{tx.ID}, l.ids...)
	}
	return l
}

func expect(t *testing.T, m *Mempool, added, removed int) []Tx {
	t.Helper()
	txs, gone, err := m.Poll(t.Context())
	if err != nil || len(txs) != added || len(gone) != removed {
		t.Fatalf("added %d, removed %d, %v; want %d and %d", len(txs), len(gone), err, added, removed)
	}
	return txs
}

func TestParentsComeFirst(t *testing.T) {
	l := family(200)
	txs := expect(t, NewMempool(l, nil), 200, 0)
	for i, tx := range txs {
		if tx.ID != l.ids[len(l.ids)-1-i] {
			t.Fatalf("position %d does not hold generation %d", i, i)
		}
	}
}

func TestVanishedTransactions(t *testing.T) {
	l := family(5)
	gone, mined := l.ids[1], l.ids[3]
	saved := l.txs[gone]
	delete(l.txs, gone)
	l.mined[mined] = true
	m := NewMempool(l, nil)
	expect(t, m, 3, 0)
	l.txs[gone] = saved // the node has the transaction again
	expect(t, m, 1, 0)
	l.ids = slices.DeleteFunc(l.ids, func(id chainhash.Hash) bool { return id == gone || id == mined })
	expect(t, m, 0, 1)
	expect(t, m, 0, 0)
}

func TestPollErrorChangesNothing(t *testing.T) {
	l := family(50)
	m := NewMempool(l, nil)
	l.broken = errors.New("connection lost")
	if txs, _, err := m.Poll(t.Context()); !errors.Is(err, l.broken) || txs != nil {
		t.Fatalf("%v", err)
	}
	if l.asked > mempoolWorkers+1 {
		t.Errorf("%d fetches after the connection was lost", l.asked)
	}
	l.broken = nil
	txs := expect(t, m, 50, 0)
	l.asked = 0
	expect(t, m, 0, 0)
	if l.asked != 0 {
		t.Errorf("%d fetches of known transactions, want 0", l.asked)
	}
	m.Forget(txs[0].ID, txs[1].ID)
	expect(t, m, 2, 0)
	if _, _, err := m.Poll(canceled(t)); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestMempoolIsBounded(t *testing.T) {
	l := family(25)
	m := NewMempool(l, nil)
	m.batch, m.limit = 10, 22
	expect(t, m, 10, 0)
	expect(t, m, 10, 0)
	expect(t, m, 2, 0)
	expect(t, m, 0, 0)
	l.ids = l.ids[5:] // frees space for the transactions that did not fit
	expect(t, m, 3, 5)
}

// notices are the notifications of a node, given by a test.
type notices struct {
	changes    []MempoolChange
	incomplete bool
}

func (n *notices) next() ([]MempoolChange, bool) {
	changes, complete := n.changes, !n.incomplete
	n.changes, n.incomplete = nil, false
	return changes, complete
}

func (n *notices) add(ids ...chainhash.Hash) {
	for _, id := range ids {
		n.changes = append(n.changes, MempoolChange{ID: id, Added: true})
	}
}

func (n *notices) remove(id chainhash.Hash) { n.changes = append(n.changes, MempoolChange{ID: id}) }

func TestChangesReplaceTheList(t *testing.T) {
	l, n := family(20), &notices{}
	all := l.ids
	l.ids = all[10:]
	m := NewMempool(l, n.next)
	expect(t, m, 10, 0)
	l.ids = nil // listing again would remove everything
	n.add(all[:10]...)
	n.add(all[:3]...) // repeated
	for i, tx := range expect(t, m, 10, 0) {
		if tx.ID != all[9-i] {
			t.Fatalf("position %d does not hold generation %d", i, i)
		}
	}
	expect(t, m, 0, 0)
	n.remove(all[4])
	n.remove(chainhash.Hash{1}) // unknown
	expect(t, m, 0, 1)
	if m.Contains(all[4]) || !m.Contains(all[5]) {
		t.Error("the wrong transaction left")
	}
	n.add(all[4])
	n.remove(all[4])
	n.add(all[4])
	expect(t, m, 1, 0)
	n.incomplete = true
	expect(t, m, 0, 20)
	expect(t, m, 0, 0)
}

func TestChangesAfterAnError(t *testing.T) {
	l, n := family(5), &notices{}
	all := l.ids
	l.ids = all[3:]
	m := NewMempool(l, n.next)
	expect(t, m, 2, 0)
	n.remove(all[4])
	n.add(all[0])
	l.broken = errors.New("connection lost")
	if _, _, err := m.Poll(t.Context()); !errors.Is(err, l.broken) {
		t.Fatal(err)
	}
	l.broken = nil
	expect(t, m, 1, 1) // the transactions that the failed call did not return
	m.Forget(all[0], all[4])
	expect(t, m, 1, 0)
}

func TestVanishedTransactionsOfChanges(t *testing.T) {
	l, n := family(3), &notices{}
	all, saved := l.ids, l.txs[l.ids[1]]
	l.ids = nil
	m := NewMempool(l, n.next)
	expect(t, m, 0, 0)
	delete(l.txs, all[1])
	n.add(all...)
	expect(t, m, 2, 0)
	l.txs[all[1]] = saved
	expect(t, m, 1, 0)
}

// longList is a mempool with many ids.
func longList() *listed {
	l := &listed{txs: map[chainhash.Hash]Tx{}, ids: make([]chainhash.Hash, 300_000)}
	for i := range l.ids {
		binary.LittleEndian.PutUint32(l.ids[i][:], uint32(i))
	}
	return l
}

func TestLongListsAreRare(t *testing.T) {
	for name, c := range map[string]struct {
		changes *notices
		minutes int
		lists   int
	}{"polling": {nil, 2, 12}, "with notifications": {&notices{}, 10, 2}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := longList()
				var next MempoolChanges
				if c.changes != nil {
					next = c.changes.next
				}
				m := NewMempool(l, next)
				m.limit = 0 // fetch none
				for range c.minutes * 60 {
					expect(t, m, 0, 0)
					time.Sleep(time.Second)
				}
				if l.lists != c.lists {
					t.Errorf("%d lists in %d minutes, want %d", l.lists, c.minutes, c.lists)
				}
			})
		})
	}
}

func TestNotificationsRequestLongListsRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, n := longList(), &notices{}
		m := NewMempool(l, n.next)
		m.limit = 0
		for range 60 { // a block each second
			n.incomplete = true
			expect(t, m, 0, 0)
			time.Sleep(time.Second)
		}
		if l.lists != 6 {
			t.Errorf("%d lists in a minute", l.lists)
		}
	})
}
