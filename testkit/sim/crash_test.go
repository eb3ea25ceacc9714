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

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/chain"
	"moonfund/etching"
	"moonfund/follower"
	"moonfund/payout"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/testkit/engine"
	"moonfund/vault"
)

var (
	crashEvery = flag.Int("crash-every", 10,
		"which of the crash points to try on PostgreSQL: 1 for all of them, 10 for every tenth")
	crashScene = flag.String("crash-scene", "",
		"try only the crash points of the scenes whose name this regular expression matches")
)

// point is a place at which a scene is cut off: the nth call of a kind, and how.
type point struct {
	kind string // "write", "statement", "lookup", "effect", "read" or "signature"
	n    int
	how  string
}

// hows are the ways in which each kind of call can fail. After a crash nothing
// is left but the database and the chain; after an error the process goes on.
var hows = map[string][]string{
	"write":     {"crash before", "crash within", "crash after", "error after", "error within"},
	"statement": {"crash before", "error before"},
	"lookup":    {"error before"},
	"effect":    {"crash before", "crash after", "error before", "error after"},
	"read":      {"error before"},
	"signature": {"crash before", "crash after"}, // after: it is signed, and not stored
}

// cut counts the calls of a scene, and cuts it off at one of them.
type cut struct {
	mu     sync.Mutex
	calls  map[string]int
	firsts []int           // of the lookups: the first from each place in the code that no scene before came to
	asked  map[string]bool // those places; nil: not counted
	at     point
	fired  bool
	on     bool // the scene has begun
}

// comes counts a call, and reports how it is to fail, if it is.
func (c *cut) comes(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return ""
	}
	if c.calls[kind]++; kind == "lookup" && c.asked != nil {
		var stack [64]uintptr
		if way := testkit.Way(stack[:runtime.Callers(1, stack[:])]); !c.asked[way] {
			c.asked[way], c.firsts = true, append(c.firsts, c.calls[kind])
		}
	}
	if c.fired || c.at.kind != kind || c.at.n != c.calls[kind] {
		return ""
	}
	c.fired = true
	return c.at.how
}

