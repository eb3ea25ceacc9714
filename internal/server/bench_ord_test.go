package server

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"moonfund/internal/testkit/figures"
)

// Mainnet's size on 2026-11-24, from which BenchmarkOrd computes the time to catch up.
const (
	mainnetBlocks = 137_000 // from block 840,000, the first with runes
	mainnetLimit  = 12 * time.Hour
)

// ordChains are the chains of BenchmarkOrd. The second one has blocks of 4,000 transactions and 1.6 MB. A fifth of the
// transactions mint or transfer runes. Each chain begins with additional blocks, which only create coins.
var ordChains = []struct {
	ordProfile
	name  string
	least float64 // minimum speed relative to ord
}{
	{ordProfile{blocks: 910, transactions: 70, mints: 20, transfers: 45, inputs: 1}, "most transactions with runes", 1},
	{ordProfile{blocks: 60, transactions: 4000, mints: 400, transfers: 400, inputs: 2}, "blocks like mainnet's", 3},
}

// BenchmarkOrd follows two chains on a node of the Core family, lets ord index the same chains, compares both indexes,
// and prints the times of both. `make bench-ord` runs it.
func BenchmarkOrd(b *testing.B) {
	for _, chain := range ordChains {
		b.Run(strings.ReplaceAll(chain.name, " ", "_"), func(b *testing.B) {
			o := newOrd(b, chain.ordProfile)
			w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "\n%s: %d blocks, %d MB\telapsed\tprocessor time\tmemory, at most\n", chain.name, o.chain.height,
				o.chain.bytes>>20)
			o.follow(b) // the first call creates keys
			var ours, theirs time.Duration
			for range b.N { // alternately, so that other load affects both alike
				elapsed, processor := o.index(b)
				theirs += elapsed
				fmt.Fprintf(w, "ord\t%s\t%s\t\n", elapsed.Round(time.Millisecond), processor.Round(time.Millisecond))
				debug.FreeOSMemory()
				peak, began, used := watchMemory(), time.Now(), processorTime()
				l := o.follow(b)
				elapsed, processor = time.Since(began), processorTime()-used
				ours += elapsed
				fmt.Fprintf(w, "the server\t%s\t%s\t%d MiB\n", elapsed.Round(time.Millisecond),
					processor.Round(time.Millisecond), peak()>>20)
				fmt.Fprintf(w, "the node's blocks alone\t%s\t\t\n", o.fetch(b).Round(time.Millisecond))
				c := o.compare(b, l.Store)
				fmt.Fprintf(w, "equal: %d runes, %d burned, %d minted, %d balances\t\t\t\n", c.runes, c.burned, c.minted,
					c.balances)
			}
			must(b, w.Flush())
			ratio := theirs.Seconds() / ours.Seconds()
			each := 1 / float64(b.N)
			figures.Report(b, figures.Figure{
				Name: "as fast as ord: " + chain.name, Database: figures.SQLite, Value: ratio, Limit: chain.least, Least: true,
				Unit: "times", Beside: fmt.Sprintf("%.2f s, ord %.2f s", ours.Seconds()*each, theirs.Seconds()*each),
			})
			if chain.least > 1 {
				// The time includes the blocks that only create coins, so this is an upper bound.
				whole := ours / time.Duration(b.N*chain.blocks) * mainnetBlocks
				figures.Report(b, figures.Figure{
					Name:     fmt.Sprintf("catching up with %d blocks like mainnet's", mainnetBlocks),
					Database: figures.SQLite, Value: whole.Hours(), Limit: mainnetLimit.Hours(), Unit: "h",
				})
			}
		})
	}
}

// fetch reads every block from the node as the server does, four at once, without decoding them.
func (o *ord) fetch(b *testing.B) time.Duration {
	client := o.node.Client()
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
