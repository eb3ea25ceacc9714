package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"strings"
)

// document is a built page without script: the landing page or the terms. The build renders it with React; where its
// words depend on the server it holds actions of html/template, which escapes whatever is put there.
type document struct {
	page     *template.Template
	sheet    sheet
	language language
}

// styleMark is where a document wants its style. It goes in last: a template would rewrite it, and its hash is known.
const styleMark = "<style></style>"

// documentStyle is the style of the documents: they have no script that would need the rest of the app's.
const documentStyle = "pages/landing.css"

func readDocument(dist fs.FS, l language, name string) (*document, error) {
	style, err := readSheet(dist, documentStyle)
	if err != nil {
		return nil, err
	}
	raw, err := fs.ReadFile(dist, "pages/"+l.Code+"/"+name+".html")
	if err != nil {
		return nil, fmt.Errorf("web: the built page %s: %w", name, err)
	}
	if !bytes.Contains(raw, []byte(styleMark)) {
		return nil, fmt.Errorf("web: the built page %s has no place for its style (%s)", name, styleMark)
	}
	page, err := template.New(name).Parse(string(raw))
	if err != nil {
		return nil, fmt.Errorf("web: the built page %s: %w", name, err)
	}
	return &document{page, style, l}, nil
}

// write fills the document with its words and its style, and with the community's colors.
func (d *document) write(words any, palette paletteStyle) ([]byte, error) {
	var page bytes.Buffer
	if err := d.page.Execute(&page, words); err != nil {
		return nil, err
	}
	return bytes.Replace(page.Bytes(), []byte(styleMark), []byte(d.sheet.tags+palette.tag), 1), nil
}

// policy of a document: it runs nothing, and shows pictures of this origin and of the ones given. What may be asked for
// is this origin alone: nothing on the page asks, but tools that check a page from inside it read robots.txt there.
func (d *document) policy(palette paletteStyle, pictures ...string) string {
	return "default-src 'none'; script-src 'none'; style-src " + d.sheet.hash + palette.source() +
		"; img-src " + imageSources(pictures) + "; font-src 'self'; connect-src 'self'; " + closed
}

// imageSources lists where pictures may come from: this origin, the page itself, and the origins of the given
// addresses.
func imageSources(pictures []string) string {
	sources := "'self' data:"
	for _, picture := range pictures {
		if origin := originOf(picture); origin != "" && !strings.Contains(sources, origin) {
			sources += " " + origin
		}
	}
	return sources
}
