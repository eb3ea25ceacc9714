package web

// The three variants of the site (specification, section 1).
const (
	Community = "community" // the dashboard and its terms
	Dummy     = "dummy"     // the simplified dashboard of a test site
	Generic   = "generic"   // the fund's own landing page
)

// DevWalletPath is where pages with Site.DevWallet load the dev wallet from.
const DevWalletPath = "/dev/wallet.js"

// Site is what the page of one host needs before it has asked the server anything. It is written into the page as
// JSON; web/src/lib/site.ts reads it. Nothing in it may be secret.
type Site struct {
	Variant string `json:"variant"` // Community, Dummy or Generic
	Product string `json:"product"` // the fund's name; empty: "Moon Fund"
	Prefix  string `json:"prefix"`  // path prefix of the community's calls, without slashes
	APIBase string `json:"apiBase"` // base URL of the product server; empty: the page's own origin

	Name        string `json:"name"`        // the community's name, such as "LOBO"
	Token       string `json:"token"`       // the token's short name, without the $
	RuneName    string `json:"runeName"`    // with spacers
	Network     string `json:"network"`     // mainnet, testnet, testnet4, signet or regtest
	Tagline     string `json:"tagline"`     // the dashboard's heading; empty: the name
	Description string `json:"description"` // for search engines and previews

	Communities []Card `json:"communities"` // Generic only: the grid of supported communities

	DevWallet bool `json:"-"` // load the dev wallet: on a dev network only
}

// Card is one community on the landing page.
type Card struct {
	Name      string `json:"name"`
	Token     string `json:"token"`
	Ordinals  string `json:"ordinals"`  // the ordinals collection in words; may be empty
	Subdomain string `json:"subdomain"` // first label of its host; empty: no page yet
	Image     string `json:"image"`     // path or https URL; empty: the wolf
}

// routes of each variant; everything else is the not-found page with status 404.
var routes = map[string]map[string]bool{
	Community: {"/": true, "/terms": true},
	Dummy:     {"/": true},
	Generic:   {"/": true, "/terms": true},
}
