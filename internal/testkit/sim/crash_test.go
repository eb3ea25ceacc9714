package sim

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

var (
	crashEvery = flag.Int("crash-every", 10, "try every nth crash point of a kind; 1: all of them")
	crashFirst = flag.Int("crash-first", 0, "which of each n crash points to try: a random number tries others each time")
	crashStep  = flag.String("crash-step", "",
		"try only the crash points of the steps whose name this regular expression matches")
)

// crashPoint is a place at which a flowStep is interrupted: the nth call of a kind, and how.
type crashPoint struct {
	kind string // "write", "statement", "lookup", "effect", "read" or "signature"
	n    int
	how  string
}

// failures lists how each kind of call can fail. A crash loses everything except the database and the chain; after an
// error the process continues.
var failures = map[string][]string{
	"write":     {"crash before", "crash within", "crash after", "error after", "error within"},
	"statement": {"crash before", "error before"},
	"lookup":    {"error before"},
	"effect":    {"crash before", "crash after", "error before", "error after"},
	"read":      {"error before"},
	"signature": {"crash before", "crash after"}, // after: signed but not stored
}

// interruption counts the calls of a flowStep and makes one of them fail.
type interruption struct {
	mu      sync.Mutex
	calls   map[string]int
	firsts  []int           // numbers of the lookups that are the first with their call path
	lookups map[string]bool // call paths of lookups so far; nil: not recorded
	at      crashPoint
	fired   bool
	on      bool // the flowStep has started
}

// comes counts a call and returns the failure of the call, or "" if the call must succeed.
func (c *interruption) comes(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return ""
	}
	if c.calls[kind]++; kind == "lookup" && c.lookups != nil {
		var stack [64]uintptr
		if way := testkit.CallPath(stack[:runtime.Callers(1, stack[:])]); !c.lookups[way] {
			c.lookups[way], c.firsts = true, append(c.firsts, c.calls[kind])
		}
	}
	if c.fired || c.at.kind != kind || c.at.n != c.calls[kind] {
		return ""
	}
	c.fired = true
	return c.at.how
}

// around runs a call, and fails before or after it if the interruption selects this call.
func (c *interruption) around(kind string, call func() error) error {
	how := c.comes(kind)
	switch how {
	case "crash before":
		panic(crash{})
	case "error before":
		return errFault
	}
	err := call()
	if err != nil {
		return err
	}
	switch how {
	case "crash after":
		panic(crash{})
	case "error after":
		return errFault
	}
	return nil
}

func (c *interruption) between(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
	fn func(*store.Tx) error) error {
	return c.around("write", func() error {
		ctx := store.InjectFaults(ctx, c.tap)
		c.mu.Lock()
		within := c.fired && c.at.kind == "write" && c.at.n == c.calls["write"] && strings.HasSuffix(c.at.how, "within")
		c.mu.Unlock()
		return update(ctx, func(tx *store.Tx) error {
			err := fn(tx)
			if err == nil && within && c.at.how == "crash within" {
				panic(crash{})
			}
			if err == nil && within {
				return errFault
			}
			return err
		})
	})
}

// tap is called before each statement, including reads. writes is true for a writing statement.
func (c *interruption) tap(_ string, writes bool) error {
	kind := "lookup"
	if writes {
		kind = "statement"
	}
	return c.around(kind, func() error { return nil })
}

// interruptedNode is the node of the services, whose calls can be interrupted.
type interruptedNode struct {
	follower.Node
	cut *interruption
}

func (sc interruptedNode) Best(ctx context.Context) (hash chainhash.Hash, height int64, err error) {
	err = sc.cut.around("read", func() (err error) {
		hash, height, err = sc.Node.Best(ctx)
		return err
	})
	return hash, height, err
}

