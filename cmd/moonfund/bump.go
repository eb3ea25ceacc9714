package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moonfund/ledger"
	"moonfund/payout"
	"moonfund/store"
)

// requesting is what commands share that ask a running server for something
// which concerns no single order.
type requesting struct {
	changing
	Wait time.Duration `default:"10s" help:"How long to wait for the server to carry it out."`
}

// request shows a preview, records the request and tells what became of it.
func (c requesting) request(ctx context.Context, kind payout.RequestKind, subject string, preview func(tx *store.Tx) (string, error)) error {
	r, err := c.carry(ctx, payout.Request{Kind: kind, OrderID: subject}, preview)
	if err != nil {
		return err
	}
	return c.tell(r)
}

// carry shows a preview, records the request, and returns it as it stands when the
// server has carried it out, or after a while.
func (c requesting) carry(ctx context.Context, r payout.Request, preview func(tx *store.Tx) (string, error)) (payout.Request, error) {
	if err := c.check(); err != nil {
		return r, err
	}
	db, err := c.existing(ctx)
	if err != nil {
		return r, err
	}
	defer db.Close()
	var shown string
	if err := db.View(ctx, func(tx *store.Tx) (err error) {
		shown, err = preview(tx)
		return err
	}); err != nil {
		return r, err
	}
	if err := c.agree(shown); err != nil {
		return r, err
	}
	var number int64
	if err := db.Update(ctx, func(tx *store.Tx) error {
		again, err := preview(tx)
		if err != nil {
			return err
		}
		if again != shown {
			return errors.New("it changed meanwhile, nothing was done: look at it again")
		}
		open, err := tx.RequestsAbout(ctx, r.OrderID)
		for _, other := range open {
			if other.Status == payout.RequestOpen {
				return fmt.Errorf("request %d (by %s) about it is not carried out yet%s", other.Number, other.By, because(other.Note))
			}
		}
		if err != nil {
			return err
		}
		if r.At, err = now(ctx, tx); err != nil {
			return err
		}
		r.By, r.Why = strings.TrimSpace(c.By), strings.TrimSpace(c.Why)
		number, err = tx.Ask(ctx, r, shown)
		return err
	}); err != nil {
		return r, err
	}
	return awaited(ctx, db, r.OrderID, number, c.Wait)
}

type payoutBump struct {
	requesting
	Payout string `arg:"" help:"The payout's id, or the id of one of its transactions."`
}

// Run is `moonfund payout bump`.
func (c payoutBump) Run(ctx context.Context) error {
	return c.request(ctx, payout.AskBump, c.id(ctx), func(tx *store.Tx) (string, error) {
		p, err := findPayout(ctx, tx, c.Payout)
		if err != nil {
			return "", err
		}
		if p.Status != payout.Live {
			return "", fmt.Errorf("it is a %s and %s: only what is live is replaced", p.Kind, p.Status)
		}
		last := p.Versions[len(p.Versions)-1]
		for _, v := range p.Versions {
			if v.Height != ledger.None {
				return "", fmt.Errorf("its transaction %s is in block %d already", v.Tx.ID, v.Height)
			}
		}
		money := fmt.Sprintf("beyond the %d orders' network money comes from the fee account, up to the community's fee_top_up", len(p.OrderIDs))
		switch p.Kind {
		case payout.Refund:
			money = "more comes off the refund"
		case payout.Return:
			money = "more comes off what is returned, or from the fee account where that pays"
		}
		return fmt.Sprintf("Payout %s (%s, %s) of %d orders is replaced.\nNow: %s, a fee of %d sats for %d vB (%.1f sat/vB), made %s.\n"+
			"The new version spends the same outputs, goes to the same, and pays the server's current fee rate; what that costs\n"+
			"%s. Whichever version confirms counts.",
			p.ID, p.Community, p.Kind, len(p.OrderIDs), last.Tx.ID, last.Fee, last.VBytes, float64(last.Fee)/float64(max(1, last.VBytes)),
			shortTime(last.Created), money), nil
	})
}

// id is the payout's own id where a transaction was named. What can't be found
// is refused by the preview.
func (c payoutBump) id(ctx context.Context) string {
	id := c.Payout
	if err := c.view(ctx, func(tx *store.Tx) error {
		p, err := findPayout(ctx, tx, c.Payout)
		id = p.ID
		return err
	}); err != nil {
		return c.Payout
	}
	return id
}

func findPayout(ctx context.Context, tx *store.Tx, text string) (payout.Payout, error) {
	p, err := tx.Payout(ctx, text)
	if errors.Is(err, ledger.ErrNotFound) {
		p, err = tx.PayoutOf(ctx, strings.ToLower(text))
	}
	if errors.Is(err, ledger.ErrNotFound) {
		return p, fmt.Errorf("the ledger knows no payout %q", text)
	}
	return p, err
}
