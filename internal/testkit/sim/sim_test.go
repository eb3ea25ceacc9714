package sim

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// Flags of the simulator. To repeat a scenario: go test ./internal/testkit/sim -run TestSim -seed N [-steps 500]
var (
	seed   = flag.Uint64("seed", 0, "run the scenario of this seed only, and print its operations")
	first  = flag.Uint64("first", 1, "the first seed")
	seeds  = flag.Int("seeds", 0, "how many scenarios to run (0: some)")
	loose  = flag.Bool("forget", false, "stop at the first broken scenario, and neither shorten nor keep it")
	steps  = flag.Int("steps", 0, "operations of each scenario (0: some)")
	mints  = flag.Bool("runes", false, "the server of each scenario also mints and etches; else of every eighth")
	audits = flag.Int("audit-every", 1, "the server audits its ledger in every nth scenario")
	repay  = flag.Bool("refunds", true, "payers also make several refunds of an order live at once")
	during = flag.Bool("concurrent", true, "operations also happen during a Step of the follower")
)

// enough is the number of operations with which a run must contain every fault and every row.
const enough = 200 * 500

const seedsFile = "testdata/seeds"

// withRunes marks a seed whose server mints and etches: one in withRunesEvery. withRefunds marks a seed with
// refundOperations, and withConcurrent one with operations during a Step.
const (
	withRunes      = "runes"
	withRunesEvery = 8
	withRefunds    = "refunds"
	withConcurrent = "concurrent"
)

func TestMain(m *testing.M) { engine.OnBoth(m) }

// size returns the number of scenarios, and of operations of each. They are fewer with the race detector and on
// PostgreSQL, where scenarios are slow.
func size() (scenarios, operations int) {
	switch postgres := engine.Current() == engine.Postgres; {
	case racing && postgres:
		scenarios, operations = 1, 60
	case racing:
		scenarios, operations = 2, 150
	case postgres:
		scenarios, operations = 4, 200
	default:
		scenarios, operations = 8, 500
	}
	if *seeds != 0 {
		scenarios = *seeds
	}
	if *steps != 0 {
		operations = *steps
	}
	return scenarios, operations
}

// TestSim runs random scenarios. The model's rules must hold after every operation, and at the end all orders, units
// and payouts must be in a final state. Seeds that failed before run first.
func TestSim(t *testing.T) {
	start := NewSnapshot(t)
	scenarios, operations := size()
	if *seed != 0 {
		out := RunOne(t, start, Plan{Seed: *seed, Steps: operations, Runes: *mints, Refunds: *repay,
			Concurrent: *during})
		t.Log("\n" + strings.Join(out.Did, "\n"))
		report(t, start, out, false)
		return
	}
	for i, plan := range kept(t) {
		if *loose {
			break
		}
		if racing && i >= 2 {
			break
		}
		report(t, start, RunOne(t, start, plan), false)
	}
	if t.Failed() {
		return
	}
	plans := make([]Plan, scenarios)
	for i := range plans {
		plans[i] = Plan{Seed: *first + uint64(i), Steps: operations, Runes: *mints || i%withRunesEvery == 3,
			Refunds: *repay, Concurrent: *during, Unaudited: isUnaudited(i)}
	}
	maxBroken := 3
	if *loose {
		maxBroken = 1
	}
	run := RunAll(t, start, plans, maxBroken, os.Stderr)
	t.Log("\n" + run.String())
	for _, out := range run.Broken {
		report(t, start, out, !*loose)
	}
	if missing := run.Missing(); scenarios*operations >= enough && len(missing) > 0 && !t.Failed() {
		t.Errorf("these scenarios never reached:\n%s", strings.Join(missing, "\n"))
	}
}

// TestSimOnBtcd runs fewer and shorter scenarios on btcd, which validates every transaction and block.
func TestSimOnBtcd(t *testing.T) {
	testkit.OnBtcd(t)
	simOnNode(t)
}

// TestSimOnCore is TestSimOnBtcd with a node of the Core family, which also relays by its policy.
func TestSimOnCore(t *testing.T) {
	testkit.OnCore(t)
	simOnNode(t)
}