func (sc interruptedNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (block chain.Block, err error) {
	err = sc.cut.around("read", func() (err error) {
		block, err = sc.Node.Block(ctx, hash, height)
		return err
	})
	return block, err
}

func (sc interruptedNode) Mempool(ctx context.Context) (ids []chainhash.Hash, err error) {
	err = sc.cut.around("read", func() (err error) {
		ids, err = sc.Node.Mempool(ctx)
		return err
	})
	return ids, err
}

func (sc interruptedNode) Broadcast(ctx context.Context, raw []byte) error {
	return sc.cut.around("effect", func() error { return sc.Node.Broadcast(ctx, raw) })
}

// interruptedSigner is the signer of payouts, whose calls can be interrupted.
type interruptedSigner struct {
	payout.Signer
	cut *interruption
}

func (s interruptedSigner) Sign(ctx context.Context, u payout.Unsigned) (tx *wire.MsgTx, err error) {
	err = s.cut.around("signature", func() (err error) {
		tx, err = s.Signer.Sign(ctx, u)
		return err
	})
	return tx, err
}

// interruptedOrderSigner is the signer of mint and etch orders, whose calls can be interrupted.
type interruptedOrderSigner struct {
	etching.Signer
	cut *interruption
}

func (s interruptedOrderSigner) SignRuneOrder(ctx context.Context, o vault.RuneOrder,
	t vault.OrderTx) (tx *wire.MsgTx, err error) {
	err = s.cut.around("signature", func() (err error) {
		tx, err = s.Signer.SignRuneOrder(ctx, o, t)
		return err
	})
	return tx, err
}

// TestEveryCrashPoint interrupts every main flow with crashes and errors, repeats it, and requires the same result as
// without an interruption: the same tables, journal and transactions, and no finding of the audit. Every flowStep is
// interrupted at each of its database transactions, writing statements, signatures, broadcasts and calls to the node,
// and at the first database lookup with each call path.
func TestEveryCrashPoint(t *testing.T) { interruptSteps(t, &walkthrough{}, flowSteps()) }

// TestCrashPointsOfAHeldRefund interrupts in the same way a refund that exceeds its limit, from the late payment to the
// refund that the operator approved.
func TestCrashPointsOfAHeldRefund(t *testing.T) {
	interruptSteps(t, &walkthrough{refundsLimited: true}, heldRefund())
}

// TestCrashPointsOfAnEconomyWithdrawal interrupts in the same way economy withdrawals of units with outputs: delivered
// and undone, and resumed by the operator and ended before the unit can be recovered.
func TestCrashPointsOfAnEconomyWithdrawal(t *testing.T) {
	interruptSteps(t, &walkthrough{recoveryDelay: 400}, economyWithdrawals())
}

// interruptSteps plays the steps in order, and repeats each step for each of its crash points.
func interruptSteps(t *testing.T, s *walkthrough, steps []flowStep) {
	wanted, err := regexp.Compile(*crashStep)
	testkit.Must(t, err)
	start := snapshotOf(t, testkit.NewWorld(t), 0).Checkpoint
	tried, all, lookups := map[string]int{}, map[string]int{}, map[string]bool{}
	some := &sample{seen: map[string]int{}}
	last := &panicTB{TB: t}
	defer func() { last.end() }()
	for i, flowStep := range steps {
		counted := &interruption{calls: map[string]int{}, lookups: lookups}
		tb := &panicTB{TB: t}
		s.World = s.begin(start.Resume, tb, counted)
		before := *s
		calm := s.play(flowStep, counted)
		if !testkit.Real() || i == len(steps)-1 { // with btcd the audit reads the whole chain: only at the end
			s.Audit()
		}
		var points []crashPoint
		for _, kind := range slices.Sorted(keysOf(counted.calls)) {
			for n := 1; n <= counted.calls[kind]; n++ {
				if kind == "lookup" && !slices.Contains(counted.firsts, n) {
					continue
				}
				for _, how := range failures[kind] {
					points = append(points, crashPoint{kind, n, how})
				}
			}
		}
		if !wanted.MatchString(flowStep.name) {
			points = nil
		}
		for _, p := range points {
			all[p.kind+": "+p.how]++
		}
		tryAll(t, start, before, flowStep, some.of(points), calm, tried)
		if t.Failed() {
			tb.end()
			return
		}
		s.World.TB = t
		start = s.World.Checkpoint()
		last.end() // no later step starts from this world
		last = tb
	}
	sum := 0
	var lines []string
	for what, n := range all {
		sum += tried[what]
		lines = append(lines, fmt.Sprintf("%6d of %6d × %s", tried[what], n, what))
	}
	slices.Sort(lines)
	t.Logf("%d steps on %s, %d crash points tried:\n%s", len(steps), engine.Current(), sum, strings.Join(lines, "\n"))
}

func keysOf[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// sample selects every nth point of each kind and failure.
type sample struct{ seen map[string]int }

func (s *sample) of(points []crashPoint) (some []crashPoint) {
	for _, p := range points {
		what := p.kind + ": " + p.how
		if _, known := s.seen[what]; !known {
			s.seen[what] = len(s.seen) + *crashFirst // so that different failures interrupt different calls
		}
		if s.seen[what]++; s.seen[what]%everyOf(p.kind) == 0 {
			some = append(some, p)
		}
	}
	return some
}

// everyOf returns n if every nth point of a kind is to be tried.
func everyOf(kind string) int {
	every := 1
	if racing {
		every = 50
	}
	every *= *crashEvery
	switch {
	case !testkit.Real(): // with btcd each point needs a separate node, which only broadcasts change
	case kind == "effect":
		every *= 6
	default:
		every *= 250
	}
	return every
}

// begin starts a world in which c may interrupt the calls to the database, node and signer.
func (s *walkthrough) begin(begin func(testing.TB, func(*testkit.World)) *testkit.World, t testing.TB,
	c *interruption) *testkit.World {
	w := begin(t, func(w *testkit.World) {
		w.WrapTransaction, w.FollowedNode = c.between, interruptedNode{w.Chain(), c}
		w.FetchAhead = 1                 // calls of the node are counted in their order
		w.MaxTransactionTime = time.Hour // a busy machine begins no further transaction, which has writes of its own
		w.ReadContext = func(ctx context.Context) context.Context {
			return store.InjectFaults(ctx, c.tap)
		}
	})
	w.GiveSignerIndex()
	w.Signer = interruptedSigner{w.Signer, c}
	if w.RuneOrders != nil {
		w.RuneOrders = interruptedOrderSigner{w.RuneOrders, c}
	}
	if s.refundsLimited {
		w.SetPayoutTerms(limitRefunds)
	}
	if s.recoveryDelay > 0 {
		w.SetRecoveryDelay(s.recoveryDelay)
	}
	return w
}

// tryAll interrupts a flowStep at each of the points.
func tryAll(t *testing.T, start testkit.Checkpoint, s walkthrough, flowStep flowStep, points []crashPoint, calm string,
	tried map[string]int) {
	t.Helper()
	var mu sync.Mutex
	var workers sync.WaitGroup
	next := 0
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				mu.Lock()
				if next == len(points) || t.Failed() {
					mu.Unlock()
					return
				}
				p := points[next]
				next++
				mu.Unlock()
				broken := try(t, start, s, flowStep, p, calm)
				mu.Lock()
				tried[p.kind+": "+p.how]++
				if broken != "" {
					t.Errorf("%s, %s %s %d: %s", flowStep.name, p.how, p.kind, p.n, broken)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
}

func try(t *testing.T, start testkit.Checkpoint, s walkthrough, flowStep flowStep, p crashPoint,
	calm string) (broken string) {
	tb := &panicTB{TB: t}
	defer tb.end()
	defer func() {
		switch reason := original(recover()).(type) {
		case nil:
		case failure:
			broken = reason.text
		default:
			broken = fmt.Sprint(reason, "\n", stack())
		}
	}()
	c := &interruption{calls: map[string]int{}, at: p}
	s.World = s.begin(start.Start, tb, c)
	end := s.play(flowStep, c)
	if !c.fired {
		return "the step never reached this call"
	}
	if end != calm {
		return "the result differs:\n" + differ(calm, end)
	}
	return ""
}

// play runs a flowStep, repeats it if it was interrupted, and returns the resulting state as text.
func (s *walkthrough) play(flowStep flowStep, c *interruption) string {
	s.Helper()
	if flowStep.before != nil {
		flowStep.before(s)
	}
	c.mu.Lock()
	c.on = true
	c.mu.Unlock()
	again := s.MarkIDs()
	for attempt := 0; ; attempt++ {
		var err error
		crashed := crashes(func() { err = flowStep.do(s) })
		if !crashed && err == nil {
			if attempt > 0 || !c.fired || !flowStep.looks {
				break
			}
			continue // the server handled the error: run again to complete what it skipped
		}
		if attempt == 1 || (err != nil && !errors.Is(err, errFault)) {
			s.Fatalf("the repetition failed: crashed %t, %v", crashed, err)
		}
		if crashed && c.at.kind == "write" {
			s.Restart()
		} else if crashed {
			s.Forget()
		}
		if !flowStep.draws {
			again()
		}
	}
	s.Check()
	return s.Dump() + s.Rows(`SELECT subject, event, asset, amount, from_account, to_account, cause_kind, at FROM journal
		ORDER BY number`) +
		s.Rows(`SELECT txid, fee, vbytes, height FROM payout_version ORDER BY txid`) + s.runeOrders() +
		s.Rows(`SELECT order_id, raw, signed, ended FROM one_tx_session ORDER BY order_id`) +
		s.Rows(`SELECT kind, subject, document FROM receipt ORDER BY kind, subject`) +
		fmt.Sprint(s.waiting())
}

// waiting returns the transactions in the mempool.
func (s *walkthrough) waiting() (ids []string) {
	all, err := s.Node.Mempool(s.Context())
	testkit.Must(s, err)
	for _, id := range all {
		ids = append(ids, id.String())
	}
	slices.Sort(ids)
	return ids
}

func differ(a, b string) string {
	var lines []string
	only := func(mark, x, y string) {
		known := strings.Split(y, "\n")
		for _, line := range strings.Split(x, "\n") {
			if !slices.Contains(known, line) {
				lines = append(lines, mark+line)
			}
		}
	}
	only("- ", a, b)
	only("+ ", b, a)
	return strings.Join(lines, "\n")
}
