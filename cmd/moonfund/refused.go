package main

import (
	"context"
	"errors"
	"time"

	"moonfund/ledger"
	"moonfund/store"
)

// refusalView says that the node does not accept a signed transaction.
type refusalView struct {
	Reason  string    `json:"reason"` // the node's own words
	Since   time.Time `json:"since"`
	Passing bool      `json:"passing"` // waiting can help
}

// viewRefusal returns nil for no refusal.
func viewRefusal(r *ledger.Refusal) *refusalView {
	if r == nil {
		return nil
	}
	return &refusalView{r.Reason, r.Since, r.Passing}
}

// refusalOf returns the refusal of a transaction, or nil.
func refusalOf(ctx context.Context, tx *store.Tx, txid string) (*refusalView, error) {
	r, err := tx.Refusal(ctx, txid)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, nil
	}
	return viewRefusal(&r), err
}

func (r *refusalView) String() string {
	text := "since " + shortTime(r.Since) + ": " + r.Reason
	if r.Passing {
		return text + " (waiting can help)"
	}
	return text + " (see docs/operations/refused-payouts.md)"
}

func (r *refusalView) write() error {
	if r == nil {
		return nil
	}
	return fields("not accepted by the node", r.String())
}
