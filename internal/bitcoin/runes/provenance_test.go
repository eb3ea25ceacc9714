package runes

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"pgregory.net/rapid"

	"moonfund/internal/bitcoin/chain"
)

// mined is a Node with the blocks of a world.
type mined struct {
	*world
	looked int // number of transactions looked up
}

func (m *mined) Best(context.Context) (hash chainhash.Hash, height int64, err error) {
	return hash, m.height, nil
}

func (m *mined) Tx(_ context.Context, id chainhash.Hash) (chain.Tx, chain.Status, error) {
	m.looked++
	for _, block := range m.blocks {
		for _, tx := range block.Txs {
			if tx.ID == id {
				return tx, chain.Status{Confirmations: m.height - block.Height + 1}, nil
			}
		}
	}
	return chain.Tx{}, chain.Status{}, chain.ErrUnknown
}

func (w *world) provenance() Provenance {
	return Provenance{Rules: w.rules, Entries: w.store, Node: &mined{world: w}, Limit: ProvenanceLimit}
}

// untracked returns the indexes of the outputs that may hold untracked runes.
func (w *world) untracked(tx *wire.MsgTx) string {
	w.t.Helper()
	untracked, err := w.provenance().UntrackedOutputs(w.t.Context(), chain.NewTx(tx))
	if err != nil {
		w.t.Fatal(err)
	}
	var at []string
	for i, isUntracked := range untracked {
		if isUntracked {
			at = append(at, string(rune('0'+i)))
		}
	}
	return strings.Join(at, " ")
}

// followingX returns a world with the runes x, etched at 10:1, and y, etched at 20:1. Its index follows only x. Output
// 0 of tainted holds y.
func followingX(t *testing.T) (w *world, tainted *wire.MsgTx) {
	w = newWorld(t)
	w.rules = w.rules.Only(x)
	etches := func() *wire.MsgTx {
		return w.tx(nil, payTo, carrying(t, Runestone{Etching: &Etching{Premine: &biggest, Terms: &Terms{}}}), payTo)
	}
	w.mineTo(9)
	followed := etches()
	w.mine(followed)
	if got := w.untracked(followed); got != "" {
		t.Errorf("untracked outputs of the etching of the followed rune: %q, want none", got)
	}
	w.mineTo(19)
	tainted = etches()
	w.mine(tainted)
	return w, tainted
}

