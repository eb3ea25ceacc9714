package sim

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/epoch"
	"moonfund/etching"
	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/state"
	"moonfund/testkit"
	"moonfund/testkit/engine"
	"moonfund/testkit/sim/model"
)

// Plan says which life to live. With Kept only these of its steps are done.
type Plan struct {
	Seed  uint64
	Steps int
	Kept  []int // ascending; nil: all of them
	Runes bool  // the server mints and etches, too
}

// Outcome is what came of a life.
type Outcome struct {
	Plan
	Trace  string // the same for the same plan
	Broken string // what must never be, or ""
	At     int    // the step after which it was; Steps for the end
	Did    []string
	Faults map[Fault]int
	Orders map[[3]string]int // rows of the order table: from, event, to
	Units  map[[3]string]int // rows of the unit table
	Etched map[[3]string]int // rows of the mint and etch orders' table
}

// life is one life being lived.
type life struct {
	*testkit.World
	trial   *trial
	plan    Plan
	rng     *rand.Rand // of the step that is done
	truth   *testkit.Clock
	watch   *epoch.Clock // the server's, over a machine's clock that may jump
	line    line
	trouble *trouble
	skipped map[chainhash.Hash]bool // transactions that the server does not find in the mempool
	deposed *testkit.World          // a server that does not know yet that it leads no more

	model   *model.Model
	books   *sql.DB
	read    model.Books
	learned int    // of the node's transactions
	version string // of the database when it was read
	recheck bool   // the server's process ended
	synced  bool   // this step followed the chain to its end

	floor   int64 // height of the last block that stays
	signing []*signing
	cheats  []spend  // transactions that may be replaced
	backup  string   // address of an old copy of the database, or ""
	barred  []string // ids of orders whose payout may not be stored in this step

	ordered    []etching.Order // mints and etchings of which somebody was told
	runeOrders *model.RuneOrders
	etched     tally
	held       bool // the last look came in a pause of what sends money

	faults map[Fault]int
	stale  map[[3]string]int // rows of the unit table that a stale server met
	did    []string
	trace  hash.Hash
}

// Live lives a life to its end or to the first thing that must never be.
func Live(t testing.TB, past Past, plan Plan) (out Outcome) {
	tr := &trial{TB: t}
	defer tr.end()
	l := &life{
		trial: tr, plan: plan, trouble: &trouble{}, skipped: map[chainhash.Hash]bool{}, faults: map[Fault]int{},
		trace:  sha256.New(),
		etched: tally{},
	}
	out = Outcome{Plan: plan, At: -1}
	defer func() {
		reason := recover()
		if f, ended := reason.(failure); ended {
			out.Broken = f.text
		} else if reason != nil {
			out.Broken = fmt.Sprintf("panic: %v\n%s", reason, stack())
		}
		out.Trace, out.Did, out.Faults = hex.EncodeToString(l.trace.Sum(nil)), l.did, l.faults
	}()
	l.begin(past)
	for step := range plan.Steps {
		if plan.Kept != nil && !slices.Contains(plan.Kept, step) {
			continue
		}
		out.At = step
		l.rng = rand.New(rand.NewPCG(plan.Seed, uint64(step)))
		l.step(step)
	}
	out.At = plan.Steps
	l.rng = rand.New(rand.NewPCG(plan.Seed, uint64(plan.Steps)))
	l.heal()
	out.Orders, out.Units = l.rows()
	out.Etched = l.etched
	return out
}

// begin starts the server in the town.
func (l *life) begin(past Past) {
	l.rng = rand.New(rand.NewPCG(l.plan.Seed, 1<<40))
	tune := func(w *testkit.World) {
		w.Leads = true
		l.line = line{l}
		w.Between, w.Follows, w.Moments = l.between, l.line, l.moment
		l.World = w
	}
	l.World = past.Begin(l.trial, tune)
	l.truth = testkit.NewClock(l.Clock.Now())
	l.watch = epoch.NewClock(l.Clock.Now, func() time.Duration { return l.truth.Now().Sub(testkit.Genesis) })
	l.inDoubt() // the server starts while the clock is right
	l.Node.Use(l.truth)
	if l.one(2) {
		l.Tune(func(t *payout.Terms) { t.MaxWait, t.FeeTopUp = 10*time.Minute, 30_000 })
	}
	l.Informed()
	l.Signer = keeper{l, l.Signer}
	if l.plan.Runes {
		l.EtchingLog = l.etched
		l.Etch()
		l.RuneOrders = orderKeeper{l, l.RuneOrders}
	}
	l.floor = l.Node.Height()
	l.openBooks()
	runesAddress, _ := l.Account.TreasuryRunes()
	satsAddress, _ := l.Account.TreasurySats()
	l.model = model.New(model.Config{
		Chain: l.Node, Network: l.Network, Rune: testkit.Rune, Minimum: int64(testkit.MinimumStake),
		Budget:   int64(testkit.Budget),
		Treasury: [][]byte{runesAddress.Script, satsAddress.Script},
	})
	l.runeOrders = model.NewRuneOrders(l.Node, l.Network)
	for script, owner := range past.stakes {
		testkit.Must(l, l.model.Stake([]byte(script), owner))
	}
	l.learn()
	for point, balances := range past.runes {
		l.model.Given(point, balances)
	}
	l.check()
}

// openBooks opens the life's own way into the database.
func (l *life) openBooks() {
	l.books = engine.Connect(l, l.URL())
	l.books.SetMaxOpenConns(1) // what a connection says of changes is about the others
	l.version = ""
}

