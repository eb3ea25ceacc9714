package web

import (
	"html/template"
	"time"
)

// TermsPath is the path of the terms of a community or the fund.
const TermsPath = "/terms"

// Terms are the terms of a community or the fund. The zero value means that none are published.
type Terms struct {
	Version string
	Date    time.Time
	HTML    string // safe: rendered from Markdown without HTML of the operator
}

// termsWords are the fields for terms.html.
type termsWords struct {
	siteWords
	Title, Description      string
	Generic                 bool // the fund's page, which links to the communities' terms
	Version, Date, DateText string
	Terms                   template.HTML // empty: none are published
	Communities             []Card
}

// renderTerms renders the terms of a site.
func (p *pages) renderTerms(site Site) ([]byte, error) {
	words := termsWords{
		siteWords: site.words(), Title: site.title(p.titles["terms"]), Description: site.Description,
		Generic: site.Variant == Generic, Communities: site.Communities,
	}
	if site.Terms.HTML != "" {
		words.Version, words.Terms = site.Terms.Version, template.HTML(site.Terms.HTML)
		words.Date, words.DateText = site.Terms.Date.UTC().Format(time.DateOnly), p.terms.language.day(site.Terms.Date)
	}
	return p.terms.write(words, newPaletteStyle(site.Palette))
}
