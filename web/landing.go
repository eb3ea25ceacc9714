package web

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io/fs"
	"math/big"
	"strings"
	"time"
)

// landingPage is the built landing.html. The build renders it with React; where its words depend on the server it holds
// actions of html/template, which escapes whatever is put there. It loads no script.
type landingPage struct {
	page  *template.Template
	sheet sheet
}

// styleMark is where the landing page wants its style. It goes in last: a template would rewrite it, and its hash is known.
const styleMark = "<style></style>"

func readLanding(dist fs.FS, style sheet) (*landingPage, error) {
	raw, err := fs.ReadFile(dist, "landing.html")
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
	return &landingPage{page, style}, nil
}

// landingWords are the names that the actions of landing.html know (web/src/landing/slots.tsx).
type landingWords struct {
	Product, Origin, Picture, LearnMore string
	Communities                         []landingCard
}

type landingCard struct {
	Card
	Live *liveWords // nil: not known now
}

type liveWords struct {
	Staked, StakedExact, Issued, IssuedExact, Epoch string
	Ends, EndsMachine                               string // for people, and as a machine reads it; empty: no epoch yet
}

func (l *landingPage) render(ctx context.Context, site Site) ([]byte, error) {
	words := landingWords{Product: site.product(), Origin: site.Origin, Picture: site.Origin + socialPicture, LearnMore: site.LearnMore}
	if words.LearnMore == "" {
		words.LearnMore = "#about"
	}
	for _, card := range site.Communities {
		words.Communities = append(words.Communities, landingCard{card, live(ctx, card)})
	}
	var page bytes.Buffer
	if err := l.page.Execute(&page, words); err != nil {
		return nil, err
	}
	return bytes.Replace(page.Bytes(), []byte(styleMark), []byte(l.sheet.tags), 1), nil
}

// live asks for a card's figures. A card without them is better than no page.
func live(ctx context.Context, card Card) *liveWords {
	if card.Figures == nil {
		return nil
	}
	figures, err := card.Figures(ctx)
	if err != nil {
		return nil
	}
	words := &liveWords{Epoch: "–"}
	words.Staked, words.StakedExact = written(figures.TotalStaked)
	words.Issued, words.IssuedExact = written(figures.TotalIssued)
	if figures.Epoch >= 0 {
		at := figures.NextEpoch.UTC()
		words.Epoch, words.Ends, words.EndsMachine = fmt.Sprint(figures.Epoch), at.Format("Mon 2 Jan, 15:04 UTC"), at.Format(time.RFC3339)
	}
	return words
}

// policy of the landing page: it runs nothing, asks for nothing, and shows pictures of this origin and of its cards.
func (l *landingPage) policy(site Site) string {
	images := "'self' data:"
	for _, card := range site.Communities {
		if origin := originOf(card.Image); origin != "" && !strings.Contains(images, origin) {
			images += " " + origin
		}
	}
	return "default-src 'none'; script-src 'none'; style-src " + l.sheet.hash + "; img-src " + images + "; font-src 'self'; " + closed
}

const notAvailable = "N/A"

// scales of a compact number, and the power of ten where each begins.
var scales = []struct {
	digits int
	name   string
}{{12, "T"}, {9, "B"}, {6, "M"}}

// written turns base units into whole tokens, compact from a million on (1.05B) and exact (1,050,000,000.5). Both cut off: nothing is ever
// shown as more than it is. The same rules as web/src/lib/format.ts.
func written(units string) (compact, exact string) {
	amount, ok := new(big.Int).SetString(units, 10)
	if !ok || amount.Sign() < 0 {
		return notAvailable, notAvailable
	}
	digits := fmt.Sprintf("%09s", amount)
	whole, fraction := digits[:len(digits)-8], digits[len(digits)-8:]
	exact = decimal(grouped(whole), fraction)
	for _, scale := range scales {
		if cut := len(whole) - scale.digits; cut > 0 {
			return decimal(grouped(whole[:cut]), whole[cut:cut+2]) + scale.name, exact
		}
	}
	return decimal(grouped(whole), fraction[:2]), exact
}

// decimal writes a fraction without its last zeros.
func decimal(whole, fraction string) string {
	if fraction = strings.TrimRight(fraction, "0"); fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// grouped puts a comma between thousands.
func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
