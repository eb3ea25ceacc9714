package runes

import (
	"errors"
	"math"
	"slices"
	"testing"

	"lukechampine.com/uint128"
)

func TestMintable(t *testing.T) {
	n := func(v uint64) *uint64 { return &v }
	terms := func(set func(*Terms)) *Terms {
		v := Terms{Cap: new(big(1)), Amount: new(big(1000))}
		set(&v)
		return &v
	}
	all := func(set func(*Terms)) *Terms {
		return terms(func(v *Terms) {
			v.HeightStart, v.HeightEnd, v.OffsetStart, v.OffsetEnd = n(10), n(20), n(0), n(10)
			set(v)
		})
	}
	cases := []struct {
		block  uint64
		terms  *Terms
		mints  uint64
		height int64
		want   error
	}{
		{0, nil, 0, 0, ErrUnmintable},
		{0, terms(func(*Terms) {}), 0, 0, nil},
		{0, terms(func(*Terms) {}), 1, 0, ErrMintCap},
		{0, terms(func(v *Terms) { v.Cap = nil }), 0, 0, ErrMintCap},
		{1, terms(func(v *Terms) { v.OffsetStart = n(1) }), 0, 1, ErrMintNotBegun},
		{1, terms(func(v *Terms) { v.OffsetStart = n(1) }), 0, 2, nil},
		{1, terms(func(v *Terms) { v.OffsetEnd = n(1) }), 0, 1, nil},
		{1, terms(func(v *Terms) { v.OffsetEnd = n(1) }), 0, 2, ErrMintOver},
		{0, terms(func(v *Terms) { v.HeightStart = n(1) }), 0, 0, ErrMintNotBegun},
		{0, terms(func(v *Terms) { v.HeightStart = n(1) }), 0, 1, nil},
		{0, terms(func(v *Terms) { v.HeightEnd = n(1) }), 0, 0, nil},
		{0, terms(func(v *Terms) { v.HeightEnd = n(1) }), 0, 1, ErrMintOver},
		{1, terms(func(v *Terms) { v.OffsetStart = n(math.MaxUint64) }), 0, 9, ErrMintNotBegun},
		{1, terms(func(v *Terms) { v.OffsetEnd = n(math.MaxUint64) }), 0, 9, nil},
		{10, all(func(v *Terms) {}), 0, 10, nil},
		{10, all(func(v *Terms) { v.Cap = nil }), 0, 10, ErrMintCap},
		{10, all(func(v *Terms) { v.HeightStart = n(11) }), 0, 10, ErrMintNotBegun},
		{10, all(func(v *Terms) { v.HeightEnd = n(10) }), 0, 10, ErrMintOver},
		{10, all(func(v *Terms) { v.OffsetStart = n(1) }), 0, 10, ErrMintNotBegun},
		{10, all(func(v *Terms) { v.OffsetEnd = n(0) }), 0, 10, ErrMintOver},
	}
	for i, c := range cases {
		e := Entry{ID: ID{Block: c.block}, Terms: c.terms, Mints: big(c.mints)}
		amount, err := e.Mintable(c.height)
		if !errors.Is(err, c.want) || err == nil && amount != big(1000) {
			t.Errorf("case %d: %s %v, want %v", i, amount, err, c.want)
		}
	}
}

func TestSupply(t *testing.T) {
	thousand := &Terms{Amount: new(big(1000))}
	for _, c := range []struct {
		e    Entry
		want uint64
	}{
		{Entry{}, 0},
		{Entry{Premine: big(5)}, 5},
		{Entry{Terms: thousand}, 0},
		{Entry{Terms: thousand, Mints: big(1)}, 1000},
		{Entry{Terms: thousand, Premine: big(1)}, 1},
		{Entry{Terms: thousand, Premine: big(1), Mints: big(1), Burned: big(7)}, 1001},
	} {
		if got := c.e.Supply(); got != big(c.want) {
			t.Errorf("%+v: %s", c.e, got)
		}
	}
}

func TestMaxSupply(t *testing.T) {
	half := biggest.Rsh(1)
	terms := func(limit, amount uint128.Uint128) *Terms { return &Terms{Cap: &limit, Amount: &amount} }
	for i, c := range []struct {
		premine *uint128.Uint128
		terms   *Terms
		want    uint128.Uint128
		fits    bool
	}{
		{nil, nil, big(0), true},
		{new(big(1)), &Terms{}, big(1), true},
		{new(half.Add64(1)), terms(half, big(1)), biggest, true},
		{new(big(1000)), terms(big(10), big(100)), big(2000), true},
		{&biggest, terms(big(1), big(1)), big(0), false},
		{nil, terms(big(1), biggest), biggest, true},
		{nil, terms(biggest, biggest), big(0), false},
		{nil, terms(uint128.New(0, 1), uint128.New(0, 1)), big(0), false},
		{nil, terms(uint128.New(2, 1), big(math.MaxUint64)), big(0), false},
	} {
		got, fits := Etching{Premine: c.premine, Terms: c.terms}.MaxSupply()
		if fits != c.fits || fits && got != c.want {
			t.Errorf("case %d: %s %t", i, got, fits)
		}
	}
}

func TestScriptRefuses(t *testing.T) {
	for name, r := range map[string]Runestone{
		"edict of block 0": {Edicts: []Edict{{ID: ID{0, 1}}}},
		"mint of block 0":  {Mint: &ID{0, 1}},
		"divisibility":     {Etching: &Etching{Divisibility: new(uint8(39))}},
		"spacers":          {Etching: &Etching{Spacers: new(uint32(MaxSpacers + 1))}},
		"symbol":           {Etching: &Etching{Symbol: new(rune(0xd800))}},
		"supply":           {Etching: &Etching{Premine: &biggest, Terms: &Terms{Cap: new(big(1)), Amount: new(big(1))}}},
	} {
		if _, err := r.Script(); !errors.Is(err, ErrRunestone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLongScript checks that a runestone of any length is written as one push, as the reference implementation does.
func TestLongScript(t *testing.T) {
	for _, count := range []int{1, 10, 30, 200, 9000} {
		var r Runestone
		for i := range count {
			r.Edicts = append(r.Edicts, Edict{ID: ID{uint64(1 + (i*7)%count), 3}, Amount: biggest, Output: uint32(i % 3)})
		}
		script, err := r.Script()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, rest, ok := nextPush(script[2:]); !ok || len(rest) != 0 {
			t.Errorf("%d edicts are not one push", count)
		}
		slices.SortStableFunc(r.Edicts, func(a, b Edict) int { return a.ID.Compare(b.ID) })
		a := Decipher(carrier(script, 2))
		if a.Runestone == nil || !slices.Equal(a.Runestone.Edicts, r.Edicts) {
			t.Errorf("%d edicts decode to other edicts", count)
		}
	}
}
