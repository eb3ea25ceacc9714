package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit/corenode"
	"moonfund/internal/testkit/engine"
)

// ordVariable is the environment variable with the path of ord.
const ordVariable = "MOONFUND_ORD"

// TestAgreesWithOrd compares the rune index of a small random chain with ord's: every entry, balance and burned amount.
// `make bench-ord` does the same with larger chains. The required minimums, below the numbers of the seed, exclude that
// the indexes are equal because they are empty.
func TestAgreesWithOrd(t *testing.T) {
	o := newOrd(t, ordProfile{blocks: 250, transactions: 30, mints: 10, transfers: 15, inputs: 1})
	o.index(t)
	c := o.compare(t, o.follow(t).Store)
	if c.runes < 50 || c.burned < 20 || c.minted < 35 || c.balances < 1000 {
		t.Errorf("too few to compare: %+v", c)
	}
}

// ord is an instance of ord on its own node.
type ord struct {
	node      *corenode.Node
	chain     *seededChain
	directory string
}

func newOrd(t testing.TB, p ordProfile) *ord {
	t.Helper()
	if os.Getenv(ordVariable) == "" {
		t.Skip(ordVariable + " names no ord")
	}
	node := corenode.New(t, "-maxtipage=1000000000", "-rest")
	node.Start()
	return &ord{node, mineOrdChain(t, node, p), t.TempDir()}
}

// run runs a command of ord, and returns its output and processor time.
func (o *ord) run(t testing.TB, arguments ...string) (output []byte, processor time.Duration) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Getenv(ordVariable), append([]string{"--regtest", "--index-runes",
		"--no-index-inscriptions", "--data-dir", o.directory, "--bitcoin-rpc-url", o.node.URL,
		"--cookie-file", o.node.CookieFile}, arguments...)...)
	var problem bytes.Buffer
	command.Stderr = &problem
	output, err := command.Output()
	if err != nil {
		t.Fatalf("ord: %v: %s", err, problem.String())
	}
	return output, command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}

// index makes ord index the chain in an empty folder.
func (o *ord) index(t testing.TB) (elapsed, processor time.Duration) {
	t.Helper()
	o.directory = t.TempDir()
	began := time.Now()
	_, processor = o.run(t, "index", "update")
	return time.Since(began), processor
}

// follow makes a server with an empty ledger follow the chain.
func (o *ord) follow(t testing.TB) ledgerFile {
	t.Helper()
	l := opened(t, engine.New(t, nil))
	client := o.node.Client()
	defer client.Close()
	config := l.Follower.Config
	config.Node, config.Start, config.Lead, config.Audit, config.Inspect = client, 0, nil, nil, nil
	config.Transact = func(ctx context.Context, fn func(follower.Tx) error) error {
		return l.Store.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
	}
	f := follower.New(config)
	_, err := f.Step(t.Context())
	must(t, err)
	if tip := f.State().Tip.Height; tip != o.chain.height {
		t.Fatalf("the follower's tip is block %d of %d", tip, o.chain.height)
	}
	return l
}

// ordEntry is a rune in the answer of `ord runes`. Amounts can exceed 64 bits.
type ordEntry struct {
	ID           string
	Etching      string
	Rune         string
	Divisibility uint8
	Symbol       *string
	Premine      json.Number
	Mints        json.Number
	Burned       json.Number
	Supply       json.Number
	Number       uint64
	Timestamp    time.Time
	Turbo        bool
	Terms        *struct {
		Amount, Cap    *json.Number
		Height, Offset [2]*uint64
	}
}

// text returns all fields of an entry, for comparison.
func (e ordEntry) text() string {
	terms := "none"
	if e.Terms != nil {
		terms = fmt.Sprint(shown(e.Terms.Amount), shown(e.Terms.Cap), shown(e.Terms.Height[0]), shown(e.Terms.Height[1]),
			shown(e.Terms.Offset[0]), shown(e.Terms.Offset[1]))
	}
	return fmt.Sprintln(e.ID, e.Etching, e.Rune, e.Divisibility, shown(e.Symbol), "premine", e.Premine, "mints", e.Mints,
		"burned", e.Burned, "supply", e.Supply, "number", e.Number, e.Timestamp.Unix(), e.Turbo, "terms", terms)
}

