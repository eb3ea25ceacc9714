package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

var (
	styleLink = regexp.MustCompile(`<link rel="stylesheet"[^>]*href="/(assets/[^"]+\.css)"[^>]*>`)
	fontURL   = regexp.MustCompile(`/assets/(?:familjen|figtree)-[A-Za-z0-9_-]{8}\.woff2`)
)

// sheet is a style sheet of the build, of the app or the documents. It is inlined in its page, so that the first paint
// needs no further request.
type sheet struct {
	link string // its link tag in the built index.html; the landing page has a placeholder
	tags string // the replacement: preloads of the first screen's fonts, and the style
	hash string // its source in a Content-Security-Policy: 'sha256-…'
}

// readAppSheet returns the style sheet that the built page links.
func readAppSheet(dist fs.FS, page string) (sheet, error) {
	found := styleLink.FindStringSubmatch(page)
	if found == nil {
		return sheet{}, errors.New("web: the built index.html names no style sheet")
	}
	style, err := readSheet(dist, found[1])
	style.link = found[0]
	return style, err
}

func readSheet(dist fs.FS, name string) (sheet, error) {
	style, err := fs.ReadFile(dist, name)
	if err != nil {
		return sheet{}, fmt.Errorf("web: the built style %s: %w", name, err)
	}
	style = bytes.ReplaceAll(style, []byte("</"), []byte(`<\/`))
	sum := sha256.Sum256(style)
	// Preload the two fonts of the first screen, so that they load before the style is parsed.
	var tags strings.Builder
	for _, url := range unique(fontURL.FindAllString(string(style), -1)) {
		fmt.Fprintf(&tags, `<link rel="preload" as="font" type="font/woff2" crossorigin href="%s">`, url)
	}
	fmt.Fprintf(&tags, "<style>%s</style>", style)
	return sheet{tags: tags.String(), hash: "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}, nil
}

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
