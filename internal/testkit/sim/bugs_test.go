package sim

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	bugs    = flag.Bool("bugs", false, "build the product with each of the planted bugs, and find it (minutes)")
	bugName = flag.String("bug", "", "plant only bugs whose name this regular expression matches")
)

// lookFor is the number of scenarios in which a planted bug must be found.
const lookFor = "300"

// found matches the line that the simulator prints for a broken scenario, and that of a violation that the audit of the
// world from which all scenarios start finds.
var found = regexp.MustCompile(`seed \d+, step \d+: .*|invariant \d+: .*`)

// TestPlantedBugs builds the simulator with each planted bug and fails unless a scenario breaks. Each bug needs a
// build: `make sim-bugs`. Without -bugs it only checks that the bugs can be planted.
func TestPlantedBugs(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := regexp.Compile(*bugName)
	if err != nil {
		t.Fatal(err)
	}
	for _, bug := range plantedBugs {
		t.Run(bug.name, func(t *testing.T) {
			overlay := bug.plant(t, root)
			if !*bugs || !wanted.MatchString(bug.name) {
				return
			}
			binary := filepath.Join(t.TempDir(), "sim.test")
			run(t, root, "go", "test", "-c", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, "./internal/testkit/sim")
			command := exec.Command(binary, "-test.run", "^TestSim$", "-test.timeout", "24h", "-seeds", lookFor, "-forget")
			command.Dir = filepath.Join(root, "internal/testkit/sim")
			command.Env = append(os.Environ(), "MOONFUND_TEST_ENGINE=sqlite")
			output, err := command.CombinedOutput()
			line := found.Find(output)
			if err == nil || line == nil {
				t.Fatalf("%s scenarios did not find the bug\n%s", lookFor, output[max(0, len(output)-4000):])
			}
			t.Logf("found: %s", line)
		})
	}
}

// plant writes a copy of the file with the bug, and returns the path of an overlay (go build -overlay) that replaces
// the file by the copy.
func (b plantedBug) plant(t *testing.T, root string) string {
	t.Helper()
	original := filepath.Join(root, b.file)
	source, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), b.old); n != 1 {
		t.Fatalf("%s contains the text %d times, want once:\n%s", b.file, n, b.old)
	}
	dir := t.TempDir()
	copied, overlay := filepath.Join(dir, "planted.go"), filepath.Join(dir, "overlay.json")
	described, err := json.Marshal(map[string]any{"Replace": map[string]string{original: copied}})
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string][]byte{
		copied: []byte(strings.Replace(string(source), b.old, b.new, 1)), overlay: described,
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = dir
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
}
