package arch

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	goTestName   = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z]*)`")
	goTestFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w*)\(`)
	makeCall     = regexp.MustCompile("(?:`|^    |\n    )(?:[A-Z_]+=\\S+ )*make ([a-z-]+)")
	makeTarget   = regexp.MustCompile(`(?m)^([a-z-]+):`)
	relativeLink = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)
)

// TestNamesInDocuments checks that the Go tests, make targets and files that Markdown documents mention exist. The
// changelog is exempt, since it describes earlier versions.
func TestNamesInDocuments(t *testing.T) {
	tests := map[string]bool{}
	for _, file := range tracked(t, "*_test.go") {
		for _, name := range goTestFunc.FindAllStringSubmatch(readText(t, file), -1) {
			tests[name[1]] = true
		}
	}
	targets := map[string]bool{}
	for _, name := range makeTarget.FindAllStringSubmatch(readText(t, "Makefile"), -1) {
		targets[name[1]] = true
	}
	for _, file := range tracked(t, "*.md") {
		if file == "CHANGELOG.md" {
			continue
		}
		text := readText(t, file)
		for _, name := range goTestName.FindAllStringSubmatch(text, -1) {
			if !tests[name[1]] {
				t.Errorf("%s: there is no test %s", file, name[1])
			}
		}
		for _, name := range makeCall.FindAllStringSubmatch(text, -1) {
			if !targets[name[1]] {
				t.Errorf("%s: there is no target `make %s`", file, name[1])
			}
		}
		for _, link := range relativeLink.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(path.Join(path.Dir(file), link[1])); err != nil {
				t.Errorf("%s: there is no file %s", file, link[1])
			}
		}
	}
}

// tracked returns the tracked files of the repository that match git patterns, without deleted ones.
func tracked(t *testing.T, patterns ...string) (files []string) {
	t.Helper()
	arguments := append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, patterns...)
	list, err := exec.Command("git", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for file := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	return files
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
