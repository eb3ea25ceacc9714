package web

import (
	"strings"
	"testing"
)

func TestLandingPageIsWholeWithoutScript(t *testing.T) {
	page := body(t, ask(t, "GET", "moon.localhost", "/", nil))
	for _, want := range []string{
		"<title>Together Moon Fund</title>", `content="https://example.org/social.png"`, `href="https://example.org/"`,
		`<a href="#about">`,
		"<style>h1{src:url(/assets/figtree-Ab_4-xyz.woff2)}</style>", `<link rel="preload" as="font"`,
		`<a href="https://lobo.example.org">lobo.example.org</a>`, "$LOBO Wolf &amp; Pups", `title="1,050,000,000">1.05B`,
		"of 21M (21,000,000), epoch 7", `<time datetime="2026-12-02T00:00:00Z">Wed, Dec 2, 00:00 UTC</time>`, "<h3>Away</h3>",
		"Coming soon", `<img src="/assets/communities/lobo-hero.svg">`, "<p>Howl &amp; earn</p>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "/etch") {
		t.Error("the page links to a page that does not exist")
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "javascript:") {
		t.Errorf("a hostile name or address is not escaped: %s", page)
	}
}

func TestLandingPageOfAnotherFund(t *testing.T) {
	page := body(t, ask(t, "GET", "new.localhost", "/", nil))
	for _, want := range []string{"Together Wolf Fund", `<a href="/etch">`, `<a href="https://example.org/more">`,
		"None yet"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestCrawlers(t *testing.T) {
	for path, want := range map[string]string{
		"moon/robots.txt":  "Sitemap: https://example.org/sitemap.xml",
		"dummy/robots.txt": "Disallow: /\n",
		"lobo/sitemap.xml": "<loc>https://lobo.example.org/terms</loc>",
	} {
		label, file, _ := strings.Cut(path, "/")
		if got := body(t, ask(t, "GET", label+".localhost", "/"+file, nil)); !strings.Contains(got, want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	if page := body(t, ask(t, "GET", "dummy.localhost", "/", nil)); !strings.Contains(page,
		`<meta name="robots" content="noindex">`) {
		t.Error("a test site can be indexed")
	}
}

func TestWritten(t *testing.T) {
	english := language{Decimal: ".", Group: ",", Million: "M", Billion: "B", Trillion: "T"}
	for units, want := range map[string][2]string{
		"0":                    {"0", "0"},
		"1":                    {"0", "0.00000001"},
		"123456789":            {"1.23", "1.23456789"},
		"99999999999999":       {"999,999.99", "999,999.99999999"},
		"100000000000000":      {"1M", "1,000,000"},
		"199999999999999999":   {"1.99B", "1,999,999,999.99999999"},
		"34028236692093846346": {"340.28B", "340,282,366,920.93846346"},
		"None":                 {"N/A", "N/A"},
		"-1":                   {"N/A", "N/A"},
		"":                     {"N/A", "N/A"},
	} {
		if compact, exact := english.written(units, 8); compact != want[0] || exact != want[1] {
			t.Errorf("%q: %s and %s, want %s and %s", units, compact, exact, want[0], want[1])
		}
	}
}

func TestPassed(t *testing.T) {
	for _, c := range []struct{ left, length, want int64 }{
		{604800, 604800, 0}, {176469, 604800, 70}, {0, 604800, 100}, {700000, 604800, 0}, {-5, 180, 100}, {90, 180, 50},
	} {
		if got := passed(c.left, c.length); got != c.want {
			t.Errorf("%d s left of %d s: %d %%, want %d %%", c.left, c.length, got, c.want)
		}
	}
}
