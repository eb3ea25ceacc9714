package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"moonfund/docs"
	"moonfund/internal/testkit"
)

// Every guide and runbook is in the program, by its name.
func TestHelpPrintsPages(t *testing.T) {
	list, err := command(t, "", "help")
	testkit.Must(t, err)
	for name, file := range map[string]string{
		"restore": "operations/restore", "operations/node-down": "operations/node-down", "operator": "guide/operator",
		"reference": "guide/reference", "operations": "operations/README",
	} {
		want, err := os.ReadFile("../../docs/" + file + ".md")
		testkit.Must(t, err)
		if printed, err := command(t, "", "help", name); err != nil || printed != string(want)+"\n" {
			t.Errorf("moonfund help %s prints %.80q, error %v", name, printed, err)
		}
		if entry := strings.TrimSuffix(file, "/README"); !strings.Contains(list, "  "+entry+" ") {
			t.Errorf("%s is not listed in\n%s", entry, list)
		}
	}
	if both, err := command(t, "", "help", "notifications"); err != nil || !strings.Contains(both, "# Notifications") ||
		strings.Count(both, "\n# ") != 1 {
		t.Errorf("moonfund help notifications prints %.200q, error %v", both, err)
	}
	if _, err := command(t, "", "help", "restor"); err == nil || !strings.Contains(err.Error(), "lists all pages") {
		t.Errorf("an unknown page: got error %v", err)
	}
}

var (
	shownPage  = regexp.MustCompile(`moonfund help ([a-z-]+)`)
	sourcePage = regexp.MustCompile(`(?m)^[^/\n]*".*docs/(guide|operations)/[a-z-]+\.md`)
)

// A message names a page by the command that prints it, and the page exists. A machine with the package has no docs/.
// The text for stakers in a recovery kit is an exception: they have the source code.
func TestMessagesNamePages(t *testing.T) {
	files, err := fs.Glob(docs.Pages, "*/*.md")
	testkit.Must(t, err)
	known := map[string]bool{}
	for _, file := range files {
		known[strings.TrimSuffix(filepath.Base(file), ".md")] = true
	}
	named := 0
	for _, root := range []string{".", "../../internal"} {
		testkit.Must(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, match := range shownPage.FindAllSubmatch(text, -1) {
				named++
				if !known[string(match[1])] {
					t.Errorf("%s: there is no page %s", path, match[1])
				}
			}
			if sourcePage.Match(text) && !bytes.Contains(text, []byte("of the source code")) {
				t.Errorf("%s: a message names a file of docs/", path)
			}
			return err
		}))
	}
	if named < 10 {
		t.Errorf("only %d pages are named", named)
	}
}
