package runes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// The cases below restate the reference implementation's tests of its rune index. Transaction k (a, b, c, …) of a
// case is transaction 1 of the block at height 10×(k+1), unless the step has another height. A rune that it etches is
// therefore 10:1, 20:1, ….

var (
	x = ID{10, 1}
	y = ID{20, 1}
	z = ID{} // the rune that the transaction etches
)

// firstName is the smallest name of 13 letters, which can be etched at any height.
var firstName = Name(big(99246114928149462))

const aName, bName = "AAAAAAAAAAAAA", "AAAAAAAAAAAAB"

// step is one transaction.
type step struct {
	at    int64      // height; 0: 10×(k+1)
	spend string     // outputs spent: "a0 b1"
	stone *Runestone // nil: none
	raw   []byte     // script instead of stone
	outs  string     // p: pays, r: the runestone or raw script
}

func edict(id ID, amount uint128.Uint128, output uint32) Edict { return Edict{id, amount, output} }

func edicts(list ...Edict) *Runestone { return &Runestone{Edicts: list} }

// etch returns a runestone that etches firstName, unless e has a name.
func etch(e Etching, list ...Edict) *Runestone {
	if e.Name == nil {
		e.Name = new(firstName)
	}
	return &Runestone{Etching: &e, Edicts: list}
}

func premine(n uint128.Uint128) Etching { return Etching{Premine: &n} }

func open(t Terms) Etching { return Etching{Terms: &t} }

func mint(id ID, list ...Edict) *Runestone { return &Runestone{Mint: &id, Edicts: list} }

func pointer(n uint32, r Runestone) *Runestone {
	r.Pointer = &n
	return &r
}

// issue etches x with the largest premine on a0.
var issue = step{stone: etch(premine(biggest), edict(z, biggest, 0)), outs: "pr"}

// issueY etches a second rune on b0.
var issueY = step{stone: etch(Etching{Name: new(Name(big(99246114928149463))), Premine: &biggest},
	edict(z, biggest, 0)), outs: "pr"}

// thousand returns the terms of an open mint of 100 times 1000 base units.
func thousand() Terms { return Terms{Amount: new(big(1000)), Cap: new(big(100))} }

const thousandText = " amount=1000 cap=100"

type referenceCase struct {
	name  string
	steps []step
	runes string // expected entries, one per line
	holds string // expected holdings, one output per line
}

func (c referenceCase) run(t *testing.T) {
	w := newWorld(t)
	names := map[string]*wire.MsgTx{}
	for k, s := range c.steps {
		at := s.at
		if at == 0 {
			at = int64(10 * (k + 1))
		}
		var spend []wire.OutPoint
		for _, ref := range strings.Fields(s.spend) {
			spend = append(spend, wire.OutPoint{Hash: names[ref[:1]].TxHash(), Index: uint32(ref[1] - '0')})
		}
		tx := w.tx(spend, scripts(t, s)...)
		if s.stone != nil && s.stone.Etching != nil && s.stone.Etching.Name != nil {
			w.mineTo(at - CommitConfirmations)
			w.commit(tx, *s.stone.Etching.Name)
		}
		w.mineTo(at - 1)
		w.mine(tx)
		names[string(rune('a'+k))] = tx
	}
	if got := strings.Join(w.entries(), "\n"); got != unindent(c.runes) {
		t.Errorf("runes\n%s\nwant\n%s", got, unindent(c.runes))
	}
	if got := strings.Join(w.holdings(names), "\n"); got != unindent(c.holds) {
		t.Errorf("holdings\n%s\nwant\n%s", got, unindent(c.holds))
	}
	w.checkUndo()
}

// commit mines a taproot output and makes tx spend it and reveal the name's commitment.
func (w *world) commit(tx *wire.MsgTx, name Name) {
	commit := w.tx(nil, taproot)
	w.mine(commit)
	tx.AddTxIn(&wire.TxIn{
		PreviousOutPoint: wire.OutPoint{Hash: commit.TxHash()},
		Witness:          wire.TxWitness{appendPush(nil, name.Commitment()), {0xc0}},
	})
}

