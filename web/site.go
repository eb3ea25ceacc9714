package web

import (
	"context"
	"strings"
)

// The three variants of the site (specification, section 1).
const (
	Community = "community" // the dashboard and its terms
	Dummy     = "dummy"     // the simplified dashboard of a test site
	Generic   = "generic"   // the fund's own landing page
)

// DevWalletPath is the path of the dev wallet, for pages with Site.DevWallet.
const DevWalletPath = "/dev/wallet.js"

// EtchPath is the page "Etch and mint" of sites with Orders.
const EtchPath = "/etch"

// ProofsPath is the page with a community's proofs.
const ProofsPath = "/proofs"

// TransactionPath, followed by a txid, is the transaction page of pages with Site.DevWallet: a dev network has no other
// explorer.
const TransactionPath = "/dev/explorer/tx/"

// Site is the configuration of the pages of one host. Fields with a JSON name are written into the app's page, where
// web/src/lib/site.ts reads them. They must not be secret.
type Site struct {
	Variant string `json:"variant"` // Community, Dummy or Generic
	Product string `json:"product"` // the fund's name; empty: "Moon Fund"
	Prefix  string `json:"prefix"`  // path prefix of the community's calls, without slashes
	APIBase string `json:"apiBase"` // base URL of the product server; empty: the page's own origin

	Name         string   `json:"name"`                   // the community's name, such as "LOBO"
	Token        string   `json:"token"`                  // the token's short name, without the $
	RuneName     string   `json:"runeName"`               // with spacers
	Divisibility int      `json:"divisibility,omitempty"` // decimals of the rune; 0 on a page of no community
	Network      string   `json:"network"`                // mainnet, testnet, testnet4, signet or regtest
	Tagline      string   `json:"tagline"`                // the dashboard's heading; empty: the name
	Description  string   `json:"description"`            // for search engines and previews
	Contact      string   `json:"contact"`                // the operator's e-mail address or https URL; may be empty
	Orders       string   `json:"orders"`                 // base URL of the mint and etch service; empty: no page
	OrderKinds   []string `json:"orderKinds"`             // which of "etch" and "mint" that page offers

	Translated map[string]Words `json:"-"` // by language code: texts that replace the site's own

	Image    string            `json:"image"`   // path or https URL of the logo; an SVG of this server is also the icon
	Hero     string            `json:"hero"`    // path of the picture behind the heading; empty: the default picture
	Source   string            `json:"source"`  // where the program's source is published; may be empty
	Version  string            `json:"version"` // of the program
	Palette  map[string]string `json:"-"`       // the community's colors by their keys in the manifest
	Pictures []Picture         `json:"-"`       // pictures of manifests that this host serves
	Terms    Terms             `json:"-"`

	ServiceFee      int64 `json:"serviceFee"`      // sats of an order
	EpochSeconds    int64 `json:"epochSeconds"`    // 0: epochs are ended by hand
	RecoverySeconds int64 `json:"recoverySeconds"` // recovery delay, approximately

	Origin    string `json:"-"` // scheme and host of the page's address, for previews and sitemaps
	DevWallet bool   `json:"-"` // load the dev wallet: on a dev network only

	// Figures returns the figures for a community's page. If it is nil or returns an error, the script loads the figures.
	Figures func(ctx context.Context) (Figures, error) `json:"-"`

	Communities []Card `json:"-"` // Generic only: the grid of supported communities
	Missing     string `json:"-"` // Generic only: the requested host, if it has no community
	LearnMore   string `json:"-"` // Generic only: link 'Learn More'; empty: the section about the fund
}

// Words are a site's texts. An empty text does not replace the site's text.
type Words struct{ Tagline, Description, TermsHTML string }

// in returns the site with the texts of a language.
func (s Site) in(code string) Site {
	words := s.Translated[code]
	if words.Tagline != "" {
		s.Tagline = words.Tagline
	}
	if words.Description != "" {
		s.Description = words.Description
	}
	if words.TermsHTML != "" {
		s.Terms.HTML = words.TermsHTML
	}
	return s
}

// Card is one community on the landing page.
type Card struct {
	Name     string
	Token    string // without the $
	Ordinals string // the ordinals collection in words; may be empty
	Image    string // path or https URL; empty: the default picture
	Hero     string // path of the wide picture behind its page's heading; may be empty
	Host     string // its host with port, for display; empty: no page yet
	URL      string // of its page
	Proofs   string // URL of its page with the proofs; set when the page is rendered

	Description string           // one sentence; may be empty
	Translated  map[string]Words // by language code: a description that replaces it

	// Figures returns the live figures when a page is rendered. If it is nil or returns an error, the card has none.
	Figures func(ctx context.Context) (Figures, error)
}

// routes are the pages of each variant. Other paths get the not-found page with status 404.
var routes = map[string]map[string]bool{
	Community: {"/": true, TermsPath: true, ProofsPath: true},
	Dummy:     {"/": true, ProofsPath: true},
	Generic:   {"/": true, TermsPath: true},
}

// hasPage reports whether a path is a page of the site.
func (s Site) hasPage(path string) bool {
	return routes[s.Variant][path] || guideFiles[path] != "" || s.Orders != "" && path == EtchPath || s.DevWallet &&
		strings.HasPrefix(path, TransactionPath)
}

// product returns the fund's name.
func (s Site) product() string {
	if s.Product == "" {
		return "Moon Fund"
	}
	return s.Product
}

// title returns the title for the browser tab and for previews: the page's name, if it has one, and the site's name.
func (s Site) title(page string) string {
	title := s.product()
	if s.Name != "" && s.Name != title {
		title = s.Name + " · " + title
	}
	if page != "" {
		title = page + " · " + title
	}
	return title
}

// pageKey returns the key of a path in a language's titles; empty for the site's home.
func (s Site) pageKey(path string) string {
	switch {
	case !s.hasPage(path):
		return "notFound"
	case strings.HasPrefix(path, TransactionPath):
		return "transaction"
	}
	return strings.TrimPrefix(path, "/")
}

// siteWords are the fields for the header and footer of every built page.
type siteWords struct {
	Product, Name, Image, Origin string
	Contact, Source, Proofs      string // links; Contact may be empty
	Etch                         string // path of the page "Etch and mint"; empty: there is none
}

func (s Site) words() siteWords {
	words := siteWords{
		Product: s.product(), Name: s.Name, Image: s.Image, Origin: s.Origin, Contact: s.Contact, Source: s.Source,
		Proofs: ProofsPath,
	}
	if strings.Contains(s.Contact, "@") && !strings.Contains(s.Contact, "/") {
		words.Contact = "mailto:" + s.Contact
	}
	if s.Variant == Generic {
		words.Proofs, words.Name = "/#trust", s.product()
	}
	if words.Source == "" {
		words.Source = strings.TrimSuffix(words.Proofs, "#trust") + "#source"
	}
	if s.Orders != "" {
		words.Etch = EtchPath
	}
	return words
}
