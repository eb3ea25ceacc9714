package arch

import (
	"bufio"
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of a line: bytes of code, where a tab is one byte, and characters of Markdown.
const (
	maxCodeBytes       = 120
	maxMarkdownColumns = 100
)

// unbreakable matches a key, a signature or a transaction in hex or base64, which other files than Go's do not wrap.
var unbreakable = regexp.MustCompile(`[0-9A-Za-z+/=]{64,}`)

// TestLengthOfLines checks the width of the tracked Go, TypeScript, JavaScript, CSS and Markdown files and of the SQL
// queries. Generated files may be wider, and so may lines with an unbreakable literal in other files than Go's.
func TestLengthOfLines(t *testing.T) {
	for _, file := range tracked(t, "*.go", "*.ts", "*.tsx", "*.mjs", "*.css", "*.md", "internal/store/queries/*.sql") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		limit, width := maxCodeBytes, func(line []byte) int { return len(line) }
		if strings.HasSuffix(file, ".md") {
			limit, width = maxMarkdownColumns, utf8.RuneCount
		} else if generated(text) || strings.HasSuffix(file, ".gen.ts") {
			continue
		}
		checkLines(t, file, text, limit, width)
	}
}

func checkLines(t *testing.T, file string, text []byte, limit int, width func([]byte) int) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for number := 1; lines.Scan(); number++ {
		exempt := !strings.HasSuffix(file, ".go") && unbreakable.Match(lines.Bytes())
		if n := width(lines.Bytes()); n > limit && !exempt {
			t.Errorf("%s:%d is %d wide, more than %d", file, number, n, limit)
		}
	}
	if err := lines.Err(); err != nil {
		t.Errorf("%s: %v", file, err)
	}
}
