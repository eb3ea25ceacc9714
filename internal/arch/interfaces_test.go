package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goPackage is the output of `go list` for a package.
type goPackage struct {
	Dir        string
	ImportPath string
	Export     string // the file with the exported types
	GoFiles    []string
	Module     *struct{ Main bool }
}

// TestLengthOfInterfaces counts the methods of each interface, including the methods of embedded interfaces, and the
// methods that a struct gets by embedding our interfaces.
func TestLengthOfInterfaces(t *testing.T) {
	all := listPackages(t)
	files := token.NewFileSet()
	exports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(all[path].Export)
	})
	for _, p := range all {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		for position, problem := range wideTypes(t, p, files, exports) {
			t.Errorf("%s: %s, more than %d", position, problem, maxMethods)
		}
	}
}

// listPackages returns our packages and all packages that they import, by import path.
func listPackages(t *testing.T) map[string]goPackage {
	list := exec.Command("go", "list", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles,Module", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]goPackage{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all[p.ImportPath] = p
	}
}

// wideTypes returns the types of a package that have more than maxMethods methods from interfaces.
func wideTypes(t *testing.T, p goPackage, files *token.FileSet, exports types.Importer) map[string]string {
	var parsed, written []*ast.File
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), text, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
		if !generated(text) {
			written = append(written, file)
		}
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: exports}
	if _, err := config.Check(p.ImportPath, files, parsed, &info); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range written {
		ast.Inspect(file, func(n ast.Node) bool {
			expression, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			var methods int
			switch n.(type) {
			case *ast.InterfaceType:
				methods = info.Types[expression].Type.(*types.Interface).NumMethods()
			case *ast.StructType:
				methods = promoted(info.Types[expression].Type.(*types.Struct))
			}
			if methods > maxMethods {
				found[files.Position(n.Pos()).String()] = fmt.Sprintf("%d methods", methods)
			}
			return true
		})
	}
	return found
}

// promoted counts the methods that a struct gets by embedding our interfaces, directly or in an embedded struct.
// Interfaces of other modules, such as testing.TB, have no limit.
func promoted(s *types.Struct) (methods int) {
	for field := range s.Fields() {
		if !field.Embedded() {
			continue
		}
		switch embedded := field.Type().Underlying().(type) {
		case *types.Interface:
			if isOurs(field.Type()) {
				methods += embedded.NumMethods()
			}
		case *types.Struct:
			methods += promoted(embedded)
		}
	}
	return methods
}

// isOurs reports whether a type is declared in this module. Predeclared types such as error are not.
func isOurs(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), module)
}
