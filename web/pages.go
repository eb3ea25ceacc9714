package web

import (
	"context"
	"errors"
	"io/fs"
	"net/http"

	"moonfund/docs"
)

// pages are the built pages in one language.
type pages struct {
	app     *appPage
	code    string
	titles  map[string]string
	landing *document
	terms   *document
	guide   *document
	guides  map[string]*guide // by path
	homes   map[string]*home  // by variant
}

// book contains all pages of a build, by language.
type book struct {
	languages []language
	pages     map[string]*pages // by the language's code
	verifier  *verifier
}

// readBook reads the build. It returns fs.ErrNotExist if the app was not built.
func readBook(dist fs.FS) (*book, error) {
	all, err := readLanguages(dist)
	if err != nil {
		return nil, err
	}
	guides, err := readGuides(docs.Pages)
	if err != nil {
		return nil, err
	}
	b := &book{languages: all, pages: map[string]*pages{}}
	if b.verifier, err = readVerifier(dist); err != nil {
		return nil, unbuilt(err)
	}
	for _, l := range all {
		if b.pages[l.Code], err = readPages(dist, l); err != nil {
			return nil, unbuilt(err)
		}
		b.pages[l.Code].guides = guides
	}
	return b, nil
}

// unbuilt returns an error for a build that has a list of languages but lacks another file.
func unbuilt(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(err.Error())
	}
	return err
}

func readPages(dist fs.FS, l language) (*pages, error) {
	p := &pages{code: l.Code, titles: l.Titles, homes: map[string]*home{}}
	var err error
	if p.app, err = readPage(dist, l); err != nil {
		return nil, err
	}
	if p.landing, err = readDocument(dist, l, "landing"); err != nil {
		return nil, err
	}
	if p.terms, err = readDocument(dist, l, "terms"); err != nil {
		return nil, err
	}
	if p.guide, err = readDocument(dist, l, "guide"); err != nil {
		return nil, err
	}
	for _, variant := range []string{Community, Dummy} {
		if p.homes[variant], err = readHome(dist, l, variant); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// choose returns the pages in the language of a request: the chosen language, otherwise the browser's, otherwise the
// default.
func (b *book) choose(w http.ResponseWriter, r *http.Request, site Site) (p *pages, chosen string) {
	chosen, now := chosenLanguage(r, b.languages)
	if now {
		keepLanguage(w, site, chosen)
	}
	if chosen != "" {
		return b.pages[chosen], chosen
	}
	return b.pages[browserLanguage(r.Header.Get("Accept-Language"), b.languages)], ""
}

// write returns the page of a route and its policy. chosen is the language that the visitor chose, or "".
func (p *pages) write(ctx context.Context, r *http.Request, site Site,
	chosen string) (page []byte, policy string, err error) {
	site = site.in(p.code)
	switch {
	case site.Variant == Generic && r.URL.Path == "/":
		page, err = p.renderLanding(ctx, site, chosen, r.URL.Query().Get("lang") == chosen)
		return page, p.landingPolicy(site), err
	case r.URL.Path == TermsPath && site.hasPage(TermsPath):
		page, err = p.renderTerms(site)
		return page, p.terms.policy(newPaletteStyle(site.Palette), site.Image), err
	case p.guides[r.URL.Path] != nil:
		page, err = p.renderGuide(site, r.URL.Path)
		return page, p.guide.policy(newPaletteStyle(site.Palette), site.Image), err
	}
	var seen, block []byte
	if first := p.homes[site.Variant]; first != nil && r.URL.Path == "/" {
		if seen, block, err = first.render(ctx, site); err != nil {
			return nil, "", err
		}
	}
	page, err = p.app.render(site, site.title(p.titles[site.pageKey(r.URL.Path)]), seen, block)
	return page, p.app.policy(site), err
}
