package server

import (
	"context"

	"moonfund/internal/operate/custody"
)

// searchAdoptions searches for deposits at stake addresses that another copy of the ledger issued, until ctx is done.
func (s *Server) searchAdoptions(ctx context.Context) {
	search := custody.Deposits{
		Accounts: custody.Accounts{Network: s.Network, Manifests: s.Communities, ByPrefix: s.Accounts},
		Store:    s.Store, Node: s.Node, Log: s.Log, Now: s.Clock.Real,
		Ready:   func() bool { return s.Leads() && s.Follower.State().Synced },
		Watches: s.Follower.Watches, Credit: s.Follower.Wake,
	}
	search.Run(ctx)
}
