package follower_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/dispatch"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// The environment variables of a process that TestKilledWhileCatchingUp kills: its database and its node.
const (
	killedDatabase = "FOLLOWER_KILLED_DATABASE"
	killedNode     = "FOLLOWER_KILLED_NODE"
)

// TestKilledWhileCatchingUp ends a process that follows a chain into an empty ledger with SIGKILL, again and again.
// Committed changes persist, and at most the blocks that were fetched but not applied are fetched again. The last
// process reaches the ledger of a server that was not killed.
func TestKilledWhileCatchingUp(t *testing.T) {
	if address := os.Getenv(killedDatabase); address != "" {
		followWhole(t, address, os.Getenv(killedNode))
		return
	}
	testkit.OnBtcd(t)
	w := testkit.NewWorld(t)
	held := w.Anna.Runes()
	for range 250 {
		tx := w.SpendToSelf(w.Anna, 0, held)
		w.Node.MineOnly(tx)
		held = testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]}
	}
	node, address := w.Faulty(), "sqlite:"+filepath.Join(t.TempDir(), "killed.db")
	if engine.Current() == engine.Postgres {
		address = testkit.NewDatabase(t)
	}
	tips := []int64{chain.None}
	for limit := 3; ; limit += 17 {
		ended, fetched := killedAfter(t, node, address, limit)
		tip := heightAt(t, address)
		last := tips[len(tips)-1]
		if tip < last || !ended && last+int64(fetched)-tip > 110 { // twice as many blocks as are fetched at once
			t.Errorf("killed after %d blocks were fetched: the ledger was at block %d, and is at block %d", fetched, last, tip)
		}
		tips = append(tips, tip)
		if ended {
			break
		}
	}
	if len(tips) < 8 || tips[len(tips)-1] != w.Node.Height() || tips[len(tips)-2] < 50 {
		t.Errorf("heights after each kill: %v", tips)
	}
	w.Step()
	replay := w.At("sqlite:" + filepath.Join(t.TempDir(), "replay.db"))
	replay.Step()
	killed := w.At(address)
	for _, query := range []string{`SELECT height, hash FROM block ORDER BY 1`,
		`SELECT outpoint, balances FROM rune_balance ORDER BY 1`, `SELECT id, entry FROM rune_entry ORDER BY 1`} {
		if got, want := killed.Rows(query), replay.Rows(query); got != want || got == "" {
			t.Errorf("%s: got\n%s\nwant\n%s", query, got, want)
		}
	}
}

// killedAfter follows the chain in a process, and kills the process at the call for the block with this number. It
// returns whether the process ended by itself, and the number of its calls.
func killedAfter(t *testing.T, node *testkit.Faulty, address string, limit int) (ended bool, fetched int) {
	ctx, kill := context.WithCancel(t.Context()) // ends the process with SIGKILL
	defer kill()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilledWhileCatchingUp$")
	child.Env = append(os.Environ(), killedDatabase+"="+address, killedNode+"="+node.URL, "MOONFUND_TEST_ENGINE=sqlite")
	var mu sync.Mutex
	node.SetResponse(func(_ http.ResponseWriter, _ *http.Request, method string) bool {
		mu.Lock()
		defer mu.Unlock()
		if method == "getblock" {
			if fetched++; fetched == limit {
				kill()
			}
		}
		return false
	})
	output, err := child.CombinedOutput()
	node.SetResponse(nil)
	mu.Lock()
	defer mu.Unlock()
	if err != nil && fetched < limit {
		t.Fatalf("the process failed: %v: %s", err, output)
	}
	return err == nil, fetched
}

// heightAt returns the height of the ledger in a database.
func heightAt(t *testing.T, address string) (height int64) {
	db, err := store.Open(t.Context(), address)
	testkit.Must(t, err)
	defer db.Close()
	testkit.Must(t, db.View(t.Context(), func(tx *store.Tx) error {
		tip, err := tx.Tip(t.Context())
		height = tip.Height
		return err
	}))
	return height
}

// followWhole follows the chain of a node to its end, with a ledger of no community.
func followWhole(t *testing.T, address, node string) {
	db, err := store.Open(t.Context(), address)
	testkit.Must(t, err)
	defer db.Close()
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	client := chain.NewClient(chain.ClientConfig{URL: node, User: "testkit", Password: "testkit"})
	book, orders, log := ledger.NewService(), order.NewService(network), slog.New(slog.DiscardHandler)
	f := follower.New(follower.Config{
		Node: client, Rules: runes.RulesFor(network), Ledger: book, Orders: orders, Log: log,
		MaxTransactionTime: time.Millisecond, FetchAhead: 50,
		Payouts: dispatch.NewService(payout.NewBook(payout.Config{Network: network, Ledger: book, Orders: orders,
			Policy: chain.DefaultPolicy(), Log: log}), nil),
		Transact: func(ctx context.Context, fn func(follower.Tx) error) error {
			return db.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		Moment:  func() (ledger.Moment, error) { return ledger.Moment{Now: time.Now(), Chain: time.Now()}, nil },
		Rate:    func(context.Context) amount.FeeRate { return amount.SatPerVB(1) },
		Changed: func(string, string) {},
	})
	_, err = f.Step(t.Context())
	testkit.Must(t, err)
}
