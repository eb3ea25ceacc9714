package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"strings"
)

// document is a built page without script: the landing page, the terms or a guide. The build renders it with React.
// Texts that depend on the server are actions of html/template, which escapes the inserted values.
type document struct {
	page     *template.Template
	sheet    sheet
	language language
}

// styleMark is the placeholder for a document's style. It is replaced after the template runs, because the template
// would change the style and so its hash.
const styleMark = "<style></style>"

// documentStyle is the style sheet of the documents, which need no other styles of the app.
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

// write inserts the words, the style, and the community's colors into the document.
func (d *document) write(words any, palette paletteStyle) ([]byte, error) {
	var page bytes.Buffer
	if err := d.page.Execute(&page, words); err != nil {
		return nil, err
	}
	return bytes.Replace(page.Bytes(), []byte(styleMark), []byte(d.sheet.tags+palette.tag), 1), nil
}

// policy returns the Content-Security-Policy of a document: no scripts, and pictures only from this origin and the
// given ones. The page itself makes no requests, but connect-src allows this origin because tools that check a page
// from inside it request robots.txt.
func (d *document) policy(palette paletteStyle, pictures ...string) string {
	return "default-src 'none'; script-src 'none'; style-src " + d.sheet.hash + palette.source() +
		"; img-src " + imageSources(pictures) + "; font-src 'self'; connect-src 'self'; " + closed
}

// imageSources returns the allowed sources of pictures: this origin, data URLs, and the origins of the given URLs.
func imageSources(pictures []string) string {
	sources := "'self' data:"
	for _, picture := range pictures {
		if origin := originOf(picture); origin != "" && !strings.Contains(sources, origin) {
			sources += " " + origin
		}
	}
	return sources
}
