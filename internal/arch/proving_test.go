package arch

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	// provenBy matches a list of tests and their file: `TestA`, `TestB` (`internal/a/b_test.go`).
	provenBy = regexp.MustCompile("((?:`[^`]+`(?:, )?)+) \\(`([^`]+\\.[a-z]+)`\\)")
	quoted   = regexp.MustCompile("`([^`]+)`")
)

// Each incident and each threat in docs/reliability.md names existing tests that cover it. A test of the web pages is
// named by its title.
func TestNamesInReliability(t *testing.T) {
	text, err := os.ReadFile("docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	for heading, least := range map[string]int{"### What went wrong elsewhere": 24, "### Threats": 19} {
		_, section, found := strings.Cut(string(text), heading+"\n")
		if !found {
			t.Fatalf("there is no section %q", heading)
		}
		section, _, _ = strings.Cut(section, "\n#")
		rows := 0
		for _, item := range strings.Split("\n"+section, "\n- ")[1:] {
			what, tests, _ := strings.Cut(item, "\n  - ")
			tests, _, _ = strings.Cut(tests, "\n\n")
			cells := []string{strings.Join(strings.Fields(what), " "), strings.Join(strings.Fields(tests), " ")}
			rows++
			named := provenBy.FindAllStringSubmatch(cells[1], -1)
			if len(named) == 0 {
				t.Errorf("%q has no test", cells[0])
			}
			if left := strings.Trim(provenBy.ReplaceAllString(cells[1], ""), ", "); left != "" {
				t.Errorf("%q: %q names no test in a file", cells[0], left)
			}
			for _, tests := range named {
				wantTests(t, tests[2], quoted.FindAllStringSubmatch(tests[1], -1))
			}
		}
		if rows < least {
			t.Errorf("%s: %d rows, want at least %d", heading, rows, least)
		}
	}
}

func wantTests(t *testing.T, file string, names [][]string) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	for _, name := range names {
		declared := "func " + name[1] + "(t *testing.T)"
		if !strings.HasSuffix(file, ".go") {
			declared = `("` + name[1] + `"`
		}
		if !strings.Contains(string(source), declared) {
			t.Errorf("there is no test %q in %s", name[1], file)
		}
	}
}
