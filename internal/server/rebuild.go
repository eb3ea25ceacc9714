package server

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// Rebuilt is the result of a rebuild.
type Rebuilt struct {
	follower.Rebuilt
	Addresses int // number of addresses that were derived from the keys
	Unwatched int // number of these addresses that the ledger did not watch
}

// Rebuild reads the whole chain again. pause runs in the first transaction and must pause everything. In the same
// transaction, Rebuild derives every issued address from the keys and watches it. It then follows the chain from the
// first block to follow. It calls progress after each part.
func (s *Server) Rebuild(
	ctx context.Context, pause func(context.Context, *store.Tx) error, progress func(height, best int64),
) (r Rebuilt, err error) {
	if err := s.Seize(ctx); err != nil {
		return r, err
	}
	keeping, release := context.WithCancel(ctx)
	var kept sync.WaitGroup
	kept.Go(func() { s.keepLease(keeping) })
	defer kept.Wait()
	defer release()
	if err := s.Store.Update(ctx, func(tx *store.Tx) error {
		if err := pause(ctx, tx); err != nil {
			return err
		}
		return s.watchAgain(ctx, tx, &r)
	}); err != nil {
		return r, err
	}
	r.Rebuilt, err = s.Follower.Rebuild(ctx, func(tx follower.Tx) error {
		return tx.Rebuild.PutFollowed(ctx, slices.Collect(maps.Keys(s.Rules.Follow)))
	}, progress)
	return r, err
}

// watchAgain derives every issued address and watches it. It returns an error if the keys derive another address,
// because the keys are then not this ledger's.
func (s *Server) watchAgain(ctx context.Context, tx *store.Tx, r *Rebuilt) error {
	watched, err := tx.WatchedAfter(ctx, 0)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, w := range watched {
		known[string(w.Script)] = true
	}
	watch := func(w ledger.Watched) error {
		r.Addresses++
		if known[string(w.Script)] {
			return nil
		}
		r.Unwatched++
		return tx.WatchScript(ctx, w)
	}
	for prefix, account := range s.Accounts.All() {
		if err := watchStakes(ctx, tx, prefix, account, watch); err != nil {
			return err
		}
		if err := watchOrders(ctx, tx, prefix, account, watch); err != nil {
			return err
		}
	}
	return nil
}

func watchStakes(
	ctx context.Context, tx *store.Tx, prefix string, account vault.Account, watch func(ledger.Watched) error,
) error {
	stakes, err := tx.StakeDerivations(ctx, prefix)
	if err != nil {
		return err
	}
	for _, s := range stakes {
		output, err := account.StakeOutput(s.Keys)
		if err != nil {
			return err
		}
		if output.Address != s.Address {
			return fmt.Errorf("the keys of %s are not this ledger's: they derive %s, but %s was issued",
				prefix, output.Address, s.Address)
		}
		w := ledger.Watched{
			Script: output.Script, Community: prefix, Kind: ledger.StakeKind, Ref: s.Address, Owner: s.Owner,
		}
		if err := watch(w); err != nil {
			return err
		}
	}
	return nil
}

func watchOrders(
	ctx context.Context, tx *store.Tx, prefix string, account vault.Account, watch func(ledger.Watched) error,
) error {
	orders, err := tx.OrdersOfCommunity(ctx, prefix)
	if err != nil {
		return err
	}
	for _, o := range orders {
		address, _, err := account.PaymentAddress(o.ID)
		if err != nil {
			return err
		}
		if !bytes.Equal(address.Script, o.Script) {
			return fmt.Errorf("the keys of %s are not this ledger's: order %s has another address", prefix, o.ID)
		}
		w := ledger.Watched{
			Script: o.Script, Community: prefix, Kind: ledger.PaymentKind, Ref: o.ID, Owner: o.Owner,
		}
		if err := watch(w); err != nil {
			return err
		}
	}
	return nil
}
