package server

import (
	"context"
	"slices"
	"strings"
	"time"

	"moonfund/internal/api"
	"moonfund/internal/staking/community"
	"moonfund/web"
)

// site returns the site of a host. A community's label below a domain shows the community. Every other label, and the
// domain itself, show the landing page, which reports an unknown label.
func (s *Server) site(host string) (web.Site, bool) {
	if slices.Contains(s.Domains, host) {
		return s.landingSite(host, host), true
	}
	if label, domain, found := api.LabelBelow(host, s.Domains); found {
		for _, m := range s.presented().manifests {
			if label == m.Host {
				return s.communitySite(m, host), true
			}
		}
		if label == "www" {
			return s.landingSite(host, domain), true
		}
		site := s.landingSite(domain, domain) // the URLs and previews use the domain, not the label
		site.Missing = host
		return site, true
	}
	if slices.Contains(s.Hosts, host) {
		return s.landingSite(host, s.Domains[0]), true
	}
	return web.Site{}, false
}

// origin returns the origin of a host's pages: scheme, host and port. An onion service has no certificate: Tor itself
// authenticates and encrypts.
func (s *Server) origin(host string) string {
	scheme := s.Scheme
	if strings.HasSuffix(host, ".onion") {
		scheme = "http"
	}
	return scheme + "://" + s.withPort(host)
}

func (s *Server) communitySite(m community.Manifest, host string) web.Site {
	variant := web.Community
	if m.Test {
		variant = web.Dummy
	}
	var kinds []string
	for _, kind := range orderKinds {
		if !m.Test && slices.Contains(m.Features, kind) {
			kinds = append(kinds, kind)
		}
	}
	return web.Site{
		Orders: s.ordersBase(kinds), OrderKinds: kinds, Variant: variant, Prefix: m.Prefix, Name: m.Name, Token: m.Token,
		RuneName: m.Rune.Name, Divisibility: m.Rune.Divisibility, Network: m.Network,
		Contact: m.Contact, Tagline: m.Texts.Tagline, Description: m.Texts.Description,
		Image: s.picturePath(m.Prefix, m.Image), Hero: s.picturePath(m.Prefix, m.Hero), Palette: m.Palette,
		Pictures: s.picturesOf(m.Prefix), Terms: web.Terms(m.Terms), Source: s.Source, Version: s.Version,
		ServiceFee: int64(m.ServiceFee), EpochSeconds: int64(m.EpochLength / time.Second),
		RecoverySeconds: int64(m.RecoveryDelay) * blockSeconds,
		Origin:          s.origin(host), DevWallet: s.Dev, Translated: translated(m),
		Figures: func(ctx context.Context) (web.Figures, error) { return s.figures(ctx, m.Prefix) },
	}
}

// translated returns the texts of a manifest by language code.
func translated(m community.Manifest) map[string]web.Words {
	all := map[string]web.Words{}
	for code, words := range m.Translated {
		all[code] = web.Words(words) // same fields
	}
	return all
}

// blockSeconds is the average time between blocks.
const blockSeconds = 600

// orderKinds are the features of a manifest that offer the mint and etch service.
var orderKinds = []string{"etch", "mint"}

// ordersBase returns the base path of the mint and etch service for the pages of a host, or "" if the host does not
// offer it.
func (s *Server) ordersBase(kinds []string) string {
	if len(kinds) == 0 || !s.RuneOrders.On {
		return ""
	}
	return "/orders/" + s.Network.Name + "/v1"
}

// landingSite returns the landing page with a card for each community, which links to the community's host below the
// domain. Test communities have no card.
func (s *Server) landingSite(host, domain string) web.Site {
	site := web.Site{
		Orders: s.ordersBase(orderKinds), OrderKinds: orderKinds, Variant: web.Generic, Network: s.Network.Name,
		Origin: s.origin(host), LearnMore: s.LearnMore, DevWallet: s.Dev, Source: s.Source, Version: s.Version,
		Description: "Staking and rewards for communities of Bitcoin runes.",
	}
	for _, m := range s.presented().manifests {
		if m.Test {
			continue
		}
		home := m.Host + "." + domain
		site.Communities = append(site.Communities, web.Card{
			Name: m.Name, Token: m.Token, Ordinals: m.Collection, Image: s.picturePath(m.Prefix, m.Image),
			Hero: s.picturePath(m.Prefix, m.Hero), Description: m.Texts.Description, Translated: translated(m),
			Host: s.withPort(home), URL: s.origin(home),
			Figures: func(ctx context.Context) (web.Figures, error) { return s.figures(ctx, m.Prefix) },
		})
		site.Pictures = append(site.Pictures, s.picturesOf(m.Prefix)...)
		if site.Contact == "" {
			site.Contact = m.Contact
		}
		if site.LearnMore == "" {
			site.LearnMore = m.Texts.LearnMore
		}
	}
	return site
}

func (s *Server) figures(ctx context.Context, prefix string) (web.Figures, error) {
	m, err := s.manifest(prefix)
	if err != nil {
		return web.Figures{}, err
	}
	g, err := views{s}.Globals(ctx, prefix)
	return web.Figures{
		TotalStaked: g.TotalStaked.String(), TotalIssued: g.TotalIssued, Divisibility: m.Rune.Divisibility,
		Epoch: g.Epoch, NextEpoch: g.NextEpoch,
		EpochLength: m.EpochLength, Notice: g.Notice, Now: s.now(),
	}, err
}
