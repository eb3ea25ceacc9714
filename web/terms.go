package web

import (
	"html/template"
	"time"
)

// TermsPath is the page with a community's terms, or the fund's.
const TermsPath = "/terms"

// Terms are what a staker agrees to; the zero value: none are published.
type Terms struct {
	Version string
	Date    time.Time
	HTML    string // safe: rendered from Markdown without markup of its own
}

// termsWords are the names that the actions of terms.html know.
type termsWords struct {
	siteWords
	Title, Description      string
	Generic                 bool // the fund's page, which leads to the communities' terms
	Version, Date, DateText string
	Terms                   template.HTML // empty: none are published
	Communities             []Card
}

// renderTerms writes the terms of a site.
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
