package api

import (
	"regexp"
	"strings"
)

// hostLabel matches one label of a host name.
var hostLabel = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// LabelBelow returns the single label that host (lower case, without port) has before one of the domains, and that
// domain. found is false for the domains themselves, for deeper names and for other hosts.
func LabelBelow(host string, domains []string) (label, domain string, found bool) {
	for _, domain := range domains {
		label, below := strings.CutSuffix(host, "."+domain)
		if below && hostLabel.MatchString(label) {
			return label, domain, true
		}
	}
	return "", "", false
}
