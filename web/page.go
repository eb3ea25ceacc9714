package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"strings"
)

// template is the built index.html, cut where a site's own words go, with its style sheet inlined.
type template struct {
	text      string
	styleHash string // CSP source of the inlined style sheet: 'sha256-…'
}

var (
	styleLink = regexp.MustCompile(`<link rel="stylesheet"[^>]*href="/(assets/[^"]+\.css)"[^>]*>`)
	siteBlock = regexp.MustCompile(`(<script type="application/json" id="site">)[^<]*(</script>)`)
	pageTitle = regexp.MustCompile(`<title>[^<]*</title>`)
	pageAbout = regexp.MustCompile(`<meta name="description"[^>]*>`)
	fontURL   = regexp.MustCompile(`/assets/(?:familjen|figtree)[^)"']*\.woff2`)
)

// readTemplate prepares the built page; fs.ErrNotExist when the app was not built.
func readTemplate(dist fs.FS) (*template, error) {
	raw, err := fs.ReadFile(dist, "index.html")
	if err != nil {
		return nil, err
	}
	page := &template{text: string(raw)}
	found := styleLink.FindStringSubmatch(page.text)
	if found == nil {
		return nil, fmt.Errorf("web: the built index.html names no style sheet")
	}
	style, err := fs.ReadFile(dist, found[1])
	if err != nil {
		return nil, err
	}
	style = bytes.ReplaceAll(style, []byte("</"), []byte(`<\/`))
	sum := sha256.Sum256(style)
	page.styleHash = "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	// The two fonts of the first screen start to load with the page instead of with its style.
	var preload strings.Builder
	for _, url := range unique(fontURL.FindAllString(string(style), -1)) {
		fmt.Fprintf(&preload, `<link rel="preload" as="font" type="font/woff2" crossorigin href="%s">`, url)
	}
	page.text = strings.Replace(page.text, found[0], preload.String()+"<style>"+string(style)+"</style>", 1)
	return page, nil
}

// render writes a site's words and data into the page.
func (t *template) render(site Site) ([]byte, error) {
	if site.Product == "" {
		site.Product = "Moon Fund"
	}
	if site.Communities == nil {
		site.Communities = []Card{}
	}
	data, err := json.Marshal(site) // escapes <, > and &: nothing in it can end the block
	if err != nil {
		return nil, err
	}
	title := site.Product
	if site.Name != "" && site.Name != site.Product {
		title = site.Name + " · " + site.Product
	}
	block := "${1}" + strings.ReplaceAll(string(data), "$", "$$") + "${2}"
	if site.DevWallet {
		block = fmt.Sprintf(`<script src="%s" type="module"></script>`, DevWalletPath) + block
	}
	page := siteBlock.ReplaceAllString(t.text, block)
	page = pageTitle.ReplaceAllLiteralString(page, "<title>"+html.EscapeString(title)+"</title>")
	if site.Description != "" {
		about := fmt.Sprintf(`<meta name="description" content="%s">`, html.EscapeString(site.Description))
		page = pageAbout.ReplaceAllLiteralString(page, about)
	}
	return []byte(page), nil
}

// policy is the page's Content-Security-Policy: nothing but this origin's own files, and no inline script at all.
func (t *template) policy(site Site) string {
	style, connect, images := "'self' "+t.styleHash, "'self'", "'self' data:"
	if site.DevWallet {
		style = "'self' 'unsafe-inline'" // the dev wallet draws its own window
	}
	if origin := originOf(site.APIBase); origin != "" {
		connect += " " + origin
	}
	for _, card := range site.Communities {
		if origin := originOf(card.Image); origin != "" && !strings.Contains(images, origin) {
			images += " " + origin
		}
	}
	return "default-src 'none'; script-src 'self'; style-src " + style + "; img-src " + images +
		"; font-src 'self'; connect-src " + connect + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

var httpOrigin = regexp.MustCompile(`^https?://[A-Za-z0-9.\-:\[\]]+`)

// originOf is the scheme and host of an absolute http URL, else "".
func originOf(url string) string { return httpOrigin.FindString(url) }

func unique(list []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, item := range list {
		if !seen[item] {
			seen[item] = true
			out = append(out, item)
		}
	}
	return out
}
