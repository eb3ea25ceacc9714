// Package moonfund_test checks the architecture: the imports between packages, the functions that packages may call,
// and the sizes of files and interfaces.
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

// anything allows every import: for the wiring in cmd, and for packages that only tests import.
const anything = "*"

// allowedImports lists the packages of this module that each package may import. An unused entry is an error, so that
// the table stays exact. ledger, order and action do not import community: the wiring passes them their terms. payout,
// ledger and community return plain errors; only the packages that answer a user's request return faults.
var allowedImports = map[string][]string{
	"amount":  {},
	"console": {},
	"epoch":   {},
	"fault":   {},
	"manual":  {},
	"message": {},
	"state":   {},
	"web":     {},

	"chain":     {"amount"},
	"runes":     {"chain"},
	"community": {"amount", "epoch"},
	"surplus":   {"amount"},
	"statement": {"amount"},
	"vault":     {"amount", "chain", "runes"},
	"signer":    {"amount", "chain", "message", "runes", "statement", "vault"},

	"ledger":   {"amount", "chain", "epoch", "runes", "state"},
	"order":    {"amount", "chain", "fault", "ledger", "runes", "state", "vault"},
	"payout":   {"amount", "chain", "ledger", "message", "order", "runes", "state", "surplus", "vault"},
	"action":   {"amount", "chain", "epoch", "fault", "ledger", "message", "order", "state", "vault"},
	"onetx":    {"action", "amount", "chain", "fault", "ledger", "order", "payout", "state", "vault"},
	"etching":  {"amount", "chain", "fault", "runes", "state", "vault"},
	"follower": {"amount", "chain", "etching", "ledger", "order", "payout", "runes", "state"},
	"store": {
		"action", "amount", "chain", "epoch", "etching", "follower", "ledger", "order", "payout", "runes", "state",
		"statement", "internal/store/hosts", "internal/store/sqlc", "internal/store/stmtcache", "surplus", "vault",
	},
	"api":      {"action", "amount", "chain", "community", "etching", "fault", "ledger", "order", "payout", "state"},
	"coins":    {"chain", "vault"},
	"devnet":   {"amount", "chain", "runes"},
	"audit":    {"amount", "chain", "message", "runes", "internal/store/hosts", "surplus"},
	"proof":    {"amount", "chain", "fault", "ledger", "state", "vault"},
	"recovery": {"amount", "api", "chain", "ledger", "vault"},
	"custody": {
		"action", "amount", "chain", "community", "ledger", "operator", "recovery", "runes", "signer", "state", "store",
		"vault",
	},
	"backup":    {"chain", "store"},
	"published": {"amount", "api", "audit", "chain", "state", "store"},
	"operator": {
		"amount", "chain", "console", "etching", "ledger", "order", "payout", "state", "store", "surplus", "vault",
	},

	"notify": {"fault", "order", "state", "store"},

	"internal/operate/inquiry": {"amount", "chain", "etching", "ledger", "operator", "order", "payout", "runes", "state", "store"},

	"internal/operate/console": {
		"amount", "api", "console", "etching", "ledger", "operator", "internal/operate/inquiry", "order", "payout", "runes", "store",
		"web",
	},

	"runeindex":                 {"amount", "audit", "chain", "community", "ledger", "runes", "state", "store"},
	"internal/server/clock":     {"community", "epoch", "ledger", "store"},
	"internal/server/feerate":   {"amount", "chain"},
	"internal/server/nodecheck": {"amount", "chain", "fault", "follower", "vault"},
	"internal/server/zmq":       {"chain"},
	"internal/server/auditor":   {"audit", "follower", "store"},
	"internal/server/publisher": {"signer", "state", "statement", "store"},
	"internal/server/wiring": {
		"action", "amount", "chain", "community", "etching", "follower", "ledger", "onetx", "order", "payout",
		"runes", "signer", "store", "vault",
	},
	"signing": {
		"amount", "chain", "community", "epoch", "follower", "ledger", "runeindex", "runes", "internal/server/wiring",
		"signer", "statement", "store", "vault",
	},
	"server": {
		"action", "amount", "api", "audit", "backup", "chain", "coins", "community", "custody", "epoch", "etching",
		"fault", "follower", "ledger", "onetx", "order", "payout", "proof", "runeindex", "runes", "internal/server/auditor",
		"internal/server/clock", "internal/server/feerate", "internal/server/nodecheck", "internal/server/publisher", "internal/server/wiring", "internal/server/zmq", "signer",
		"signing", "state", "statement", "store", "vault", "web",
	},
	"setup": {
		"amount", "api", "chain", "community", "runeindex", "runes", "internal/server/nodecheck", "signer", "store", "vault",
	},
	"internal/server/dev": {
		"amount", "api", "chain", "community", "devnet", "epoch", "ledger", "runeindex", "server", "internal/server/clock",
		"internal/server/feerate", "signer", "signing", "store", "vault", "web",
	},

	"internal/store/sqlc":      {},
	"internal/store/hosts":     {},
	"internal/store/stmtcache": {},
	"internal/arch/states":     {"etching", "ledger", "order", "payout", "state"},
	"cmd/moonfund":             {anything},
}

