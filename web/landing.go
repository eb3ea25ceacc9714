package web

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io/fs"
	"strings"
)

// landingPage is the built landing.html. The build renders it with React; where its words depend on the server it holds
// actions of html/template, which escapes whatever is put there. It loads no script.
type landingPage struct {
	page     *template.Template
	sheet    sheet
	language language
}

// styleMark is where the landing page wants its style. It goes in last: a template would rewrite
// it, and its hash is known.
const styleMark = "<style></style>"

// landingStyle is the landing page's own style: it has no script that would need the rest of the app's.
const landingStyle = "pages/landing.css"

func readLanding(dist fs.FS, l language) (*landingPage, error) {
	style, err := readSheet(dist, landingStyle)
	if err != nil {
		return nil, err
	}
	raw, err := fs.ReadFile(dist, "pages/"+l.Code+"/landing.html")
	if err != nil {
		return nil, fmt.Errorf("web: the built landing page: %w", err)
	}
	if !bytes.Contains(raw, []byte(styleMark)) {
		return nil, fmt.Errorf("web: the built landing page has no place for its style (%s)", styleMark)
	}
	page, err := template.New("landing").Parse(string(raw))
	if err != nil {
		return nil, fmt.Errorf("web: the built landing page: %w", err)
	}
	return &landingPage{page, style, l}, nil
}

// landingWords are the names that the actions of landing.html know.
type landingWords struct {
	Product, Origin, Canonical, Picture, LearnMore string
	Etch                                           string // path of the page "Etch and mint"; empty: there is none
	Communities                                    []landingCard
}

type landingCard struct {
	Card
	Live *figureWords // nil: not known now
}

// render writes the page. A language that the person chose goes with them to a community's page, which is another host;
// canonical: the address names it too.
func (l *landingPage) render(ctx context.Context, site Site, chosen string, named bool) ([]byte, error) {
	words := landingWords{
		Product: site.product(), Origin: site.Origin, Canonical: site.Origin + "/", Picture: site.Origin + socialPicture,
		LearnMore: site.LearnMore,
	}
	if chosen != "" && named {
		words.Canonical += "?lang=" + chosen
	}
	if words.LearnMore == "" {
		words.LearnMore = "#about"
	}
	if site.Orders != "" {
		words.Etch = EtchPath
	}
	for _, card := range site.Communities {
		if card.URL != "" && chosen != "" {
			card.URL += "?lang=" + chosen
		}
		entry := landingCard{Card: card}
		// A card without figures is better than no page.
		if figures, known := askFigures(ctx, card.Figures); known {
			live := figures.words(l.language)
			entry.Live = &live
		}
		words.Communities = append(words.Communities, entry)
	}
	var page bytes.Buffer
	if err := l.page.Execute(&page, words); err != nil {
		return nil, err
	}
	return bytes.Replace(page.Bytes(), []byte(styleMark), []byte(l.sheet.tags), 1), nil
}

// policy of the landing page: it runs nothing, and shows pictures of this origin and of its cards.
// What may be asked for is this origin alone: nothing on the page asks, but tools that check a page
// from inside it read robots.txt there.
func (l *landingPage) policy(site Site) string {
	images := "'self' data:"
	for _, card := range site.Communities {
		if origin := originOf(card.Image); origin != "" && !strings.Contains(images, origin) {
			images += " " + origin
		}
	}
	return "default-src 'none'; script-src 'none'; style-src " + l.sheet.hash + "; img-src " + images +
		"; font-src 'self'; connect-src 'self'; " + closed
}
