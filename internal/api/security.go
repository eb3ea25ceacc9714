package api

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"moonfund/internal/fault"
)

// securityPath is the path of the file with the contacts for reports of vulnerabilities (RFC 9116).
const securityPath = "/.well-known/security.txt"

// securityValid is how long a copy of security.txt may be trusted. RFC 9116 recommends less than a year.
const securityValid = 180 * 24 * time.Hour

// serveSecurity is GET /.well-known/security.txt. It writes the contact of the host's community, or the contacts of all
// communities.
func (h *handler) serveSecurity(w http.ResponseWriter, r *http.Request) {
	if method(r) != http.MethodGet {
		h.methodNotAllowed(w, r, []string{http.MethodGet})
		return
	}
	contacts := h.contacts(hostOf(r))
	if len(contacts) == 0 {
		h.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchCall))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	for _, contact := range contacts {
		fmt.Fprintf(w, "Contact: %s\n", contact)
	}
	expires := h.services.Now().UTC().Add(securityValid).Truncate(24 * time.Hour)
	fmt.Fprintf(w, "Expires: %s\n", expires.Format(time.RFC3339))
}

// contacts returns the contact of the community of a host, or the contacts of every community, as URIs.
func (h *handler) contacts(host string) (all []string) {
	label, _, below := LabelBelow(host, h.domains)
	seen := map[string]bool{}
	for _, prefix := range slices.Sorted(maps.Keys(h.sites)) {
		site, known := h.site(prefix)
		if !known || below && label != "www" && label != site.Host {
			continue
		}
		uri := site.Contact
		if uri != "" && !strings.Contains(uri, "://") {
			uri = "mailto:" + uri
		}
		if uri != "" && !seen[uri] {
			seen[uri] = true
			all = append(all, uri)
		}
	}
	return all
}
