package arch

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each dependency is pinned to one version: an exact version in package.json, and a checksum without a host name in
// every lock file.
func TestVersionsArePinned(t *testing.T) {
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	for _, path := range []string{"web/package.json", "web/codegen/package.json"} {
		var manifest struct{ Dependencies, DevDependencies map[string]string }
		read(t, path, &manifest)
		for _, wanted := range []map[string]string{manifest.Dependencies, manifest.DevDependencies} {
			for name, version := range wanted {
				if !exact.MatchString(version) {
					t.Errorf("%s: %s is %q, not one version", path, name, version)
				}
			}
		}
		var lock struct {
			Packages map[string]struct {
				Version, Integrity, Resolved string
				Link, InBundle               bool
				Dev, Optional                bool
			}
		}
		read(t, strings.Replace(path, "package.json", "package-lock.json", 1), &lock)
		for name, p := range lock.Packages {
			if p.Dev && p.Optional {
				continue // packages for other systems than the one that wrote the lock file
			}
			if name != "" && !p.Link && !p.InBundle && (!strings.HasPrefix(p.Integrity, "sha512-") ||
				!exact.MatchString(p.Version)) {
				t.Errorf("%s: %s %q has no checksum", path, name, p.Version)
			}
			if p.Resolved != "" {
				t.Errorf("%s: %s names a host", path, name)
			}
		}
	}
	for _, path := range []string{"go.mod", "tools/go.mod"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sums, err := os.ReadFile(strings.Replace(path, ".mod", ".sum", 1))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nreplace ") {
			t.Errorf("%s replaces a module", path)
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
			if len(fields) >= 2 && strings.HasPrefix(fields[1], "v") &&
				!strings.Contains(string(sums), fields[0]+" "+fields[1]+"/go.mod h1:") {
				t.Errorf("%s: %s %s has no checksum", path, fields[0], fields[1])
			}
		}
	}
}

// The workflow of a release builds the packages, checks that they can be built again, and signs the checksums in a job
// that runs nothing of the repository, before it attaches them.
func TestReleaseIsSigned(t *testing.T) {
	text, err := os.ReadFile(".github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(text)
	for _, step := range []string{
		"permissions: {contents: read}", "make package VERSION=", "make reproduce", "publish:", "needs: build",
		"id-token: write", "sha256sum -c SHA256SUMS", "cosign sign-blob --yes --bundle SHA256SUMS.sigstore.json SHA256SUMS",
		"gh release create", "packages/*",
	} {
		_, after, found := strings.Cut(rest, step)
		if !found {
			t.Fatalf("the workflow has no %q where it is expected", step)
		}
		rest = after
	}
	_, publish, _ := strings.Cut(string(text), "publish:")
	if strings.Contains(publish, "checkout") {
		t.Error("the job that may sign checks out the repository")
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
