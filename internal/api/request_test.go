package api

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/staking/community"
)

// Each request is counted under one of a fixed set of names, with its status. Names never contain data from clients.
func TestRoutesOfRequests(t *testing.T) {
	answered := make(chan Answered, 1)
	b := build(t, func(c *Config) {
		c.Answered = func(a Answered) { answered <- a }
		c.Mounts = map[string]http.Handler{"dev": http.NotFoundHandler()}
	})
	for _, row := range []struct {
		method, path, route string
		code                int
	}{
		{"GET", "/healthz", "healthz", 200}, {"GET", "/lobo/status", "status", 200}, {"HEAD", "/lobo/status", "status", 200},
		{"GET", "/lobo/epochs/46", "epoch", 200}, {"GET", "/lobo/epochs/1/2", "unknown_call", 404},
		{"GET", "/lobo/mintMoney", "unknown_call", 404}, {"DELETE", "/lobo/status", "unknown_call", 405},
		{"GET", "/wolf/status", "unknown_call", 404}, {"GET", "/openapi.json", "openapi", 200},
		{"GET", "/anything/else", "page", 404}, {"GET", "/assets/x.js", "asset", 404}, {"GET", "/dev/x", "dev", 404},
		{"BREW", "/lobo/infoGlobals", "unknown_call", 405}, {"GET", securityPath, "security_txt", 200},
	} {
		response := b.do(t, row.method, row.path, "", nil)
		_, err := io.Copy(io.Discard, response.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		got := <-answered
		if got.Route != row.route || got.Code != row.code || got.Took < 0 {
			t.Errorf("%s %s: %+v, want %s with %d", row.method, row.path, got, row.route, row.code)
		}
	}
}

// Every response has the request's id, as do the envelope of an error and the log. Ids from clients are ignored.
func TestRequestIDs(t *testing.T) {
	b := build(t, func(c *Config) { c.NewID = nil })
	b.fake.broken = true
	seen := map[string]bool{}
	for _, path := range []string{"/lobo/infoGlobals", "/lobo/nothing", "/lobo/infoGlobals", "/healthz"} {
		request, err := http.NewRequest(http.MethodGet, b.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(requestIDHeader, "mine")
		response, err := b.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		id := response.Header.Get(requestIDHeader)
		if len(id) != 12 || seen[id] {
			t.Errorf("%s: got id %q, want a new one of 12 digits", path, id)
		}
		seen[id] = true
		if named := strings.Contains(string(body), `"request_id":"`+id+`"`); named != (response.StatusCode != 200) {
			t.Errorf("%s: HTTP %d %s", path, response.StatusCode, body)
		}
		if response.StatusCode == 500 && (!strings.Contains(b.log.String(), "request_id="+id) ||
			!strings.Contains(string(body), "mention error "+id)) {
			t.Errorf("%s: the log or the message lacks %s: %s\n%s", path, id, body, b.log)
		}
	}
}

// security.txt has the contact of the host's community and an expiry date, in the format of RFC 9116.
func TestSecurityText(t *testing.T) {
	var sites []community.Manifest
	b := build(t, func(c *Config) {
		c.Sites[0].Contact = "security@lobo.example"
		second := c.Sites[0]
		second.Prefix, second.Host, second.Contact = "wolf", "wolf", "https://wolf.example/contact"
		c.Sites = append(c.Sites, second)
		sites = c.Sites
	})
	both := []string{"Contact: mailto:security@lobo.example", "Contact: https://wolf.example/contact"}
	for host, want := range map[string][]string{
		sites[0].Host + ".localhost": both[:1], "wolf.localhost": both[1:], "localhost": both, "www.localhost": both,
	} {
		request, err := http.NewRequest(http.MethodGet, b.URL+securityPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := b.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		expires := still.UTC().Add(securityValid).Truncate(24 * time.Hour)
		want = append(slices.Clone(want), "Expires: "+expires.Format(time.RFC3339))
		got := strings.Split(strings.TrimSpace(string(body)), "\n")
		if response.StatusCode != 200 || !slices.Equal(got, want) {
			t.Errorf("%s: HTTP %d %q, want %q", host, response.StatusCode, got, want)
		}
	}
}
