package fault

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/sentences.txt anew")

const pinned = "testdata/sentences.txt"

// TestSentencesArePinned compares every code and sentence of sentences.go with the pinned list.
func TestSentencesArePinned(t *testing.T) {
	var lines []string
	for _, sentence := range sentences(t) {
		lines = append(lines, sentence.Code+"\t"+sentence.Text)
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
		t.Errorf("sentences.go differs from %s; if this is intended, run: go test ./internal/fault -update\n%s", pinned, got)
	}
}

// TestSentencesAreForPeople rejects sentences with implementation terms, and sentences that have two codes.
func TestSentencesAreForPeople(t *testing.T) {
	codes := map[string]string{}
	for name, sentence := range sentences(t) {
		text := sentence.Text
		if other, ok := codes[text]; ok {
			t.Errorf("%s and %s have the same sentence", sentence.Code, other)
		}
		codes[text] = sentence.Code
		if want := codeOf(name); sentence.Code != want {
			t.Errorf("the code of %s is %s, want %s", name, sentence.Code, want)
		}
		for _, inside := range []string{"SQL", "nil", "panic", "goroutine", "://", "\n", "  "} {
			if strings.Contains(text, inside) {
				t.Errorf("%s contains the implementation term %q: %q", name, inside, text)
			}
		}
		if strings.TrimSpace(text) != text || text == "" {
			t.Errorf("%s has space around it or is empty: %q", name, text)
		}
	}
}

// codeOf returns the code of a sentence from the name of its variable: UNIT_NOT_STAKED for UnitNotStaked.
func codeOf(name string) string {
	words := regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(name, "${1}_$2")
	words = regexp.MustCompile(`([A-Z]+)([A-Z][a-z])`).ReplaceAllString(words, "${1}_$2")
	return strings.ToUpper(words)
}

// TestEverySentenceIsSaid checks that the server uses every sentence.
func TestEverySentenceIsSaid(t *testing.T) {
	said := map[string]bool{}
	for _, root := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			source, err := os.ReadFile(file)
			for _, name := range regexp.MustCompile(`\bfault\.(\w+)`).FindAllSubmatch(source, -1) {
				said[string(name[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range sentences(t) {
		if !said[name] {
			t.Errorf("%s is not used", name)
		}
	}
}

// sentences returns the sentences of sentences.go by the names of their variables.
func sentences(t *testing.T) map[string]Sentence {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "sentences.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Sentence{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		var fields []string
		for _, field := range spec.Values[0].(*ast.CompositeLit).Elts {
			fields = append(fields, literal(t, field))
		}
		found[spec.Names[0].Name] = Sentence{fields[0], fields[1]}
		return true
	})
	return found
}

// literal returns the text of a string literal, or of several literals joined by +.
func literal(t *testing.T, expr ast.Expr) string {
	t.Helper()
	if sum, ok := expr.(*ast.BinaryExpr); ok {
		return literal(t, sum.X) + literal(t, sum.Y)
	}
	text, err := strconv.Unquote(expr.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestFaultKeepsItsCauseForTheLogOnly(t *testing.T) {
	cause := errors.New("disk full at sector 7")
	err := fmt.Errorf("closing: %w", Refuse(TooManyUnits, 150).Because(cause))

	got := From(err)
	if got.Kind != Refused || got.Message != "One order can include at most 150 units." {
		t.Errorf("From gave %v %q", got.Kind, got.Message)
	}
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "sector 7") {
		t.Error("the cause is not in the chain or not in the text")
	}
	if !errors.Is(err, Refuse(TooManyUnits, 150)) || errors.Is(err, Refuse(TooManyUnits, 151)) ||
		errors.Is(err, Reject(TooManyUnits, 150)) {
		t.Error("Is does not compare kinds and sentences")
	}
}

func TestFaultCarriesItsCodeAndValues(t *testing.T) {
	got := Refuse(RecoveryOtherOwner, "ab:1", "bc1q").Because(errors.New("inside")).WithKind(Invalid)
	if got.Code != "RECOVERY_OTHER_OWNER" || !slices.Equal(got.Values, []string{"ab:1", "bc1q"}) || got.Kind != Invalid {
		t.Errorf("got %+v", got)
	}
	if plain := Refuse(NoUnits); plain.Code != "NO_UNITS" || plain.Values != nil {
		t.Errorf("got %+v", plain)
	}
	if big := Refuse(TooManyUnits, 150); !slices.Equal(big.Values, []string{"150"}) {
		t.Errorf("got %+v", big)
	}
}

func TestUnknownErrorsShowNothing(t *testing.T) {
	got := From(errors.New("secret path"))
	if got.Kind != Internal || strings.Contains(got.Message, "secret") || got.Kind.Status() != 500 {
		t.Errorf("an unknown error became %v %q", got.Kind, got.Message)
	}
}

func TestEveryKindHasAStatus(t *testing.T) {
	want := map[Kind]int{Internal: 500, Refused: 200, Invalid: 400, NotFound: 404, Method: 405, TooLarge: 413,
		MediaType: 415, TooMany: 429, Unavailable: 503}
	for kind, status := range want {
		if kind.Status() != status {
			t.Errorf("kind %d has status %d, want %d", kind, kind.Status(), status)
		}
	}
}
