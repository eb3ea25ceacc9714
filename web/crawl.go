package web

import (
	"encoding/xml"
	"net/http"
	"strings"
)

// serveRobots allows crawlers every page, except on a test site.
func serveRobots(w http.ResponseWriter, r *http.Request, site Site) {
	rules := "User-agent: *\nAllow: /\nSitemap: " + site.Origin + "/sitemap.xml\n"
	if site.Variant == Dummy {
		rules = "User-agent: *\nDisallow: /\n"
	}
	serveText(w, r, "text/plain; charset=utf-8", rules)
}

// serveSitemap lists the pages of one host (sitemaps.org, protocol 0.9).
func serveSitemap(w http.ResponseWriter, r *http.Request, site Site) {
	var list strings.Builder
	list.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	paths := []string{"/", TermsPath, TrustPath, RecoverPath}
	if site.Variant == Community {
		paths = append(paths, ProofsPath)
	}
	for _, path := range paths {
		list.WriteString("  <url><loc>")
		_ = xml.EscapeText(&list, []byte(site.Origin+path)) // writing to a strings.Builder does not fail
		list.WriteString("</loc></url>\n")
	}
	list.WriteString("</urlset>\n")
	serveText(w, r, "application/xml", list.String())
}

func serveText(w http.ResponseWriter, r *http.Request, kind, text string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", cacheHour)
	w.Header().Set("Vary", "Host")
	serveBytes(w, r, []byte(text), etag([]byte(text)))
}
