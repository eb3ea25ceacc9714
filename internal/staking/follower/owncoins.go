package follower

import (
	"context"

	"github.com/btcsuite/btcd/wire/v2"
)

// valueCoins stores the values of the stakers' coins that a payout from the chain or the mempool spends, because the
// ledger does not have the transactions that made these coins. valueCoins calls the node outside of database
// transactions. If the node lacks one of the transactions, the next Step retries. The payout can't be replaced before
// all values are known.
func (f *Follower) valueCoins(ctx context.Context) error {
	if f.valued {
		return nil
	}
	var outs []wire.OutPoint
	if err := f.View(ctx, func(tx Tx) (err error) {
		outs, err = f.Payouts.OneTx().CoinsToValue(ctx, tx.PayoutTx())
		return err
	}); err != nil {
		return err
	}
	outputs := map[wire.OutPoint]wire.TxOut{}
	for _, out := range outs {
		made, _, err := f.Node.Tx(ctx, out.Hash)
		if err != nil || int(out.Index) >= len(made.Msg.TxOut) {
			f.Log.Debug("the value of a staker's coin is unknown", "coin", out.String(), "error", err)
			continue
		}
		outputs[out] = *made.Msg.TxOut[out.Index]
	}
	if len(outputs) > 0 {
		if err := f.Transact(ctx, func(tx Tx) error {
			return f.Payouts.OneTx().ValueCoins(ctx, tx.PayoutTx(), outputs)
		}); err != nil {
			return err
		}
	}
	f.valued = len(outputs) == len(outs)
	return nil
}
