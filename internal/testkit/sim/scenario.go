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
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/epoch"
	"moonfund/internal/server/auditor"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/state"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/sim/model"
)

// Plan determines a scenario.
type Plan struct {
	Seed  uint64
	Steps int
	Kept  []int // numbers of the only steps to run, ascending; nil: all
	Runes bool  // the server also offers the mint and etch service

	Refunds bool // payers also make several refunds of an order live at once

	Concurrent bool // operations also happen during a Step of the follower

	Unaudited bool // the server does not audit its ledger, which takes two thirds of a scenario's time

	// folder is the folder of the statements that are published while the scenario runs, with the signer's heads.
	// Messages then name random statements of the chain. "": none are published.
	folder   string
	finished func(w *testkit.World) // called at the end of a scenario that broke no rule, or nil
}

// Outcome is the result of a scenario.
type Outcome struct {
	Plan
	Trace  string   // hash of the operations and times; equal plans have equal traces
	Broken string   // the rule that was broken, or ""
	At     int      // step that broke the rule; Steps: at the end
	Did    []string // descriptions of the operations
	Faults map[Fault]int
	Orders map[[3]string]int // rows of the order table: from, event, to
	Units  map[[3]string]int // rows of the unit table
	Etched map[[3]string]int // rows of the mint and etch orders' table
	// Compounded counts the events of instructions to compound automatically, and their effects on rewards.
	Compounded map[string]int
	Economy    map[string]int // numbers of events of economy orders
	OneTx      map[string]int // numbers of events of withdrawals in one transaction
}

// scenario is a running scenario.
type scenario struct {
	*testkit.World
	tb          *panicTB
	plan        Plan
	rng         *rand.Rand // random numbers of the current step
	trueClock   *testkit.Clock
	serverClock *epoch.Clock // reads Clock, the machine's clock, which may jump
	faultyNode  faultyNode
	injected    *injection
	skipped     map[chainhash.Hash]bool // transactions missing from the server's view of the mempool
	deposed     *testkit.World          // a server that lost the lease and is still working

	auditor        *auditor.Auditor // of the server
	deposedAuditor *auditor.Auditor // of deposed
	found          []string         // by the audits of all servers
	completed      []string         // ids of the transactions of completeOld
	alarmed        bool             // an audit found one of them

	model     *model.Model
	db        *sql.DB
	tables    model.Tables
	knownTxs  int    // number of transactions that the model has learned
	dbVersion string // version of the database at the last read of tables
	recheck   bool   // the server restarted: check acknowledged actions
	synced    bool   // the server has followed the chain to its tip in this step

	stepping  bool          // a Step of the follower runs
	stepBegan ledger.Moment // when the last Step began, by the server's clock

	floor       int64 // height of the highest block that no reorg replaces
	signings    []*signing
	replaceable []spend  // transactions that replace may double-spend
	owns        []*ownTx // transactions that wallets signed with own coins
	backup      string   // URL of an old copy of the database, or ""
	mustNotSend []string // ids of orders that may not become SENT in this step

	unminable   map[chainhash.Hash]bool // transactions that are never mined
	requests    []payout.Unsigned       // last requests that the signer accepted
	nodeRefuses bool                    // the node rejects every transaction of the server

	limited   bool            // the limits for refunds are low
	limitHeld map[string]bool // orders whose refunds the limits have held

	ordered    []etching.Order // acknowledged mint and etch orders
	runeOrders *model.RuneOrders
	etched     tally
	pausedAll  bool // all changes are paused
	held       bool // payouts were paused, or the node rejected them, when the server last followed the chain

	faults   map[Fault]int
	waited   int // economy orders whose limits were moved
	apart    int // refusals of virtual units with units in self-custody
	restored int // instructions that ended because a stale server was restored from a backup
	// Rows of the tables of units and orders that stale servers reached.
	staleUnits, staleOrders map[[3]string]int

	did   []string
	trace hash.Hash
}

