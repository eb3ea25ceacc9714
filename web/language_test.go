package web

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLanguageOfABrowser(t *testing.T) {
	all := []language{{Code: "en"}, {Code: "de"}}
	for header, want := range map[string]string{
		"":                                "en",
		"de":                              "de",
		"de-AT,de;q=0.9,en;q=0.8":         "de",
		"en-US,en;q=0.9,de;q=0.8":         "en",
		"fr-FR, fr;q=0.9, de;q=0.5, *":    "de",
		"fr":                              "en",
		"en;q=0.2, DE ; q=0.7":            "de",
		"de;q=0, en;q=0.1":                "en",
		"de;q=2, en;q=x, fr":              "en",
		"*":                               "en",
		"de;q=0.9,en;q=0.9":               "de",
		strings.Repeat("de;q=0.1,", 1000): "de",
	} {
		if got := browserLanguage(header, all); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func TestPagesFollowTheLanguage(t *testing.T) {
	german := http.Header{"Accept-Language": {"de-DE,de;q=0.9,en;q=0.5"}}
	answer := ask(t, "GET", "lobo.localhost", "/", german)
	if page := body(t, answer); !strings.Contains(page, `<html lang="de">`) {
		t.Errorf("a German browser got %.80s", page)
	}
	if vary := answer.Header.Get("Vary"); !strings.Contains(vary, "Accept-Language") || !strings.Contains(vary, "Cookie") {
		t.Errorf("Vary: %s", vary)
	}
	if len(answer.Cookies()) != 0 {
		t.Error("a cookie is set without a choice")
	}
	page := body(t, ask(t, "GET", "moon.localhost", "/", german))
	for _, want := range []string{"Gemeinsam Moon Fund", `title="1.050.000.000">1,05 Mrd.`,
		"of 21 Mio. (21.000.000), epoch 7", "Mi., 2. Dez., 00:00 UTC", "<p>Heul mit</p>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the German landing page lacks %s", want)
		}
	}
}

func TestASiteSaysItsOwnWordsInALanguage(t *testing.T) {
	site := Site{Tagline: "Howl", Description: "A pack", Translated: map[string]Words{"de": {Tagline: "Heult"}}}
	if german := site.in("de"); german.Tagline != "Heult" || german.Description != "A pack" {
		t.Errorf("in German: %+v", german)
	}
	if english := site.in("en"); english.Tagline != "Howl" {
		t.Errorf("in English: %+v", english)
	}
}

func TestAChosenLanguageStays(t *testing.T) {
	answer := ask(t, "GET", "moon.localhost", "/?lang=de", http.Header{"Accept-Language": {"en"}})
	page := body(t, answer)
	for _, want := range []string{"Gemeinsam", `href="https://example.org/?lang=de"`,
		`<a href="https://lobo.example.org?lang=de">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the chosen page lacks %s: %s", want, page)
		}
	}
	cookies := answer.Cookies()
	if len(cookies) != 1 || cookies[0].Value != "de" || !cookies[0].HttpOnly || !cookies[0].Secure ||
		cookies[0].MaxAge < 1 {
		t.Fatalf("cookies: %v", cookies)
	}
	kept := http.Header{"Accept-Language": {"en"}, "Cookie": {"language=de"}}
	if page := body(t, ask(t, "GET", "moon.localhost", "/", kept)); !strings.Contains(page, "Gemeinsam") ||
		!strings.Contains(page, `rel="canonical" href="https://example.org/"`) {
		t.Error("the choice was not stored")
	}
	if page := body(t, ask(t, "GET", "moon.localhost", "/?lang=en", kept)); !strings.Contains(page, "Together") {
		t.Error("a new choice does not replace the old one")
	}
	for _, nonsense := range []string{"/?lang=xx", "/?lang=../../etc", "/?lang="} {
		answer := ask(t, "GET", "moon.localhost", nonsense, http.Header{"Cookie": {"language=%00"}})
		if page := body(t, answer); !strings.Contains(page, "Together") || len(answer.Cookies()) != 0 {
			t.Errorf("%s: %.60s", nonsense, page)
		}
	}
}

func TestDashboardIsThereBeforeItsScript(t *testing.T) {
	page := body(t, ask(t, "GET", "pack.localhost", "/", nil))
	for _, want := range []string{
		`<div id="root"><h1>Stake PCK&lt;</h1>`, `<p title="1,050,000,000">1.05B of 21M</p>`,
		"<p>7 then 8 in 02d 01h 01m 09s</p>", `<circle stroke-dasharray="70 100"/>`,
		"<p>&lt;/script&gt;&lt;b&gt;Moved&lt;/b&gt;</p>",
		`<script type="application/json" id="globals">{"total_staked":"105000000000000000",` +
			`"total_issued":"2100000000000000","epoch":7,` +
			`"end_next_epoch_UTC":"2026-12-02T00:00:00Z","frontNotice":"\u003c/script\u003e`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, plain := range []string{"lobo.localhost/", "pack.localhost/proofs", "pack.localhost/zzz"} {
		host, path, _ := strings.Cut(plain, "/")
		page := body(t, ask(t, "GET", host, "/"+path, nil))
		if !strings.Contains(page, `<div id="root"></div>`) || strings.Contains(page, `id="globals"`) {
			t.Errorf("%s: %s", plain, page)
		}
	}
}

func TestABuildMustBeWhole(t *testing.T) {
	for _, missing := range []string{"pages/de/app.html", "pages/en/landing.html", "pages/de/dummy.html",
		"assets/style-1.css"} {
		files := built()
		delete(files, missing)
		if _, err := readBook(files); err == nil || strings.Contains(err.Error(), "not built") {
			t.Errorf("without %s: %v", missing, err)
		}
		panics(t, missing, files)
	}
}

func panics(t *testing.T, name string, files fstest.MapFS) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("a build without %s must not start", name)
		}
	}()
	newHandler(files, sites)
}
