package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const appHTML = `<!doctype html><html lang="en"><head><title>x</title><meta name="description" content="x" />
<meta name="theme-color" content="#090c14" />
<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
<script type="application/json" id="site">{"variant":"generic"}</script>
<script type="module" crossorigin src="/assets/index-DYj3Kn0N.js"></script>
<link rel="stylesheet" crossorigin href="/assets/style-1.css">
</head><body><div id="root"></div></body></html>`

const landingHTML = `<!doctype html><html><head><title>Together {{.Product}}</title>
<meta property="og:image" content="{{.Picture}}"><link rel="canonical" href="{{.Canonical}}"><style></style></head>
<body>{{if .Missing}}<p>No community at {{.Missing}}</p>{{end}}
<a href="{{.LearnMore}}">Learn More</a>
{{if .Etch}}<a href="{{.Etch}}">Etch</a>{{end}}
{{if .Communities}}<ul>{{range .Communities}}<li>{{if .URL}}<a href="{{.URL}}">{{.Host}}</a>{{else}}Coming soon{{end}}
{{if .Image}}<img src="{{.Image}}">{{end}}<h3>{{.Name}}</h3><p>${{.Token}} {{.Ordinals}}</p>
{{if .Hero}}<img src="{{.Hero}}">{{end}}{{if .Description}}<p>{{.Description}}</p>{{end}}
{{with .Live}}<p title="{{.StakedExact}}">{{.Staked}}
of {{.Issued}} ({{.IssuedExact}}), epoch {{.Epoch}}
{{if .Ends}}<time datetime="{{.EndsMachine}}">{{.Ends}}</time>{{end}}
</p>{{end}}</li>{{end}}</ul>
{{else}}<p>None yet</p>{{end}}</body></html>`

const termsHTML = `<!doctype html><html><head><title>{{.Title}}</title><style></style></head><body>
{{if .Image}}<img src="{{.Image}}">{{end}}
{{if .Generic}}{{range .Communities}}{{if .URL}}<a href="{{.URL}}/terms">{{.Name}}</a>{{end}}{{end}}
{{else}}{{if .Terms}}<p>{{.Version}}
<time datetime="{{.Date}}">{{.DateText}}</time></p><div>{{.Terms}}</div>{{else}}No terms of {{.Name}}{{end}}{{end}}
<a href="{{.Proofs}}">p</a><a href="{{.Source}}">s</a>{{if .Contact}}<a href="{{.Contact}}">c</a>{{end}}</body></html>`

const homeHTML = `<h1>{{if .Tagline}}{{.Tagline}}{{else}}Stake {{.Token}}{{end}}</h1>` +
	`<p title="{{.StakedExact}}">{{.Staked}} of {{.Issued}}</p>
<p>{{.Epoch}} then {{.NextEpoch}} in {{.Days}}d {{.Hours}}h {{.Minutes}}m {{.Seconds}}s</p>
<circle stroke-dasharray="{{.Passed}} 100"/>{{if .Notice}}<p>{{.Notice}}</p>{{end}}`

const languagesJSON = `[
{"code":"en","name":"English","decimal":".","group":",","million":"M","billion":"B","trillion":"T",
"weekdays":["Sun","Mon","Tue","Wed","Thu","Fri","Sat"],
"months":["Jan","Feb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],
"date":"{weekday}, {month} {day}, {hour}:{minute} UTC","day":"{month} {day}, {year}",
"titles":{"terms":"Terms","proofs":"Proofs","notFound":"Page not found"},"durations":{"months":"{n} months",
"days":"{n} days","hours":"{n} hours","minutes":"{n} minutes","seconds":"{n} seconds"}},
{"code":"de","name":"Deutsch","decimal":",","group":".","million":" Mio.","billion":" Mrd.","trillion":" Bio.",
"weekdays":["So.","Mo.","Di.","Mi.","Do.","Fr.","Sa."],
"months":["Jan.","Feb.","März","Apr.","Mai","Juni","Juli","Aug.","Sept.","Okt.","Nov.","Dez."],
"date":"{weekday}, {day}. {month}, {hour}:{minute} UTC","day":"{day}. {month} {year}",
"titles":{"terms":"Bedingungen"},"durations":{}}]`

const verifyHTML = `<!doctype html><html><head>` +
	`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src https:" />` +
	`<title>Verify</title></head><body></body></html>`