// RunOne runs a scenario to its end or to the first broken rule.
func RunOne(t testing.TB, start Snapshot, plan Plan) (out Outcome) {
	tr := &panicTB{TB: t}
	defer tr.end()
	sc := &scenario{
		tb: tr, plan: plan, injected: &injection{}, skipped: map[chainhash.Hash]bool{}, faults: map[Fault]int{},
		trace:  sha256.New(),
		etched: tally{}, unminable: map[chainhash.Hash]bool{}, limitHeld: map[string]bool{},
	}
	defer sc.endAudits()
	out = Outcome{Plan: plan, At: -1}
	defer func() {
		reason := original(recover())
		if f, ended := reason.(failure); ended {
			out.Broken = f.text
		} else if reason != nil {
			out.Broken = fmt.Sprintf("panic: %v\n%s", reason, stack())
		}
		out.Trace, out.Did, out.Faults = hex.EncodeToString(sc.trace.Sum(nil)), sc.did, sc.faults
	}()
	if plan.single() && start.single != nil {
		start = start.single()
	}
	sc.begin(start)
	for step := range plan.Steps {
		if plan.Kept != nil && !slices.Contains(plan.Kept, step) {
			continue
		}
		out.At = step
		sc.rng = rand.New(rand.NewPCG(plan.Seed, uint64(step)))
		sc.step(step)
	}
	out.At = plan.Steps
	sc.rng = rand.New(rand.NewPCG(plan.Seed, uint64(plan.Steps)))
	sc.finish()
	if plan.finished != nil {
		plan.finished(sc.World)
	}
	out.Orders, out.Units = sc.transitions()
	out.Etched = sc.etched
	out.Compounded, out.Economy, out.OneTx = sc.countCompounded(), sc.countEconomy(), sc.countOneTx()
	return out
}

// begin starts the server from the snapshot.
func (sc *scenario) begin(start Snapshot) {
	sc.rng = rand.New(rand.NewPCG(sc.plan.Seed, 1<<40))
	tune := func(w *testkit.World) {
		w.Leads = true
		w.FetchAhead = 1 // concurrent calls would make the call that fails depend on the scheduler
		sc.faultyNode = faultyNode{sc}
		w.WrapTransaction, w.FollowedNode, w.ReadClock = sc.transact, sc.faultyNode, sc.moment
		sc.World = w
	}
	sc.World = start.Start(sc.tb, tune)
	sc.trueClock = testkit.NewClock(sc.Clock.Now())
	sc.serverClock = epoch.NewClock(sc.Clock.Now, func() time.Duration { return sc.trueClock.Now().Sub(testkit.Genesis) })
	sc.inDoubt() // read the clock once, so that the server starts with a correct clock
	sc.Node.UseClock(sc.trueClock)
	waits := sc.oneIn(2)
	waits = waits || sc.plan.single() // the fee account pays for the split
	if sc.limited = sc.oneIn(4); waits || sc.limited {
		sc.SetPayoutTerms(func(t *payout.Terms) {
			if waits {
				t.MaxWait, t.FeeTopUp = 10*time.Minute, 30_000
			}
			if sc.limited {
				limitRefunds(t)
			}
		})
	}
	sc.GiveSignerIndex()
	sc.Signer = faultySigner{sc, sc.Signer}
	if sc.plan.Runes {
		sc.EtchingLog = sc.etched
		sc.Etch()
		sc.RuneOrders = faultyOrderSigner{sc, sc.RuneOrders}
	}
	sc.floor = sc.Node.Height()
	sc.openDB()
	runesAddress, _ := sc.Account.TreasuryRunes()
	satsAddress, _ := sc.Account.TreasurySats()
	genesis, length := testkit.Calendar()
	sc.model = model.New(model.Config{
		Chain: sc.Node, Network: sc.Network, Rune: testkit.Rune, Minimum: int64(testkit.MinimumStake),
		Budget:   int64(testkit.Budget),
		Treasury: [][]byte{runesAddress.Script, satsAddress.Script},
		Genesis:  genesis, EpochLength: length, Reserve: start.reserve, ServiceFee: int64(testkit.ServiceFee),
		Rate: func() int64 { return int64(sc.Rate) }, Now: sc.trueClock.Now,
		OnChain: func(at time.Time) time.Time { return testkit.MomentAt(at).Chain },
	})
	sc.runeOrders = model.NewRuneOrders(sc.Node, sc.Network, sc.trueClock.Now)
	sc.learnStakes(start)
	sc.model.Acted("UNSTAKE", start.unstaked, start.unstakedAt)
	sc.learn()
	for point, balances := range start.runes {
		sc.model.Given(point, balances)
	}
	sc.beginAudits()
	sc.check()
}

