package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"strings"
)

// appPage is the page of the app in one language, split at the placeholders for the texts of a site, with its style
// sheet inlined.
type appPage struct {
	text  string
	sheet sheet
}

var (
	siteBlock  = regexp.MustCompile(`(<script type="application/json" id="site">)[^<]*(</script>)`)
	pageTitle  = regexp.MustCompile(`<title>[^<]*</title>`)
	pageAbout  = regexp.MustCompile(`<meta name="description"[^>]*>`)
	themeColor = regexp.MustCompile(`<meta name="theme-color"[^>]*>`)
	pageIcon   = regexp.MustCompile(`<link rel="icon"[^>]*>`)
)

// rootMark is the element that the app renders into.
const rootMark = `<div id="root"></div>`

func readPage(dist fs.FS, l language) (*appPage, error) {
	raw, err := fs.ReadFile(dist, "pages/"+l.Code+"/app.html")
	if err != nil {
		return nil, err
	}
	page := &appPage{text: string(raw)}
	if page.sheet, err = readAppSheet(dist, page.text); err != nil {
		return nil, err
	}
	page.text = strings.Replace(page.text, page.sheet.link, page.sheet.tags, 1)
	if !strings.Contains(page.text, rootMark) {
		return nil, errors.New("web: the built page has no place for the app (" + rootMark + ")")
	}
	return page, nil
}

// render inserts a site's texts and data into the page: title, first HTML and data block, if there are any.
func (p *appPage) render(site Site, title string, seen, dataBlock []byte) ([]byte, error) {
	site.Product = site.product()
	data, err := json.Marshal(site) // escapes <, > and &, so that no text can end the block
	if err != nil {
		return nil, err
	}
	block := "${1}" + strings.ReplaceAll(string(data), "$", "$$") + "${2}"
	if site.DevWallet {
		block = fmt.Sprintf(`<script src="%s" type="module" fetchpriority="low"></script>`, DevWalletPath) + block
	}
	page := siteBlock.ReplaceAllString(p.text, block)
	page = pageTitle.ReplaceAllLiteralString(page, "<title>"+html.EscapeString(title)+"</title>"+preview(site, title))
	if site.Description != "" {
		about := fmt.Sprintf(`<meta name="description" content="%s">`, html.EscapeString(site.Description))
		page = pageAbout.ReplaceAllLiteralString(page, about)
	}
	if strings.HasPrefix(site.Image, "/") && strings.HasSuffix(site.Image, ".svg") {
		icon := fmt.Sprintf(`<link rel="icon" href="%s" type="image/svg+xml">`, html.EscapeString(site.Image))
		page = pageIcon.ReplaceAllLiteralString(page, icon)
	}
	if palette := newPaletteStyle(site.Palette); palette.tag != "" {
		page = strings.Replace(page, p.sheet.tags, p.sheet.tags+palette.tag, 1)
	}
	if background := site.Palette["background"]; background != "" {
		page = themeColor.ReplaceAllLiteralString(page, fmt.Sprintf(`<meta name="theme-color" content="%s">`, background))
	}
	return []byte(strings.Replace(page, rootMark, `<div id="root">`+string(seen)+"</div>"+string(dataBlock), 1)), nil
}

// preview returns the metadata for link previews. A test site has noindex.
func preview(site Site, title string) string {
	if site.Variant == Dummy {
		return `<meta name="robots" content="noindex">`
	}
	var tags strings.Builder
	for _, tag := range [][2]string{
		{"og:type", "website"}, {"og:site_name", site.product()}, {"og:title", title},
		{"og:description", site.Description},
		{"og:url", site.Origin + "/"}, {"og:image", site.Origin + socialPicture}, {"og:image:width", "1200"},
		{"og:image:height", "630"},
	} {
		if tag[1] != "" {
			fmt.Fprintf(&tags, `<meta property="%s" content="%s">`, tag[0], html.EscapeString(tag[1]))
		}
	}
	return tags.String() + `<meta name="twitter:card" content="summary_large_image">`
}

// socialPicture is the path of the preview picture, 1200 × 630.
const socialPicture = "/social.png"

// policy returns the Content-Security-Policy of the app's page: only files of this origin, no inline scripts, and no
// conversion of text to markup or script (Trusted Types, if the browser supports them).
func (p *appPage) policy(site Site) string {
	style, connect := "'self' "+p.sheet.hash+newPaletteStyle(site.Palette).source(), "'self'"
	if site.DevWallet {
		style = "'self' 'unsafe-inline'" // the dev wallet inserts inline styles
	}
	if origin := originOf(site.APIBase); origin != "" {
		connect += " " + origin
	}
	return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src " + style +
		"; img-src " + imageSources([]string{site.Image}) + "; font-src 'self'; connect-src " +
		connect + "; " + closed + "; require-trusted-types-for 'script'"
}

// closed is the common part of all policies.
const closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var httpOrigin = regexp.MustCompile(`^https?://[A-Za-z0-9.\-:\[\]]+`)

// originOf returns the scheme and host of an absolute http URL, or "".
func originOf(url string) string { return httpOrigin.FindString(url) }
