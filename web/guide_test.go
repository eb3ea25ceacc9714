package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

const guideHTML = `<!doctype html><html><head><title>{{.Title}}</title><style></style></head><body><h1>{{.Heading}}</h1>
{{range .Sections}}<a href="#{{.ID}}">{{.Title}}</a>{{end}}{{.Text}}</body></html>`

var (
	linkTarget = regexp.MustCompile(`href="([^"]*)"`)
	anchor     = regexp.MustCompile(`id="([^"]*)"`)
)

// TestGuidesArePagesOfEverySite checks that all links of a guide lead to an anchor or to another page of the site.
func TestGuidesArePagesOfEverySite(t *testing.T) {
	for path, want := range map[string][]string{
		TrustPath: {
			"<h1>Whom you trust, and with what</h1>", `<a href="#what-no-signer-can-prevent">What no signer can prevent</a>`,
			`<a href="/recover#2-check-the-output">step 2</a>`, "<td>burn refunds as fees</td>",
			"<p><strong>Statements and proofs.</strong> Statements say", // a document that is no page is no link
		},
		RecoverPath: {"<h1>Recover a stake with Bitcoin Core</h1>", `gettxout TXID VOUT`, `<table tabindex="0">`},
	} {
		for _, host := range []string{"pack.localhost", "dummy.localhost", "moon.localhost"} {
			answer := ask(t, "GET", host, path, nil)
			page := body(t, answer)
			if answer.StatusCode != http.StatusOK || strings.Contains(page, "<script") {
				t.Errorf("%s%s: %d, or it has a script", host, path, answer.StatusCode)
			}
			for _, part := range want {
				if !strings.Contains(page, part) {
					t.Errorf("%s%s lacks %s", host, path, part)
				}
			}
			checkLinks(t, host, path, page)
			if strings.Contains(page, "<!--") || strings.Contains(page, "typed:") {
				t.Errorf("%s%s contains a comment", host, path)
			}
		}
	}
}

func checkLinks(t *testing.T, host, path, page string) {
	t.Helper()
	anchors := func(page string) map[string]bool {
		ids := map[string]bool{}
		for _, found := range anchor.FindAllStringSubmatch(page, -1) {
			ids[found[1]] = true
		}
		return ids
	}
	for _, found := range linkTarget.FindAllStringSubmatch(page, -1) {
		target, fragment, _ := strings.Cut(found[1], "#")
		ids := anchors(page)
		switch {
		case strings.HasPrefix(target, "/assets/"):
			continue
		case target != "" && guideFiles[target] == "":
			t.Errorf("%s%s links %s, which is not a page", host, path, found[1])
		case target != "":
			ids = anchors(body(t, ask(t, "GET", host, target, nil)))
		}
		if fragment != "" && !ids[fragment] {
			t.Errorf("%s%s links %s, which has no such section", host, path, found[1])
		}
	}
}
