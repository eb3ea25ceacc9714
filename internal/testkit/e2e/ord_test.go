package e2e

import (
	"bytes"
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// ordVariable is the environment variable with the path of ord.
const ordVariable = "MOONFUND_ORD"

// TestAgreesWithOrd compares the rune index of a small random chain with ord's: every entry, balance and burned amount.
// The server follows the chain through 50 reorgs of 1 to 6 blocks, outputs share lists of 32 runes and more, and
// cenotaphs etch. Without ord, the index is compared only with that of a server that saw no reorg. `make bench-ord`
// compares larger chains. The required minimums, below the numbers of the seed, exclude that the indexes are equal
// because they are empty.
func TestAgreesWithOrd(t *testing.T) {
	profile := ordProfile{blocks: 250, transactions: 30, mints: 10, transfers: 15, inputs: 1, gathers: 60}
	o := &ord{chain: mineOrdChain(t, profile)}
	f := follow(t, o.chain)
	f.reach(t, o.chain)
	for i := range 50 {
		o.chain.reorganize(profile, 1+i%deepest)
		f.reach(t, o.chain)
	}
	later := follow(t, o.chain)
	later.reach(t, o.chain)
	rows, lists := f.indexRows(t)
	want, _ := later.indexRows(t)
	if !slices.Equal(rows, want) {
		t.Errorf("after the reorgs the index has %d rows, without them %d, or they differ", len(rows), len(want))
	}
	if lists < 10 || len(rows) < 1000 || o.chain.cenotaphs < 10 {
		t.Errorf("too few to compare: %d rows, %d shared lists, %d etchings in cenotaphs", len(rows), lists,
			o.chain.cenotaphs)
	}
	later.stop()
	db := f.ledger(t)
	if !o.given() {
		t.Skip(ordVariable + " names no ord")
	}
	o.index(t, o.chain)
	c := o.compare(t, db)
	if c.runes < 50 || c.burned < 20 || c.minted < 35 || c.balances < 1000 {
		t.Errorf("too few to compare: %+v", c)
	}
}

// indexRows returns the rows of the rune index, and the number of lists that outputs share.
func (f *following) indexRows(t testing.TB) (all []string, lists int) {
	t.Helper()
	for i, query := range []string{"SELECT tx, balances FROM rune_list ORDER BY 1",
		"SELECT id, entry FROM rune_entry ORDER BY 1", "SELECT outpoint, balances FROM rune_balance ORDER BY 1"} {
		rows, err := f.db.Query(query)
		must(t, err)
		for rows.Next() {
			var key, value []byte
			must(t, rows.Scan(&key, &value))
			all = append(all, fmt.Sprintf("%x %x", key, value))
		}
		must(t, errors.Join(rows.Err(), rows.Close()))
		if i == 0 {
			lists = len(all)
		}
	}
	return all, lists
}

// ord is an instance of ord and a chain, on its own node.
type ord struct {
	chain     *seededChain
	directory string
}

// given reports whether the environment names ord.
func (o *ord) given() bool { return os.Getenv(ordVariable) != "" }

// usage is what a program needed.
type usage struct{ elapsed, processor time.Duration }

func (u usage) minus(other usage) usage {
	return usage{u.elapsed - other.elapsed, u.processor - other.processor}
}

// run runs a command of ord, and returns its output and processor time.
func (o *ord) run(t testing.TB, c *seededChain, arguments ...string) (output []byte, used usage) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Getenv(ordVariable), append([]string{"--regtest", "--index-runes",
		"--no-index-inscriptions", "--data-dir", o.directory, "--bitcoin-rpc-url", c.node.URL,
		"--cookie-file", c.node.CookieFile}, arguments...)...)
	var problem bytes.Buffer
	command.Stderr = &problem
	began := time.Now()
	output, err := command.Output()
	if err != nil {
		t.Fatalf("ord: %v: %s", err, problem.String())
	}
	return output, usage{time.Since(began), command.ProcessState.UserTime() + command.ProcessState.SystemTime()}
}

// index makes ord index a chain in an empty folder.
func (o *ord) index(t testing.TB, c *seededChain) usage {
	t.Helper()
	o.directory = t.TempDir()
	_, used := o.run(t, c, "index", "update")
	return used
}

// following is `moonfund serve` with a ledger that was empty when it started.
type following struct {
	*devServer
	address string  // of the ledger
	db      *sql.DB // the ledger, for reading

	began  time.Time
	before time.Duration // processor time of PostgreSQL then
}

// follow starts `moonfund serve` with an empty ledger on the node of a chain.
func follow(t testing.TB, c *seededChain) *following {
	t.Helper()
	f := &following{devServer: prepareDevServer(t)}
	f.address = "sqlite:" + filepath.Join(f.data, "ledger.db")
	if engine.Current() == engine.Postgres {
		f.database = testkit.NewDatabase(t)
		f.address = f.database
	}
	must(t, os.Mkdir(f.data, 0o700))
	key := filepath.Join(f.data, "keys.json")
	common := []string{"--network", "regtest", "--data", f.data, "--key", key, "--database", f.database, "--communities",
		manifest(t, `epoch_length = "3m"`, `epoch_length = "0s"`, "[rune]", "[rune]\nid = \"9999999:1\""),
		"--node-url", c.node.URL, "--node-cookie", c.node.CookieFile}
	for _, arguments := range [][]string{{"key", "new", key}, append([]string{"init", "--yes"}, common...)} {
		if output, err := f.command(arguments...).CombinedOutput(); err != nil {
			t.Fatalf("moonfund %s: %v: %s", arguments[0], err, output)
		}
	}
	f.db = engine.Connect(t, f.address)
	f.before, f.began = engine.ProcessorTime(), time.Now()
	f.begin(f.command(append([]string{"serve", "--domain", "localhost", "--listen",
		fmt.Sprintf("127.0.0.1:%d", f.port)}, common...)...))
	return f
}

// reach waits until the ledger has the last block of a chain, and returns what the server needed from its start.
func (f *following) reach(t testing.TB, c *seededChain) usage {
	t.Helper()
	for tip, began := "", time.Now(); tip != c.prev.String(); time.Sleep(5 * time.Millisecond) {
		must(t, f.db.QueryRow(`SELECT COALESCE((SELECT hash FROM block ORDER BY height DESC LIMIT 1), '')`).Scan(&tip))
		if len(f.ended) > 0 || time.Since(began) > patience {
			t.Fatalf("the ledger's tip is %q, want block %d, %s\n%s", tip, c.height, c.prev, f.tail())
		}
	}
	return usage{time.Since(f.began), engine.ProcessTime(f.process.Process.Pid) + engine.ProcessorTime() - f.before}
}

// memory returns the largest amount of memory that the server had.
func (f *following) memory(t testing.TB) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.process.Process.Pid))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if most, found := strings.CutPrefix(line, "VmHWM:"); found {
			return strings.TrimSpace(most)
		}
	}
	return ""
}

// ledger stops the server and opens its ledger.
func (f *following) ledger(t testing.TB) *store.Store {
	t.Helper()
	f.stop()
	db, err := store.Open(t.Context(), f.address)
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
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
	output, _ := o.run(t, o.chain, "runes")
	must(t, json.Unmarshal(output, &theirs))
	var piles struct {
		Runes map[string]map[string]struct{ Amount json.Number }
	}
	output, _ = o.run(t, o.chain, "balances")
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
