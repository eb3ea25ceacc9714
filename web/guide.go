package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// TrustPath and RecoverPath are the pages about what stakers trust the operator with, and about recovery without them.
const (
	TrustPath   = "/trust"
	RecoverPath = "/recover"
)

// guideFiles are the documents of these pages, in the folder docs.
var guideFiles = map[string]string{TrustPath: "trust.md", RecoverPath: "guide/recover.md"}

// guide is a document, rendered from Markdown.
type guide struct {
	heading  string
	sections []section
	html     template.HTML
}

// section is a heading of the second level.
type section struct{ ID, Title string }

// guideWords are the fields for guide.html.
type guideWords struct {
	siteWords
	Title, Description, Path string
	Heading                  string
	Sections                 []section
	Text                     template.HTML
}

// readGuides renders all guides, by the path of their page.
func readGuides(files fs.FS) (map[string]*guide, error) {
	guides := map[string]*guide{}
	for page, file := range guideFiles {
		source, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, fmt.Errorf("web: the guide %s: %w", page, err)
		}
		if guides[page], err = newGuide(file, source); err != nil {
			return nil, fmt.Errorf("web: the guide %s: %w", page, err)
		}
	}
	return guides, nil
}

// newGuide renders a document. Its first heading becomes the page's, comments are removed, and links to documents that
// are not pages become plain text.
func newGuide(file string, source []byte) (*guide, error) {
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	document := markdown.Parser().Parse(text.NewReader(source))
	g := &guide{}
	var nodes []ast.Node // the edits change the tree, so they follow the walk
	err := ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, node)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	for _, node := range nodes {
		g.edit(file, source, node)
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, document); err != nil {
		return nil, err
	}
	g.html = template.HTML(out.String()) // goldmark escapes the text, and renders no HTML of the document
	return g, nil
}

func (g *guide) edit(file string, source []byte, node ast.Node) {
	switch node := node.(type) {
	case *ast.Heading:
		switch title := string(node.Lines().Value(source)); node.Level {
		case 1:
			g.heading = title
			node.Parent().RemoveChild(node.Parent(), node)
		case 2:
			id, _ := node.AttributeString("id")
			g.sections = append(g.sections, section{string(id.([]byte)), title})
		}
	case *ast.HTMLBlock:
		node.Parent().RemoveChild(node.Parent(), node)
	case *ast.Link:
		if target := pageOf(file, string(node.Destination)); target != "" {
			node.Destination = []byte(target)
		} else {
			unwrap(node)
		}
	case *tables.Table:
		node.SetAttributeString("tabindex", []byte("0")) // a table that is wider than a phone scrolls, also by keyboard
	}
}

// pageOf returns the address of a link in a document, relative to the site; empty if it is a file that is not a page.
func pageOf(file, link string) string {
	target, err := url.Parse(link)
	if err != nil {
		return ""
	}
	if target.IsAbs() || target.Path == "" {
		return link
	}
	for page, other := range guideFiles {
		if other == path.Join(path.Dir(file), target.Path) {
			target.Path = page
			return target.String()
		}
	}
	return ""
}

// unwrap replaces a link by its text.
func unwrap(link *ast.Link) {
	parent := link.Parent()
	for child := link.FirstChild(); child != nil; child = link.FirstChild() {
		parent.InsertBefore(parent, link, child)
	}
	parent.RemoveChild(parent, link)
}

// renderGuide renders the page of a guide on a site.
func (p *pages) renderGuide(site Site, path string) ([]byte, error) {
	g := p.guides[path]
	return p.guide.write(guideWords{
		siteWords: site.words(), Title: site.title(g.heading), Description: site.Description, Path: path,
		Heading: g.heading, Sections: g.sections, Text: g.html,
	}, newPaletteStyle(site.Palette))
}
