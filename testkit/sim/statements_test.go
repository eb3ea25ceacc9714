package sim

import (
	"flag"
	"os/exec"
	"path/filepath"
	"testing"

	"moonfund/testkit"
)

// epochs is the number of epochs of which TestStatements verifies the statements, at least.
var epochs = flag.Int("epochs", 20, "verify the statements of at least so many epochs")

// TestStatements publishes the statements of random scenarios and verifies them with moonfund-verify, which shares no
// code with the server and runs as a process of its own: the chain, the signatures, the sums, the rewards, the tree,
// and that the reserves cover what is owed.
func TestStatements(t *testing.T) {
	if racing {
		return // nothing here is concurrent
	}
	verifier := filepath.Join(t.TempDir(), "moonfund-verify")
	build := exec.CommandContext(t.Context(), "go", "-C", "../../verify", "build", "-o", verifier, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	start := NewSnapshot(t)
	_, operations := size()
	verified := 0
	for seed := *first; verified < *epochs; seed++ {
		plan := Plan{Seed: seed, Steps: operations, finished: func(w *testkit.World) {
			verified += verifyStatements(w, verifier)
		}}
		if out := RunOne(t, start, plan); out.Broken != "" {
			t.Fatalf("seed %d: %s", seed, out.Broken)
		}
	}
	t.Logf("verified the statements of %d epochs", verified)
}

// verifyStatements publishes and verifies the statements of a world, and returns their number.
func verifyStatements(w *testkit.World, verifier string) int {
	archive := w.TempDir()
	publisher := w.Publisher(w.StatementSigner(w.TempDir()), archive)
	testkit.Must(w, publisher.Publish(w.Context()))
	chain := exec.CommandContext(w.Context(), verifier, "chain", archive, "--key", publisher.Communities[0].Key.String())
	if out, err := chain.CombinedOutput(); err != nil {
		w.Fatalf("%v:\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(archive, "*-details.json"))
	testkit.Must(w, err)
	return len(files)
}