// testOnly are packages that only tests may import; they may import anything.
var testOnly = []string{"testkit"}

// vague matches names that do not describe the content of a package.
var vague = regexp.MustCompile(`^(utils?|helpers?|common|misc|managers?|types|services)$`)

// Limits of code that is not generated.
const (
	maxFileLines = 500
	maxMethods   = 15 // of an interface, including embedded ones; most have 3 to 12
)

const module = "moonfund/"

func TestImports(t *testing.T) {
	for name, imports := range packages(t) {
		if isTestOnly(name) {
			continue
		}
		allowed, listed := allowedImports[name]
		if !listed {
			t.Errorf("package %s is not listed in allowedImports", name)
			continue
		}
		if slices.Contains(allowed, anything) {
			allowed = nil
			for imported := range imports {
				if !isTestOnly(imported) {
					allowed = append(allowed, imported)
				}
			}
		}
		for imported, file := range imports {
			if !slices.Contains(allowed, imported) {
				t.Errorf("%s: %s may not import %s", file, name, imported)
			}
		}
		for _, want := range allowed {
			if _, used := imports[want]; !used {
				t.Errorf("stale: %s no longer imports %s", name, want)
			}
		}
	}
}

func TestImportsOfMissingPackages(t *testing.T) {
	found := packages(t)
	for name := range allowedImports {
		if _, exists := found[name]; !exists {
			t.Errorf("stale: there is no package %s", name)
		}
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

// TestImportsOfTheVerifier checks that the module verify imports none of our other packages, so that a fault in them
// is no fault of the verifier too. TestImports checks that no package imports it.
func TestImportsOfTheVerifier(t *testing.T) {
	found := 0
	eachGoFile(t, func(file string) {
		if !ofVerifier(path.Dir(filepath.ToSlash(file))) {
			return
		}
		found++
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range ours(t, parsed) {
			if !ofVerifier(imported) {
				t.Errorf("%s imports %s", file, imported)
			}
		}
	})
	if found == 0 {
		t.Error("there is no module verify")
	}
}

// ofVerifier reports whether a package is of the module verify.
func ofVerifier(name string) bool { return name == "verify" || strings.HasPrefix(name, "verify/") }

// packages returns, for each package of this module, the packages of this module that its code outside of tests
// imports, and a file with the import.
func packages(t *testing.T) map[string]map[string]string {
	found := map[string]map[string]string{}
	eachGoFile(t, func(file string) {
		if strings.HasSuffix(file, "_test.go") || ofVerifier(path.Dir(filepath.ToSlash(file))) {
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

func isTestOnly(name string) bool {
	return slices.ContainsFunc(testOnly, func(allowed string) bool {
		return name == allowed || strings.HasPrefix(name, allowed+"/")
	})
}

// eachGoFile calls visit for every Go file of this module and of the module verify. tools/ is a separate module.
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
