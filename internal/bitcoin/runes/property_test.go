package runes

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
	"pgregory.net/rapid"

	"moonfund/internal/bitcoin/chain"
)

// TestRandomBlocks applies random blocks. It checks that no rune appears or disappears, that Allocate predicts every
// transfer, that undoing restores every state, and that applying again gives the same result.
func TestRandomBlocks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		var coins []wire.OutPoint
		for range rapid.IntRange(1, 12).Draw(rt, "blocks") {
			var txs []*wire.MsgTx
			for i := range rapid.IntRange(0, 6).Draw(rt, "transactions") {
				tx := w.randomTx(rt, coins, ID{uint64(w.height) + 1, uint32(i + 1)})
				coins = slices.DeleteFunc(coins, func(o wire.OutPoint) bool {
					return slices.ContainsFunc(tx.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == o })
				})
				for vout := range tx.TxOut {
					coins = append(coins, wire.OutPoint{Hash: tx.TxHash(), Index: uint32(vout)})
				}
				txs = append(txs, tx)
			}
			before := snapshot(w.store)
			w.foresee(rt, before, txs, w.mine(txs...))
			w.checkSupply(rt)
		}
		w.checkUndo()
	})
}

// randomTx returns a transaction that spends random coins and may have a runestone about existing runes and its own.
func (w *world) randomTx(rt *rapid.T, coins []wire.OutPoint, self ID) *wire.MsgTx {
	var spend []wire.OutPoint
	if len(coins) > 0 {
		spend = rapid.SliceOfNDistinct(rapid.SampledFrom(coins), 0, min(4, len(coins)), rapid.ID[wire.OutPoint]).Draw(rt,
			"spend")
	}
	ids := append(slices.SortedFunc(maps.Keys(w.store.entries), ID.Compare), ID{}, self, ID{self.Block, 1})
	anyID := rapid.SampledFrom(ids)
	outputs := rapid.IntRange(0, 4).Draw(rt, "outputs")
	amount := rapid.Custom(func(rt *rapid.T) uint128.Uint128 {
		n := big(rapid.Uint64Range(0, 3000).Draw(rt, "small"))
		if rapid.IntRange(0, 9).Draw(rt, "huge") == 0 {
			n = biggest.Sub(n)
		}
		return n
	})
	var r Runestone
	for range rapid.IntRange(0, 4).Draw(rt, "edicts") {
		r.Edicts = append(r.Edicts, Edict{anyID.Draw(rt, "id"), amount.Draw(rt, "amount"),
			uint32(rapid.IntRange(0, outputs+1).Draw(rt, "output"))})
	}
	if rapid.Bool().Draw(rt, "mints") {
		r.Mint = new(anyID.Draw(rt, "mint"))
	}
	if rapid.Bool().Draw(rt, "points") {
		r.Pointer = new(uint32(rapid.IntRange(0, outputs+1).Draw(rt, "pointer"))) // one too far is a cenotaph
	}
	if rapid.IntRange(0, 2).Draw(rt, "etches") == 0 {
		r.Etching = &Etching{Premine: new(amount.Draw(rt, "premine"))}
		if rapid.Bool().Draw(rt, "open") {
			r.Etching.Terms = &Terms{Amount: new(big(rapid.Uint64Range(0, 50).Draw(rt, "per mint"))), Cap: new(big(3))}
		}
	}
	kinds := make([][]byte, outputs)
	for i := range kinds {
		kinds[i] = rapid.SampledFrom([][]byte{payTo, payTo, taproot, {0x6a}}).Draw(rt, "kind")
	}
	if script, err := r.Script(); err == nil && rapid.IntRange(0, 4).Draw(rt, "carries") > 0 {
		kinds = slices.Insert(kinds, rapid.IntRange(0, outputs).Draw(rt, "place"), script)
	}
	return w.tx(spend, kinds...)
}

// foresee compares the results of Allocate and Apply for transactions that neither mint nor etch and spend only outputs
// of earlier blocks.
func (w *world) foresee(rt *rapid.T, before *Memory, txs []*wire.MsgTx, allocated Allocated) {
	for _, tx := range txs {
		if a := Decipher(tx); a != nil && (a.mint() != nil || a.Runestone == nil || a.Runestone.Etching != nil) {
			continue
		}
		if slices.ContainsFunc(tx.TxIn, func(in *wire.TxIn) bool {
			return w.outputs[in.PreviousOutPoint].height == w.height
		}) {
			continue
		}
		outputs, _, _, err := w.rules.Allocate(tx, func(o wire.OutPoint) []Balance {
			return before.balances[o].All()
		}, nil, w.height)
		if err != nil {
			rt.Fatal(err)
		}
		for i, balances := range outputs {
			if got := allocated.To(wire.OutPoint{Hash: tx.TxHash(), Index: uint32(i)}); !slices.Equal(got, balances) {
				rt.Fatalf("output %d: Allocate returned %v, Apply %v", i, balances, got)
			}
		}
	}
}

