package moonfund_test

import (
	"bufio"
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Columns of a line; a tab counts as one.
const (
	maxCodeColumns     = 120
	maxMarkdownColumns = 100
)

// unbreakable matches a literal that cannot be wrapped: a key, a signature or a transaction in hex or base64.
var unbreakable = regexp.MustCompile(`[0-9A-Za-z+/=]{64,}`)

// TestLengthOfLines checks the width of the tracked Go, TypeScript, JavaScript, CSS and Markdown files. Generated
// files and lines with an unbreakable literal may be wider.
func TestLengthOfLines(t *testing.T) {
	for _, file := range tracked(t, "*.go", "*.ts", "*.tsx", "*.mjs", "*.css", "*.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		limit := maxCodeColumns
		if strings.HasSuffix(file, ".md") {
			limit = maxMarkdownColumns
		} else if generated(text) || strings.HasSuffix(file, ".gen.ts") {
			continue
		}
		checkColumns(t, file, text, limit)
	}
}

func checkColumns(t *testing.T, file string, text []byte, limit int) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for number := 1; lines.Scan(); number++ {
		if columns := utf8.RuneCount(lines.Bytes()); columns > limit && !unbreakable.Match(lines.Bytes()) {
			t.Errorf("%s:%d has %d columns, more than %d", file, number, columns, limit)
		}
	}
	if err := lines.Err(); err != nil {
		t.Errorf("%s: %v", file, err)
	}
}
