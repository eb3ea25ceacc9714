package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// Limits of functions outside of tests.
const (
	maxFunctionLines = 60
	maxParameters    = 5 // not counting ctx and tx
)

func TestLengthOfFunctions(t *testing.T) {
	eachGoFile(t, func(file string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") || generated(text) {
			return
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range parsed.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := files.Position(function.End()).Line - files.Position(function.Pos()).Line + 1; lines > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, more than %d", file, function.Name, lines, maxFunctionLines)
			}
			if parameters := countParameters(function.Type); parameters > maxParameters {
				t.Errorf("%s: %s has %d parameters besides ctx and tx, more than %d", file, function.Name, parameters,
					maxParameters)
			}
		}
	})
}

// countParameters counts the parameters of a function that are not named ctx or tx.
func countParameters(function *ast.FuncType) (n int) {
	for _, field := range function.Params.List {
		if len(field.Names) == 0 {
			n++
		}
		for _, name := range field.Names {
			if name.Name != "ctx" && name.Name != "tx" {
				n++
			}
		}
	}
	return n
}
