package sim

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"moonfund/testkit"
	"moonfund/testkit/engine"
)

// A life is lived again by: go test ./testkit/sim -run TestSim -seed N [-steps 500]
var (
	seed  = flag.Uint64("seed", 0, "live the life of this seed only, and tell what was done")
	first = flag.Uint64("first", 1, "the first seed")
	seeds = flag.Int("seeds", 0, "how many lives to live (0: some)")
	loose = flag.Bool("forget", false, "stop at the first broken life, and neither shorten nor keep it")
	steps = flag.Int("steps", 0, "how many deeds there are in each (0: some)")
	mints = flag.Bool("runes", false, "in each life the server mints and etches runes, too; else it does in every eighth")
)

// enough deeds meet every fault and every row of the state tables.
const enough = 200 * 500

const seedsFile = "testdata/seeds"

// withRunes begins the line of a life in which the server mints and etches, as it does in one of so many.
const (
	withRunes      = "runes"
	withRunesEvery = 8
)

func TestMain(m *testing.M) { engine.OnBoth(m) }

// size is how many lives and deeds there are: few where they are slow, since
// `make test` lives many without the race detector.
func size() (lives, deeds int) {
	switch postgres := engine.Current() == engine.Postgres; {
	case racing && postgres:
		lives, deeds = 1, 60
	case racing:
		lives, deeds = 2, 150
	case postgres:
		lives, deeds = 4, 200
	default:
		lives, deeds = 8, 500
	}
	if *seeds != 0 {
		lives = *seeds
	}
	if *steps != 0 {
		deeds = *steps
	}
	return lives, deeds
}

// Whatever people, the chain and the machines do, what must hold holds after
// every deed, and once the faults stop everything that can finish does. Seeds
// that once failed are lived first.
func TestSim(t *testing.T) {
	past := Town(t)
	lives, deeds := size()
	if *seed != 0 {
		out := Live(t, past, Plan{Seed: *seed, Steps: deeds, Runes: *mints})
		t.Log("\n" + strings.Join(out.Did, "\n"))
		report(t, past, out, false)
		return
	}
	for i, plan := range kept(t) {
		if *loose {
			break
		}
		if racing && i >= 2 {
			break
		}
		report(t, past, Live(t, past, plan), false)
	}
	if t.Failed() {
		return
	}
	plans := make([]Plan, lives)
	for i := range plans {
		plans[i] = Plan{Seed: *first + uint64(i), Steps: deeds, Runes: *mints || i%withRunesEvery == 3}
	}
	most := 3
	if *loose {
		most = 1
	}
	run := LiveAll(t, past, plans, most, os.Stderr)
	t.Log("\n" + run.String())
	for _, out := range run.Broken {
		report(t, past, out, !*loose)
	}
	if missing := run.Missing(); lives*deeds >= enough && len(missing) > 0 && !t.Failed() {
		t.Errorf("these lives never met:\n%s", strings.Join(missing, "\n"))
	}
}

// The same lives, fewer and shorter, on btcd: each of its rules holds for every
// transaction and every block, and the server sees nothing but what it answers.
func TestSimOnBtcd(t *testing.T) {
	if engine.Current() == engine.Postgres {
		return // the node makes no difference between databases
	}
	testkit.OnBtcd(t)
	past := Town(t)
	lives, deeds := 3, 120
	if racing {
		lives, deeds = 1, 60
	}
	if *seeds != 0 {
		lives = *seeds
	}
	if *steps != 0 {
		deeds = *steps
	}
	plans := make([]Plan, lives)
	for i := range plans {
		plans[i] = Plan{Seed: *first + uint64(i), Steps: deeds, Runes: *mints || i%withRunesEvery == 2}
	}
	run := LiveAll(t, past, plans, 1, os.Stderr)
	t.Log("\n" + run.String())
	for _, out := range run.Broken {
		t.Errorf("seed %d, step %d: %s\nto live it again: go test ./testkit/sim -run TestSimOnBtcd -seeds 1 -first %d "+
			"-steps %d -runes=%t\n%s",
			out.Seed, out.At, out.Broken, out.Seed, out.Steps, out.Plan.Runes, strings.Join(out.Did, "\n"))
	}
}

// report fails the test for a broken life, with the fewest deeds that break it, and keeps its seed.
func report(t *testing.T, past Past, out Outcome, keep bool) {
	t.Helper()
	if out.Broken == "" {
		return
	}
	if out.Kept == nil && !*loose {
		out = Shorten(t, past, out, 40*time.Second)
	}
	t.Errorf("seed %d, step %d: %s\nto live it again: go test ./testkit/sim -run TestSim -seed %d -steps %d "+
		"-runes=%t\nthe %d deeds that are enough:\n%s",
		out.Seed, out.At, out.Broken, out.Seed, out.Steps, out.Plan.Runes, len(out.Kept), strings.Join(out.Did, "\n"))
	if keep {
		if err := add(out); err != nil {
			t.Logf("the seed is not kept: %v", err)
		}
	}
}

// kept reads the seeds that once failed: "runes" where the server mints and etches, seed, steps,
// and the steps that were enough, if not all.
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
	_, err = fmt.Fprintf(file, "%s%d %d %s # %s\n", mark, out.Seed, out.Steps, strings.Trim(fmt.Sprint(out.Kept), "[]"),
		first)
	return err
}

// A seed decides a life: lived twice, it leaves the same trace.
func TestSameSeedSameLife(t *testing.T) {
	past := Town(t)
	plan := Plan{Seed: 77, Steps: 150, Runes: true}
	one, two := Live(t, past, plan), Live(t, past, plan)
	if one.Broken+two.Broken != "" || one.Trace != two.Trace {
		t.Fatalf("two lives of one seed:\n%s %s\n%s %s", one.Trace, one.Broken, two.Trace, two.Broken)
	}
	if other := Live(t, past, Plan{Seed: 78, Steps: 150}); other.Trace == one.Trace {
		t.Error("another seed leaves the same trace")
	}
}
