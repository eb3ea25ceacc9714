package server

import (
	"context"
	"slices"

	"moonfund/community"
	"moonfund/web"
)

// site is what a host shows: below a domain each community's label its own pages, everywhere else that is
// configured the fund's.
func (s *Server) site(host string) (web.Site, bool) {
	for _, domain := range s.Domains {
		for _, m := range s.Communities {
			if host == m.Host+"."+domain {
				return s.communitySite(m, host), true
			}
		}
		if host == domain || host == "www."+domain {
			return s.landingSite(host, domain), true
		}
	}
	for _, known := range s.Hosts {
		if host == known {
			return s.landingSite(host, s.Domains[0]), true
		}
	}
	return web.Site{}, false
}

func (s *Server) origin(host string) string { return s.Scheme + "://" + s.withPort(host) }

func (s *Server) communitySite(m community.Manifest, host string) web.Site {
	variant := web.Community
	if m.Test {
		variant = web.Dummy
	}
	translated := map[string]web.Words{}
	for code, words := range m.Translated {
		translated[code] = web.Words(words)
	}
	var kinds []string
	for _, kind := range orderKinds {
		if !m.Test && slices.Contains(m.Features, kind) {
			kinds = append(kinds, kind)
		}
	}
	return web.Site{
		Orders: s.ordersBase(kinds), OrderKinds: kinds, Variant: variant, Prefix: m.Prefix, Name: m.Name, Token: m.Token,
		RuneName: m.Rune.Name, Network: m.Network,
		Contact: m.Contact, Tagline: m.Texts.Tagline, Description: m.Texts.Description, Image: m.Image,
		Origin: s.origin(host), DevWallet: s.Dev,
		Translated: translated, Figures: func(ctx context.Context) (web.Figures, error) { return s.figures(ctx, m.Prefix) },
	}
}

// orderKinds are the features of a manifest that offer the mint and etch service.
var orderKinds = []string{"etch", "mint"}

// ordersBase is where the pages of a host find the mint and etch service, "" where they offer nothing of it.
func (s *Server) ordersBase(kinds []string) string {
	if len(kinds) == 0 || !s.RuneOrders.On {
		return ""
	}
	return "/orders/" + s.Network.Name + "/v1"
}

// landingSite is the landing page with a card per community, each leading to its host below the domain. A test
// community is nobody's to discover: it has no card.
func (s *Server) landingSite(host, domain string) web.Site {
	site := web.Site{
		Orders: s.ordersBase(orderKinds), OrderKinds: orderKinds, Variant: web.Generic, Network: s.Network.Name,
		Origin: s.origin(host), LearnMore: s.LearnMore, DevWallet: s.Dev,
		Description: "Staking and rewards for communities of Bitcoin runes.",
	}
	for _, m := range s.Communities {
		if m.Test {
			continue
		}
		home := m.Host + "." + domain
		site.Communities = append(site.Communities, web.Card{
			Name: m.Name, Token: m.Token, Ordinals: m.Collection, Image: m.Image, Host: s.withPort(home), URL: s.origin(home),
			Figures: func(ctx context.Context) (web.Figures, error) { return s.figures(ctx, m.Prefix) },
		})
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
	g, err := views{s}.Globals(ctx, prefix)
	return web.Figures{
		TotalStaked: g.TotalStaked.String(), TotalIssued: g.TotalIssued, Epoch: g.Epoch, NextEpoch: g.NextEpoch,
		EpochLength: views{s}.manifest(prefix).EpochLength, Notice: g.Notice, Now: s.now(),
	}, err
}
