package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestTermsAreADocumentWithoutScript(t *testing.T) {
	for _, c := range []struct {
		host, language string
		want           []string
	}{
		{"pack.localhost", "en", []string{
			"<title>Terms · PACK · Moon Fund</title>", "<p>2&lt;\n<time datetime=\"2026-12-01\">Dec 1, 2026</time>",
			"<div><h2>Rules</h2></div>", "<style>:root{--color-amber:#aabbcc;--color-night:#010203;}</style>",
			`<a href="/proofs">p</a><a href="https://code.example.org/fund">s</a><a href="mailto:help@pack.example.org">c</a>`,
		}},
		{"pack.localhost", "de", []string{"<title>Bedingungen · PACK", "1. Dez. 2026", "<div><h2>Regeln</h2></div>"}},
		{"lobo.localhost", "en", []string{"No terms of LOBO", `<a href="/proofs#source">s</a></body>`}},
		{"moon.localhost", "en", []string{
			"<title>Terms · Moon Fund</title>", `<a href="https://lobo.example.org/terms">LOBO</a>`,
			`<a href="/#trust">p</a><a href="/#source">s</a>`,
		}},
	} {
		answer := ask(t, "GET", c.host, "/terms", http.Header{"Accept-Language": {c.language}})
		page := body(t, answer)
		for _, want := range c.want {
			if !strings.Contains(page, want) {
				t.Errorf("the terms of %s in %s lack %s:\n%s", c.host, c.language, want, page)
			}
		}
		policy := answer.Header.Get("Content-Security-Policy")
		if strings.Contains(page, "<script") || !strings.Contains(policy, "script-src 'none'") {
			t.Errorf("%s: the terms allow scripts: %s", c.host, policy)
		}
	}
}

func TestEachPageHasItsTitle(t *testing.T) {
	for path, want := range map[string]string{
		"pack.localhost/":       "<title>PACK · Moon Fund</title>",
		"pack.localhost/terms":  "<title>Terms · PACK · Moon Fund</title>",
		"pack.localhost/proofs": "<title>Proofs · PACK · Moon Fund</title>",
		"pack.localhost/zzz":    "<title>Page not found · PACK · Moon Fund</title>",
		"moon.localhost/zzz":    "<title>Page not found · Moon Fund</title>",
	} {
		host, path, _ := strings.Cut(path, "/")
		if page := body(t, ask(t, "GET", host, "/"+path, nil)); !strings.Contains(page, want) {
			t.Errorf("%s/%s lacks %s", host, path, want)
		}
	}
}

func TestCommunityHasItsOwnLook(t *testing.T) {
	answer := ask(t, "GET", "pack.localhost", "/", nil)
	page, policy := body(t, answer), answer.Header.Get("Content-Security-Policy")
	style := newPaletteStyle(map[string]string{"accent": "#aabbcc", "background": "#010203"})
	if !strings.Contains(page, style.tag) || !strings.Contains(policy, style.hash) || strings.Contains(page, "red;") {
		t.Errorf("the page lacks its colors, or contains another value: %s", policy)
	}
	if !strings.Contains(policy, "img-src 'self' data: https://img.example.org;") {
		t.Errorf("the policy does not allow the logo: %s", policy)
	}
	if !strings.Contains(page, `<meta name="theme-color" content="#010203">`) {
		t.Error("theme-color differs from the background")
	}
	if plain := ask(t, "GET", "lobo.localhost", "/", nil); strings.Contains(body(t, plain), ":root{") {
		t.Error("a community without a palette has a palette style")
	}
	picture := ask(t, "GET", "pack.localhost", packLogo.Path(), nil)
	if picture.StatusCode != http.StatusOK || picture.Header.Get("Content-Type") != "image/svg+xml" ||
		picture.Header.Get("Content-Security-Policy") != picturePolicy {
		t.Errorf("the logo: %d %v", picture.StatusCode, picture.Header)
	}
	if other := ask(t, "GET", "lobo.localhost", packLogo.Path(), nil); other.StatusCode != http.StatusNotFound {
		t.Errorf("another community serves the logo: %d", other.StatusCode)
	}
}

func TestUnknownCommunityShowsTheLandingPage(t *testing.T) {
	page := body(t, ask(t, "GET", "wolf.localhost", "/", nil))
	for _, want := range []string{"No community at wolf.localhost", `<link rel="canonical" href="https://example.org/">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if page := body(t, ask(t, "GET", "moon.localhost", "/", nil)); strings.Contains(page, "No community at") {
		t.Error("the fund's own host shows the note")
	}
}
