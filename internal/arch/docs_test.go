package arch

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

var relativeLink = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

// TestLinks checks that the files to which Markdown documents link exist.
func TestLinks(t *testing.T) {
	found := 0
	for _, file := range tracked(t, "*.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range relativeLink.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, err := os.Stat(path.Join(path.Dir(file), link[1])); err != nil {
				t.Errorf("%s: there is no file %s", file, link[1])
			}
		}
	}
	if found == 0 {
		t.Error("no link was found")
	}
}

var runsToItsEnd = regexp.MustCompile("\\*Run to its end by\\* `(Test\\w+)(?:/([\\w-]+))?`\\s\\(`([^`]+)`\\)")

// TestRunbooksAreRun checks that each runbook names a test that runs it until a payout is delivered again, and that
// the test exists.
func TestRunbooksAreRun(t *testing.T) {
	runbooks := tracked(t, "docs/operations/*.md")
	for _, file := range runbooks {
		if path.Base(file) == "README.md" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		named := runsToItsEnd.FindStringSubmatch(string(text))
		if named == nil {
			t.Errorf("%s: no test runs this runbook to its end", file)
			continue
		}
		code, err := os.ReadFile(named[3])
		if err != nil || !strings.Contains(string(code), "\nfunc "+named[1]+"(t *testing.T) {") ||
			!strings.Contains(string(code), `{"`+named[2]+`", `) && named[2] != "" {
			t.Errorf("%s: there is no test %s in %s: %v", file, named[0], named[3], err)
		}
	}
	if len(runbooks) < 2 {
		t.Error("no runbook was found")
	}
}

// Limits of the operator's guide, which leads from the package to mainnet. The setup's answers are counted by
// TestQuestions in internal/operate/setup.
const (
	maxGuideWords    = 4000
	maxGuideCommands = 8
)

var fenced = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$")

// TestWayToMainnet counts the words of the operator's guide, and the commands in its blocks.
func TestWayToMainnet(t *testing.T) {
	text, err := os.ReadFile("docs/guide/operator.md")
	if err != nil {
		t.Fatal(err)
	}
	if words := len(strings.Fields(string(text))); words > maxGuideWords {
		t.Errorf("the guide has %d words, at most %d are allowed: move what is not on the way into reference.md", words,
			maxGuideWords)
	}
	commands := 0
	for _, block := range fenced.FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			commands += len(strings.Split(line, "&&"))
		}
	}
	if commands == 0 || commands > maxGuideCommands {
		t.Errorf("the guide has %d commands, want 1 to %d", commands, maxGuideCommands)
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