func carrying(t testing.TB, r Runestone) []byte {
	t.Helper()
	script, err := r.Script()
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// TestUntrackedOutputs checks the outputs to which runestones of many shapes can send untracked runes, for inputs with
// and without untracked runes.
func TestUntrackedOutputs(t *testing.T) {
	out := func(n uint32) *uint32 { return &n }
	for name, c := range map[string]struct {
		stone *Runestone // nil: none
		want  string     // untracked outputs; output 2 is the runestone, the others pay
	}{
		"no runestone":                      {nil, "0"},
		"an empty one":                      {&Runestone{}, "0"},
		"a pointer":                         {&Runestone{Pointer: out(3)}, "3"},
		"a pointer that burns":              {&Runestone{Pointer: out(2)}, ""},
		"an edict on the followed rune":     {&Runestone{Edicts: []Edict{{x, big(5), 1}}}, "0"},
		"an edict on another":               {&Runestone{Edicts: []Edict{{y, big(5), 1}}}, "0 1"},
		"an edict on another that burns it": {&Runestone{Edicts: []Edict{{y, big(0), 2}}}, "0"},
		"another for every output":          {&Runestone{Edicts: []Edict{{y, big(0), 5}}, Pointer: out(2)}, "0 1 3 4"},
		"a mint of another":                 {&Runestone{Mint: &y, Pointer: out(1)}, "1"},
		"a mint of the followed rune":       {&Runestone{Mint: &x}, "0"},
		"an etching": {&Runestone{Etching: &Etching{Premine: &biggest},
			Edicts: []Edict{{ID{}, big(5), 4}}}, "0 4"},
		"nothing of its own": {&Runestone{Edicts: []Edict{{ID{}, big(5), 4}}}, "0"},
		"a cenotaph":         {&Runestone{Pointer: out(9)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, tainted := followingX(t)
			scripts := [][]byte{payTo, payTo, {opReturn}, payTo, payTo}
			if c.stone != nil {
				scripts[2] = carrying(t, *c.stone)
			}
			spends := w.tx([]wire.OutPoint{{Hash: tainted.TxHash()}}, scripts...)
			if got := w.untracked(spends); got != c.want {
				t.Errorf("untracked outputs %q, want %q", got, c.want)
			}
			clear := w.tx([]wire.OutPoint{{Hash: tainted.TxHash(), Index: 2}}, scripts...)
			want := ""
			if c.stone != nil && (c.stone.Etching != nil || c.stone.Mint == &y) {
				want = c.want // the transaction creates an untracked rune
			}
			if got := w.untracked(clear); got != want {
				t.Errorf("untracked outputs with clean inputs %q, want %q", got, want)
			}
		})
	}
}

// TestOrigins checks that the search for the origin of the inputs ends at coinbases, known outputs, the first rune
// height and the limit.
func TestOrigins(t *testing.T) {
	w, tainted := followingX(t)
	coinbase := w.tx([]wire.OutPoint{{Index: math.MaxUint32}}, payTo)
	minting := w.tx([]wire.OutPoint{{Index: math.MaxUint32}}, payTo, carrying(t, Runestone{Mint: &y}))
	if got := w.untracked(coinbase) + w.untracked(minting); got != "0" {
		t.Errorf("untracked outputs of a coinbase and of a coinbase that mints: %q, want \"0\"", got)
	}
	chained := func(from *wire.MsgTx, index uint32, links int) *wire.MsgTx {
		for range links {
			w.mine(from)
			from, index = w.tx([]wire.OutPoint{{Hash: from.TxHash(), Index: index}}, payTo), 0
		}
		return from
	}
	if got := w.untracked(chained(coinbase, 0, ProvenanceLimit)); got != "" {
		t.Errorf("a chain of transactions at the limit: %q, want none", got)
	}
	far := chained(w.tx(nil, payTo), 0, ProvenanceLimit+1)
	if got := w.untracked(far); got != "0" {
		t.Errorf("a chain of transactions beyond the limit: %q, want 0", got)
	}
	p := w.provenance()
	near := far.TxIn[0].PreviousOutPoint
	p.Known = func(_ context.Context, out wire.OutPoint) (bool, error) { return out == near, nil }
	if untracked, err := p.UntrackedOutputs(t.Context(), chain.NewTx(far)); err != nil || untracked[0] {
		t.Errorf("an input that is known to be clean: %v, %v", untracked, err)
	}
	p = w.provenance()
	p.Rules.FirstHeight = w.height - 50
	if untracked, err := p.UntrackedOutputs(t.Context(), chain.NewTx(far)); err != nil || untracked[0] {
		t.Errorf("an ancestor before the first rune: %v, %v", untracked, err)
	}
	late := w.tx([]wire.OutPoint{{Hash: tainted.TxHash()}}, payTo)
	if got := w.untracked(chained(late, 0, 5)); got != "0" {
		t.Errorf("an ancestor with an untracked rune: %q, want 0", got)
	}
}

// TestOriginMissing checks that an ancestor that the node does not have, and a failed lookup, prove no output clean.
func TestOriginMissing(t *testing.T) {
	w, tainted := followingX(t)
	lost := chain.NewTx(w.tx([]wire.OutPoint{{Hash: w.tx(nil, payTo).TxHash()}}, payTo, payTo))
	untracked, err := w.provenance().UntrackedOutputs(t.Context(), lost)
	if !errors.Is(err, chain.ErrUnknown) || !slices.Equal(untracked, []bool{true, false}) {
		t.Errorf("%v, %v", untracked, err)
	}
	w.mine(lost.Msg)
	p := w.provenance()
	if isUntracked, err := p.Untracked(t.Context(), wire.OutPoint{Hash: lost.ID, Index: 1}); err != nil || isUntracked {
		t.Errorf("an output that receives no runes: %t, %v; want false", isUntracked, err)
	}
	for _, index := range []uint32{0, 9} {
		isUntracked, err := p.Untracked(t.Context(), wire.OutPoint{Hash: tainted.TxHash(), Index: index})
		if err != nil || !isUntracked {
			t.Errorf("output %d: %t, %v", index, isUntracked, err)
		}
	}
	p.Known = func(context.Context, wire.OutPoint) (bool, error) { return false, errNoOut }
	spends := chain.NewTx(w.tx([]wire.OutPoint{{}}, payTo))
	if _, err := p.UntrackedOutputs(t.Context(), spends); !errors.Is(err, errNoOut) {
		t.Errorf("%v", err)
	}
	if _, err := p.Untracked(t.Context(), wire.OutPoint{}); !errors.Is(err, errNoOut) {
		t.Errorf("%v", err)
	}
}

// TestPartialIndexIsSound compares a partial index with a full one over random blocks: it has the same state of the
// runes that it follows, and no output with another rune is ever proved clean.
func TestPartialIndexIsSound(t *testing.T) {
	clear, bearing := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		var coins []wire.OutPoint
		for range rapid.IntRange(1, 10).Draw(rt, "blocks") {
			var txs []*wire.MsgTx
			for i := range rapid.IntRange(0, 5).Draw(rt, "transactions") {
				tx := w.randomTx(rt, coins, ID{uint64(w.height) + 1, uint32(i + 1)})
				coins = slices.DeleteFunc(coins, func(o wire.OutPoint) bool {
					return slices.ContainsFunc(tx.TxIn, func(in *wire.TxIn) bool { return in.PreviousOutPoint == o })
				})
				for vout := range tx.TxOut {
					coins = append(coins, wire.OutPoint{Hash: tx.TxHash(), Index: uint32(vout)})
				}
				txs = append(txs, tx)
			}
			w.mine(txs...)
		}
		rules := w.rules.Only(ID{9999, 9})
		for id := range w.store.entries {
			if rapid.Bool().Draw(rt, "followed") {
				rules.Follow[id] = true
			}
		}
		part := NewMemory()
		all := NewMemory()
		for _, block := range w.blocks {
			got, err := rules.Apply(t.Context(), part, w, block)
			if err != nil {
				rt.Fatal(err)
			}
			full, err := w.rules.Apply(t.Context(), all, w, block)
			if err != nil {
				rt.Fatal(err)
			}
			p := Provenance{Rules: rules, Entries: part, Node: &mined{world: w}, Limit: ProvenanceLimit}
			for _, tx := range block.Txs {
				untracked, err := p.UntrackedOutputs(t.Context(), tx)
				if err != nil {
					rt.Fatal(err)
				}
				for i, isUntracked := range untracked {
					out := wire.OutPoint{Hash: tx.ID, Index: uint32(i)}
					var followed []Balance
					for _, b := range full.To(out) {
						if rules.follows(b.ID) {
							followed = append(followed, b)
						} else if bearing++; !isUntracked {
							rt.Fatalf("output %s holds %s but counts as clean", out, b.ID)
						}
					}
					if !slices.Equal(followed, got.To(out)) {
						rt.Fatalf("output %s: %v, by the full index %v", out, got.To(out), full.To(out))
					}
					if !isUntracked {
						clear++
					}
				}
			}
		}
	})
	if clear == 0 || bearing == 0 {
		t.Errorf("%d clean outputs and %d with untracked runes, want some of both", clear, bearing)
	}
}

