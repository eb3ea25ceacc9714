package decisions

import (
	"context"
	"time"

	"moonfund/internal/store"
)

// LedgerView contains the identity of a ledger and the state of its searches for deposits.
type LedgerView struct {
	ID         string `json:"id"`
	Generation int64  `json:"generation"` // number of times that an operator chose to continue with an older copy
	Behind     bool   `json:"behind"`     // the ledger is behind its key's mark
	Unsearched int    `json:"unsearched"` // adopted addresses whose earlier deposits have not been searched for
	Uncredited int    `json:"uncredited"` // deposits that the search found and that are not credited yet; at most 100

	StakerSearch *StakerSearch `json:"staker_search"` // null if none was ever due
}

// StakerSearch is the server's search for deposits of known stakers at addresses that another copy issued.
type StakerSearch struct {
	Due     bool       `json:"due"`
	At      *time.Time `json:"at"` // end of the search; null while it is due
	Tried   int        `json:"addresses_tried"`
	LeftOut int        `json:"addresses_left_out"`
	Adopted []string   `json:"adopted"`
}

// Ledger returns the view of a ledger.
func Ledger(ctx context.Context, tx *store.Tx) (v LedgerView, err error) {
	mark, err := tx.Mark(ctx)
	if err != nil {
		return v, err
	}
	v.ID, v.Generation = mark.Ledger, mark.Generation
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
