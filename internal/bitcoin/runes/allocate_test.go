package runes

import (
	"errors"
	"reflect"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
)

func TestAllocate(t *testing.T) {
	w := newWorld(t)
	store := NewMemory()
	if err := store.PutRuneEntry(Entry{ID: x, Terms: new(thousand())}); err != nil {
		t.Fatal(err)
	}
	held := func(wire.OutPoint) []Balance { return []Balance{{x, big(10)}, {y, big(5)}} }
	script := func(r Runestone) []byte {
		s, err := r.Script()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one := []wire.OutPoint{{Index: 1}}
	cases := []struct {
		name     string
		tx       *wire.MsgTx
		outputs  [][]Balance
		burned   []Balance
		cenotaph bool
	}{
		{"no runestone", w.tx(one, payTo, payTo), [][]Balance{{{x, big(10)}, {y, big(5)}}, nil}, nil, false},
		{"edict and pointer", w.tx(one, payTo, payTo, script(*pointer(1, *edicts(edict(x, big(4), 0))))),
			[][]Balance{{{x, big(4)}}, {{x, big(6)}, {y, big(5)}}, nil}, nil, false},
		{"burn", w.tx(one, payTo, script(*edicts(edict(y, big(2), 1)))),
			[][]Balance{{{x, big(10)}, {y, big(3)}}, nil}, []Balance{{y, big(2)}}, false},
		{"mint", w.tx(nil, payTo, script(*mint(x))), [][]Balance{{{x, big(1000)}}, nil}, nil, false},
		{"cenotaph", w.tx(one, payTo, script(*pointer(9, *mint(x)))),
			[][]Balance{nil, nil}, []Balance{{x, big(1010)}, {y, big(5)}}, true},
		{"own etching has no id yet", w.tx(one, payTo, payTo, script(Runestone{
			Etching: &Etching{Premine: new(big(9))}, Edicts: []Edict{edict(z, big(9), 1)}})),
			[][]Balance{{{x, big(10)}, {y, big(5)}}, nil, nil}, nil, false},
	}
	for _, c := range cases {
		outputs, burned, cenotaph, err := w.rules.Allocate(c.tx, held, store, 50)
		if err != nil || !reflect.DeepEqual(outputs, c.outputs) || !reflect.DeepEqual(burned, c.burned) ||
			cenotaph != c.cenotaph {
			t.Errorf("%s: %v burned %v cenotaph %t %v", c.name, outputs, burned, cenotaph, err)
		}
	}
	if _, _, _, err := w.rules.Allocate(cases[3].tx, held, nil, 50); !errors.Is(err, ErrNoEntries) {
		t.Errorf("mint without entries: %v, want ErrNoEntries", err)
	}
	much := func(wire.OutPoint) []Balance { return []Balance{{x, biggest}} }
	if _, _, _, err := w.rules.Allocate(w.tx([]wire.OutPoint{{Index: 1}, {Index: 2}}, payTo), much, nil,
		50); !errors.Is(err, ErrOverflow) {
		t.Errorf("inputs of more than 128 bits: %v, want ErrOverflow", err)
	}
}