// around stands before and after a call.
func (c *cut) around(kind string, call func() error) error {
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

func (c *cut) between(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
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

// tap stands before each statement, also of what only reads.
func (c *cut) tap(_ string, writes bool) error {
	kind := "lookup"
	if writes {
		kind = "statement"
	}
	return c.around(kind, func() error { return nil })
}

// cutLine is the line to the node, cut off at a call.
type cutLine struct {
	follower.Node
	cut *cut
}

func (l cutLine) Best(ctx context.Context) (hash chainhash.Hash, height int64, err error) {
	err = l.cut.around("read", func() (err error) {
		hash, height, err = l.Node.Best(ctx)
		return err
	})
	return hash, height, err
}

func (l cutLine) Block(ctx context.Context, hash chainhash.Hash, height int64) (block chain.Block, err error) {
	err = l.cut.around("read", func() (err error) {
		block, err = l.Node.Block(ctx, hash, height)
		return err
	})
	return block, err
}

func (l cutLine) Mempool(ctx context.Context) (ids []chainhash.Hash, err error) {
	err = l.cut.around("read", func() (err error) {
		ids, err = l.Node.Mempool(ctx)
		return err
	})
	return ids, err
}

func (l cutLine) Broadcast(ctx context.Context, raw []byte) error {
	return l.cut.around("effect", func() error { return l.Node.Broadcast(ctx, raw) })
}

// cutSigner is the signer of payouts, cut off at a call.
type cutSigner struct {
	payout.Signer
	cut *cut
}

func (s cutSigner) Sign(ctx context.Context, u payout.Unsigned) (tx *wire.MsgTx, err error) {
	err = s.cut.around("signature", func() (err error) {
		tx, err = s.Signer.Sign(ctx, u)
		return err
	})
	return tx, err
}

// cutOrderSigner is the signer of mint and etch orders, cut off at a call.
type cutOrderSigner struct {
	etching.Signer
	cut *cut
}

func (s cutOrderSigner) SignRuneOrder(ctx context.Context, o vault.RuneOrder,
	t vault.OrderTx) (tx *wire.MsgTx, err error) {
	err = s.cut.around("signature", func() (err error) {
		tx, err = s.Signer.SignRuneOrder(ctx, o, t)
		return err
	})
	return tx, err
}

// Wherever a main flow is cut off, by a crash or by an error, doing the same again
// comes to the same end: the same books, the same journal, the same transactions,
// in which the audit finds nothing.
// Every scene is cut off at each of its transactions, writing statements, signatures,
// broadcasts and questions to the node, and at the first lookup in the database from each
// place in the code, by each way that leads there.
func TestEveryCrashPoint(t *testing.T) {
	wanted, err := regexp.Compile(*crashScene)
	testkit.Must(t, err)
	past := Town(t).Past
	tried, all, asked := map[string]int{}, map[string]int{}, map[string]bool{}
	s, some := &story{}, &sample{seen: map[string]int{}}
	last := &trial{TB: t}
	defer func() { last.end() }()
	told := scenes()
	for i, scene := range told {
		counted := &cut{calls: map[string]int{}, asked: asked}
		trial := &trial{TB: t}
		s.World = cutOff(past.GoOn, trial, counted)
		before := *s
		calm := s.play(scene, counted)
		if !testkit.Real() || i == len(told)-1 { // it asks btcd for the whole chain
			s.Audit()
		}
		var points []point
		for _, kind := range slices.Sorted(keysOf(counted.calls)) {
			for n := 1; n <= counted.calls[kind]; n++ {
				if kind == "lookup" && !slices.Contains(counted.firsts, n) {
					continue
				}
				for _, how := range hows[kind] {
					points = append(points, point{kind, n, how})
				}
			}
		}
		if !wanted.MatchString(scene.name) {
			points = nil
		}
		for _, p := range points {
			all[p.kind+": "+p.how]++
		}
		tryAll(t, past, before, scene, some.of(points), calm, tried)
		if t.Failed() {
			trial.end()
			return
		}
		s.World.TB = t
		past = s.World.Past()
		last.end() // nothing begins from its end any more
		last = trial
	}
	sum := 0
	var lines []string
	for what, n := range all {
		sum += tried[what]
		lines = append(lines, fmt.Sprintf("%6d of %6d × %s", tried[what], n, what))
	}
	slices.Sort(lines)
	t.Logf("%d scenes on %s, %d crash points tried:\n%s", len(told), engine.Current(), sum, strings.Join(lines, "\n"))
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

// sample picks all of the points, or where each takes its time some of them: as
// many of each kind and way, all along the story.
type sample struct{ seen map[string]int }

func (s *sample) of(points []point) (some []point) {
	for _, p := range points {
		what := p.kind + ": " + p.how
		if _, known := s.seen[what]; !known {
			s.seen[what] = len(s.seen) // so that each way comes at other calls
		}
		if s.seen[what]++; s.seen[what]%everyOf(p.kind) == 0 {
			some = append(some, p)
		}
	}
	return some
}

// everyOf says which of the points of a kind are tried: each, or every so manieth.
func everyOf(kind string) int {
	every := 1
	if racing {
		every = 50
	}
	if engine.Current() == engine.Postgres {
		every *= *crashEvery
	}
	switch {
	case !testkit.Real(): // or each has a btcd of its own, which only broadcasts change
	case kind == "effect":
		every *= 6
	default:
		every *= 250
	}
	return every
}

// cutOff begins a world whose lines to the database and to the node may be cut off.
func cutOff(begin func(testing.TB, func(*testkit.World)) *testkit.World, t testing.TB, c *cut) *testkit.World {
	w := begin(t, func(w *testkit.World) {
		w.Between, w.Follows, w.Looks = c.between, cutLine{w.Chain(), c}, func(ctx context.Context) context.Context {
			return store.InjectFaults(ctx, c.tap)
		}
	})
	w.Informed()
	w.Signer = cutSigner{w.Signer, c}
	if w.RuneOrders != nil {
		w.RuneOrders = cutOrderSigner{w.RuneOrders, c}
	}
	return w
}

// tryAll cuts a scene off at each of some points.
func tryAll(t *testing.T, past testkit.Past, s story, scene scene, points []point, calm string, tried map[string]int) {
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
				broken := try(t, past, s, scene, p, calm)
				mu.Lock()
				tried[p.kind+": "+p.how]++
				if broken != "" {
					t.Errorf("%s, %s %s %d: %s", scene.name, p.how, p.kind, p.n, broken)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
}

func try(t *testing.T, past testkit.Past, s story, scene scene, p point, calm string) (broken string) {
	trial := &trial{TB: t}
	defer trial.end()
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case failure:
			broken = reason.text
		default:
			broken = fmt.Sprint(reason, "\n", stack())
		}
	}()
	c := &cut{calls: map[string]int{}, at: p}
	s.World = cutOff(past.Begin, trial, c)
	end := s.play(scene, c)
	if !c.fired {
		return "the scene never came there"
	}
	if end != calm {
		return "it came to another end:\n" + differ(calm, end)
	}
	return ""
}

// play plays a scene once, however often it takes, and returns what it left behind.
func (s *story) play(scene scene, c *cut) string {
	s.Helper()
	if scene.before != nil {
		scene.before(s)
	}
	c.mu.Lock()
	c.on = true
	c.mu.Unlock()
	again := s.Mark()
	for attempt := 0; ; attempt++ {
		var err error
		crashed := (&life{}).guarded(func() { err = scene.do(s) })
		if !crashed && err == nil {
			if attempt > 0 || !c.fired || !scene.looks {
				break
			}
			continue // what it could do without, it does now
		}
		if attempt == 1 || (err != nil && !errors.Is(err, errFault)) {
			s.Fatalf("the second time: crashed %t, %v", crashed, err)
		}
		if crashed && c.at.kind == "write" {
			s.Restart()
		} else if crashed {
			s.Forget()
		}
		if !scene.draws {
			again()
		}
	}
	s.Check()
	return s.Dump() + s.Rows(`SELECT subject, event, asset, amount, from_account, to_account, cause_kind, at FROM journal
		ORDER BY number`) +
		s.Rows(`SELECT txid, fee, vbytes, height FROM payout_version ORDER BY txid`) + s.runeOrders() +
		fmt.Sprint(s.waiting())
}

// waiting are the transactions in the mempool.
func (s *story) waiting() (ids []string) {
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