func built() fstest.MapFS {
	german := strings.NewReplacer(`lang="en"`, `lang="de"`, "Together", "Gemeinsam", "Stake ", "Staken: ").Replace
	return fstest.MapFS{
		".keep":                         {},
		"index.html":                    {Data: []byte(appHTML)},
		"pages/languages.json":          {Data: []byte(languagesJSON)},
		"pages/landing.css":             {Data: []byte("h1{src:url(/assets/figtree-Ab_4-xyz.woff2)}")},
		"pages/verify.html":             {Data: []byte(verifyHTML)},
		"pages/en/app.html":             {Data: []byte(appHTML)},
		"pages/en/landing.html":         {Data: []byte(landingHTML)},
		"pages/en/terms.html":           {Data: []byte(termsHTML)},
		"pages/de/terms.html":           {Data: []byte(german(termsHTML))},
		"pages/en/guide.html":           {Data: []byte(guideHTML)},
		"pages/de/guide.html":           {Data: []byte(german(guideHTML))},
		"pages/en/community.html":       {Data: []byte(homeHTML)},
		"pages/en/dummy.html":           {Data: []byte(homeHTML)},
		"pages/de/app.html":             {Data: []byte(german(appHTML))},
		"pages/de/landing.html":         {Data: []byte(german(landingHTML))},
		"pages/de/community.html":       {Data: []byte(german(homeHTML))},
		"pages/de/dummy.html":           {Data: []byte(german(homeHTML))},
		"favicon.svg":                   {Data: []byte("<svg/>")},
		"assets/style-1.css":            {Data: []byte("a{src:url(/assets/figtree-Ab_4-xyz.woff2)}")},
		"assets/index-DYj3Kn0N.js":      {Data: []byte("plain()")},
		"assets/index-DYj3Kn0N.js.br":   {Data: []byte("BR")},
		"assets/index-DYj3Kn0N.js.gz":   {Data: []byte("GZ")},
		"assets/figtree-Ab_4-xyz.woff2": {Data: []byte("font")},
	}
}

func sites(host string) (Site, bool) {
	switch label, _, _ := strings.Cut(host, "."); label {
	case "lobo":
		return Site{
			Variant: Community, Prefix: "lobo", Name: "LOBO", Token: "LOBO", Description: `"wolves" & <moon>`,
			Image: "/assets/communities/lobo.svg", Origin: "https://lobo.example.org",
		}, true
	case "dummy":
		return Site{Variant: Dummy, Prefix: "dummy", Name: "</script><script>", DevWallet: true,
			APIBase: "https://api.example.org/base"}, true
	case "moon":
		return Site{Variant: Generic, Origin: "https://example.org", Communities: []Card{
			{Name: "</h3><script>alert(1)</script>", Token: "A", Image: "https://img.example.org/a.png",
				URL: "javascript:alert(1)", Host: "a.example.org"},
			{Name: "LOBO", Token: "LOBO", Ordinals: "Wolf & Pups", URL: "https://lobo.example.org", Host: "lobo.example.org",
				Hero: "/assets/communities/lobo-hero.svg", Description: "Howl & earn", Figures: figures,
				Translated: map[string]Words{"de": {Description: "Heul mit"}}},
			{Name: "Away", Token: "B", Figures: func(context.Context) (Figures, error) {
				return Figures{}, errors.New("the ledger is away")
			}},
		}}, true
	case "pack": // a community with figures
		return Site{
			Variant: Community, Prefix: "pack", Name: "PACK", Token: "PCK<", Origin: "https://pack.example.org",
			Contact: "help@pack.example.org", Source: "https://code.example.org/fund", Image: "https://img.example.org/pack.png",
			Palette:  map[string]string{"accent": "#aabbcc", "background": "#010203", "text": "red;}</style>", "moon": "#fff"},
			Pictures: []Picture{packLogo}, EpochSeconds: 604800, RecoverySeconds: 26280 * 600, ServiceFee: 1500,
			Terms:      Terms{Version: "2<", Date: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), HTML: "<h2>Rules</h2>"},
			Translated: map[string]Words{"de": {TermsHTML: "<h2>Regeln</h2>"}},
			Figures: func(ctx context.Context) (Figures, error) {
				f, err := figures(ctx)
				f.Notice = "</script><b>Moved</b>"
				return f, err
			},
		}, true
	case "wolf":
		return Site{Variant: Generic, Origin: "https://example.org", Missing: "wolf.localhost"}, true
	case "new":
		return Site{Variant: Generic, Product: "Wolf Fund", Orders: "/orders/mainnet/v1",
			LearnMore: "https://example.org/more"}, true
	}
	return Site{}, false
}

var packLogo = Picture{"image/svg+xml", []byte("<svg/>")}

