package server

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
)

const (
	victimWrites  = 200            // acknowledged before the process is killed
	victimSetting = "last_written" // set by the victim to the number of its last write
)

// measureReady measures the time from opening a ledger with a closed epoch, after a kill -9 under load, until the
// server has followed its node and is ready.
func measureReady(b *testing.B, l ledgerFile) {
	tip := numberHash(20)
	l.exec(b, fmt.Sprintf(`UPDATE block SET hash = '%s' WHERE height = 20`, tip),
		`INSERT INTO watch (number, script, community, kind, ref, owner)
			SELECT 1000 + ROW_NUMBER() OVER (ORDER BY txid, vout), script, community, kind, ref, owner FROM custody
				WHERE kind = 'stake'`)
	acknowledged := killed(b, l.address)

	began, used := time.Now(), processorTime()
	again := opened(b, l.address)
	open := time.Since(began)
	config := again.Follower.Config
	config.Node, config.Lead, config.Audit, config.Inspect = resting{tip: tip, height: 20}, nil, nil, nil
	config.Transact = func(ctx context.Context, fn func(follower.Tx) error) error {
		return again.Store.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
	}
	f := follower.New(config)
	_, err := f.Step(b.Context())
	must(b, err)
	took := time.Since(began)
	b.Logf("opened in %s; processor time %s", open.Round(time.Millisecond),
		(processorTime() - used).Round(time.Millisecond))
	if !f.State().Synced {
		b.Error("the server is not ready")
	}
	var last string
	must(b, again.Store.View(b.Context(), func(tx *store.Tx) (err error) {
		last, err = tx.Setting(b.Context(), victimSetting)
		return err
	}))
	if n, err := strconv.Atoi(last); err != nil || n < acknowledged {
		b.Errorf("write %d was acknowledged, but the last write in the ledger is %q", acknowledged, last)
	}
	reportWithin(b, fmt.Sprintf("ready after kill -9, with %d units", l.units), took, 2*time.Second)
}

// killed starts a process that writes to a ledger, kills it while it writes, and returns the number of the last write
// that was acknowledged as durable.
func killed(b *testing.B, address string) (acknowledged int) {
	victim := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkFigures$",
		"-test.benchtime=1x")
	victim.Env = append(os.Environ(), victimEnv+"="+address, "MOONFUND_TEST_ENGINE=sqlite") // it starts no PostgreSQL
	output, err := victim.StdoutPipe()
	must(b, err)
	must(b, victim.Start())
	lines := bufio.NewScanner(output)
	for acknowledged < victimWrites && lines.Scan() {
		if number, is := strings.CutPrefix(lines.Text(), "written "); is {
			acknowledged, err = strconv.Atoi(number)
			must(b, err)
		}
	}
	must(b, victim.Process.Kill()) // SIGKILL
	_ = victim.Wait()
	if acknowledged < victimWrites {
		b.Fatal("the process ended before it was killed")
	}
	return acknowledged
}

// victimEnv names the environment variable with the URL of the ledger that a process writes to until it is killed.
const victimEnv = "FIGURES_VICTIM"

func writeUntilKilled(b *testing.B, address string) {
	db, err := store.Open(b.Context(), address)
	must(b, err)
	for i := 1; ; i++ {
		must(b, db.Update(b.Context(), func(tx *store.Tx) error {
			return tx.PutSetting(b.Context(), victimSetting, fmt.Sprint(i))
		}))
		fmt.Println("written", i)
	}
}

// resting is a node whose chain does not change.
type resting struct {
	rawChain
	tip    chainhash.Hash
	height int64
}

func (r resting) Best(context.Context) (chainhash.Hash, int64, error) { return r.tip, r.height, nil }
