package runes

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
)

// TestCommitments etches firstName with valid and invalid commitments.
func TestCommitments(t *testing.T) {
	push := appendPush(nil, firstName.Commitment())
	control := []byte{0xc0}
	annex := []byte{annexPrefix, 1}
	cases := []struct {
		name    string
		script  []byte // of the committing output
		age     int64  // height of the etching minus height of the commitment
		witness wire.TxWitness
		etches  bool
		asks    int // number of lookups of the committing output
	}{
		{"six confirmations", taproot, 5, wire.TxWitness{push, control}, true, 1},
		{"many confirmations", taproot, 50, wire.TxWitness{push, control}, true, 1},
		{"five confirmations", taproot, 4, wire.TxWitness{push, control}, false, 1},
		{"same block", taproot, 0, wire.TxWitness{push, control}, false, 0},
		{"not taproot", payTo, 5, wire.TxWitness{push, control}, false, 1},
		{"no commitment", taproot, 5, wire.TxWitness{{0x00}, control}, false, 0},
		{"key path", taproot, 5, wire.TxWitness{make([]byte, 64)}, false, 0},
		{"no witness", taproot, 5, nil, false, 0},
		{"another name", taproot, 5, wire.TxWitness{appendPush(nil, Name(big(5)).Commitment()), control}, false, 0},
		{"malformed leaf script", taproot, 5, wire.TxWitness{{0x4e}, control}, false, 0},
		{"malformed before the push", taproot, 5, wire.TxWitness{append([]byte{0x4e, 0xff, 0xff, 0xff, 0x7f}, push...),
			control}, false, 0},
		{"malformed after the push", taproot, 5, wire.TxWitness{append(slices.Clone(push), 0x4e), control}, true, 1},
		{"among other opcodes", taproot, 5, wire.TxWitness{slices.Concat([]byte{0x51}, push, []byte{0x75, 0x51}), control},
			true, 1},
		{"annex", taproot, 5, wire.TxWitness{push, control, annex}, true, 1},
		{"annex and nothing else", taproot, 5, wire.TxWitness{push, annex}, false, 0},
		{"leaf script not next to the control block", taproot, 5, wire.TxWitness{push, {1}, control}, false, 0},
		{"push longer than needed", taproot, 5, wire.TxWitness{slices.Concat([]byte{0x4d, 8, 0}, firstName.Commitment()),
			control}, true, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.mineTo(9)
			commit := w.tx(nil, payTo, c.script)
			stone, err := etch(premine(big(7))).Script()
			if err != nil {
				t.Fatal(err)
			}
			reveal := w.tx(nil, payTo, stone)
			reveal.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: commit.TxHash(), Index: 1}, Witness: c.witness})
			if c.age == 0 {
				w.mine(commit, reveal)
			} else {
				w.mine(commit)
				w.mineTo(9 + c.age)
				w.mine(reveal)
			}
			if got := len(w.store.entries) == 1; got != c.etches {
				t.Errorf("etched: %t", got)
			}
			if w.asked != c.asks {
				t.Errorf("%d lookups, want %d", w.asked, c.asks)
			}
			w.checkUndo()
		})
	}
}

// TestFailingCommitments checks that a failed lookup leaves the store unchanged.
func TestFailingCommitments(t *testing.T) {
	w := newWorld(t)
	before := snapshot(w.store)
	stone, err := etch(premine(big(7))).Script()
	if err != nil {
		t.Fatal(err)
	}
	unnamed, err := (Runestone{Etching: &Etching{}}).Script()
	if err != nil {
		t.Fatal(err)
	}
	reveal := w.tx(nil, payTo, stone)
	reveal.AddTxIn(&wire.TxIn{Witness: wire.TxWitness{appendPush(nil, firstName.Commitment()), {0xc0}}})
	block := chain.Block{Height: 20, Txs: []chain.Tx{chain.NewTx(w.tx(nil, payTo, unnamed)), chain.NewTx(reveal)}}
	if _, err := w.rules.Apply(context.Background(), w.store, w, block); !errors.Is(err, errNoOut) {
		t.Errorf("error %v, want errNoOut", err)
	}
	if !same(w.store, before) {
		t.Error("the failed block changed the store")
	}
}