func shown[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

// entryText returns our entry in the form of ordEntry.text.
func entryText(e runes.Entry) string {
	terms := "none"
	if e.Terms != nil {
		terms = fmt.Sprint(shown(e.Terms.Amount), shown(e.Terms.Cap), shown(e.Terms.HeightStart), shown(e.Terms.HeightEnd),
			shown(e.Terms.OffsetStart), shown(e.Terms.OffsetEnd))
	}
	var symbol *string
	if e.Symbol != nil {
		symbol = new(string(*e.Symbol))
	}
	return fmt.Sprintln(e.ID, e.Etching, e.SpacedName(), e.Divisibility, shown(symbol), "premine", e.Premine, "mints",
		e.Mints, "burned", e.Burned, "supply", e.Supply(), "number", e.Number, e.Timestamp, e.Turbo, "terms", terms)
}

// compared counts the content of two equal indexes.
type compared struct {
	runes, burned, minted int // entries, entries with a burned amount, and minted entries
	balances              int
}

// compare compares both indexes.
func (o *ord) compare(t testing.TB, db *store.Store) (c compared) {
	t.Helper()
	var theirs struct{ Runes map[string]ordEntry }
	output, _ := o.run(t, "runes")
	must(t, json.Unmarshal(output, &theirs))
	var piles struct {
		Runes map[string]map[string]struct{ Amount json.Number }
	}
	output, _ = o.run(t, "balances")
	must(t, json.Unmarshal(output, &piles))
	wanted := map[string]string{}
	for _, entry := range theirs.Runes {
		wanted["rune "+entry.ID] = entry.text()
		c.count(entry)
	}
	for name, outputs := range piles.Runes {
		for out, pile := range outputs {
			wanted[name+" on "+out] = pile.Amount.String()
		}
	}
	have := indexTexts(t, db, slices.Sorted(maps.Keys(theirs.Runes)))
	for key, want := range wanted {
		if have[key] != want {
			t.Errorf("%s: ord has %s, the ledger %s", key, want, cmp.Or(have[key], "nothing"))
		}
	}
	for key, got := range have {
		if _, known := wanted[key]; !known {
			t.Errorf("%s: ord has nothing, the ledger %s", key, got)
		}
	}
	c.balances = len(wanted) - c.runes
	return c
}

// count counts an entry.
func (c *compared) count(e ordEntry) {
	c.runes++
	if e.Burned != "0" {
		c.burned++
	}
	if e.Mints != "0" {
		c.minted++
	}
}

// indexTexts returns the entries of these names and all balances of a ledger in the form that compare uses.
func indexTexts(t testing.TB, db *store.Store, names []string) map[string]string {
	texts := map[string]string{}
	must(t, db.View(t.Context(), func(tx *store.Tx) error {
		index := tx.Runes(t.Context())
		for _, text := range names {
			name, err := runes.ParseName(text)
			must(t, err)
			if entry, exists, err := index.RuneEntryByName(name); err != nil {
				return err
			} else if exists {
				texts["rune "+entry.ID.String()] = entryText(entry)
			}
		}
		counters, err := index.RuneCounters()
		if err == nil && counters.Runes != uint64(len(names)) {
			t.Errorf("the ledger has %d runes, ord %d", counters.Runes, len(names))
		}
		must(t, err)
		var outputs []wire.OutPoint
		must(t, tx.EachRuneOutput(t.Context(), func(out wire.OutPoint) { outputs = append(outputs, out) }))
		for _, out := range outputs {
			held, err := runes.BalancesOf(index, out)
			if err != nil {
				return err
			}
			for _, balance := range held {
				entry, _, err := index.RuneEntry(balance.ID)
				must(t, err)
				texts[strings.Join([]string{entry.SpacedName().String(), "on", out.String()}, " ")] = balance.Amount.String()
			}
		}
		return nil
	}))
	return texts
}
