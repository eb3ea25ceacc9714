package sim

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"moonfund/internal/signed/statement"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
	"moonfund/internal/verify"
)

// epochs is the minimum number of epochs of which TestStatements verifies the statements.
var epochs = flag.Int("epochs", 20, "verify the statements of at least so many epochs")

// TestStatements publishes the statements of random scenarios and verifies them like moonfund-verify: the chain, the
// signatures, the sums, the rewards, the tree, and that the reserves cover the liabilities. The statements are
// published while the scenario runs, and owners sign messages that name the newest or an earlier one.
func TestStatements(t *testing.T) {
	if racing {
		return // nothing here is concurrent
	}
	start := NewSnapshot(t)
	_, operations := size()
	var mu sync.Mutex
	verified, named := 0, map[string]int{}
	check := func(w *testkit.World, folder string) {
		n := verifyStatements(w, folder)
		statements := w.Rows(`SELECT CASE WHEN statement = '' THEN 'none' WHEN statement = (
			SELECT id FROM statement ORDER BY sequence DESC LIMIT 1) THEN 'newest' ELSE 'earlier' END AS statement
			FROM action WHERE used_at <> 0 AND type <> 'STAKE'`)
		mu.Lock()
		defer mu.Unlock()
		verified += n
		for line := range strings.Lines(statements) {
			named[strings.TrimSpace(line)]++
		}
	}
	for ran := 0; verified < *epochs; {
		plans := make([]Plan, runtime.GOMAXPROCS(0))
		for i := range plans {
			folder := t.TempDir()
			plans[i] = Plan{Seed: *first + uint64(ran), Steps: operations, Unaudited: isUnaudited(ran), folder: folder,
				finished: func(w *testkit.World) { check(w, folder) }}
			ran++
		}
		for _, out := range RunAll(t, start, plans, 1, os.Stderr).Broken {
			t.Fatalf("seed %d: %s", out.Seed, out.Broken)
		}
	}
	t.Logf("signed messages by the statement that they name: %v", named)
	if named["statement=earlier"] == 0 {
		t.Errorf("no message named an earlier statement: %v", named)
	}
	t.Logf("verified the statements of %d epochs", verified)
}

// verifyStatements publishes and verifies the statements of a world, and returns their number.
func verifyStatements(w *testkit.World, archive string) int {
	publisher := w.Publisher(w.StatementSigner(archive), archive)
	testkit.Must(w, publisher.Publish(w.Context()))
	var out bytes.Buffer
	v := verify.Verifier{Out: &out, Key: publisher.Communities[0].Key}
	if testkit.Must(w, v.Chain(w.Context(), []string{archive}, "", "")); v.Failed() > 0 {
		w.Fatal(&out)
	}
	files, err := filepath.Glob(filepath.Join(archive, "*-details.json"))
	testkit.Must(w, err)
	checkCustody(w, statement.Archive(archive), int64(len(files)))
	return len(files)
}

// checkCustody compares the kind of custody of each stake in the statements with that of its address.
func checkCustody(w *testkit.World, archive statement.Archive, count int64) {
	db := engine.Connect(w, w.URL())
	defer db.Close()
	kinds := map[string]string{}
	rows, err := db.QueryContext(w.Context(), `SELECT watch.script, stake_address.self_custody FROM watch
		JOIN stake_address ON stake_address.address = watch.ref`)
	testkit.Must(w, err)
	for rows.Next() {
		var script []byte
		var self int64
		testkit.Must(w, rows.Scan(&script, &self))
		kinds[hex.EncodeToString(script)] = []string{statement.CustodyOperator, statement.CustodySelf}[self]
	}
	testkit.Must(w, rows.Err())
	for sequence := range count {
		signed, err := archive.Signed(testkit.Prefix, sequence)
		testkit.Must(w, err)
		for _, r := range signed.Document.Reserves {
			if r.Kind == statement.ReserveStake && r.CustodyKind != kinds[r.Script] {
				w.Fatalf("statement %d: %s is in the custody %q, want %q", sequence, r.Outpoint, r.CustodyKind, kinds[r.Script])
			}
		}
	}
}
