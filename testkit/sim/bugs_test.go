package sim

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var bugs = flag.Bool("bugs", false, "build the product with each of the planted bugs, and find it (minutes)")

// lookFor is the number of scenarios in which a planted bug must be found.
const lookFor = "60"

var patched = regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`)

// TestPlantedBugs applies each patch to copies of the files that it changes, builds the simulator
// with them, and fails unless a scenario breaks. Each patch needs a build: `make sim-bugs`. Without
// -bugs it only checks that the patches apply.
func TestPlantedBugs(t *testing.T) {
	patches, err := filepath.Glob("testdata/bugs/*.patch")
	if err != nil || len(patches) < 10 {
		t.Fatalf("%d planted bugs, want ten: %v", len(patches), err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, patch := range patches {
		t.Run(strings.TrimSuffix(filepath.Base(patch), ".patch"), func(t *testing.T) {
			overlay := plant(t, root, patch)
			if !*bugs {
				return // it applies
			}
			binary := filepath.Join(t.TempDir(), "sim.test")
			run(t, root, "go", "test", "-c", "-ldflags=-s -w", "-overlay", overlay, "-o", binary, "./testkit/sim")
			command := exec.Command(binary, "-test.run", "^TestSim$", "-seeds", lookFor, "-forget")
			command.Dir, command.Env = filepath.Join(root, "testkit/sim"), append(os.Environ(), "MOONFUND_TEST_ENGINE=sqlite")
			output, err := command.CombinedOutput()
			found := regexp.MustCompile(`seed \d+, step \d+: .*`).Find(output)
			if err == nil || found == nil {
				t.Fatalf("%s scenarios did not find it\n%s", lookFor, output[max(0, len(output)-4000):])
			}
			t.Logf("found: %s", found)
		})
	}
}

// plant applies a patch to copies of the files that it changes, and returns the path of an overlay
// (go build -overlay) that replaces the files by the copies.
func plant(t *testing.T, root, patch string) string {
	t.Helper()
	text, err := os.ReadFile(patch)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for _, match := range patched.FindAllStringSubmatch(string(text), -1) {
		source, err := os.ReadFile(filepath.Join(root, match[1]))
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(dir, match[1])
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, source, 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, match[1])] = copied
	}
	from, err := filepath.Abs(patch)
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "git", "apply", from)
	for original, copied := range replace {
		before, _ := os.ReadFile(original)
		if after, _ := os.ReadFile(copied); slices.Equal(before, after) {
			t.Fatalf("%s changes nothing", patch)
		}
	}
	described, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, described, 0o600); err != nil {
		t.Fatal(err)
	}
	return overlay
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, output)
	}
}
