package console

import (
	"errors"
	"net/url"

	"moonfund/internal/operate/inquiry"
)

// search shows the output of `moonfund find`.
func (c *Console) search(r request) (page, error) {
	query := r.query.Get("q")
	if query == "" {
		return page{Title: "Search", Intro: searchIntro}, nil
	}
	const longest = 200
	if len(query) > longest {
		return page{Title: "Search", Intro: searchTooLong}, nil
	}
	if unsafe(query) { // PostgreSQL rejects such text, and no record contains it
		return page{Title: "Search", Intro: searchUnprintable}, nil
	}
	answer, err := inquiry.Find(r, r.tx, query)
	if err != nil && !errors.Is(err, inquiry.ErrNothing) {
		return page{}, err
	}
	p := page{Title: "Search", Intro: answer.Title.Text}
	if link := subjectLink(answer); link != "" {
		p.Blocks = append(p.Blocks, block{Fields: []field{{"More", cell{Text: "All records and commands", Link: link}}}})
	}
	for _, s := range answer.Sections {
		b := block{Heading: s.Title.Text}
		for _, l := range s.Lines {
			b.Lines = append(b.Lines, l.Text)
		}
		p.Blocks = append(p.Blocks, b)
	}
	if !answer.Found {
		return p, nil
	}
	p.Blocks = append(p.Blocks, block{Heading: "To send", Text: searchSend, Plain: answer.String(),
		Commands: []command{{Does: "The same in the terminal", Line: c.command("find", answer.Query)}}})
	return p, nil
}

// subjectLink returns the page of the order or payout that an answer is about, or "".
func subjectLink(a inquiry.Answer) string {
	if !a.Found {
		return ""
	}
	switch a.Kind {
	case inquiry.Order:
		return ordersPath + "/" + url.PathEscape(a.Query)
	case inquiry.Payout:
		return payoutsPath + "/" + url.PathEscape(a.Query)
	}
	return ""
}
