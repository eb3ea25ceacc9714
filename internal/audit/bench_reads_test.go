package audit

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"moonfund/internal/store"
	"moonfund/internal/testkit/figures"
)

const (
	readerEnv   = "AUDIT_READER"       // path of the ledger that a process reads until its input is closed
	readerUnits = "AUDIT_READER_UNITS" // number of units of that ledger
	readsEach   = 500                  // reads of wallets' pages per second
	readLimit   = 50 * time.Millisecond
)

// reads is a process that reads the pages of random wallets at a fixed rate.
type reads struct {
	*exec.Cmd
	stop   io.Closer
	output *bufio.Scanner
}

// startReads starts the process, and returns after its first second.
func startReads(b *testing.B, address string, units int) reads {
	b.Helper()
	r := reads{Cmd: exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkAudit$",
		"-test.benchtime=1x")}
	r.Env = append(os.Environ(), readerEnv+"="+address, readerUnits+"="+strconv.Itoa(units))
	input, err := r.StdinPipe()
	check(b, err)
	output, err := r.StdoutPipe()
	check(b, err)
	check(b, r.Start())
	r.stop, r.output = input, bufio.NewScanner(output)
	for r.output.Scan() && r.output.Text() != "reading" {
	}
	return r
}

// report ends the process and reports its slowest reads.
func (r reads) report(b *testing.B, what string) {
	b.Helper()
	check(b, r.stop.Close())
	var count int
	var within float64
	for r.output.Scan() {
		_, _ = fmt.Sscanf(r.output.Text(), "%d reads, 99 of 100 within %f ms", &count, &within)
	}
	check(b, r.Wait())
	if count == 0 {
		b.Fatal("nothing was read during the audit")
	}
	figures.Report(b, figures.Figure{
		Name: what + ", 99 of 100 reads meanwhile", Database: figures.Current(), Value: within,
		Limit: readLimit.Seconds() * 1000, Unit: "ms", Beside: fmt.Sprintf("%d reads, %d/s", count, readsEach),
	})
}

// readUntilClosed reads the units, sums and orders of random wallets until the standard input is closed. A read is
// measured from the time at which it was due. The reads of the first second are not counted.
func readUntilClosed(b *testing.B, address string) {
	units, err := strconv.Atoi(os.Getenv(readerUnits))
	check(b, err)
	s, err := store.Open(b.Context(), address)
	check(b, err)
	defer s.Close()
	closed := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(closed)
	}()
	var times []time.Duration
	began := time.Now()
	for i := 0; ; i++ {
		due := began.Add(time.Duration(i) * time.Second / readsEach)
		select {
		case <-closed:
			slices.Sort(times)
			if len(times) > 0 {
				fmt.Printf("%d reads, 99 of 100 within %.2f ms\n", len(times), times[len(times)*99/100].Seconds()*1000)
			}
			return
		case <-time.After(time.Until(due)):
		}
		readPage(b, s, fmt.Sprintf("bcrt1p%058d", rand.IntN(units)/benchOwner))
		if i == readsEach {
			fmt.Println("reading")
			times = nil
		}
		times = append(times, time.Since(due))
	}
}

// readPage reads the data of a wallet's page, as the server does.
func readPage(b *testing.B, s *store.Store, owner string) {
	for _, read := range []func(*store.Tx) error{
		func(tx *store.Tx) error { _, err := tx.SumsOf(b.Context(), "lobo", owner); return err },
		func(tx *store.Tx) error { _, err := tx.UnitsOf(b.Context(), "lobo", owner); return err },
		func(tx *store.Tx) error { _, err := tx.OrdersOf(b.Context(), "lobo", owner); return err },
	} {
		check(b, s.Read(b.Context(), read))
	}
}
