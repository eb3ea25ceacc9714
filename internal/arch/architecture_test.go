// Package arch checks the architecture: the imports between packages, the functions that packages may call, and the
// sizes of files and interfaces.
package arch

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows lists the groups that each group of packages may import. A group is a folder of internal, or a folder at the
// root. No two groups import each other, and an unused arrow is an error, so that the table stays exact. Tests and the
// groups that only tests use are exempt.
var arrows = map[string]string{
	"amount": "", "epoch": "", "fault": "", "state": "", // leaves
	"bitcoin": "amount",
	"signed":  "amount",
	"signer":  "amount bitcoin signed",
	"staking": "amount bitcoin epoch fault signed state",
	"store":   "amount bitcoin epoch signed staking state",
	"audit":   "amount bitcoin signed store",
	"api":     "amount bitcoin fault staking state",
	"devnet":  "amount bitcoin",
	"server":  "amount api audit bitcoin devnet epoch fault signed signer staking state store web",
	"operate": "amount api audit bitcoin server signer staking state store web",
	"verify":  "signed",
	"docs":    "",
	"cmd":     "amount api audit bitcoin docs operate server signed signer staking store verify",
	"web":     "docs",
}

// forbidden lists imports that make a check worthless, or a rule untestable. They stay forbidden whatever arrows says.
var forbidden = []struct{ from, to, why string }{
	{"audit", "staking", "the audit checks the ledger with code that it does not share with it"},
	{"staking", "store", "the rules of staking declare the storage that they need"},
	{"signer", "staking", "the signer trusts nothing that the ledger computes"},
}

// withinAudit are the packages of store that the audit may import: connections, not queries.
var withinAudit = []string{"internal/store/hosts", "internal/store/stmtcache"}

// testOnly are groups that only tests import; they may import anything.
var testOnly = []string{"testkit", "arch"}

// vague matches names that do not describe the content of a package.
var vague = regexp.MustCompile(`^(utils?|helpers?|common|misc|managers?|types|services)$`)

// Limits of code that is not generated.
const (
	maxFileLines = 500
	maxMethods   = 12 // of an interface, including embedded ones
)

const module = "moonfund/"

// group returns the group of a package.
func group(name string) string {
	first, rest, _ := strings.Cut(name, "/")
	if first == "internal" {
		first, _, _ = strings.Cut(rest, "/")
	}
	return first
}

func TestImports(t *testing.T) {
	used := map[[2]string]bool{}
	for name, imports := range packages(t) {
		from := group(name)
		allowed, listed := arrows[from]
		if slices.Contains(testOnly, from) {
			continue
		}
		if !listed {
			t.Errorf("package %s is in no group of arrows", name)
		}
		for imported, file := range imports {
			to := group(imported)
			used[[2]string{from, to}] = true
			if from != to && !slices.Contains(strings.Fields(allowed), to) {
				t.Errorf("%s: %s may not import %s", file, from, to)
			}
			if from == "audit" && to == "store" && !slices.Contains(withinAudit, imported) {
				t.Errorf("%s: the audit may import %s only, not %s", file, withinAudit, imported)
			}
		}
	}
	for from, allowed := range arrows {
		for _, to := range strings.Fields(allowed) {
			if !used[[2]string{from, to}] {
				t.Errorf("unused arrow: %s no longer imports %s", from, to)
			}
			if used[[2]string{to, from}] {
				t.Errorf("%s and %s import each other", from, to)
			}
		}
	}
	for _, f := range forbidden {
		if used[[2]string{f.from, f.to}] {
			t.Errorf("%s may not import %s: %s", f.from, f.to, f.why)
		}
	}
}

// TestFoldersAtTheRoot checks that the root has few folders.
func TestFoldersAtTheRoot(t *testing.T) {
	folders := map[string]bool{}
	for _, file := range tracked(t, "*") {
		if first, _, nested := strings.Cut(file, "/"); nested && !strings.HasPrefix(first, ".") {
			folders[first] = true
		} else if !nested && strings.HasSuffix(file, ".go") {
			t.Errorf("%s is not in a folder", file)
		}
	}
	if len(folders) > 12 {
		t.Errorf("the root has %d folders, more than 12", len(folders))
	}
}

func TestNamesAreSpecific(t *testing.T) {
	eachGoFile(t, func(file string) {
		parts := strings.Split(strings.TrimSuffix(filepath.ToSlash(file), ".go"), "/")
		for _, part := range parts {
			if vague.MatchString(strings.TrimSuffix(part, "_test")) {
				t.Errorf("%s: the name %q does not describe the content", file, part)
			}
		}
	})
}

func TestLengthOfFiles(t *testing.T) {
	eachGoFile(t, func(file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > maxFileLines && !generated(text) {
			t.Errorf("%s has %d lines, more than %d", file, lines, maxFileLines)
		}
	})
}

// packages returns, for each package of this module, the packages of this module that its code outside of tests
// imports, and a file with the import.
func packages(t *testing.T) map[string]map[string]string {
	found := map[string]map[string]string{}
	eachGoFile(t, func(file string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Dir(filepath.ToSlash(file))
		if found[name] == nil {
			found[name] = map[string]string{}
		}
		for _, imported := range ours(t, parsed) {
			found[name][imported] = file
		}
	})
	return found
}

func ours(t *testing.T, file *ast.File) (names []string) {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(imported, module); ok {
			names = append(names, name)
		}
	}
	return names
}

// eachGoFile calls visit for every Go file of this module. tools/ is a separate module.
func eachGoFile(t *testing.T, visit func(file string)) {
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		switch {
		case entry.IsDir() && file != "." && (name == "node_modules" || name == "testdata" || name == "tools" ||
			strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, ".go"):
			visit(file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var generatedLine = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

// generated reports whether a Go file is marked as generated.
func generated(text []byte) bool {
	scanner := bufio.NewScanner(bytes.NewReader(text))
	for scanner.Scan() && !strings.HasPrefix(scanner.Text(), "package ") {
		if generatedLine.MatchString(scanner.Text()) {
			return true
		}
	}
	return false
}
