package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"regexp"
	"strings"
)

// Texts of responses that are not pages of the app.
const (
	unknownHost = "This server does not serve this host."
	notBuilt    = "The web app is not built. Run: npm run build (in web/), then build the server again."
)

const (
	cacheForever = "public, max-age=31536000, immutable" // the name contains the content's hash
	cacheHour    = "public, max-age=3600"
	cacheNever   = "no-cache"
)

// hashed matches file names that contain a hash of their content.
var hashed = regexp.MustCompile(`^assets/[^/]+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$`)

// Handler serves the app. site returns the site of a host (lower case, without port). Unknown hosts get 421, unknown
// routes the not-found page with 404, and methods other than GET and HEAD get 405. If the app was not built, the
// response is 503. The paths of the product server's API, /dev/ and /orders/ must be routed before this handler.
func Handler(site func(host string) (Site, bool)) http.Handler {
	return newHandler(sub(distFiles, "dist"), site)
}

type handler struct {
	dist fs.FS
	site func(host string) (Site, bool)
	book *book // nil: not built
}

func newHandler(dist fs.FS, site func(host string) (Site, bool)) http.Handler {
	book, err := readBook(dist)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err) // the build does not match this package; any test or start shows it
	}
	return &handler{dist, site, book}
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // wallets may open windows
	header.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")

	site, known := h.site(hostOf(r))
	switch {
	case !known:
		http.Error(w, unknownHost, http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "Method not allowed", http.StatusMethodNotAllowed)
	case h.book == nil:
		http.Error(w, notBuilt, http.StatusServiceUnavailable)
	case r.URL.Path == VerifierPath:
		h.book.verifier.serve(w, r, site)
	case r.URL.Path == "/robots.txt":
		serveRobots(w, r, site)
	case r.URL.Path == "/sitemap.xml" && site.Variant != Dummy:
		serveSitemap(w, r, site)
	case strings.HasPrefix(r.URL.Path, PicturePath):
		servePicture(w, r, site)
	case h.isFile(r.URL.Path):
		h.serveFile(w, r)
	default:
		h.servePage(w, r, site)
	}
}

func hostOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// isFile reports whether a path is a file. A missing asset is also a file, so that the response to a wrong path is not
// a page.
func (h *handler) isFile(urlPath string) bool {
	if strings.HasPrefix(urlPath, "/assets/") {
		return true
	}
	name := strings.TrimPrefix(urlPath, "/")
	if name == "" || strings.HasSuffix(name, ".html") || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "pages/") || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(h.dist, name)
	return err == nil && !info.IsDir()
}

func (h *handler) serveFile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	content, err := readFile(h.dist, name)
	if err != nil {
		http.Error(w, "404, Not Found", http.StatusNotFound)
		return
	}
	tag := etag(content)
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Vary", "Accept-Encoding")
	header.Set("Cache-Control", cacheHour)
	if hashed.MatchString(name) {
		header.Set("Cache-Control", cacheForever)
	}
	for _, coding := range []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !accepts(r, coding.name) {
			continue
		}
		if packed, err := readFile(h.dist, name+coding.suffix); err == nil {
			header.Set("Content-Encoding", coding.name)
			content, tag = packed, etag(packed)
			break
		}
	}
	serveBytes(w, r, content, tag)
}

func readFile(files fs.FS, name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrNotExist
	}
	info, err := fs.Stat(files, name)
	if err != nil || info.IsDir() {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(files, name)
}

func (h *handler) servePage(w http.ResponseWriter, r *http.Request, site Site) {
	pages, chosen := h.book.choose(w, r, site)
	page, policy, err := pages.write(r.Context(), r, site, chosen)
	if err != nil {
		http.Error(w, "500, Internal Server Error", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", cacheNever)
	header.Set("Content-Security-Policy", policy)
	header.Set("Vary", "Accept-Encoding, Accept-Language, Cookie, Host")
	exists, tag := site.hasPage(r.URL.Path), etag(page)
	if accepts(r, "gzip") {
		header.Set("Content-Encoding", "gzip")
		tag = strings.TrimSuffix(tag, `"`) + `-gzip"`
		if !exists || r.Header.Get("If-None-Match") != tag { // else the response is 304, without the page
			page = compress(page)
		}
	}
	if exists {
		serveBytes(w, r, page, tag)
		return
	}
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = w.Write(page) // fails if the client closed the connection
	}
}

func compress(content []byte) []byte {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(content) // writing to a buffer does not fail
	_ = writer.Close()
	return packed.Bytes()
}

// accepts reports whether Accept-Encoding lists a coding without q=0, which is enough for browsers.
func accepts(r *http.Request, coding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) == coding {
			return strings.ReplaceAll(weight, " ", "") != "q=0"
		}
	}
	return false
}

// contentType returns the media type of a file name, from this package's table or else from the system's.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

func etag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

func newReader(content []byte) io.ReadSeeker { return bytes.NewReader(content) }
