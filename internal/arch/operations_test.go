package arch

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTests = regexp.MustCompile("`(Test[A-Za-z]+)`((?:, `Test[A-Za-z]+`)*) \\(`([a-z_/]+\\.go)`\\)")
	pageLinks  = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	someTest   = regexp.MustCompile(`Test[A-Za-z]+`)
	someAlert  = regexp.MustCompile(`- alert: (\w+)`)
)

// The index of the runbooks lists every alert.
func TestAlertsStandInTheIndex(t *testing.T) {
	rules, err := os.ReadFile("docs/operations/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile("docs/operations/README.md")
	if err != nil {
		t.Fatal(err)
	}
	alerts := someAlert.FindAllSubmatch(rules, -1)
	if len(alerts) == 0 {
		t.Error("no alerts found")
	}
	for _, alert := range alerts {
		if !strings.Contains(string(index), "`"+string(alert[1])+"`") {
			t.Errorf("the index does not link to %s", alert[1])
		}
	}
}

// Every alert has a rule test in which it fires and one in which it does not; `make test-alerts` runs them.
func TestAlertsAreTested(t *testing.T) {
	rules, err := os.ReadFile("docs/operations/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile("docs/operations/alerts_test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, alert := range someAlert.FindAllSubmatch(rules, -1) {
		for _, want := range []string{"fires", "is silent"} {
			if name := "- name: " + string(alert[1]) + " " + want + "\n"; !strings.Contains(string(tests), name) {
				t.Errorf("alerts_test.yaml has no test %q", strings.TrimSpace(name))
			}
		}
	}
}

// Every runbook names existing tests that rehearse it, and all links of the operators' pages lead to existing files.
func TestRunbooks(t *testing.T) {
	runbooks, err := filepath.Glob("docs/operations/*.md")
	if err != nil || len(runbooks) < 8 {
		t.Fatalf("runbooks: %v, %v", runbooks, err)
	}
	index, err := os.ReadFile("docs/operations/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range runbooks {
		name := filepath.Base(page)
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if name == "README.md" {
			continue
		}
		if !strings.Contains(string(index), "("+name+")") {
			t.Errorf("the index does not link to %s", name)
		}
		_, line, _ := strings.Cut(string(text), "*Rehearsed by* ")
		line, _, _ = strings.Cut(line, "\n\n")
		line = strings.Join(strings.Fields(line), " ")
		named := namedTests.FindAllStringSubmatch(line, -1)
		if len(named) == 0 {
			t.Errorf("%s names no test that rehearses it", name)
		}
		for _, n := range named {
			source, err := os.ReadFile(n[3])
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, test := range someTest.FindAllString(n[1]+n[2], -1) {
				if !strings.Contains(string(source), "func "+test+"(t *testing.T)") {
					t.Errorf("%s: there is no %s in %s", name, test, n[3])
				}
			}
		}
	}
}

func TestLinksOfTheGuides(t *testing.T) {
	for _, folder := range []string{"docs/operations", "docs/guide"} {
		pages, err := filepath.Glob(folder + "/*.md")
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s: %v, %v", folder, pages, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range pageLinks.FindAllStringSubmatch(string(text), -1) {
				if strings.Contains(link[1], "://") {
					continue
				}
				if _, err := os.Stat(path.Join(folder, link[1])); err != nil {
					t.Errorf("%s links to %s, which does not exist", page, link[1])
				}
			}
		}
	}
}
