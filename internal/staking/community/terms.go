package community

import (
	"bytes"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// MaxTerms is the maximum length of the terms' Markdown, in characters.
const MaxTerms = 100_000

// Terms are the terms of a community. The zero value means that the operator has not published any.
type Terms struct {
	Version string
	Date    time.Time
	HTML    string // rendered from Markdown; contains no HTML of the operator
}

// MissingTerms returns the names of the communities that have published no terms. A test community needs none.
func MissingTerms(manifests []Manifest) (names []string) {
	for _, m := range manifests {
		if !m.Test && m.Terms.HTML == "" {
			names = append(names, m.Name)
		}
	}
	return names
}

// buildTerms reads the terms. A manifest without the section [terms] has none.
func buildTerms(r *reader) Terms {
	defer r.finish()
	if len(r.table) == 0 {
		return Terms{}
	}
	return Terms{
		HTML:    r.markdown("text", nil),
		Version: r.text("version", nil, "1 to 20 printable characters in one line, such as 1.0", line(1, 20)),
		Date:    r.day("date", "the day on which this version takes effect, such as 2026-12-01, from 2020 to 2099"),
	}
}

// day returns the start of a day in UTC, given as a TOML date without a time.
func (r *reader) day(key, want string) time.Time {
	value, _ := r.take(key)
	day, isDay := value.(toml.LocalDate)
	at := day.AsTime(time.UTC)
	if !isDay || !wholeSecond(at) {
		found := value
		if value == nil {
			found = missing
		}
		r.wrong(key, found, want)
		return time.Time{}
	}
	return at
}

// markdown reads Markdown and returns it as HTML. A nil fallback makes the key required.
func (r *reader) markdown(key string, fallback *string) string {
	const want = "Markdown of up to 100,000 characters, without HTML and without pictures"
	html := ""
	r.text(key, fallback, want, func(s string) (ok bool) {
		s = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\t", "    ").Replace(s))
		if plain(1, MaxTerms)(s) {
			html, ok = renderMarkdown(s)
		}
		return ok
	})
	return html
}

// renderMarkdown renders CommonMark as HTML. ok is false if the text contains HTML or pictures, which are not allowed.
func renderMarkdown(markdown string) (html string, ok bool) {
	source := []byte(markdown)
	page := goldmark.New(goldmark.WithParserOptions(parser.WithASTTransformers(
		util.Prioritized(lowerHeadings{}, 100),
	)))
	document := page.Parser().Parse(text.NewReader(source))
	ok = true
	err := ast.Walk(document, func(node ast.Node, _ bool) (ast.WalkStatus, error) {
		switch node.Kind() {
		case ast.KindHTMLBlock, ast.KindRawHTML, ast.KindImage:
			ok = false
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	if err != nil || !ok || page.Renderer().Render(&out, source, document) != nil {
		return "", false
	}
	return out.String(), true
}

// lowerHeadings lowers every heading by one level, because the page has its own top heading.
type lowerHeadings struct{}

// Transform implements parser.ASTTransformer.
func (lowerHeadings) Transform(document *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if heading, is := node.(*ast.Heading); is && entering {
			heading.Level = min(6, heading.Level+1)
		}
		return ast.WalkContinue, nil
	})
}
