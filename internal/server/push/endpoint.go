package push

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"moonfund/internal/api"
)

// A subscriber chooses the address that the server sends to. So it must be https on the default port of a host name,
// and the connection must go to a public address: otherwise a subscriber could make the server send requests to
// machines of its own network.

const (
	maxEndpoint = 1024 // bytes
	requestTime = 10 * time.Second
	maxAnswer   = 16 << 10 // bytes of a response's headers
)

// checkSubscription returns an error unless a browser could have made the subscription.
func checkSubscription(r api.PushRequest) error {
	address, err := url.Parse(r.Endpoint)
	if err != nil {
		return err
	}
	host := address.Hostname()
	if len(r.Endpoint) > maxEndpoint || address.Scheme != "https" || address.User != nil ||
		address.Port() != "" && address.Port() != "443" || !strings.Contains(strings.TrimSuffix(host, "."), ".") {
		return errors.New("not an https address of a public host")
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return errors.New("the host is an IP address")
	}
	key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(r.Key, "="))
	if err != nil {
		return err
	}
	if _, err := ecdh.P256().NewPublicKey(key); err != nil {
		return err
	}
	auth, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(r.Auth, "="))
	if err == nil && len(auth) != 16 {
		err = errors.New("auth has not 16 bytes")
	}
	return err
}

var errPrivateAddress = errors.New("the push service's address is not public")

// special are the ranges of netip.Addr.IsGlobalUnicast that are not public (RFC 6890), or that lead to such addresses.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
}

var publicIPv6 = netip.MustParsePrefix("2000::/3")

func isPublic(address netip.Addr) bool {
	address = address.Unmap()
	return address.IsGlobalUnicast() && !address.IsPrivate() && (address.Is4() || publicIPv6.Contains(address)) &&
		!slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(address) })
}

// newClient returns a client that connects to public addresses only. It checks the address after the name was resolved,
// uses no proxy, which would resolve the name again, and follows no redirect.
func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: requestTime, ControlContext: func(_ context.Context, _, address string,
		_ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && !isPublic(to.Addr()) {
			err = errPrivateAddress
		}
		return err
	}}
	return &http.Client{
		Timeout: requestTime,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: requestTime, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: maxAnswer, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
