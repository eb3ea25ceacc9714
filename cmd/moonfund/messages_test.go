package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"moonfund/internal/testkit"
)

// told matches a command in a message: in backticks or quotes, or after a colon, an opening parenthesis or a line
// break.
var told = regexp.MustCompile("(?:`|'|: |\\(|; see |\n *)(?:sudo )?moonfund ([a-z][^`'\n]*?)" +
	"(?:`|'|\\)|\\. |\\.$|; |, |\n|  |$)")

// texts calls found for each string of a file. Other parts of a concatenation are X.
func texts(file *ast.File, found func(string)) {
	var text func(ast.Expr) string
	text = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			if value, err := strconv.Unquote(e.Value); err == nil {
				return value
			}
		case *ast.BinaryExpr:
			if e.Op == token.ADD {
				return text(e.X) + text(e.Y)
			}
		case *ast.ParenExpr:
			return text(e.X)
		}
		return "X"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found(text(n))
			return n.Op != token.ADD
		case *ast.BasicLit:
			found(text(n))
		}
		return true
	})
}

// TestCommandsOfMessages checks that every command in a message of the program or on a page of the console is one of
// this program, with its flags and arguments. A command without any argument may be only a name, such as
// `moonfund order refund`.
func TestCommandsOfMessages(t *testing.T) {
	for name, value := range map[string]string{"COMMUNITIES": t.TempDir(), "DOMAIN": "example.org", "KEY": "key",
		"BACKUPS": t.TempDir()} {
		t.Setenv("MOONFUND_"+name, value)
	}
	root, err := filepath.Abs("../..")
	testkit.Must(t, err)
	t.Chdir(t.TempDir())
	testkit.Must(t, os.WriteFile("X", nil, 0o600)) // the file of an argument
	testkit.Must(t, os.Mkdir("FOLDER", 0o700))
	seen := 0
	eachCommandOfMessages(t, root, func(file, command string) {
		seen++
		if err := parseMessage(t, command); err != nil {
			t.Errorf("%s: moonfund %s: %v", file, command, err)
		}
	})
	if seen < 60 {
		t.Errorf("only %d commands found", seen)
	}
}

// eachCommandOfMessages calls fn for each command in a text of the program, without "moonfund", and with the name of
// the file. root is the project's folder.
func eachCommandOfMessages(t *testing.T, root string, fn func(file, command string)) {
	t.Helper()
	for _, folder := range []string{"cmd/moonfund", "internal"} {
		testkit.Must(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "/testkit/") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			testkit.Must(t, err)
			texts(file, func(text string) {
				for _, match := range told.FindAllStringSubmatch(text, -1) {
					fn(filepath.Base(path), match[1])
				}
			})
			return nil
		}))
	}
}

// reasonFlag matches a reason in a command.
var reasonFlag = regexp.MustCompile(` --why (?:"[^"]*"|\w+)`)

// parseMessage parses a command of a message. Its verbs and placeholders stand for values.
func parseMessage(t *testing.T, line string) error {
	t.Helper()
	line = reasonFlag.ReplaceAllString(strings.NewReplacer("%s", "X", "%d", "1").Replace(line), "")
	words := strings.Fields(strings.NewReplacer("--data X", "--data FOLDER", "--index X", "--index full", "--scheme X",
		"--scheme seed", "resume X", "resume payouts").Replace(line))
	args := append(words, "--why=x")
	_, err := parse(t, args...)
	if err != nil && strings.Contains(err.Error(), "unknown flag --why") {
		_, err = parse(t, words...)
	}
	if err != nil && isName(t, words) {
		return nil
	}
	return err
}

// isName reports whether words are only the name of a command or of a group of commands.
func isName(t *testing.T, words []string) bool {
	t.Helper()
	var cli commands
	parser, err := kong.New(&cli, parserOptions()...)
	testkit.Must(t, err)
	node := parser.Model.Node
	for _, word := range words {
		var next *kong.Node
		for _, child := range node.Children {
			if child.Name == word {
				next = child
			}
		}
		if next == nil {
			return false
		}
		node = next
	}
	return true
}
