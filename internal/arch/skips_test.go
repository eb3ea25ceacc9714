package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestNamesOfSkippedTests checks that scripts/skipped names every test that can be skipped, with the reason that the
// test gives.
func TestNamesOfSkippedTests(t *testing.T) {
	script, err := os.ReadFile("scripts/skipped")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range tracked(t, "*_test.go") {
		if path == "skips_test.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, isFunction := d.(*ast.FuncDecl)
			if !isFunction {
				continue
			}
			for _, reason := range skipReasons(f) {
				found++
				if reason == "" || !strings.Contains(string(script), reason) {
					t.Errorf("%s: scripts/skipped lacks the reason %q of %s", path, reason, f.Name.Name)
				}
				for _, test := range testsCalling(file, f.Name.Name) {
					if !strings.Contains(string(script), test) {
						t.Errorf("%s: scripts/skipped lacks %s", path, test)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("no skipped test was found")
	}
}

// skipReasons returns the last text in the argument of each Skip of a function, and "" for a Skip without a text.
func skipReasons(f *ast.FuncDecl) (reasons []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall {
			return true
		}
		method, isMethod := call.Fun.(*ast.SelectorExpr)
		if !isMethod || !strings.HasPrefix(method.Sel.Name, "Skip") {
			return true
		}
		reason := ""
		for _, argument := range call.Args {
			ast.Inspect(argument, func(n ast.Node) bool {
				if text, isText := n.(*ast.BasicLit); isText && text.Kind == token.STRING {
					reason, _ = strconv.Unquote(text.Value)
				}
				return true
			})
		}
		reasons = append(reasons, reason)
		return true
	})
	return reasons
}

// testsCalling returns the name of a test, or the tests of the file that call a function with this name.
func testsCalling(file *ast.File, name string) (tests []string) {
	if strings.HasPrefix(name, "Test") {
		return []string{name}
	}
	for _, d := range file.Decls {
		f, isFunction := d.(*ast.FuncDecl)
		if !isFunction || !strings.HasPrefix(f.Name.Name, "Test") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if called, isName := n.(*ast.Ident); isName && called.Name == name {
				tests = append(tests, f.Name.Name)
			}
			return true
		})
	}
	return tests
}
