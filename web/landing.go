package web

import "context"

// landingWords are the names that the actions of landing.html know.
type landingWords struct {
	siteWords
	Canonical, Picture, LearnMore string
	Missing                       string // the host without a community that was asked for
	Version, Published            string // the program\'s version; where its source is published
	Communities                   []landingCard
}

type landingCard struct {
	Card
	Live *figureWords // nil: not known now
}

// renderLanding writes the page. A language that the person chose goes with them to a community's page, which is
// another host; named: the address names it too.
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
		entry := landingCard{Card: card}
		// A card without figures is better than no page.
		if figures, known := askFigures(ctx, card.Figures); known {
			live := figures.words(p.landing.language)
			entry.Live = &live
		}
		words.Communities = append(words.Communities, entry)
	}
	return p.landing.write(words, paletteStyle{})
}

// landingPolicy allows the pictures of the cards.
func (p *pages) landingPolicy(site Site) string {
	var pictures []string
	for _, card := range site.Communities {
		pictures = append(pictures, card.Image)
	}
	return p.landing.policy(paletteStyle{}, pictures...)
}
