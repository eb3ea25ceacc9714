package audit_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// youngTown is a ledger whose first output is just young enough for an audit that begins with a copy of the rune index.
type youngTown struct {
	*audited
	db     *sql.DB
	node   *failingNode
	config audit.Config
}

func newYoungTown(t *testing.T) *youngTown {
	w := newAudited(t)
	w.Deposit(w.Anna, 50_000)
	db, err := audit.Open(w.URL())
	testkit.Must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	var first int64
	testkit.Must(t, db.QueryRowContext(t.Context(), "SELECT MIN(height) FROM custody WHERE height >= 0").Scan(&first))
	w.Mine(int(first + runes.UndoDepth - 1 - w.Node.Height()))
	w.Step()
	y := &youngTown{w, db, &failingNode{Node: w.Node}, w.config()}
	y.forget()
	return y
}

// forget gives the next audit a new file.
func (y *youngTown) forget() { y.config.WalkFile = filepath.Join(y.TempDir(), "walk.db") }

// read audits and returns the report and the number of blocks that the audit read.
func (y *youngTown) read() (audit.Report, int) {
	y.Helper()
	y.node.blocks = 0
	report, err := checkOnce(y, y.db, y.node, y.config)
	testkit.Must(y, err)
	return report, y.node.blocks
}

// The first audit of a server without an old output reads only the blocks from its first output on, and later ones the
// new blocks. It finds what changes in the copied index afterwards.
func TestSeededWalk(t *testing.T) {
	y := newYoungTown(t)
	read := func(what string, want int) {
		t.Helper()
		if report, n := y.read(); !report.OK() || n != want {
			t.Errorf("%s: %v, %d blocks read, want %d", what, report.Violations, n, want)
		}
	}
	read("the first audit", runes.UndoDepth)
	y.Deposit(y.Anna, 50_000)
	y.Settle(3)
	y.Node.Rewind(2)
	y.Mine(3)
	y.Step()
	read("the second audit", 4)
	engine.Damage(t, y.URL(), "UPDATE rune_balance SET balances = x'01010107'")
	if report, _ := y.read(); report.OK() {
		t.Error("a changed index is no violation")
	}
}

// The first audit reads the whole chain if it can't rely on a copy.
func TestUnseededWalk(t *testing.T) {
	fake := "x'" + strings.Repeat("ff", 32) + "00000000'"
	for _, c := range []struct {
		name   string
		change func(*youngTown)
		ok     bool
	}{
		{"an older output", func(y *youngTown) { y.Mine(1); y.Step() }, true},
		{"a rune of which outputs hold more than was issued", func(y *youngTown) {
			engine.Damage(y, y.URL(),
				"INSERT INTO rune_balance (outpoint, balances) SELECT "+fake+", balances FROM rune_balance LIMIT 1")
		}, false},
		{"a rune of which outputs hold less", func(y *youngTown) {
			engine.Damage(y, y.URL(), "DELETE FROM rune_balance")
		}, false},
		{"a row that can't be read", func(y *youngTown) {
			engine.Damage(y, y.URL(), "UPDATE rune_balance SET balances = x'01'")
		}, false},
		{"an undo record that can't be read", func(y *youngTown) {
			engine.Damage(y, y.URL(), "UPDATE rune_undo SET data = x'01'")
		}, true},
		{"an adopted address", func(y *youngTown) {
			engine.Damage(y, y.URL(), "UPDATE stake_address SET position = 7")
			engine.Damage(y, y.URL(), "INSERT INTO adopted_address (address, height) SELECT address, -1 FROM stake_address")
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := newYoungTown(t)
			c.change(y)
			if report, n := y.read(); report.OK() != c.ok || int64(n) <= runes.UndoDepth {
				t.Errorf("got %v, %d blocks read", report.Violations, n)
			}
		})
	}
}

// A reorg that the server has not followed yet does not make the first audit read the whole chain.
func TestSeededWalkInAReorg(t *testing.T) {
	y := newYoungTown(t)
	y.Node.Rewind(2)
	y.Mine(3)
	if report, n := y.read(); !report.OK() || n != runes.UndoDepth {
		t.Errorf("got %v, %d blocks read, want %d", report.Violations, n, runes.UndoDepth)
	}
	y.Step()
	if report, n := y.read(); !report.OK() || n != 3 {
		t.Errorf("afterwards: %v, %d blocks read, want 3", report.Violations, n)
	}
}

// A server that does not lead and has far to catch up does not begin to walk.
func TestWalkWaitsForTheLedger(t *testing.T) {
	y := newYoungTown(t)
	y.Mine(runes.UndoDepth + 1)
	checker := newChecker(t, y.db, y.node, y.config)
	walk := func(want int) {
		t.Helper()
		y.node.blocks = 0
		testkit.Must(t, checker.Walk(t.Context()))
		if y.node.blocks != want {
			t.Errorf("%d blocks read, want %d", y.node.blocks, want)
		}
	}
	walk(0)
	y.Node.Rewind(1)
	walk(runes.UndoDepth)
}