// checkSupply checks for every rune that the supply equals the held plus the burned amount.
func (w *world) checkSupply(rt *rapid.T) {
	held := runeAmounts{}
	for _, holding := range w.store.balances {
		for _, b := range holding.All() {
			if err := held.add(b.ID, b.Amount); err != nil {
				rt.Fatal(err)
			}
		}
	}
	for id, e := range w.store.entries {
		if err := held.add(id, e.Burned); err != nil || held.of(id) != e.Supply() {
			rt.Fatalf("rune %s: %s base units held or burned, want %s, %v", id, held.of(id), e.Supply(), err)
		}
	}
	if n := len(maps.Collect(held.all())); n != len(w.store.entries) {
		rt.Fatalf("%d runes held, want %d", n, len(w.store.entries))
	}
	if w.store.counters.Runes != uint64(len(w.store.entries)) {
		rt.Fatalf("the counter of runes is %d, want %d", w.store.counters.Runes, len(w.store.entries))
	}
}

func TestUndoRefuses(t *testing.T) {
	w := newWorld(t)
	if err := Undo(w.store, 1); !errors.Is(err, ErrNoUndo) {
		t.Errorf("nothing applied: %v", err)
	}
	w.mine()
	w.mine()
	if err := Undo(w.store, 1); !errors.Is(err, ErrNoUndo) {
		t.Errorf("not the last block: %v", err)
	}
	if _, err := w.rules.Apply(context.Background(), w.store, w, w.blocks[1]); !errors.Is(err, ErrApplied) {
		t.Errorf("applied twice: %v", err)
	}
	w.mineTo(UndoDepth + 5)
	for height := w.height; height > 5; height-- {
		if err := Undo(w.store, height); err != nil {
			t.Fatal(err)
		}
	}
	if err := Undo(w.store, 5); !errors.Is(err, ErrNoUndo) {
		t.Errorf("too deep: %v", err)
	}
	if err := w.store.PutRuneUndo(BlockUndo{5, []byte{1, 2, 3}}); err != nil {
		t.Fatal(err)
	}
	if err := Undo(w.store, 5); !errors.Is(err, ErrEncoding) {
		t.Errorf("an invalid undo record: %v, want ErrEncoding", err)
	}
}

func TestBalancesEncoding(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		balances := rapid.SliceOf(rapid.Custom(func(rt *rapid.T) Balance {
			return Balance{ID{rapid.Uint64().Draw(rt, "block"), rapid.Uint32().Draw(rt, "tx")},
				uint128.New(rapid.Uint64().Draw(rt, "low"), rapid.Uint64().Draw(rt, "high"))}
		})).Draw(rt, "balances")
		var data writer
		data.balances(balances)
		r := reader{rest: data}
		if back := r.balances(); r.end() != nil || !slices.Equal(back, balances) {
			rt.Fatalf("%v %v", back, r.end())
		}
		r = reader{rest: append(data, 0)}
		if r.balances(); !errors.Is(r.end(), ErrEncoding) {
			rt.Fatalf("trailing byte: %v", r.end())
		}
	})
}

// BenchmarkApply applies a block of 4,000 transactions. A quarter of them transfer runes with an edict; the others have
// no runestone.
func BenchmarkApply(b *testing.B) {
	w := newWorld(b)
	script, err := edicts(edict(x, big(1), 0)).Script()
	if err != nil {
		b.Fatal(err)
	}
	store := NewMemory()
	if err := store.PutRuneEntry(Entry{ID: x, Premine: biggest}); err != nil {
		b.Fatal(err)
	}
	block := chain.Block{Height: 1000}
	for i := range 4000 {
		o := wire.OutPoint{Index: uint32(i)}
		scripts := [][]byte{payTo, payTo, payTo}
		if i%4 == 0 {
			scripts[2] = script
			if err := store.PutRuneBalances(Held{o, Holding{Own: []Balance{{x, big(1000)}}}}); err != nil {
				b.Fatal(err)
			}
		}
		block.Txs = append(block.Txs, chain.NewTx(w.tx([]wire.OutPoint{o}, scripts...)))
	}
	for b.Loop() {
		if _, err := w.rules.Apply(context.Background(), store, w, block); err != nil {
			b.Fatal(err)
		}
		if err := Undo(store, block.Height); err != nil {
			b.Fatal(err)
		}
	}
}
