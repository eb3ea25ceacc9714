package payout

import (
	"context"
	"errors"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// BumpAfter is the number of blocks after which an unconfirmed payout may be replaced automatically, and no longer
// holds back an economy payout.
const BumpAfter = 6

// Round has the parameters of one pass over payouts.
type Round struct {
	Tx    Tx
	Watch ledger.WatchList
	Rate  amount.FeeRate // the network's fee rate; 0 if the round builds no transaction
	ledger.Moment
}

// NewVersion returns a transaction that was signed now.
func (r Round) NewVersion(signed *wire.MsgTx, cost vault.PayoutCost) Version {
	return Version{Tx: chain.NewTx(signed), Fee: cost.Fee, VBytes: cost.VBytes, Created: r.Now, Height: chain.None}
}

// IsOld reports whether the header times of the last BumpAfter blocks are after an instant of the server's clock.
func (r Round) IsOld(ctx context.Context, at time.Time) (bool, error) {
	tip, err := r.Tx.Headers.Tip(ctx)
	if err != nil {
		return false, err
	}
	header, err := r.Tx.Headers.HeaderAt(ctx, tip.Height-BumpAfter+1)
	if errors.Is(err, state.ErrNotFound) {
		return false, nil
	}
	return err == nil && r.Shown(header.Time).After(at), err
}
