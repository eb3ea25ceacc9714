package main

import (
	"context"
	"fmt"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/store"
)

type ledgerShow struct {
	reading
}

// Run is `moonfund ledger show`.
func (c ledgerShow) Run(ctx context.Context) error {
	view, err := read(ctx, c.reading, func(tx *store.Tx) (decisions.LedgerView, error) {
		return decisions.Ledger(ctx, tx)
	})
	if err != nil {
		return err
	}
	return c.print(view, func() error {
		return terminal.Fields(
			"ledger", terminal.OrDash(view.ID), "generation", terminal.Number(view.Generation), "behind its key",
			terminal.YesNo(view.Behind),
			"adopted", fmt.Sprintf("%d addresses to be searched for deposits, %d deposits to be credited", view.Unsearched,
				view.Uncredited),
			"known stakers", stakerSearchText(view.StakerSearch),
		)
	})
}

// stakerSearchText describes the result of the search for deposits of known stakers.
func stakerSearchText(s *decisions.StakerSearch) string {
	switch {
	case s == nil:
		return "not needed: the ledger was neither restored nor behind its key"
	case s.Due:
		return "due: starts when the server has followed the chain to its tip"
	}
	text := fmt.Sprintf("searched for on %s: %d addresses tried, %d paid and adopted", terminal.Time(*s.At), s.Tried,
		len(s.Adopted))
	if s.LeftOut > 0 {
		text += fmt.Sprintf("; %d were too many: `moonfund ledger adopt --search` tries them", s.LeftOut)
	}
	return text
}
