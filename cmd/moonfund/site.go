package main

import (
	"context"
	"slices"

	"moonfund/community"
	"moonfund/web"
)

// site is what a host shows: below a domain each community's label its own pages, everywhere else that is
// configured the fund's.
func (h *house) site(host string) (web.Site, bool) {
	for _, domain := range h.domains {
		for _, m := range h.manifests {
			if host == m.Host+"."+domain {
				return h.communitySite(m, host), true
			}
		}
		if host == domain || host == "www."+domain {
			return h.fundSite(host, domain), true
		}
	}
	for _, known := range h.hosts {
		if host == known {
			return h.fundSite(host, h.domains[0]), true
		}
	}
	return web.Site{}, false
}

func (h *house) origin(host string) string { return h.scheme + "://" + h.withPort(host) }

func (h *house) communitySite(m community.Manifest, host string) web.Site {
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
		Orders: h.ordersBase(kinds), OrderKinds: kinds, Variant: variant, Prefix: m.Prefix, Name: m.Name, Token: m.Token, RuneName: m.Rune.Name, Network: m.Network,
		Tagline: m.Texts.Tagline, Description: m.Texts.Description, Image: m.Image, Origin: h.origin(host), DevWallet: h.dev,
		Translated: translated, Figures: func(ctx context.Context) (web.Figures, error) { return h.figures(ctx, m.Prefix) },
	}
}

// orderKinds are the features of a manifest that offer the mint and etch service.
var orderKinds = []string{"etch", "mint"}

// ordersBase is where the pages of a host find the mint and etch service, "" where they offer nothing of it.
func (h *house) ordersBase(kinds []string) string {
	if len(kinds) == 0 || !h.minting.on {
		return ""
	}
	return "/orders/" + h.network.Name + "/v1"
}

// fundSite is the landing page with a card per community, each leading to its host below the domain. A test
// community is nobody's to discover: it has no card.
func (h *house) fundSite(host, domain string) web.Site {
	site := web.Site{
		Orders: h.ordersBase(orderKinds), OrderKinds: orderKinds, Variant: web.Generic, Network: h.network.Name, Origin: h.origin(host), LearnMore: h.learnMore, DevWallet: h.dev,
		Description: "Staking and rewards for communities of Bitcoin runes.",
	}
	for _, m := range h.manifests {
		if m.Test {
			continue
		}
		home := m.Host + "." + domain
		site.Communities = append(site.Communities, web.Card{
			Name: m.Name, Token: m.Token, Ordinals: m.Collection, Image: m.Image, Host: h.withPort(home), URL: h.origin(home),
			Figures: func(ctx context.Context) (web.Figures, error) { return h.figures(ctx, m.Prefix) },
		})
		if site.LearnMore == "" {
			site.LearnMore = m.Texts.LearnMore
		}
	}
	return site
}

func (h *house) figures(ctx context.Context, prefix string) (web.Figures, error) {
	g, err := views{h}.Globals(ctx, prefix)
	return web.Figures{
		TotalStaked: g.TotalStaked.String(), TotalIssued: g.TotalIssued, Epoch: g.Epoch, NextEpoch: g.NextEpoch,
		EpochLength: views{h}.manifest(prefix).EpochLength, Notice: g.Notice, Now: h.now(),
	}, err
}
