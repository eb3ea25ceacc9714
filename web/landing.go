package web

import "context"

// landingWords are the fields for landing.html.
type landingWords struct {
	siteWords
	Canonical, Picture, LearnMore string
	Missing                       string // the requested host, if it has no community
	Version, Published            string // version of the program; where its source is published
	Communities                   []landingCard
}

type landingCard struct {
	Card
	Live *figureWords // nil: unknown
}

// renderLanding renders the landing page. Links to communities, which are on other hosts, contain the language that the
// visitor chose. named reports whether the URL contains the language.
func (p *pages) renderLanding(ctx context.Context, site Site, chosen string, named bool) ([]byte, error) {
	words := landingWords{
		siteWords: site.words(), Canonical: site.Origin + "/", Picture: site.Origin + socialPicture,
		LearnMore: site.LearnMore, Missing: site.Missing, Version: site.Version, Published: site.Source,
	}
	if chosen != "" && named {
		words.Canonical += "?lang=" + chosen
	}
	if words.LearnMore == "" {
		words.LearnMore = "#about"
	}
	for _, card := range site.Communities {
		if card.URL != "" {
			card.Proofs = card.URL + ProofsPath
			if chosen != "" {
				card.URL, card.Proofs = card.URL+"?lang="+chosen, card.Proofs+"?lang="+chosen
			}
		}
		if words := card.Translated[p.landing.language.Code]; words.Description != "" {
			card.Description = words.Description
		}
		entry := landingCard{Card: card}
		// If there are no figures, render the card without them.
		if figures, known := askFigures(ctx, card.Figures); known {
			live := figures.words(p.landing.language)
			entry.Live = &live
		}
		words.Communities = append(words.Communities, entry)
	}
	return p.landing.write(words, paletteStyle{})
}

// landingPolicy is the Content-Security-Policy of the landing page; it allows the pictures of the cards.
func (p *pages) landingPolicy(site Site) string {
	var pictures []string
	for _, card := range site.Communities {
		pictures = append(pictures, card.Image)
	}
	return p.landing.policy(paletteStyle{}, pictures...)
}
