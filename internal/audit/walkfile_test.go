package audit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

var errNode = errors.New("the node is gone")

// failingNode is a node that counts the requested blocks and fails at one of them.
type failingNode struct {
	audit.Node
	blocks, failAt int // failAt 0: never
}

func (n *failingNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	if n.blocks++; n.blocks == n.failAt {
		return chain.Block{}, errNode
	}
	return n.Node.Block(ctx, hash, height)
}

// A restarted server reads only the blocks since its last audit. It reads the whole chain from the node again if the
// file is missing, damaged, of another version, or of another state of the ledger.
func TestWalkFile(t *testing.T) {
	w := newAudited(t)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	w.Deposit(w.Anna, 50_000)
	w.Mine(30)
	w.Step()
	node := &failingNode{Node: w.Node}
	config := w.config()
	config.WalkFile = filepath.Join(t.TempDir(), "walk.db")
	read := func() int {
		t.Helper()
		node.blocks = 0
		report, err := checkOnce(t, db, node, config)
		testkit.Must(t, err)
		if !report.OK() {
			t.Fatal(report.Violations)
		}
		return node.blocks
	}
	whole := read()
	if info, err := os.Stat(config.WalkFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v; want 0600", info.Mode(), err)
	}
	if again := read(); whole < 30 || again != 0 {
		t.Fatalf("read %d blocks, after a restart %d", whole, again)
	}
	w.Mine(2)
	w.Step()
	if again := read(); again != 2 {
		t.Errorf("after two blocks and a restart: read %d blocks", again)
	}
	w.Mine(3)
	w.Step()
	checker := newChecker(t, db, node, config)
	testkit.Must(t, checker.Walk(t.Context()))
	testkit.Must(t, checker.Close())
	if again := read(); again != 0 {
		t.Errorf("after a walk without an audit: read %d blocks", again)
	}
	older := w.Copy()
	w.StakeAddress(w.Cleo, 1000)
	w.Deposit(w.Bert, 50_000)
	w.Mine(1)
	w.Step()
	if again := read(); again != 1 {
		t.Errorf("after a block with a deposit: read %d blocks", again)
	}
	w.Clock.Advance(action.StakeKept + time.Second)
	w.Step()
	if left := w.Rows("SELECT address FROM stake_address WHERE owner = ?", w.Cleo.Ordinals.Text); left != "" {
		t.Fatalf("the address without a deposit did not expire: %s", left)
	}
	if again := read(); again != 0 {
		t.Errorf("after an address without a deposit expired: read %d blocks", again)
	}
	whole += 6
	older.Step()
	copied, err := audit.Open(older.URL())
	testkit.Must(t, err)
	defer copied.Close()
	node.blocks = 0
	if report, err := checkOnce(t, copied, node, config); err != nil || !report.OK() || node.blocks != whole {
		t.Errorf("with the ledger of an older copy: %v, %v, read %d blocks, want %d", report.Violations, err, node.blocks,
			whole)
	}
	testkit.Must(t, os.Remove(config.WalkFile))
	read()
	file := func() []byte {
		t.Helper()
		data, err := os.ReadFile(config.WalkFile)
		testkit.Must(t, err)
		return data
	}
	intact := file()
	for name, spoil := range map[string]func(){
		"missing":   func() { testkit.Must(t, os.Remove(config.WalkFile)) },
		"no SQLite": func() { testkit.Must(t, os.WriteFile(config.WalkFile, []byte(strings.Repeat("x", 8_192)), 0o600)) },
		"overwritten": func() {
			testkit.Must(t, os.WriteFile(config.WalkFile, append(intact[:4_096:4_096], make([]byte, 40_960)...), 0o600))
		},
		"with a row that can't be decoded": func() {
			engine.Damage(t, "sqlite:"+config.WalkFile, "UPDATE output SET balances = x'ff'")
		},
		"another version": func() { engine.Damage(t, "sqlite:"+config.WalkFile, "PRAGMA user_version = 9") },
		"another ledger": func() {
			engine.Damage(t, "sqlite:"+config.WalkFile, "UPDATE state SET value = value || '1' WHERE name = 'rules'")
		},
		"before a restored backup": func() { // the backup has other addresses
			engine.Damage(t, "sqlite:"+config.WalkFile,
				"UPDATE state SET value = '1' || substr(value, instr(value, ' ')) WHERE name = 'issued'")
		},
	} {
		spoil()
		if got := read(); got != whole {
			t.Errorf("a file that is %s: read %d blocks, want %d", name, got, whole)
		}
		if got := read(); got != 0 {
			t.Errorf("after a file that was %s: read %d blocks", name, got)
		}
	}
}

// A node that fails during a walk costs at most the blocks since the last save. The walk continues from the last save,
// with the same or a restarted server.
func TestInterruptedWalk(t *testing.T) {
	w := newAudited(t)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	defer db.Close()
	w.Deposit(w.Anna, 50_000)
	w.Mine(2 * audit.SaveEvery)
	w.Step()
	whole, err := audit.Run(t.Context(), db, w.Node, w.config())
	testkit.Must(t, err)
	for failAt := 1; failAt <= whole.Checked.Blocks; failAt += 7 {
		config := w.config()
		config.WalkFile = filepath.Join(t.TempDir(), "walk.db")
		node := &failingNode{Node: w.Node, failAt: failAt}
		checker := audit.NewChecker(db, node, config)
		if _, err := checker.Check(t.Context()); !errors.Is(err, errNode) {
			t.Fatalf("failed at block %d: got %v", failAt, err)
		}
		if failAt%2 == 0 { // restart the server
			testkit.Must(t, checker.Close())
			checker = audit.NewChecker(db, node, config)
		}
		got, err := checker.Check(t.Context())
		testkit.Must(t, err)
		testkit.Must(t, checker.Close())
		if !got.OK() || got.Checked != whole.Checked || got.Height != whole.Height {
			t.Errorf("failed at block %d: got %+v, want %+v", failAt, got, whole)
		}
		if again := node.blocks - whole.Checked.Blocks; again > audit.SaveEvery {
			t.Errorf("failed at block %d: %d blocks were read again", failAt, again)
		}
	}
}