func scripts(t *testing.T, s step) (scripts [][]byte) {
	carried := s.raw
	if s.stone != nil {
		var err error
		if carried, err = s.stone.Script(); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range s.outs {
		if kind == 'r' {
			scripts = append(scripts, carried)
		} else {
			scripts = append(scripts, payTo)
		}
	}
	return scripts
}

func unindent(s string) string {
	var lines []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestReferenceCases(t *testing.T) {
	for _, list := range [][]referenceCase{etchingCases(), transferCases(), splitCases(), mintCases(), windowCases()} {
		for _, c := range list {
			t.Run(c.name, c.run)
		}
	}
}

// full is the entry of x with the largest premine.
const full = "10:1 " + aName + " premine=MAX"

func etchingCases() []referenceCase {
	least := minimumName(0, 10)
	below := Name(uint128.Uint128(least).Sub64(1))
	lastFree := Name(uint128.Uint128(reservedFrom).Sub64(1))
	unnamed := &Runestone{Etching: &Etching{Premine: &biggest}, Edicts: []Edict{edict(z, biggest, 0)}}
	return []referenceCase{
		{"no transaction, no rune", nil, "", ""},
		{"empty runestone creates nothing", []step{{stone: &Runestone{}, outs: "pr"}}, "", ""},
		{"etching without edicts", []step{{stone: etch(Etching{}), outs: "pr"}}, "10:1 " + aName, ""},
		{"etching with an edict", []step{issue}, full, "a/0 10:1=MAX"},
		{"name below the minimum", []step{{stone: etch(Etching{Name: &below, Premine: &biggest}), outs: "pr"}}, "", ""},
		{"name at the minimum", []step{{stone: etch(Etching{Name: &least, Premine: &biggest}), outs: "pr"}},
			"10:1 " + least.String() + " premine=MAX", "a/0 10:1=MAX"},
		{"reserved name", []step{{stone: etch(Etching{Name: &reservedFrom}, edict(z, biggest, 0)), outs: "pr"}}, "", ""},
		{"last name that is not reserved", []step{{stone: etch(Etching{Name: &lastFree, Premine: &biggest}), outs: "pr"}},
			"10:1 " + strings.Repeat("Z", 26) + " premine=MAX", "a/0 10:1=MAX"},
		{"runes without a name get one", []step{{stone: unnamed, outs: "ppr"}, {stone: unnamed, outs: "pr"}},
			fmt.Sprintf("10:1 %s premine=MAX\n20:1 %s #1 premine=MAX", ReservedName(x), ReservedName(y)),
			"a/0 10:1=MAX\nb/0 20:1=MAX"},
		{"divisibility", []step{{stone: etch(Etching{Divisibility: new(uint8(1)), Premine: &biggest}), outs: "pr"}},
			"10:1 " + aName + " divisibility=1 premine=MAX", "a/0 10:1=MAX"},
		{"symbol, spacers, turbo", []step{{stone: etch(Etching{Symbol: new('$'), Spacers: new(uint32(1)), Turbo: true}),
			outs: "pr"}},
			"10:1 A•AAAAAAAAAAAA symbol=$ turbo", ""},
		{"allocations over the supply are ignored",
			[]step{{stone: etch(premine(biggest), edict(z, biggest, 0), edict(z, biggest, 0)), outs: "pr"}},
			full, "a/0 10:1=MAX"},
		{"allocations partly over the supply are honoured",
			[]step{{stone: etch(premine(biggest), edict(z, biggest.Rsh(1), 0), edict(z, biggest, 0)), outs: "pr"}},
			full, "a/0 10:1=MAX"},
		{"less than the largest supply", []step{{stone: etch(premine(big(100)), edict(z, big(100), 0)), outs: "pr"}},
			"10:1 " + aName + " premine=100", "a/0 10:1=100"},
		{"to several outputs, one burns", []step{{stone: etch(premine(big(200)), edict(z, big(100), 0),
			edict(z, big(100), 1)), outs: "pr"}},
			"10:1 " + aName + " premine=200 burned=100", "a/0 10:1=100"},
		{"edict to an output that is not there",
			[]step{{stone: etch(premine(big(200)), edict(z, big(100), 0), edict(z, big(100), 3)), outs: "pr"}},
			"10:1 " + aName, ""},
		{"cenotaph etches without supply", []step{{stone: pointer(10, *etch(premine(biggest), edict(z, biggest, 0))),
			outs: "pr"}},
			"10:1 " + aName, ""},
		{"cenotaph etches without parameters", []step{{stone: pointer(10, *etch(Etching{
			Premine: new(big(1)), Divisibility: new(uint8(1)), Symbol: new('$'), Spacers: new(uint32(1)), Turbo: true,
			Terms: &Terms{Cap: new(big(1)), Amount: new(big(1)), OffsetStart: new(uint64(1)), OffsetEnd: new(uint64(1))}})),
			outs: "pr"}},
			"10:1 " + aName, ""},
		{"cenotaph etches nothing without a name", []step{{stone: pointer(10, *unnamed), outs: "pr"}}, "", ""},
		{"names are unique", []step{issue, {stone: etch(premine(biggest), edict(z, biggest, 0)), outs: "pr"}}, full,
			"a/0 10:1=MAX"},
		{"premine without edict goes to the first output", []step{{stone: etch(premine(big(7))), outs: "rpp"}},
			"10:1 " + aName + " premine=7", "a/1 10:1=7"},
		{"all that remains in an etching", []step{{stone: etch(premine(biggest), edict(z, big(0), 0)), outs: "pr"}}, full,
			"a/0 10:1=MAX"},
		{"edict of 0 of what is gone", []step{{stone: etch(premine(biggest), edict(z, biggest, 0), edict(z, big(0), 1)),
			outs: "pr"}},
			full, "a/0 10:1=MAX"},
		{"edict to OP_RETURN burns", []step{{stone: etch(premine(biggest), edict(z, biggest, 1)), outs: "pr"}},
			full + " burned=MAX", ""},
	}
}

func transferCases() []referenceCase {
	both := full + "\n20:1 " + bName + " #1 premine=MAX"
	half := biggest.Rsh(1)
	rest := number(half.Add64(1))
	return []referenceCase{
		{"inputs are allocated", []step{issue, {spend: "a0", stone: edicts(edict(x, biggest, 0)), outs: "pr"}}, full,
			"b/0 10:1=MAX"},
		{"cenotaph burns inputs", []step{issue, {spend: "a0", stone: pointer(10, Runestone{}), outs: "pr"}},
			full + " burned=MAX", ""},
		{"to the first output that is no OP_RETURN", []step{issue, {spend: "a0", stone: &Runestone{}, outs: "pr"}}, full,
			"b/0 10:1=MAX"},
		{"bare OP_RETURN first", []step{issue, {spend: "a0", raw: []byte{0x6a}, outs: "rp"}}, full, "b/1 10:1=MAX"},
		{"burned without any other output", []step{issue, {spend: "a0", stone: &Runestone{}, outs: "r"}},
			full + " burned=MAX", ""},
		{"pointer", []step{issue, {spend: "a0", stone: pointer(1, Runestone{}), outs: "ppr"}}, full, "b/1 10:1=MAX"},
		{"pointer to OP_RETURN burns", []step{issue, {spend: "a0", stone: pointer(2, Runestone{}), outs: "ppr"}},
			full + " burned=MAX", ""},
		{"no runestone", []step{issue, {spend: "a0", outs: "p"}}, full, "b/0 10:1=MAX"},
		{"two runes on one output", []step{issue, issueY, {spend: "a0 b0", outs: "p"}}, both, "c/0 10:1=MAX\nc/0 20:1=MAX"},
		{"two runes of one input", []step{issue, issueY, {spend: "a0 b0", outs: "p"},
			{spend: "c0", stone: edicts(edict(x, half, 1), edict(y, half, 1)), outs: "ppr"}}, both,
			"d/0 10:1=" + rest + "\nd/0 20:1=" + rest + "\nd/1 10:1=" + number(half) + "\nd/1 20:1=" + number(half)},
		{"two runes of two inputs", []step{issue, issueY,
			{spend: "a0 b0", stone: edicts(edict(x, biggest, 0), edict(y, biggest, 0)), outs: "pr"}},
			both, "c/0 10:1=MAX\nc/0 20:1=MAX"},
		{"edict of 0:0 without etching is skipped",
			[]step{issue, {spend: "a0", stone: edicts(edict(z, big(100), 0), edict(x, biggest, 0)), outs: "pr"}},
			full, "b/0 10:1=MAX"},
		{"edict of a rune that is not there is skipped",
			[]step{issue, issueY, {spend: "a0", stone: edicts(edict(x, biggest, 0), edict(y, biggest, 0)), outs: "pr"}},
			both, "b/0 20:1=MAX\nc/0 10:1=MAX"},
		{"edicts over the inputs are cut", []step{
			{stone: etch(premine(half), edict(z, half, 0)), outs: "pr"},
			{spend: "a0", stone: edicts(edict(x, biggest, 0)), outs: "pr"}},
			"10:1 " + aName + " premine=" + number(half), "b/0 10:1=" + number(half)},
		{"all that remains of the inputs", []step{issue, {spend: "a0", stone: edicts(edict(x, big(0), 1)), outs: "ppr"}},
			full, "b/1 10:1=MAX"},
		{"split without destinations is ignored", []step{issue, {spend: "a0", stone: edicts(edict(x, big(0), 1)), outs: "r"}},
			full + " burned=MAX", ""},
		{"split of an amount without destinations is ignored",
			[]step{issue, {spend: "a0", stone: edicts(edict(x, big(5), 1)), outs: "r"}}, full + " burned=MAX", ""},
	}
}

func splitCases() []referenceCase {
	quarter, half := biggest.Rsh(2), biggest.Rsh(1)
	four := func(last string, amounts ...uint128.Uint128) string {
		var lines []string
		for i, n := range amounts {
			lines = append(lines, fmt.Sprintf("%s/%d 10:1=%s", last, i, number(n)))
		}
		return strings.Join(lines, "\n")
	}
	less, lessHalf := biggest.Sub64(1000).Rsh(2), biggest.Sub64(1000).Rsh(1)
	even := []uint128.Uint128{quarter.Add64(1), quarter.Add64(1), quarter.Add64(1), quarter}
	k := big(1000)
	etched := func(name string, holds string, p uint128.Uint128, list ...Edict) referenceCase {
		return referenceCase{name, []step{{stone: etch(premine(p), list...), outs: "ppppr"}},
			"10:1 " + aName + " premine=" + number(p), holds}
	}
	moved := func(name string, outs string, holds string, list ...Edict) referenceCase {
		return referenceCase{name, []step{issue, {spend: "a0", stone: edicts(list...), outs: outs}}, full, holds}
	}
	return []referenceCase{
		etched("split in etching", four("a", even...), biggest, edict(z, big(0), 5)),
		etched("split in etching after an edict", four("a", less.Add64(1001), less.Add64(1), less.Add64(1), less), biggest,
			edict(z, k, 0), edict(z, big(0), 5)),
		etched("split in etching before an edict", four("a", even...), biggest, edict(z, big(0), 5), edict(z, k, 0)),
		etched("split of an amount in etching", four("a", k, k, k, k), big(4000), edict(z, k, 5)),
		etched("split of an amount in etching after an edict", four("a", biggest.Sub64(2000), k, k), biggest,
			edict(z, biggest.Sub64(3000), 0), edict(z, k, 5)),
		etched("split of an amount in etching before an edict", four("a", biggest.Sub64(3000), k, k, k), biggest,
			edict(z, k, 5), edict(z, biggest, 0)),
		moved("split", "ppr", four("b", half.Add64(1), half), edict(x, big(0), 3)),
		moved("split after an edict", "ppr", four("b", lessHalf.Add64(1001), lessHalf), edict(x, k, 0), edict(x, big(0), 3)),
		moved("split before an edict", "ppr", four("b", half.Add64(1), half), edict(x, big(0), 3), edict(x, k, 1)),
		moved("split of an amount", "ppr", four("b", biggest.Sub64(1000), k), edict(x, k, 3)),
		moved("split of an amount after an edict", "ppppr", four("b", biggest.Sub64(1000), k),
			edict(x, biggest.Sub64(2000), 0), edict(x, k, 5)),
		moved("split of an amount before an edict", "ppppr", four("b", biggest.Sub64(3000), k, k, k), edict(x, k, 5),
			edict(x, biggest, 0)),
	}
}

func mintCases() []referenceCase {
	opened := step{stone: etch(open(thousand())), outs: "pr"}
	one := "10:1 " + aName + thousandText + " mints=1"
	k := big(1000)
	capped := thousand()
	capped.Cap = new(big(2))
	uncapped := Terms{Amount: &k, OffsetEnd: new(uint64(2))}
	plain := step{stone: mint(x, edict(x, k, 0)), outs: "pr"}
	prepaid := func(t Terms) step {
		return step{stone: etch(Etching{Premine: new(big(2000)), Terms: &t}, edict(z, big(2000), 0)), outs: "pr"}
	}
	return []referenceCase{
		{"mint without edict", []step{opened, {stone: mint(x), outs: "pr"}}, one, "b/0 10:1=1000"},
		{"mint is never less than the amount", []step{opened, {stone: mint(x, edict(x, big(111), 0)), outs: "ppr"}}, one,
			"b/0 10:1=1000"},
		{"mint is never more than the amount", []step{opened, {stone: mint(x, edict(x, big(2000), 0)), outs: "pr"}}, one,
			"b/0 10:1=1000"},
		{"several edicts of one mint", []step{opened,
			{stone: mint(x, edict(x, big(500), 0), edict(x, big(500), 0), edict(x, big(500), 0)), outs: "pr"}},
			one, "b/0 10:1=1000"},
		{"mint and split", []step{opened, {stone: mint(x, edict(x, big(0), 3)), outs: "ppr"}}, one,
			"b/0 10:1=500\nb/1 10:1=500"},
		{"mint in a cenotaph counts and burns", []step{opened, plain, plain, {stone: pointer(10, *plain.stone), outs: "pr"}},
			"10:1 " + aName + thousandText + " mints=3 burned=1000", "b/0 10:1=1000\nc/0 10:1=1000"},
		{"mints up to the cap", []step{{stone: etch(open(capped)), outs: "pr"}, plain, plain, plain},
			"10:1 " + aName + " amount=1000 cap=2 mints=2", "b/0 10:1=1000\nc/0 10:1=1000"},
		{"no mint without a cap", []step{{stone: etch(open(uncapped)), outs: "pr"}, {at: 11, stone: mint(x, edict(x, k, 0)),
			outs: "pr"}},
			"10:1 " + aName + " amount=1000 cap=0", ""},
		{"no mint without terms", []step{issue, {stone: mint(x), outs: "pr"}}, full, "a/0 10:1=MAX"},
		{"no mint of a rune that is not there", []step{{stone: mint(x), outs: "pr"}}, "", ""},
		{"etching does not mint", []step{{stone: &Runestone{Etching: etch(open(thousand())).Etching, Mint: &x}, outs: "pr"}},
			"10:1 " + aName + thousandText, ""},
		{"premine with terms", []step{prepaid(Terms{Amount: &k})}, "10:1 " + aName + " premine=2000 amount=1000 cap=0",
			"a/0 10:1=2000"},
		{"premine over the mint's amount", []step{prepaid(Terms{Amount: &k, Cap: new(big(1))})},
			"10:1 " + aName + " premine=2000 amount=1000 cap=1", "a/0 10:1=2000"},
		{"terms without amount", []step{{stone: etch(open(Terms{OffsetEnd: new(uint64(1))})), outs: "pr"}},
			"10:1 " + aName + " amount=0 cap=0", ""},
		{"premine and an offset end of 0", []step{
			{stone: etch(Etching{Premine: new(big(1111)), Terms: &Terms{Amount: &k, OffsetEnd: new(uint64(0))}},
				edict(z, big(1111), 0)), outs: "pr"},
			{at: 11, stone: mint(x), outs: "ppr"}},
			"10:1 " + aName + " premine=1111 amount=1000 cap=0", "a/0 10:1=1111"},
	}
}

// windowCases returns cases that mint at two heights, of which the terms allow one.
func windowCases() []referenceCase {
	window := func(name string, early, late int64, minted string, set func(*Terms)) referenceCase {
		terms := thousand()
		set(&terms)
		steps := []step{{stone: etch(open(terms)), outs: "pr"}, {at: early, stone: mint(x), outs: "pr"},
			{at: late, stone: mint(x), outs: "pr"}}
		return referenceCase{name, steps, "10:1 " + aName + thousandText + " mints=1", minted + "/0 10:1=1000"}
	}
	n := func(v uint64) *uint64 { return &v }
	return []referenceCase{
		window("offset end", 11, 12, "b", func(t *Terms) { t.OffsetEnd = n(2) }),
		window("offset start", 11, 12, "c", func(t *Terms) { t.OffsetStart = n(2) }),
		window("height start", 11, 12, "c", func(t *Terms) { t.HeightStart = n(12) }),
		window("height end", 11, 12, "b", func(t *Terms) { t.HeightEnd = n(12) }),
		window("offset end before height end", 11, 12, "b", func(t *Terms) { t.HeightEnd, t.OffsetEnd = n(100), n(2) }),
		window("height end before offset end", 11, 12, "b", func(t *Terms) { t.HeightEnd, t.OffsetEnd = n(12), n(100) }),
		window("height start after offset start", 12, 14, "c", func(t *Terms) { t.HeightStart, t.OffsetStart = n(13), n(1) }),
		window("offset start after height start", 12, 14, "c", func(t *Terms) { t.HeightStart, t.OffsetStart = n(11), n(3) }),
	}
}
