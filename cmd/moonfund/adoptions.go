package main

import (
	"context"

	"moonfund/custody"
)

// searchAdoptions searches for deposits at stake addresses that another copy of the ledger handed out, until ctx ends.
func (h *house) searchAdoptions(ctx context.Context) {
	search := custody.Deposits{
		Accounts: custody.Accounts{Network: h.network, Manifests: h.manifests, ByPrefix: h.accounts},
		Store:    h.store, Node: h.node, Log: h.log, Now: h.clock.real,
		Ready: func() bool {
			_, leads := h.seat.lease.Term()
			return leads && h.follower.State().Synced
		},
		Watches: h.follower.Watches, Credit: h.follower.Wake,
	}
	search.Run(ctx)
}
