package audit

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
	"pgregory.net/rapid"

	"moonfund/internal/bitcoin/runes"
)

// The index in the file holds the same runes as an index in memory, even where outputs share a list, and deletes a list
// with the last output that shares it.
func TestIndexIsAsInMemory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f, err := openWalkFile("")
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = f.close() }()
		own, model := index{f}, runes.NewMemory()
		var points []wire.OutPoint
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "puts") {
				held := drawHeld(rt, chainhash.Hash{byte(len(points)), byte(len(points) >> 8)})
				for _, h := range held {
					points = append(points, h.OutPoint)
				}
				if own.PutRuneBalances(held...) != nil || model.PutRuneBalances(held...) != nil {
					rt.Fatal(f.err)
				}
			} else if len(points) > 0 {
				spent := rapid.SliceOfNDistinct(rapid.SampledFrom(points), 1, min(len(points), 5),
					func(p wire.OutPoint) wire.OutPoint { return p }).Draw(rt, "spent")
				if own.DeleteRuneBalances(spent...) != nil || model.DeleteRuneBalances(spent...) != nil {
					rt.Fatal(f.err)
				}
			}
			got, err := own.RuneBalances(points...)
			if err != nil {
				rt.Fatal(err)
			}
			want, _ := model.RuneBalances(points...)
			if sortHeld(got); !reflect.DeepEqual(got, sortHeld(want)) {
				rt.Fatalf("got %v, want %v", got, want)
			}
		}
		shared := map[chainhash.Hash]bool{}
		left, _ := model.RuneBalances(points...)
		for _, h := range left {
			if len(h.Shared) > 0 {
				shared[h.OutPoint.Hash] = true
			}
		}
		lists := 0
		if _, err := f.row("SELECT COUNT(*) FROM list", nil, &lists); err != nil || lists != len(shared) {
			rt.Fatalf("%d lists, %v, want %d", lists, err, len(shared))
		}
	})
}

// drawHeld draws the runes of up to 100 outputs of one transaction, more than one query looks up.
func drawHeld(rt *rapid.T, tx chainhash.Hash) (held []runes.Held) {
	balances := func(name string, atLeast int) (all []runes.Balance) {
		for i := range rapid.IntRange(atLeast, 3).Draw(rt, name) {
			all = append(all, runes.Balance{ID: runes.ID{Block: 1, Tx: uint32(i)}, Amount: uint128.From64(uint64(i + 1))})
		}
		return all
	}
	shared := balances("shared", 0)
	for vout := range rapid.SampledFrom([]int{1, 2, 100}).Draw(rt, "outputs") {
		held = append(held, runes.Held{
			OutPoint: wire.OutPoint{Hash: tx, Index: uint32(vout)},
			Holding:  runes.Holding{Own: balances("own", max(0, 1-len(shared))), Shared: shared},
		})
	}
	return held
}

func sortHeld(held []runes.Held) []runes.Held {
	slices.SortFunc(held, func(a, b runes.Held) int {
		return cmp.Or(slices.Compare(a.OutPoint.Hash[:], b.OutPoint.Hash[:]), cmp.Compare(a.OutPoint.Index, b.OutPoint.Index))
	})
	return held
}
