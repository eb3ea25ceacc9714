package sim

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
)

// Summary is the result of many scenarios. The maps contain numbers of occurrences, as in Outcome.
type Summary struct {
	Scenarios  int
	Steps      int       // of all scenarios
	Broken     []Outcome // the failed scenarios
	Faults     map[Fault]int
	Orders     map[[3]string]int
	Units      map[[3]string]int
	Etched     map[[3]string]int
	Compounded map[string]int
	Economy    map[string]int
	OneTx      map[string]int
	Took       time.Duration
}

// unreachable are rows of the tables that no scenario can reach, with the reason.
var unreachable = map[[3]string]string{
	{"STAKED", string(ledger.DepositVanished), ""}: "the boundary that made a deposit STAKED comes after " +
		"its block: a reorg that undoes the block undoes the boundary too",
	{"UNLOCKED", string(ledger.DeliveredElsewhere), "WITHDRAWN"}: "no scenario compounds and unlocks a reward " +
		"within the few blocks between a backup and a stale server's start",
	{"PO_LOCKED", string(ledger.PaymentComplete), "BATCH_LOCKED"}: "an order is CONFIRMED before it is PAID, if only " +
		"for a moment, and its units PENDING_WITHDRAW",
}

// RunAll runs scenarios in parallel, one per processor. It starts no further scenario once maxBroken scenarios have
// failed. It writes its progress every few seconds.
func RunAll(t testing.TB, start Snapshot, plans []Plan, maxBroken int, progress io.Writer) *Summary {
	r := &Summary{Faults: map[Fault]int{}, Orders: map[[3]string]int{}, Units: map[[3]string]int{},
		Etched: map[[3]string]int{}, Compounded: map[string]int{}, Economy: map[string]int{}, OneTx: map[string]int{}}
	began := time.Now()
	reported := began
	var mu sync.Mutex
	var workers sync.WaitGroup
	next := 0
	nextPlan := func() (Plan, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(plans) || len(r.Broken) >= maxBroken {
			return Plan{}, false
		}
		next++
		return plans[next-1], true
	}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for plan, ok := nextPlan(); ok; plan, ok = nextPlan() {
				out := RunOne(t, start, plan)
				mu.Lock()
				r.add(out)
				if time.Since(reported) > 5*time.Second {
					reported = time.Now()
					fmt.Fprintf(progress, "%d of %d scenarios, %d operations, %d broken, %s\n",
						r.Scenarios, len(plans), r.Steps, len(r.Broken), time.Since(began).Round(time.Second))
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	r.Took = time.Since(began)
	return r
}

func (r *Summary) add(out Outcome) {
	r.Scenarios++
	r.Steps += out.At
	if out.Broken != "" {
		r.Broken = append(r.Broken, out)
	}
	for kind, n := range out.Faults {
		r.Faults[kind] += n
	}
	for row, n := range out.Orders {
		r.Orders[row] += n
	}
	for row, n := range out.Units {
		r.Units[row] += n
	}
	for row, n := range out.Etched {
		r.Etched[row] += n
	}
	for what, n := range out.Compounded {
		r.Compounded[what] += n
	}
	for what, n := range out.Economy {
		r.Economy[what] += n
	}
	for what, n := range out.OneTx {
		r.OneTx[what] += n
	}
}

// Missing returns the faults and the rows of the state tables that never occurred.
func (r *Summary) Missing() (missing []string) {
	for _, kind := range Faults {
		if r.Faults[kind] == 0 {
			missing = append(missing, "fault: "+string(kind))
		}
	}
	for _, row := range order.Statuses.Rows {
		if key := [3]string{string(row.From), string(row.Event), string(row.To)}; r.Orders[key] == 0 {
			missing = append(missing, "order: "+strings.Join(key[:], " → "))
		}
	}
	for _, row := range ledger.Stages.Rows {
		key := [3]string{string(row.From), string(row.Event), string(row.To)}
		if _, never := unreachable[key]; r.Units[key] == 0 && !never {
			missing = append(missing, "unit: "+strings.Join(key[:], " → "))
		}
	}
	for _, row := range etching.Table.Rows {
		if key := [3]string{string(row.From), string(row.Event), string(row.To)}; r.Etched[key] == 0 {
			missing = append(missing, "rune order: "+strings.Join(key[:], " → "))
		}
	}
	for _, what := range compoundingFacts {
		if r.Compounded[what] == 0 {
			missing = append(missing, "instruction: "+what)
		}
	}
	for _, what := range economyFacts {
		if r.Economy[what] == 0 {
			missing = append(missing, "economy: "+what)
		}
	}
	for _, what := range oneTxFacts {
		if r.OneTx[what] == 0 {
			missing = append(missing, "one transaction: "+what)
		}
	}
	return missing
}

// String lists the number of occurrences of each fault and each row.
func (r *Summary) String() string {
	var lines []string
	for kind, n := range r.Faults {
		lines = append(lines, fmt.Sprintf("%7d × %s", n, kind))
	}
	for row, n := range r.Orders {
		lines = append(lines, fmt.Sprintf("%7d × order %s → %s (%s)", n, row[0], row[2], row[1]))
	}
	for row, n := range r.Units {
		lines = append(lines, fmt.Sprintf("%7d × unit %s → %s (%s)", n, row[0], row[2], row[1]))
	}
	for row, n := range r.Etched {
		lines = append(lines, fmt.Sprintf("%7d × rune order %s → %s (%s)", n, row[0], row[2], row[1]))
	}
	for what, n := range r.Economy {
		lines = append(lines, fmt.Sprintf("%7d × economy: %s", n, what))
	}
	for what, n := range r.OneTx {
		lines = append(lines, fmt.Sprintf("%7d × one transaction: %s", n, what))
	}
	for what, n := range r.Compounded {
		lines = append(lines, fmt.Sprintf("%7d × instruction: %s", n, what))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%s\n%d scenarios, %d operations in %s\n", strings.Join(lines, "\n"), r.Scenarios, r.Steps,
		r.Took.Round(time.Second))
}

// Shorten removes steps from a failed scenario as long as it still breaks the same rule, for at most the given
// duration. It returns the outcome with the fewest steps, in Kept.
func Shorten(t testing.TB, start Snapshot, broken Outcome, within time.Duration) Outcome {
	end := time.Now().Add(within)
	kept := broken.Kept
	if kept == nil {
		for step := range min(broken.At+1, broken.Steps) {
			kept = append(kept, step)
		}
	}
	best := broken
	best.Kept = kept
	for size := max(1, len(kept)/2); ; size /= 2 {
		for at := 0; at < len(best.Kept) && time.Now().Before(end); {
			fewer := slices.Delete(slices.Clone(best.Kept), at, min(at+size, len(best.Kept)))
			if out := RunOne(t, start, Plan{Seed: broken.Seed, Steps: broken.Steps, Kept: fewer,
				Runes: broken.Plan.Runes, Refunds: broken.Plan.Refunds}); rule(out.Broken) == rule(broken.Broken) {
				best = out
				continue
			}
			at += size
		}
		if size == 1 || time.Now().After(end) {
			return best
		}
	}
}

// rule returns the broken rule without its details.
func rule(broken string) string {
	first, _, _ := strings.Cut(broken, "\n")
	what, _, _ := strings.Cut(first, ":")
	return what
}
