package runes

import (
	"errors"
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// Outputs that hold the same long list of runes share the list. Their holdings, the runes from spending them and the
// result of an undo are the same as with a separate list for each output.
func TestSharedLists(t *testing.T) {
	const runes, outputs = minShared + 5, 6
	w := newWorld(t)
	w.mineTo(9)
	var etchings []*wire.MsgTx
	var coins []wire.OutPoint
	for range runes {
		etchings = append(etchings, w.tx(nil, payTo, carrying(t, Runestone{Etching: &Etching{Premine: new(big(100))}})))
		coins = append(coins, wire.OutPoint{Hash: etchings[len(etchings)-1].TxHash()})
	}
	w.mine(etchings...)
	stone := Runestone{Pointer: new(uint32(0))}
	for i := range runes {
		stone.Edicts = append(stone.Edicts, Edict{ID{10, uint32(i + 1)}, big(2), outputs + 1}) // 2 to each output
	}
	for i := range outputs - 1 { // and 1 more of one rune
		stone.Edicts = append(stone.Edicts, Edict{ID{10, uint32(i + 1)}, big(1), uint32(i + 1)})
	}
	split := w.tx(coins, append(slices.Repeat([][]byte{payTo}, outputs), carrying(t, stone))...)
	allocated := w.mine(split)
	at := func(vout int) wire.OutPoint { return wire.OutPoint{Hash: split.TxHash(), Index: uint32(vout)} }
	for vout := range outputs {
		for i, b := range allocated.To(at(vout)) {
			want := uint64(2)
			if vout == i+1 {
				want = 3
			}
			if vout == 0 { // the rest
				if want = 100 - 2*(outputs-1); i < outputs-1 {
					want--
				}
			}
			if b != (Balance{ID{10, uint32(i + 1)}, big(want)}) {
				t.Fatalf("output %d holds %s of %s, want %d", vout, b.Amount, b.ID, want)
			}
		}
		if got := len(allocated.To(at(vout))); got != runes {
			t.Fatalf("output %d holds %d runes, want %d", vout, got, runes)
		}
		if own := len(allocated[split.TxHash()][vout].Own); vout > 0 && own != 1 {
			t.Errorf("output %d has %d runes of its own, want 1", vout, own)
		}
	}
	sum := w.mine(w.tx([]wire.OutPoint{at(1), at(2), at(5)}, payTo), w.tx([]wire.OutPoint{at(0)}, payTo))
	for txid, outputs := range sum {
		if holding := outputs[0]; len(holding.Own) != runes || len(holding.Shared) != 0 {
			t.Errorf("output %s:0: got %d runes and a shared list of %d", txid, len(holding.Own), len(holding.Shared))
		}
	}
	w.mine(w.tx([]wire.OutPoint{at(3), at(4)}, payTo))
	w.checkUndo()
}

// An undo record without its shared list is an error, and so is an overflow of shared lists.
func TestSharedListsThatCannotBe(t *testing.T) {
	var list []Balance
	for i := range minShared {
		list = append(list, Balance{ID{10, uint32(i)}, uint128.Max.Div64(2)})
	}
	l, err := newLayer(NewMemory(), 0)
	if err != nil {
		t.Fatal(err)
	}
	l.spent[wire.OutPoint{Index: 1}] = Holding{Own: list[:1], Shared: list}
	l.spent[wire.OutPoint{Index: 2}] = Holding{Shared: list}
	data := l.undo(outpoints(l.spent), nil)
	if u, err := readUndo(data); err != nil || !slices.Equal(u.spent[wire.OutPoint{Index: 1}].Shared, list) ||
		len(u.spent[wire.OutPoint{Index: 2}].Own) != 0 {
		t.Errorf("got %v, %v", u.spent, err)
	}
	withoutList := data[:len(data)-len(EncodeBalances(list))-len(wire.OutPoint{}.Hash)-1]
	for _, broken := range [][]byte{withoutList, append(slices.Clone(withoutList), 0)} {
		if _, err := readUndo(broken); !errors.Is(err, ErrEncoding) {
			t.Errorf("without its list: %v, want ErrEncoding", err)
		}
	}
	var inputs inputSum
	for range 3 {
		if err := inputs.add(Holding{Shared: list}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := inputs.total(); !errors.Is(err, ErrOverflow) {
		t.Errorf("three halves of the largest amount: %v, want ErrOverflow", err)
	}
	for _, row := range [][]byte{{}, {0}, {0, 1}} {
		if _, _, err := DecodeHolding(row); !errors.Is(err, ErrEncoding) {
			t.Errorf("row %x: %v, want ErrEncoding", row, err)
		}
	}
}