func figures(context.Context) (Figures, error) {
	return Figures{
		TotalStaked: "105000000000000000", TotalIssued: "2100000000000000", Divisibility: 8, Epoch: 7,
		NextEpoch: time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC), Now: time.Date(2026, 11, 29, 22, 58, 51, 0, time.UTC),
	}, nil
}

func ask(t *testing.T, method, host, path string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://"+host+path, nil)
	r.Header = header
	w := httptest.NewRecorder()
	newHandler(built(), sites).ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, answer *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestStatusByHostAndRoute(t *testing.T) {
	for _, c := range []struct {
		method, host, path string
		want               int
	}{
		{"GET", "lobo.localhost:8080", "/", 200},
		{"GET", "LOBO.localhost.", "/", 200},
		{"GET", "lobo.localhost", "/terms", 200},
		{"GET", "lobo.localhost", "/proofs", 200},
		{"GET", "moon.localhost", "/proofs", 404},
		{"GET", "pack.localhost", "/assets/pictures/none.svg", 404},
		{"GET", "lobo.localhost", "/zzz", 404},
		{"HEAD", "lobo.localhost", "/zzz", 404},
		{"GET", "lobo.localhost", "/terms/", 404},
		{"GET", "lobo.localhost", "/index.html", 404},
		{"GET", "moon.localhost", "/pages/en/landing.html", 404},
		{"GET", "moon.localhost", "/pages/languages.json", 404},
		{"GET", "moon.localhost", "/", 200},
		{"GET", "moon.localhost", "/zzz", 404},
		{"GET", "lobo.localhost", "/robots.txt", 200},
		{"GET", "lobo.localhost", "/sitemap.xml", 200},
		{"GET", "dummy.localhost", "/robots.txt", 200},
		{"GET", "dummy.localhost", "/sitemap.xml", 404},
		{"GET", "lobo.localhost", "/.keep", 404},
		{"GET", "dummy.localhost", "/", 200},
		{"GET", "dummy.localhost", "/dev/explorer/tx/ab", 200}, // a site with the dev wallet
		{"GET", "lobo.localhost", "/dev/explorer/tx/ab", 404},
		{"GET", "dummy.localhost", "/terms", 404},
		{"GET", "moon.localhost", "/terms", 200},
		{"GET", "other.localhost", "/", 421},
		{"GET", "other.localhost", "/assets/index-DYj3Kn0N.js", 421},
		{"POST", "lobo.localhost", "/", 405},
		{"GET", "lobo.localhost", "/favicon.svg", 200},
		{"GET", "lobo.localhost", "/assets/missing.js", 404},
		{"GET", "lobo.localhost", "/assets/", 404},
		{"GET", "lobo.localhost", "/assets/../index.html", 404},
	} {
		if got := ask(t, c.method, c.host, c.path, nil).StatusCode; got != c.want {
			t.Errorf("%s %s%s: status %d, want %d", c.method, c.host, c.path, got, c.want)
		}
	}
}

var dataBlock = regexp.MustCompile(`(?s)<script type="application/json" id="site">(.*?)</script>`)

func siteIn(t *testing.T, page string) Site {
	t.Helper()
	found := dataBlock.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no data block in %s", page)
	}
	var site Site
	if err := json.Unmarshal([]byte(found[1]), &site); err != nil {
		t.Fatal(err)
	}
	return site
}