// TestStart checks that a partial index starts 144 blocks before the first rune that it follows.
func TestStart(t *testing.T) {
	mainnet, err := chain.NetworkByName("mainnet")
	if err != nil {
		t.Fatal(err)
	}
	regtest := newWorld(t).rules
	for _, c := range []struct {
		rules Rules
		want  int64
	}{
		{regtest, 1},
		{regtest.Only(ID{10, 1}), 1},
		{regtest.Only(ID{500, 1}, ID{400, 7}), 256},
		{RulesFor(mainnet), 840_000},
		{RulesFor(mainnet).Only(ID{1, 0}), 840_000},
		{RulesFor(mainnet).Only(ID{840_010, 1}), 840_000},
		{RulesFor(mainnet).Only(ID{900_000, 3}), 899_856},
	} {
		if got := c.rules.Start(); got != c.want {
			t.Errorf("%v starts at %d, want %d", c.rules.Follow, got, c.want)
		}
	}
}

// TestEtched checks that Etched returns an error for an id that is not the id of an etching.
func TestEtched(t *testing.T) {
	w, tainted := followingX(t)
	block := w.blocks[19]
	if txid, err := w.rules.Etched(y, block); err != nil || txid != tainted.TxHash() {
		t.Errorf("%s, %v", txid, err)
	}
	for _, c := range []struct {
		id   ID
		want string
	}{{ID{20, 0}, "etches no rune"}, {ID{20, 2}, "block 20 has only 2 transactions"}} {
		if _, err := w.rules.Etched(c.id, block); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.id, err)
		}
	}
	mainnet, _ := chain.NetworkByName("mainnet")
	if _, err := RulesFor(mainnet).Etched(ID{Block: 1}, chain.Block{}); err != nil {
		t.Errorf("the rune that exists from the start: %v", err)
	}
}
