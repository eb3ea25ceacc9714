package web

import (
	"errors"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
)

// VerifierPath is the standalone page that verifies statements. It is the same on every host, and a saved copy works
// offline. A header names the statements of the host's community.
const VerifierPath = "/verify"

// verifier is the standalone page with its Content-Security-Policy.
type verifier struct {
	page, packed   []byte // packed: gzip
	tag, packedTag string
	policy         string
}

var metaPolicy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)"`)

// readVerifier reads the built page. The server sends the policy that the page itself contains for saved copies.
func readVerifier(dist fs.FS) (*verifier, error) {
	page, err := fs.ReadFile(dist, "pages/verify.html")
	if err != nil {
		return nil, fmt.Errorf("web: the built page verify: %w", err)
	}
	found := metaPolicy.FindSubmatch(page)
	if found == nil {
		return nil, errors.New("web: the built page verify has no policy")
	}
	packed := compress(page)
	return &verifier{
		page: page, packed: packed, tag: etag(page), packedTag: etag(packed),
		policy: html.UnescapeString(string(found[1])) + "; frame-ancestors 'none'", // a meta element can't forbid frames
	}, nil
}

func (v *verifier) serve(w http.ResponseWriter, r *http.Request, site Site) {
	header := w.Header()
	if site.Prefix != "" {
		header.Set("Link", "<"+strings.TrimSuffix(site.APIBase, "/")+"/"+site.Prefix+`/statements>; rel="related"`)
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", cacheNever)
	header.Set("Content-Security-Policy", v.policy)
	header.Set("Vary", "Accept-Encoding")
	if accepts(r, "gzip") {
		header.Set("Content-Encoding", "gzip")
		serveBytes(w, r, v.packed, v.packedTag)
		return
	}
	serveBytes(w, r, v.page, v.tag)
}
