package server

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/community"
	"moonfund/web"
)

func siteServer(pictures map[string]map[string]community.Picture) *Server {
	return &Server{Config: Config{
		Network: chain.Network{Name: "mainnet"}, Domains: []string{"example.org", "fund.example.org", "moon.onion"},
		Hosts: []string{"203.0.113.7"}, Scheme: "https", Pictures: pictures,
		Communities: []community.Manifest{
			{Prefix: "lobo", Host: "lobo", Name: "LOBO", Image: "logo.svg", Hero: "/assets/communities/lobo-hero.svg"},
			{Prefix: "dummy", Host: "dummy", Name: "Dummy", Test: true},
		},
	}}
}

func TestSiteOfEachHost(t *testing.T) {
	s := siteServer(nil)
	for host, want := range map[string]struct{ variant, missing, origin string }{
		"lobo.example.org":      {web.Community, "", "https://lobo.example.org"},
		"lobo.fund.example.org": {web.Community, "", "https://lobo.fund.example.org"},
		"dummy.example.org":     {web.Dummy, "", "https://dummy.example.org"},
		"example.org":           {web.Generic, "", "https://example.org"},
		"www.example.org":       {web.Generic, "", "https://www.example.org"},
		"fund.example.org":      {web.Generic, "", "https://fund.example.org"}, // a configured domain
		"moon.onion":            {web.Generic, "", "http://moon.onion"},
		"lobo.moon.onion":       {web.Community, "", "http://lobo.moon.onion"},
		"203.0.113.7":           {web.Generic, "", "https://203.0.113.7"},
		"wolf.example.org":      {web.Generic, "wolf.example.org", "https://example.org"},
	} {
		site, known := s.site(host)
		if !known || site.Variant != want.variant || site.Missing != want.missing || site.Origin != want.origin {
			t.Errorf("%s: %t, %s, missing %q at %s", host, known, site.Variant, site.Missing, site.Origin)
		}
	}
	for _, host := range []string{"", "org", "evil.example", "a.lobo.example.org", "lobo.example.org.evil.example",
		"-a.example.org", ".example.org", "wolf.203.0.113.7"} {
		if _, known := s.site(host); known {
			t.Errorf("%q is served", host)
		}
	}
}

// A card links to the community below the domain of the visit, over Tor without TLS.
func TestCardsOfEachDomain(t *testing.T) {
	for domain, want := range map[string]string{
		"example.org": "https://lobo.example.org", "fund.example.org": "https://lobo.fund.example.org",
		"moon.onion": "http://lobo.moon.onion",
	} {
		if landing, _ := siteServer(nil).site(domain); len(landing.Communities) != 1 || landing.Communities[0].URL != want {
			t.Errorf("%s: %+v; want a link to %s", domain, landing.Communities, want)
		}
	}
}

// A picture that can't be read is omitted with a warning, and the site is served without it.
func TestPicturesOfASite(t *testing.T) {
	dir := t.TempDir()
	manifests := siteServer(nil).Communities
	var said strings.Builder
	log := slog.New(slog.NewTextHandler(&said, nil))
	without, _ := siteServer(ReadPictures(dir, manifests, log)).site("lobo.example.org")
	if without.Image != "" || len(without.Pictures) > 0 || !strings.Contains(said.String(), "logo.svg") {
		t.Errorf("without the file: %q, %d pictures, log %q", without.Image, len(without.Pictures), said.String())
	}
	if without.Hero != "/assets/communities/lobo-hero.svg" {
		t.Errorf("a path of the server became %q", without.Hero)
	}
	logo := `<svg xmlns="http://www.w3.org/2000/svg"/>`
	if err := os.WriteFile(filepath.Join(dir, "logo.svg"), []byte(logo), 0o600); err != nil {
		t.Fatal(err)
	}
	s := siteServer(ReadPictures(dir, manifests, log))
	with, _ := s.site("lobo.example.org")
	landing, _ := s.site("example.org")
	if !strings.HasPrefix(with.Image, web.PicturePath) || len(with.Pictures) != 1 || len(landing.Pictures) != 1 ||
		len(landing.Communities) != 1 || landing.Communities[0].Image != with.Image {
		t.Errorf("with the file: %q, %d pictures, landing page %+v", with.Image, len(with.Pictures), landing)
	}
}
