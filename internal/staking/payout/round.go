package payout

import (
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

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