// TestOneBlock etches two runes, mints and moves one of them, and reuses a name, all in one block.
func TestOneBlock(t *testing.T) {
	w := newWorld(t)
	k := big(1000)
	carry := func(r *Runestone) []byte {
		s, err := r.Script()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := w.tx(nil, payTo, carry(etch(Etching{Premine: &k, Terms: new(thousand())})))
	w.commit(first, firstName)
	again := w.tx(nil, payTo, carry(etch(premine(k))))
	w.commit(again, firstName)
	w.mineTo(9)
	second := w.tx(nil, payTo, carry(&Runestone{Etching: &Etching{Premine: &k}}))
	minted := w.tx(nil, payTo, carry(mint(ID{10, 1})))
	moved := w.tx([]wire.OutPoint{{Hash: first.TxHash()}, {Hash: minted.TxHash()}}, payTo, payTo,
		carry(edicts(edict(ID{10, 1}, big(300), 1))))
	allocated := w.mine(first, again, second, minted, moved)

	names := map[string]*wire.MsgTx{"f": first, "s": second, "t": minted, "m": moved}
	want := "f/0 10:1=1000 | m/0 10:1=1700 | m/1 10:1=300 | s/0 10:3=1000 | t/0 10:1=1000"
	all := *w
	all.store = NewMemory()
	for txid, outputs := range allocated {
		for vout, holding := range outputs {
			if !holding.isEmpty() {
				all.store.balances[wire.OutPoint{Hash: txid, Index: uint32(vout)}] = holding
			}
		}
	}
	if got := strings.Join(all.holdings(names), " | "); got != want {
		t.Errorf("got allocations %s", got)
	}
	want = "m/0 10:1=1700 | m/1 10:1=300 | s/0 10:3=1000"
	if got := strings.Join(w.holdings(names), " | "); got != want {
		t.Errorf("holdings %s", got)
	}
	want = "10:1 " + aName + " premine=1000" + thousandText + " mints=1 | 10:3 " + ReservedName(ID{10, 3}).String() +
		" #1 premine=1000"
	if got := strings.Join(w.entries(), " | "); got != want {
		t.Errorf("entries %s", got)
	}
	if c := w.store.counters; c != (Counters{Runes: 2, Reserved: 1}) {
		t.Errorf("counters %+v", c)
	}
	w.checkUndo()
}

func TestGenesisRune(t *testing.T) {
	w := newWorld(t)
	mainnet, err := chain.NetworkByName("mainnet")
	if err != nil {
		t.Fatal(err)
	}
	w.rules = RulesFor(mainnet)
	w.height = 839_998
	script, err := mint(ID{1, 0}).Script()
	if err != nil {
		t.Fatal(err)
	}
	unnamed, err := (Runestone{Etching: &Etching{Premine: &biggest}}).Script()
	if err != nil {
		t.Fatal(err)
	}
	early, first := w.tx(nil, payTo, unnamed), w.tx(nil, payTo, script)
	w.mine(early)
	if len(w.store.entries) != 0 {
		t.Error("a rune was etched before the first rune height")
	}
	w.mine(first)
	if got := strings.Join(w.entries(), ""); got != "1:0 UNCOMMON•GOODS symbol=⧉ amount=1 cap=MAX mints=1 turbo" {
		t.Error(got)
	}
	if got := strings.Join(w.holdings(map[string]*wire.MsgTx{"a": first}), ""); got != "a/0 1:0=1" {
		t.Error(got)
	}
	w.checkUndo()
}

// TestFollow limits the index to one of two runes.
func TestFollow(t *testing.T) {
	w := newWorld(t)
	w.rules.Follow = map[ID]bool{y: true}
	stone, err := (Runestone{Etching: &Etching{Premine: &biggest, Terms: new(Terms{})}}).Script()
	if err != nil {
		t.Fatal(err)
	}
	a, b := w.tx(nil, payTo, stone), w.tx(nil, payTo, stone)
	w.mineTo(9)
	w.mine(a)
	w.mineTo(19)
	w.mine(b)
	both := w.tx([]wire.OutPoint{{Hash: a.TxHash()}, {Hash: b.TxHash()}}, payTo)
	w.mine(both)
	want := "20:1 " + ReservedName(y).String() + " premine=MAX amount=0 cap=0"
	if got := strings.Join(w.entries(), " | "); got != want {
		t.Errorf("entries %s", got)
	}
	if got := strings.Join(w.holdings(map[string]*wire.MsgTx{"c": both}), " | "); got != "c/0 20:1=MAX" {
		t.Errorf("holdings %s", got)
	}
	w.checkUndo()
}

// node is a chain of three blocks whose tip changes between calls.
type node struct {
	tips  []chainhash.Hash // results of Best; the last one repeats
	tx    chain.Tx
	depth int64
}

func (n *node) Best(context.Context) (chainhash.Hash, int64, error) {
	tip := n.tips[0]
	if len(n.tips) > 1 {
		n.tips = n.tips[1:]
	}
	return tip, 100 + int64(tip[0]), nil
}

// BlockHash returns the same hash for every height of the chain.
func (n *node) BlockHash(_ context.Context, height int64) (chainhash.Hash, error) {
	if height > 100 {
		return chainhash.Hash{}, chain.ErrUnknown
	}
	return chainhash.Hash{7}, nil
}

func (n *node) Tx(_ context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	if id != n.tx.ID {
		return chain.Tx{}, chain.Status{}, chain.ErrUnknown
	}
	return n.tx, chain.Status{Confirmations: n.depth}, nil
}

func TestNodeCommitments(t *testing.T) {
	tx := wire.NewMsgTx(2)
	tx.AddTxOut(wire.NewTxOut(1, taproot))
	n := &node{tips: []chainhash.Hash{{1}, {2}, {2}}, tx: chain.NewTx(tx), depth: 6}
	c := NodeCommitments{Node: n, Height: 100, Hash: chainhash.Hash{7}}
	script, height, err := c.CommitOutput(context.Background(), wire.OutPoint{Hash: n.tx.ID})
	if err != nil || !slices.Equal(script, taproot) || height != 97 {
		t.Errorf("%x at %d, %v", script, height, err)
	}
	if _, _, err := c.CommitOutput(context.Background(), wire.OutPoint{}); !errors.Is(err, chain.ErrUnknown) {
		t.Errorf("unknown transaction: %v", err)
	}
	if _, _, err := c.CommitOutput(context.Background(), wire.OutPoint{Hash: n.tx.ID, Index: 1}); err == nil {
		t.Error("CommitOutput found an output that does not exist")
	}
	for _, other := range []NodeCommitments{{n, 100, chainhash.Hash{8}}, {n, 101, chainhash.Hash{7}}} {
		_, _, err := other.CommitOutput(context.Background(), wire.OutPoint{Hash: n.tx.ID})
		if !errors.Is(err, ErrOtherBranch) {
			t.Errorf("for a block of another branch: %v", err)
		}
	}
	n.depth = 0
	if _, _, err := c.CommitOutput(context.Background(), wire.OutPoint{Hash: n.tx.ID}); err == nil {
		t.Error("CommitOutput found an unconfirmed commitment")
	}
}

func TestEntryTimestampAndEncoding(t *testing.T) {
	w := newWorld(t)
	e := Etching{Premine: new(uint128.Zero), Divisibility: new(uint8(38)), Symbol: new('🌕'), Spacers: new(uint32(5)),
		Terms: &Terms{Amount: new(uint128.Zero), Cap: &biggest, HeightStart: new(uint64(0)), OffsetEnd: new(uint64(1 << 63))},
		Turbo: true}
	stone, err := (Runestone{Etching: &e}).Script()
	if err != nil {
		t.Fatal(err)
	}
	tx := w.tx(nil, payTo, stone)
	w.mine(tx)
	got := w.store.entries[ID{1, 1}]
	if got.Timestamp != time.Unix(1_000_001, 0).Unix() || got.Etching != tx.TxHash() {
		t.Errorf("%+v", got)
	}
	var data writer
	data.entry(got)
	r := reader{rest: data}
	if back := r.entry(); r.end() != nil || line(back) != line(got) || *back.Terms.OffsetEnd != 1<<63 ||
		back.Terms.HeightEnd != nil {
		t.Errorf("%+v %v", back, r.end())
	}
	for n := range data {
		r = reader{rest: data[:n]}
		if r.entry(); !errors.Is(r.end(), ErrEncoding) {
			t.Errorf("%d of %d bytes: %v", n, len(data), r.end())
		}
	}
}

// *chain.Client implements ChainNode.
var _ ChainNode = (*chain.Client)(nil)