// learnStakes tells the model the stake addresses of the snapshot, and chooses the wallets whose next stakes are in
// self-custody.
func (sc *scenario) learnStakes(start Snapshot) {
	for script, owner := range start.stakes {
		testkit.Must(sc, sc.model.Stake([]byte(script), owner))
	}
	for _, script := range start.self {
		sc.model.InSelfCustody(script)
	}
	for _, wallet := range actors(sc.World) {
		wallet.Self = sc.oneIn(2)
	}
}

// openDB opens the connection with which the model reads.
func (sc *scenario) openDB() {
	sc.db = engine.Connect(sc, sc.URL())
	sc.db.SetMaxOpenConns(1) // PRAGMA data_version reports changes by other connections
	sc.dbVersion = ""
}

// step performs one operation and checks the result.
func (sc *scenario) step(n int) {
	sc.synced = false
	switch {
	case n == 0:
		sc.note("0 schedule")
		sc.opening().run(sc)
	case sc.plan.Concurrent && sc.oneIn(8):
		sc.note("%d %s", n, concurrent)
		sc.stepAmongOperations()
	case sc.plan.Runes && sc.oneIn(4):
		sc.operate(strconv.Itoa(n), runeOperations)
	case sc.plan.Refunds && sc.oneIn(32):
		sc.operate(strconv.Itoa(n), refundOperations)
	default:
		sc.operate(strconv.Itoa(n), operations)
	}
	sc.check()
	if n%auditEvery == auditEvery-1 {
		sc.audit()
	}
	fmt.Fprintf(sc.trace, "%d %s %d %s\n", n, strings.Join(sc.did[max(0, len(sc.did)-4):], "|"), sc.Node.Height(),
		sc.now())
}

// operate performs one of several operations, by weight.
func (sc *scenario) operate(when string, of []operation) {
	total := 0
	for _, d := range of {
		total += d.weight
	}
	at := sc.rng.IntN(total)
	for _, d := range of {
		if at -= d.weight; at < 0 {
			sc.note("%s %s", when, d.name)
			d.do(sc)
			return
		}
	}
}

// auditEvery is the number of steps between two runs of the product's audit.
const auditEvery = 100

func (sc *scenario) now() string { return sc.Clock.Now().Format(time.RFC3339) }

// learn adds new transactions to the model.
func (sc *scenario) learn() {
	for _, tx := range sc.Node.Known(sc.knownTxs) {
		sc.knownTxs++
		if err := sc.model.Learn(tx); err != nil {
			sc.Fatal(err)
		}
		sc.runeOrders.Learn(tx)
	}
}

// check compares the tables with the model.
func (sc *scenario) check() {
	sc.learn()
	sc.checkStops()
	if version := sc.databaseVersion(); version != sc.dbVersion || version == "" || sc.dbVersion == "" {
		tables, err := model.Read(sc.Context(), sc.db)
		testkit.Must(sc, err)
		sc.tables, sc.dbVersion = tables, version
		sc.require(sc.model.Always(tables))
		if sc.plan.Runes {
			sc.require(sc.runeOrders.Always(sc.Context(), sc.db))
		}
	}
	if sc.limited {
		sc.noteHeld()
	}
	sc.require(sc.model.Delivered())
	if sc.synced && sc.tables.Paused == "" {
		sc.require(sc.model.Synced(sc.tables))
	}
	if sc.synced && sc.plan.Runes {
		sc.require(sc.runeOrders.Synced(sc.Context(), sc.db, sc.held))
	}
	if sc.recheck {
		sc.recheck = false
		sc.require(sc.model.Durable(sc.Context(), sc.db))
	}
}

func (sc *scenario) require(err error) {
	if err != nil {
		sc.Fatal(err)
	}
}

// databaseVersion returns a number that changes with every commit, or "" on PostgreSQL, which has none.
func (sc *scenario) databaseVersion() (version string) {
	if engine.Current() == engine.Postgres {
		return ""
	}
	testkit.Must(sc, sc.db.QueryRowContext(sc.Context(), `PRAGMA data_version`).Scan(&version))
	return version
}

// audit runs the product's audit.
func (sc *scenario) audit() {
	if sc.isBehind() {
		return
	}
	sc.Audit()
	sc.Check()
}

