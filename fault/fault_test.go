package fault

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/sentences.txt anew")

const pinned = "testdata/sentences.txt"

// TestSentencesArePinned compares every constant of sentences.go with the pinned list.
func TestSentencesArePinned(t *testing.T) {
	var lines []string
	for name, text := range sentences(t) {
		lines = append(lines, name+"\t"+text)
	}
	sort.Strings(lines)
	got := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(pinned, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(pinned)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("sentences.go differs from %s; if that is meant, run: go test ./fault -update\n%s", pinned, got)
	}
}

// TestSentencesAreForPeople keeps words of the inside out, and two names for one sentence.
func TestSentencesAreForPeople(t *testing.T) {
	names := map[string]string{}
	for name, text := range sentences(t) {
		if other, ok := names[text]; ok {
			t.Errorf("%s and %s are the same sentence", name, other)
		}
		names[text] = name
		for _, inside := range []string{"SQL", "nil", "panic", "goroutine", "://", "\n", "  "} {
			if strings.Contains(text, inside) {
				t.Errorf("%s contains %q, which is not for people: %q", name, inside, text)
			}
		}
		if strings.TrimSpace(text) != text || text == "" {
			t.Errorf("%s has space around it or is empty: %q", name, text)
		}
	}
}

// TestEverySentenceIsSaid wants a place in the server for each.
func TestEverySentenceIsSaid(t *testing.T) {
	rooms, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	wiring, err := filepath.Glob("../cmd/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, file := range append(rooms, wiring...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bfault\.(\w+)`).FindAllSubmatch(source, -1) {
			said[string(name[1])] = true
		}
	}
	for name := range sentences(t) {
		if !said[name] {
			t.Errorf("%s is said nowhere", name)
		}
	}
}

func sentences(t *testing.T) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "sentences.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		found[spec.Names[0].Name] = text
		return true
	})
	return found
}

func TestFaultKeepsItsCauseForTheLogOnly(t *testing.T) {
	cause := errors.New("disk full at sector 7")
	err := fmt.Errorf("closing: %w", Refuse(TooManyUnits, 150).Because(cause))

	got := From(err)
	if got.Code != Refused || got.Message != "At most 150 units fit in one order." {
		t.Errorf("From gave %v %q", got.Code, got.Message)
	}
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "sector 7") {
		t.Error("the cause must be reachable and logged")
	}
	if !errors.Is(err, Refuse(TooManyUnits, 150)) || errors.Is(err, Refuse(TooManyUnits, 151)) || errors.Is(err, Reject(TooManyUnits, 150)) {
		t.Error("faults compare by code and sentence")
	}
}

func TestUnknownErrorsShowNothing(t *testing.T) {
	got := From(errors.New("secret path"))
	if got.Code != Internal || strings.Contains(got.Message, "secret") || got.Code.Status() != 500 {
		t.Errorf("an unknown error became %v %q", got.Code, got.Message)
	}
}

func TestEveryCodeHasAStatus(t *testing.T) {
	want := map[Code]int{Internal: 500, Refused: 200, Invalid: 400, NotFound: 404, Method: 405, TooLarge: 413, MediaType: 415, TooMany: 429, Unavailable: 503}
	for code, status := range want {
		if code.Status() != status {
			t.Errorf("code %d has status %d, want %d", code, code.Status(), status)
		}
	}
}