// step does one deed and checks everything.
func (l *life) step(n int) {
	l.synced = false
	if l.plan.Runes && l.one(4) {
		l.any(n, runeDeeds)
	} else {
		l.any(n, deeds)
	}
	l.check()
	if n%auditEvery == auditEvery-1 {
		l.audit()
	}
	fmt.Fprintf(l.trace, "%d %s %d %s\n", n, strings.Join(l.did[max(0, len(l.did)-4):], "|"), l.Node.Height(), l.now())
}

// any does one of several deeds.
func (l *life) any(n int, of []deed) {
	total := 0
	for _, d := range of {
		total += d.weight
	}
	at := l.rng.IntN(total)
	for _, d := range of {
		if at -= d.weight; at < 0 {
			l.note("%d %s", n, d.name)
			d.do(l)
			return
		}
	}
}

// auditEvery is how many steps pass between two audits of the whole.
const auditEvery = 100

func (l *life) now() string { return l.Clock.Now().Format(time.RFC3339) }

// learn tells the model of every transaction that is new.
func (l *life) learn() {
	for _, tx := range l.Node.Known(l.learned) {
		l.learned++
		if err := l.model.Learn(tx); err != nil {
			l.Fatal(err)
		}
		l.runeOrders.Learn(tx)
	}
}

// check asks the model about what changed.
func (l *life) check() {
	l.learn()
	if version := l.databaseVersion(); version != l.version || version == "" || l.version == "" {
		books, err := model.Read(l.Context(), l.books)
		testkit.Must(l, err)
		l.read, l.version = books, version
		l.must(l.model.Always(books))
		if l.plan.Runes {
			l.must(l.runeOrders.Always(l.Context(), l.books))
		}
	}
	l.must(l.model.Delivered())
	if l.synced && l.read.Paused == "" {
		l.must(l.model.Synced(l.read))
	}
	if l.synced && l.plan.Runes {
		l.must(l.runeOrders.Synced(l.Context(), l.books, l.held))
	}
	if l.recheck {
		l.recheck = false
		l.must(l.model.Forgotten(l.Context(), l.books))
	}
}

func (l *life) must(err error) {
	if err != nil {
		l.Fatal(err)
	}
}

// databaseVersion changes with every commit; "" where the database does not say.
func (l *life) databaseVersion() (version string) {
	if engine.Current() == engine.Postgres {
		return ""
	}
	testkit.Must(l, l.books.QueryRowContext(l.Context(), `PRAGMA data_version`).Scan(&version))
	return version
}

// audit has the product's own audit look at everything.
func (l *life) audit() {
	if l.distant() {
		return
	}
	l.Audit()
	l.Check()
}

// distant reports that the server has not done what is due for its tip: between a
// block and that its books are at odds for a moment.
func (l *life) distant() bool { return !l.synced }

// look lets the server follow the chain once. Only an injected fault may stop it.
func (l *life) look() {
	l.held = l.plan.Runes && l.holdsPayouts()
	crashed := l.guarded(func() {
		l.endDeposed()
		_, err := l.Follower.Step(l.Context())
		switch {
		case err == nil:
			l.synced = len(l.skipped) == 0 && !l.trouble.fired && l.Follower.State().Synced
		case errors.Is(err, state.ErrNotLeading):
			if l.deposed == nil {
				l.Fatalf("deposed by nobody: %v", err)
			}
		case !errors.Is(err, errFault) && !l.inDoubt():
			l.Fatalf("the server stopped: %v", err)
		}
		if l.deposed != nil && err == nil {
			l.Fatal("a deposed leader went on")
		}
	})
	if crashed {
		l.restart()
	}
	l.checkBarred()
	l.endDeposed()
	for id := range l.skipped {
		if _, waits := l.Node.Where(id); !waits {
			delete(l.skipped, id)
		}
	}
}

func (l *life) note(format string, args ...any) { l.did = append(l.did, fmt.Sprintf(format, args...)) }

// one reports true once in n times.
func (l *life) one(n int) bool { return l.rng.IntN(n) == 0 }

// from returns a number from a to b, both possible.
func (l *life) from(a, b int64) int64 { return a + l.rng.Int64N(b-a+1) }

func choose[T any](l *life, from []T) T { return from[l.rng.IntN(len(from))] }

// pass lets time go by, on every clock.
func (l *life) pass(d time.Duration) {
	l.truth.Advance(d)
	l.Clock.Advance(d)
}

// rows returns how often each row of the two tables happened, from the journal.
func (l *life) rows() (orders, units map[[3]string]int) {
	orders, units = map[[3]string]int{}, map[[3]string]int{}
	rows, err := l.books.QueryContext(l.Context(), `SELECT from_account, event, to_account FROM journal
		WHERE to_account LIKE 'order:%' OR asset = 'rune'`)
	testkit.Must(l, err)
	defer rows.Close()
	for rows.Next() {
		var from, event, to string
		testkit.Must(l, rows.Scan(&from, &event, &to))
		counted := units
		if strings.HasPrefix(to, "order:") {
			counted = orders
		}
		counted[[3]string{bare(from), event, bare(to)}]++
	}
	testkit.Must(l, rows.Err())
	for row, n := range l.stale {
		units[row] += n
	}
	return orders, units
}

func bare(account string) string {
	if account == ledger.Outside {
		return ""
	}
	return strings.TrimPrefix(account, "order:")
}
