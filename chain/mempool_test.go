package chain

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// listed is a mempool whose list can be older than its transactions. With a real node this
// happens only by chance.
type listed struct {
	mu     sync.Mutex
	ids    []chainhash.Hash
	txs    map[chainhash.Hash]Tx
	mined  map[chainhash.Hash]bool
	broken error
	asked  int
}

func (l *listed) Mempool(context.Context) ([]chainhash.Hash, error) { return slices.Clone(l.ids), nil }

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

// family makes n transactions, each of which spends the previous one, and lists the last one
// first.
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
	txs := expect(t, NewMempool(l), 200, 0)
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
	m := NewMempool(l)
	expect(t, m, 3, 0)
	l.txs[gone] = saved // the node has the transaction again
	expect(t, m, 1, 0)
	l.ids = slices.DeleteFunc(l.ids, func(id chainhash.Hash) bool { return id == gone || id == mined })
	expect(t, m, 0, 1)
	expect(t, m, 0, 0)
}

func TestPollErrorChangesNothing(t *testing.T) {
	l := family(50)
	m := NewMempool(l)
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
	m := NewMempool(l)
	m.batch, m.limit = 10, 22
	expect(t, m, 10, 0)
	expect(t, m, 10, 0)
	expect(t, m, 2, 0)
	expect(t, m, 0, 0)
	l.ids = l.ids[5:] // frees space for the transactions that did not fit
	expect(t, m, 3, 5)
}
