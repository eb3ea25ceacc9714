package follower_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// A server that is far behind indexes the same blocks and runes as a server that followed each block, even if a reorg
// of any depth replaces blocks that it has fetched but not applied.
func TestCatchUp(t *testing.T) {
	for _, depth := range []int{0, 6, 30} {
		w := testkit.NewWorld(t)
		held := w.Anna.Runes()
		for range 90 {
			tx := w.SpendToSelf(w.Anna, 1, held)
			w.Node.MineOnly(tx)
			held = testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]}
		}
		w.Follower.FetchAhead = 1
		late := w.At("sqlite:" + filepath.Join(t.TempDir(), "late.db"))
		late.Follower.FetchAhead = 50 // so that several transactions write them
		writes := 0
		late.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
			fn func(*store.Tx) error) error {
			before := tipOf(late)
			err := update(ctx, fn)
			if after := tipOf(late); after != before {
				if writes++; writes == 1 && depth > 0 {
					w.Node.Rewind(depth)
					for range depth + 2 {
						w.Node.MineOnly()
					}
				}
			}
			return err
		}
		late.Step()
		if writes < 2 {
			t.Fatalf("all blocks were written in %d transactions", writes)
		}
		w.Step()
		for _, query := range []string{`SELECT height, hash FROM block ORDER BY 1`,
			`SELECT outpoint, balances FROM rune_balance ORDER BY 1`, `SELECT id, entry FROM rune_entry ORDER BY 1`} {
			if got, want := late.Rows(query), w.Rows(query); got != want || got == "" {
				t.Errorf("after a reorg of %d blocks: %s: got\n%s\nwant\n%s", depth, query, got, want)
			}
		}
	}
}

// tipOf returns the hash of the last block in a ledger.
func tipOf(w *testkit.World) (hash string) {
	testkit.Must(w, w.Store.View(w.Context(), func(tx *store.Tx) error {
		tip, err := tx.Tip(w.Context())
		hash = tip.Hash
		return err
	}))
	return hash
}

// While a server catches up, its write transaction begins no further block after 250 ms, the default, to limit the wait
// of other writers and the loss in a crash. Each block takes at least half as long in this test.
func TestBlocksInOneTransaction(t *testing.T) {
	const limit = 250 * time.Millisecond
	if got := follower.New(follower.Config{}).MaxTransactionTime; got != limit {
		t.Errorf("the default is %s, want %s", got, limit)
	}
	w := testkit.NewWorld(t)
	w.Mine(6)
	blocks, most := 0, 0
	w.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
		fn func(*store.Tx) error) error {
		blocks = 0
		return update(store.InjectFaults(ctx, func(statement string, _ bool) error {
			if strings.Contains(statement, "name: InsertBlock ") {
				time.Sleep(limit / 2)
				blocks++
				most = max(most, blocks)
			}
			return nil
		}), fn)
	}
	w.Step()
	if most < 1 || most > 2 {
		t.Errorf("%d blocks of more than %s in one transaction", most, limit/2)
	}
}