func simOnNode(t *testing.T) {
	t.Helper()
	start := NewSnapshot(t)
	scenarios, operations := 3, 120
	if racing {
		scenarios, operations = 1, 60
	}
	if *seeds != 0 {
		scenarios = *seeds
	}
	if *steps != 0 {
		operations = *steps
	}
	plans := make([]Plan, scenarios)
	for i := range plans {
		plans[i] = Plan{Seed: *first + uint64(i), Steps: operations, Runes: *mints || i%withRunesEvery == 2,
			Refunds: *repay, Concurrent: *during}
	}
	run := RunAll(t, start, plans, 1, os.Stderr)
	t.Log("\n" + run.String())
	for _, out := range run.Broken {
		t.Errorf("seed %d, step %d: %s\nto repeat it: go test ./internal/testkit/sim -run %s -seeds 1 -first %d "+
			"-steps %d %s\n%s",
			out.Seed, out.At, out.Broken, t.Name(), out.Seed, out.Steps, flagsOf(out.Plan), strings.Join(out.Did, "\n"))
	}
}

// report fails the test if the scenario is broken. It reports the operations of the shortened scenario and, if keep is
// true, stores the seed.
func report(t *testing.T, start Snapshot, out Outcome, keep bool) {
	t.Helper()
	if out.Broken == "" {
		return
	}
	if out.Kept == nil && !*loose {
		out = Shorten(t, start, out, 40*time.Second)
	}
	t.Errorf("seed %d, step %d: %s\nto repeat it: go test ./internal/testkit/sim -run TestSim -seed %d -steps %d "+
		"%s\nthe %d necessary operations:\n%s",
		out.Seed, out.At, out.Broken, out.Seed, out.Steps, flagsOf(out.Plan), len(out.Kept), strings.Join(out.Did, "\n"))
	if keep {
		if err := add(out); err != nil {
			t.Logf("the seed cannot be stored: %v", err)
		}
	}
}

// isUnaudited reports whether the server of the scenario with this index, from 0, does not audit its ledger.
func isUnaudited(i int) bool { return (i+1)%*audits != 0 }

func flagsOf(p Plan) string {
	return fmt.Sprintf("-runes=%t -refunds=%t -concurrent=%t", p.Runes, p.Refunds, p.Concurrent)
}

// kept reads the seeds that failed before. A line contains "runes" if the server mints and etches, "refunds" if there
// are refundOperations, "concurrent" if operations happen during a Step, the seed, the number of steps and, unless all
// are needed, the needed steps.
func kept(t *testing.T) (plans []Plan) {
	text, err := os.ReadFile(seedsFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var plan Plan
		if plan.Runes = words[0] == withRunes; plan.Runes {
			words = words[1:]
		}
		if plan.Refunds = words[0] == withRefunds; plan.Refunds {
			words = words[1:]
		}
		if plan.Concurrent = words[0] == withConcurrent; plan.Concurrent {
			words = words[1:]
		}
		numbers := make([]int, len(words))
		for i, word := range words {
			if numbers[i], err = strconv.Atoi(word); err != nil {
				t.Fatalf("%s: %v", seedsFile, err)
			}
		}
		plan.Seed, plan.Steps = uint64(numbers[0]), numbers[1]
		if len(numbers) > 2 {
			plan.Kept = numbers[2:]
		}
		plans = append(plans, plan)
	}
	return plans
}

func add(out Outcome) error {
	file, err := os.OpenFile(seedsFile, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	first, _, _ := strings.Cut(out.Broken, "\n")
	mark := ""
	if out.Plan.Runes {
		mark = withRunes + " "
	}
	if out.Plan.Refunds {
		mark += withRefunds + " "
	}
	if out.Plan.Concurrent {
		mark += withConcurrent + " "
	}
	_, err = fmt.Fprintf(file, "%s%d %d %s # %s\n", mark, out.Seed, out.Steps, strings.Trim(fmt.Sprint(out.Kept), "[]"),
		first)
	return err
}

// TestSameSeedSameTrace checks that a scenario is determined by its seed.
func TestSameSeedSameTrace(t *testing.T) {
	start := NewSnapshot(t)
	plan := Plan{Seed: 77, Steps: 150, Runes: true, Refunds: true, Concurrent: true}
	one, two := RunOne(t, start, plan), RunOne(t, start, plan)
	if one.Broken+two.Broken != "" || one.Trace != two.Trace {
		t.Fatalf("two scenarios of one seed differ:\n%s %s\n%s %s", one.Trace, one.Broken, two.Trace, two.Broken)
	}
	if other := RunOne(t, start, Plan{Seed: 78, Steps: 150}); other.Trace == one.Trace {
		t.Error("another seed has the same trace")
	}
}
