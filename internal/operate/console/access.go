package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Lifetimes of links and sessions.
const (
	LinkTime    = 5 * time.Minute
	SessionTime = 12 * time.Hour
	IdleTime    = time.Hour // a session ends after this time without a request
)

// access holds the current one-time link and the current session. A new link does not end the session, but its use
// does.
type access struct {
	now func() time.Time

	mu       sync.Mutex
	link     [sha256.Size]byte // hash of the link's token
	linkEnds time.Time         // zero: the link is used, or there is none
	session  [sha256.Size]byte // hash of the session's cookie
	begun    time.Time         // zero: there is no session
	used     time.Time
}

// newLink makes the token of a new link, of 130 random bits.
func (a *access) newLink() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	token := rand.Text()
	a.link, a.linkEnds = sha256.Sum256([]byte(token)), a.now().Add(LinkTime)
	return token
}

// enter uses up the link with a token and begins a session. It returns the session's cookie, or false.
func (a *access) enter(token string) (cookie string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.now().Before(a.linkEnds) || !matches(token, a.link) {
		return "", false
	}
	cookie = rand.Text()
	a.linkEnds = time.Time{}
	a.session, a.begun, a.used = sha256.Sum256([]byte(cookie)), a.now(), a.now()
	return cookie, true
}

// admits reports whether a cookie belongs to the current session, and prolongs the session.
func (a *access) admits(cookie string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if a.begun.IsZero() || now.Sub(a.begun) >= SessionTime || now.Sub(a.used) >= IdleTime || !matches(cookie, a.session) {
		return false
	}
	a.used = now
	return true
}

// matches compares a secret with its hash in constant time.
func matches(secret string, hash [sha256.Size]byte) bool {
	sum := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(sum[:], hash[:]) == 1
}

const (
	enterPath  = "/enter"
	cookieName = "moonfund_console"
)

// enter exchanges the token of a link for the cookie of a session.
func (c *Console) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead { // a preview must not use up the link
		w.WriteHeader(http.StatusNoContent)
		return
	}
	cookie, ok := c.access.enter(r.URL.Query().Get("token"))
	if !ok {
		c.write(w, r, http.StatusForbidden, page{Title: linkRefusedTitle, Intro: linkRefused, alone: true})
		return
	}
	// Secure is not set: the console has no TLS, and the cookie never leaves this machine or its SSH tunnel.
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: cookie, Path: "/", MaxAge: int(SessionTime / time.Second), HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// admitted reports whether a request has the cookie of the session.
func (c *Console) admitted(r *http.Request) bool {
	return slices.ContainsFunc(r.CookiesNamed(cookieName), func(k *http.Cookie) bool { return c.access.admits(k.Value) })
}

// policy allows only this package's own style and fonts, and no frame around a page.
const policy = "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// guard refuses requests that do not come from the console's own pages or from the operator: with another Host (the
// name of another site that resolves to this machine), with another Origin, from a page of another site, or with a
// method that may change something.
func guard(address net.Addr, next http.Handler) http.Handler {
	hosts := hostsOf(address)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{
			"Content-Security-Policy": policy, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "Vary": "Cookie, Origin, Sec-Fetch-Site",
		} {
			w.Header().Set(name, value)
		}
		origins, sites := r.Header.Values("Origin"), r.Header.Values("Sec-Fetch-Site")
		switch {
		case !slices.Contains(hosts, r.Host):
			http.Error(w, wrongHost, http.StatusMisdirectedRequest)
		case slices.ContainsFunc(origins, func(o string) bool { return o != "http://"+r.Host }):
			http.Error(w, otherOrigin, http.StatusForbidden)
		case slices.ContainsFunc(sites, func(s string) bool { return s != "none" && s != "same-origin" }):
			http.Error(w, otherOrigin, http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, onlyReads, http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// hostsOf returns the values of Host that name a listen address: the address itself, and localhost with its port.
func hostsOf(address net.Addr) []string {
	own := address.String()
	return []string{own, "localhost" + own[strings.LastIndexByte(own, ':'):]}
}
