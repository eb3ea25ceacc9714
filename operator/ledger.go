package operator

import (
	"context"
	"time"

	"moonfund/store"
)

// LedgerView says which ledger this is, and what it searches for.
type LedgerView struct {
	ID         string `json:"id"`
	Generation int64  `json:"generation"` // how often an operator went on with an older copy
	Behind     bool   `json:"behind"`     // its key has served a ledger that came farther
	Unsearched int    `json:"unsearched"` // adopted addresses whose earlier deposits are not searched for yet
	Uncredited int    `json:"uncredited"` // deposits that were found there and are not credited yet; 100 at most

	StakerSearch *StakerSearch `json:"staker_search"` // null when none was ever due
}

// StakerSearch is the server's search for deposits of known stakers at addresses that another copy handed out.
type StakerSearch struct {
	Due     bool       `json:"due"`
	At      *time.Time `json:"at"` // when it ended; null while it is due
	Tried   int        `json:"addresses_tried"`
	LeftOut int        `json:"addresses_left_out"`
	Adopted []string   `json:"adopted"`
}

// Ledger returns the view of a ledger.
func Ledger(ctx context.Context, tx *store.Tx) (v LedgerView, err error) {
	standing, err := tx.Mark(ctx)
	if err != nil {
		return v, err
	}
	v.ID, v.Generation = standing.Ledger, standing.Generation
	if _, v.Behind, err = tx.Behind(ctx); err != nil {
		return v, err
	}
	addresses, err := tx.UnsearchedAddresses(ctx)
	if err != nil {
		return v, err
	}
	const most = 100
	outputs, err := tx.AdoptedOutputs(ctx, most)
	if err != nil {
		return v, err
	}
	v.Unsearched, v.Uncredited = len(addresses), len(outputs)
	search, err := tx.StakeSearch(ctx)
	if err != nil || search == nil {
		return v, err
	}
	v.StakerSearch = &StakerSearch{Due: search.Due, Tried: search.Tried, LeftOut: search.LeftOut, Adopted: search.Adopted}
	if !search.Due {
		v.StakerSearch.At = new(time.Unix(search.At, 0).UTC())
	}
	return v, nil
}
