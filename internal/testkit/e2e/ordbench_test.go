package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/testkit/figures"
)

// Mainnet's size on 2026-11-24, from which BenchmarkOrd computes the time to catch up.
const (
	mainnetBlocks = 137_000 // from block 840,000, the first with runes
	mainnetLimit  = 12 * time.Hour
)

// ordChains are the chains of BenchmarkOrd. The index of the first one grows to 200,000 outputs. The second one has
// blocks of 4,000 transactions and 1.6 MB. A fifth of the transactions mint or transfer runes. Each chain begins with
// additional blocks, which only create coins.
var ordChains = []struct {
	ordProfile
	name             string
	least            int     // outputs that hold runes at the end
	wall, processing float64 // limits, relative to ord; 0: none
}{
	{ordProfile{blocks: 2800, transactions: 70, mints: 50, transfers: 15, inputs: 1, keeps: true},
		"most transactions with runes", 200_000, 1, 1.5},
	{ordProfile{blocks: 60, transactions: 4000, mints: 400, transfers: 400, inputs: 2},
		"blocks like mainnet's", 1_000, 0.4, 0},
}

// BenchmarkOrd makes `moonfund serve` follow two chains on a node of the Core family, lets ord, if it is given, index
// the same chains, compares both indexes, and prints the times of both, without the times for a chain of one block.
// `make bench-ord` runs it.
func BenchmarkOrd(b *testing.B) {
	for _, chain := range ordChains {
		b.Run(strings.ReplaceAll(chain.name, " ", "_"), func(b *testing.B) {
			o := &ord{chain: mineOrdChain(b, chain.ordProfile)}
			short := newSeededChain(b, ordProfile{})
			short.mine(nil, 0)
			w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "\n%s: %d blocks, %d MB\telapsed\tprocessor time\tstart: elapsed\tprocessor time\tmemory, at most\n",
				chain.name, o.chain.height, o.chain.bytes>>20)
			var ours, theirs []usage
			for range b.N { // alternately, so that other load affects both alike
				if o.given() {
					began := o.index(b, short)
					theirs = append(theirs, o.index(b, o.chain).minus(began))
					printUsage(w, "ord", theirs, began, "")
				}
				f := follow(b, short)
				began := f.reach(b, short)
				f.stop()
				f = follow(b, o.chain)
				ours = append(ours, f.reach(b, o.chain).minus(began))
				printUsage(w, "the server", ours, began, f.memory(b))
				db := f.ledger(b)
				fmt.Fprintf(w, "the node's blocks alone\t%s\t\t\t\t\n", o.fetch(b).Round(time.Millisecond))
				if o.given() {
					c := o.compare(b, db)
					fmt.Fprintf(w, "equal: %d runes, %d burned, %d minted, %d balances\t\t\t\t\t\n", c.runes, c.burned, c.minted,
						c.balances)
				}
				var outputs int
				must(b, db.View(b.Context(), func(tx *store.Tx) (err error) {
					outputs, err = tx.RuneOutputs(b.Context())
					return err
				}))
				if fmt.Fprintf(w, "%d outputs hold runes\t\t\t\t\t\n", outputs); outputs < chain.least {
					b.Errorf("%d outputs hold runes, want %d", outputs, chain.least)
				}
			}
			must(b, w.Flush())
			if o.given() {
				runs := [2][]usage{ours, theirs}
				reportOrd(b, chain.name+", elapsed", usage.wall, runs, chain.wall)
				reportOrd(b, chain.name+", processor time", usage.processing, runs, chain.processing)
			}
			if !chain.keeps {
				// The time includes the blocks that only create coins, so this is an upper bound.
				whole := median(ours, usage.wall) / float64(chain.blocks) * mainnetBlocks
				figures.Report(b, figures.Figure{
					Name:     fmt.Sprintf("catching up with %d blocks like mainnet's", mainnetBlocks),
					Database: figures.Current(), Value: whole / 3600, Limit: mainnetLimit.Hours(), Unit: "h",
				})
			}
		})
	}
}

func (u usage) wall() float64       { return u.elapsed.Seconds() }
func (u usage) processing() float64 { return u.processor.Seconds() }

// printUsage prints the last of the runs of a program.
func printUsage(w *tabwriter.Writer, name string, runs []usage, start usage, memory string) {
	fmt.Fprint(w, name)
	for _, u := range []usage{runs[len(runs)-1], start} {
		fmt.Fprintf(w, "\t%s\t%s", u.elapsed.Round(time.Millisecond), u.processor.Round(time.Millisecond))
	}
	fmt.Fprintf(w, "\t%s\n", memory)
}

// median returns the median of a time of runs.
func median(runs []usage, of func(usage) float64) float64 {
	var all []float64
	for _, u := range runs {
		all = append(all, of(u))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// reportOrd reports a time of the server relative to ord's.
func reportOrd(b *testing.B, what string, of func(usage) float64, runs [2][]usage, limit float64) {
	ours, theirs := median(runs[0], of), median(runs[1], of)
	if engine.Current() == engine.Postgres {
		limit = 0
	}
	figures.Report(b, figures.Figure{
		Name: what + ", relative to ord", Database: figures.Current(), Value: ours / theirs,
		Limit: limit, Unit: "times", Beside: fmt.Sprintf("%.2f s, ord %.2f s", ours, theirs),
	})
}

// fetch reads every block from the node as the server does, four at once, without decoding them.
func (o *ord) fetch(b *testing.B) time.Duration {
	client := o.chain.node.Client()
	defer client.Close()
	began := time.Now()
	var next atomic.Int64
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for height := next.Add(1); height <= o.chain.height; height = next.Add(1) {
				hash, err := client.BlockHash(b.Context(), height)
				must(b, err)
				_, err = client.RawBlock(b.Context(), hash)
				must(b, err)
			}
		})
	}
	running.Wait()
	return time.Since(began)
}