func TestPageCarriesItsSite(t *testing.T) {
	answer := ask(t, "GET", "lobo.localhost", "/", nil)
	page := body(t, answer)
	if got := siteIn(t, page); got.Variant != Community || got.Prefix != "lobo" || got.Product != "Moon Fund" {
		t.Errorf("site in the page: %+v", got)
	}
	for _, want := range []string{
		"<title>LOBO · Moon Fund</title>",
		`content="&#34;wolves&#34; &amp; &lt;moon&gt;"`,
		`<link rel="icon" href="/assets/communities/lobo.svg" type="image/svg+xml">`,
		`<meta property="og:image" content="https://lobo.example.org/social.png">`,
		`<meta property="og:title" content="LOBO · Moon Fund">`,
		"<style>a{src:url(/assets/figtree-Ab_4-xyz.woff2)}</style>",
		`<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/figtree-Ab_4-xyz.woff2">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, DevWalletPath) {
		t.Error("the dev wallet is in a page without Site.DevWallet")
	}
	if got := answer.Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control %q", got)
	}
}

func TestDataCannotLeaveItsBlock(t *testing.T) {
	page := body(t, ask(t, "GET", "dummy.localhost", "/", nil))
	if got := siteIn(t, page); got.Name != "</script><script>" {
		t.Errorf("name: %q", got.Name)
	}
}

func TestPolicy(t *testing.T) {
	lobo := ask(t, "GET", "lobo.localhost", "/", nil).Header.Get("Content-Security-Policy")
	if strings.Contains(lobo, "unsafe") || !strings.Contains(lobo, "style-src 'self' 'sha256-") ||
		!strings.Contains(lobo, "; worker-src 'self';") || !strings.Contains(lobo, "require-trusted-types-for 'script'") {
		t.Errorf("policy of a community: %s", lobo)
	}
	dummy := ask(t, "GET", "dummy.localhost", "/", nil)
	policy := dummy.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self';") ||
		!strings.Contains(policy, "connect-src 'self' https://api.example.org;") {
		t.Errorf("policy of a dev network: %s", policy)
	}
	if page := body(t, dummy); !strings.Contains(page,
		`<script src="/dev/wallet.js" type="module" fetchpriority="low"></script>`) {
		t.Error("the dev wallet is missing")
	}
	moon := ask(t, "GET", "moon.localhost", "/", nil).Header.Get("Content-Security-Policy")
	if !strings.Contains(moon, "img-src 'self' data: https://img.example.org;") ||
		!strings.Contains(moon, "script-src 'none'; style-src 'sha256-") {
		t.Errorf("policy of the landing page: %s", moon)
	}
}

func TestAssets(t *testing.T) {
	for _, c := range []struct{ accept, coding, content string }{
		{"", "", "plain()"},
		{"gzip, deflate, br", "br", "BR"},
		{"gzip", "gzip", "GZ"},
		{"br;q=0, gzip", "gzip", "GZ"},
	} {
		answer := ask(t, "GET", "lobo.localhost", "/assets/index-DYj3Kn0N.js", http.Header{"Accept-Encoding": {c.accept}})
		if got := answer.Header.Get("Content-Encoding"); got != c.coding {
			t.Errorf("%q: coding %q, want %q", c.accept, got, c.coding)
		}
		if got := body(t, answer); got != c.content {
			t.Errorf("%q: content %q", c.accept, got)
		}
		if got := answer.Header.Get("Content-Type"); got != "text/javascript; charset=utf-8" {
			t.Errorf("Content-Type %q", got)
		}
		if got := answer.Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("Cache-Control %q", got)
		}
	}
}

func TestOnlyHashedNamesStayForever(t *testing.T) {
	files := built()
	files["assets/communities/lobo.svg"] = &fstest.MapFile{Data: []byte("<svg/>")}
	w := httptest.NewRecorder()
	newHandler(files, sites).ServeHTTP(w, httptest.NewRequest("GET", "http://lobo.localhost/assets/communities/lobo.svg",
		nil))
	if got := w.Header().Get("Cache-Control"); w.Code != http.StatusOK || strings.Contains(got, "immutable") {
		t.Errorf("status %d, Cache-Control %q", w.Code, got)
	}
}

func TestPageIsCompressedAndRevalidated(t *testing.T) {
	answer := ask(t, "GET", "lobo.localhost", "/", http.Header{"Accept-Encoding": {"gzip"}})
	reader, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(reader)
	if err != nil || !bytes.Contains(page, []byte(`id="root"`)) {
		t.Fatalf("page %q, %v", page, err)
	}
	again := http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {answer.Header.Get("ETag")}}
	if got := ask(t, "GET", "lobo.localhost", "/", again).StatusCode; got != http.StatusNotModified {
		t.Errorf("revalidation: status %d", got)
	}
}

func TestNotBuilt(t *testing.T) {
	w := httptest.NewRecorder()
	newHandler(fstest.MapFS{".keep": {}}, sites).ServeHTTP(w, httptest.NewRequest("GET", "http://lobo.localhost/", nil))
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "not built") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestEmbedded checks the embedded folders on a clean clone and after a build.
func TestEmbedded(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(sites).ServeHTTP(w, httptest.NewRequest("GET", "http://lobo.localhost/", nil))
	if w.Code != http.StatusOK && w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
	w = httptest.NewRecorder()
	Handler(sites).ServeHTTP(w, httptest.NewRequest("GET", "http://moon.localhost/", nil))
	if page := w.Body.String(); w.Code == http.StatusOK && (strings.Contains(page, "<script") ||
		!strings.Contains(page, "Together Moon Fund") || !strings.Contains(page, "1.05B")) {
		t.Errorf("the built landing page: %s", page)
	}
	w = httptest.NewRecorder()
	DevWallet().ServeHTTP(w, httptest.NewRequest("GET", DevWalletPath, nil))
	if w.Code != http.StatusOK && w.Code != http.StatusNotFound {
		t.Errorf("dev wallet: status %d", w.Code)
	}
}
