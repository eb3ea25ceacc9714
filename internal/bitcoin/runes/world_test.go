package runes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
)

var (
	biggest  = uint128.Max
	taproot  = []byte{0x51, 0x20, 33: 0x02} // pay to taproot
	payTo    = []byte{0x00, 0x14, 21: 0x01} // p2wpkh
	errNoOut = errors.New("no such output")
)

func big(n uint64) uint128.Uint128 { return uint128.From64(n) }

// world is a chain of blocks that a test mines, with its index.
type world struct {
	t       testing.TB
	rules   Rules
	store   *Memory
	buffer  *Buffer // of the same chain, over another store
	height  int64   // height of the last block
	blocks  []chain.Block
	states  []*Memory                     // states[i] is the store before blocks[i]
	outputs map[wire.OutPoint]minedOutput // every output of the chain
	asked   int                           // number of commitments looked up
	salt    uint32                        // makes every transaction differ
}

type minedOutput struct {
	script []byte
	height int64
}

func newWorld(t testing.TB) *world {
	regtest, err := chain.NetworkByName("regtest")
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, rules: RulesFor(regtest), store: NewMemory(), buffer: NewBuffer(NewMemory()),
		outputs: map[wire.OutPoint]minedOutput{}}
}

// flushed flushes the buffer, and compares the store below with the store without a buffer.
func (w *world) flushed() {
	w.t.Helper()
	if err := w.buffer.Flush(); err != nil {
		w.t.Fatal(err)
	}
	if !same(w.buffer.below.(*Memory), w.store) {
		w.t.Fatalf("block %d: the store below the buffer differs", w.height)
	}
}

// CommitOutput implements Commitments.
func (w *world) CommitOutput(_ context.Context, o wire.OutPoint) ([]byte, int64, error) {
	w.asked++
	out, ok := w.outputs[o]
	if !ok {
		return nil, 0, errNoOut
	}
	return out.script, out.height, nil
}

// tx returns a transaction that spends the outputs and has an output for each script.
func (w *world) tx(spend []wire.OutPoint, scripts ...[]byte) *wire.MsgTx {
	w.salt++
	tx := wire.NewMsgTx(2)
	tx.LockTime = w.salt
	for _, o := range spend {
		tx.AddTxIn(wire.NewTxIn(&o, nil, nil))
	}
	for _, s := range scripts {
		tx.AddTxOut(wire.NewTxOut(546, s))
	}
	return tx
}

// mine applies a block with a coinbase and these transactions.
func (w *world) mine(txs ...*wire.MsgTx) Allocated {
	w.t.Helper()
	coinbase := w.tx([]wire.OutPoint{{Index: math.MaxUint32}}, payTo)
	w.height++
	block := chain.Block{Height: w.height, Time: time.Unix(1_000_000+w.height, 0)}
	for _, tx := range append([]*wire.MsgTx{coinbase}, txs...) {
		block.Txs = append(block.Txs, chain.NewTx(tx))
	}
	w.states = append(w.states, snapshot(w.store))
	w.blocks = append(w.blocks, block)
	for _, tx := range block.Txs { // the node has the whole block before it is indexed
		for i, out := range tx.Msg.TxOut {
			w.outputs[wire.OutPoint{Hash: tx.ID, Index: uint32(i)}] = minedOutput{out.PkScript, w.height}
		}
	}
	allocated, err := w.rules.Apply(context.Background(), w.store, w, block)
	if err != nil {
		w.t.Fatal(err)
	}
	asked := w.asked
	again, err := w.rules.Apply(context.Background(), w.buffer, w, block)
	if err != nil || !reflect.DeepEqual(allocated, again) {
		w.t.Fatalf("block %d: the buffer allocates %v, %v, want %v", w.height, again, err, allocated)
	}
	w.asked = asked
	if w.salt%4 == 0 { // after one to several blocks
		w.flushed()
	}
	return allocated
}

func (w *world) mineTo(height int64) {
	for w.height < height {
		w.mine()
	}
}

// checkUndo undoes all blocks, comparing the store before each, and applies them again.
func (w *world) checkUndo() {
	w.t.Helper()
	last := snapshot(w.store)
	for i := len(w.blocks) - 1; i >= 0; i-- {
		if err := errors.Join(Undo(w.store, w.blocks[i].Height), Undo(w.buffer, w.blocks[i].Height)); err != nil {
			w.t.Fatal(err)
		}
		w.flushed()
		if !same(w.store, w.states[i]) {
			w.t.Fatalf("undoing block %d does not restore the store", w.blocks[i].Height)
		}
	}
	for _, block := range w.blocks {
		for _, store := range []Store{w.store, w.buffer} {
			if _, err := w.rules.Apply(context.Background(), store, w, block); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.flushed()
	if !same(w.store, last) {
		w.t.Fatal("the store differs after the blocks were applied again")
	}
}

func snapshot(m *Memory) *Memory {
	return &Memory{entries: maps.Clone(m.entries), names: maps.Clone(m.names),
		balances: maps.Clone(m.balances), undo: maps.Clone(m.undo), counters: m.counters}
}

func same(a, b *Memory) bool {
	return reflect.DeepEqual(a.entries, b.entries) && reflect.DeepEqual(a.names, b.names) &&
		reflect.DeepEqual(a.balances, b.balances) && reflect.DeepEqual(a.undo, b.undo) && a.counters == b.counters
}

// number formats an amount, as the distance from MAX if that is less than 2^64.
func number(n uint128.Uint128) string {
	switch gap := biggest.Sub(n); {
	case gap.IsZero():
		return "MAX"
	case gap.Hi == 0:
		return "MAX-" + gap.String()
	}
	return n.String()
}

// line formats an entry without fields that are zero or absent.
func line(e Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", e.ID, e.SpacedName())
	amount := func(name string, n uint128.Uint128) {
		if !n.IsZero() {
			fmt.Fprintf(&b, " %s=%s", name, number(n))
		}
	}
	if e.Number > 0 {
		fmt.Fprintf(&b, " #%d", e.Number)
	}
	if e.Divisibility > 0 {
		fmt.Fprintf(&b, " divisibility=%d", e.Divisibility)
	}
	if e.Symbol != nil {
		fmt.Fprintf(&b, " symbol=%c", *e.Symbol)
	}
	amount("premine", e.Premine)
	if e.Terms != nil {
		fmt.Fprintf(&b, " amount=%s cap=%s", number(value(e.Terms.Amount)), number(value(e.Terms.Cap)))
	}
	amount("mints", e.Mints)
	amount("burned", e.Burned)
	if e.Turbo {
		b.WriteString(" turbo")
	}
	return b.String()
}

// entries formats all entries, ordered by id.
func (w *world) entries() (lines []string) {
	for _, id := range slices.SortedFunc(maps.Keys(w.store.entries), ID.Compare) {
		lines = append(lines, line(w.store.entries[id]))
	}
	return lines
}

// holdings formats the balances of the outputs of the named transactions, as "name/output rune=amount". Another output
// with runes fails the test.
func (w *world) holdings(names map[string]*wire.MsgTx) (lines []string) {
	left := maps.Clone(w.store.balances)
	for name, tx := range names {
		for i := range tx.TxOut {
			o := wire.OutPoint{Hash: tx.TxHash(), Index: uint32(i)}
			for _, b := range left[o].All() {
				lines = append(lines, fmt.Sprintf("%s/%d %s=%s", name, i, b.ID, number(b.Amount)))
			}
			delete(left, o)
		}
	}
	for o := range left {
		w.t.Errorf("unknown output %s holds runes", o)
	}
	slices.Sort(lines)
	return lines
}