// isBehind reports whether the server has not followed the chain to its tip in this step. The audit is valid only at
// the tip.
func (sc *scenario) isBehind() bool { return !sc.synced }

// follow runs the follower once, unless it runs. Only an injected fault may stop it.
func (sc *scenario) follow() {
	if sc.stepping {
		return
	}
	sc.held = sc.plan.Runes && (sc.holdsPayouts() || sc.nodeRefuses)
	crashed := sc.guarded(func() {
		sc.endDeposed()
		began := testkit.MomentAt(sc.trueClock.Now())
		sc.stepping = true
		sc.stepBegan, _ = sc.moment()
		defer func() { sc.stepping = false }()
		_, err := sc.Follower.Step(sc.Context())
		switch {
		case err == nil:
			sc.synced = len(sc.skipped) == 0 && !sc.injected.fired && sc.Follower.State().Synced
			sc.model.FollowedAt, sc.model.FollowedOnChain = began.Now, began.Chain
		case errors.Is(err, state.ErrNotLeading):
			if sc.deposed == nil {
				sc.Fatalf("the server lost the lease without another server: %v", err)
			}
		case sc.injected.is(concurrent) && (errors.Is(err, follower.ErrChanged) || errors.Is(err, runes.ErrOtherBranch)):
			sc.note("  %v", err)
		case !errors.Is(err, errFault) && !sc.inDoubt():
			sc.Fatalf("the server stopped: %v", err)
		}
		for subject, text := range sc.Follower.Payouts.Failures() {
			if !strings.Contains(text, errFault.Error()) {
				sc.Fatalf("%s failed: %s", subject, text)
			}
		}
		for subject, wait := range sc.Follower.State().Waiting {
			if strings.Contains(wait.Reason, order.EvaluationFails) && !strings.Contains(wait.Reason, errFault.Error()) {
				sc.Fatalf("%s waits: %s", subject, wait.Reason)
			}
		}
		if sc.deposed != nil && err == nil {
			sc.Fatal("a deposed leader completed a step")
		}
	})
	if crashed {
		sc.restart()
	}
	sc.checkNotSent()
	sc.endDeposed()
	for id := range sc.skipped {
		if _, waits := sc.Node.Locate(id); !waits {
			delete(sc.skipped, id)
		}
	}
}

func (sc *scenario) note(format string, args ...any) {
	sc.did = append(sc.did, fmt.Sprintf(format, args...))
}

// oneIn returns true once in n times.
func (sc *scenario) oneIn(n int) bool { return sc.rng.IntN(n) == 0 }

// between returns a number from a to b, inclusive.
func (sc *scenario) between(a, b int64) int64 { return a + sc.rng.Int64N(b-a+1) }

func choose[T any](sc *scenario, from []T) T { return from[sc.rng.IntN(len(from))] }

// pass advances every clock, during a Step by minutes only.
func (sc *scenario) pass(d time.Duration) {
	if sc.stepping {
		d = min(d, 4*time.Minute)
	}
	sc.model.Passed(d, sc.pausedAll || sc.tables.Paused != "")
	sc.trueClock.Advance(d)
	sc.Clock.Advance(d)
}

// transitions counts the transitions of orders and units by row of the state tables, from the journal.
func (sc *scenario) transitions() (orders, units map[[3]string]int) {
	orders, units = map[[3]string]int{}, map[[3]string]int{}
	rows, err := sc.db.QueryContext(sc.Context(), `SELECT from_account, event, to_account FROM journal
		WHERE to_account LIKE 'order:%' OR asset = 'rune'`)
	testkit.Must(sc, err)
	defer rows.Close()
	for rows.Next() {
		var from, event, to string
		testkit.Must(sc, rows.Scan(&from, &event, &to))
		counted := units
		if strings.HasPrefix(to, "order:") {
			counted = orders
		}
		counted[[3]string{bare(from), event, bare(to)}]++
	}
	testkit.Must(sc, rows.Err())
	for row, n := range sc.staleUnits {
		units[row] += n
	}
	for row, n := range sc.staleOrders {
		orders[row] += n
	}
	return orders, units
}

func bare(account string) string {
	if account == ledger.Outside {
		return ""
	}
	return strings.TrimPrefix(account, "order:")
}
