package onetx

import (
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/staking/payout"
)

// CoinsToValue returns the coins of owners whose values are not known, of transactions that are not final.
func (s *Payouts) CoinsToValue(ctx context.Context, tx payout.Tx) (outs []wire.OutPoint, err error) {
	err = eachWithoutFee(ctx, tx, func(v payout.Version) error {
		for _, coin := range v.Own {
			outs = append(outs, coin.OutPoint)
		}
		return nil
	})
	return outs, err
}

// ValueCoins stores the values of the coins that CoinsToValue returned, with the fees of their transactions. It leaves
// a transaction as it is if outputs lacks one of its coins.
func (s *Payouts) ValueCoins(ctx context.Context, tx payout.Tx, outputs map[wire.OutPoint]wire.TxOut) error {
	return eachWithoutFee(ctx, tx, func(v payout.Version) error {
		var fee amount.Sats
		v.Own = slices.Clone(v.Own)
		for i, coin := range v.Own {
			output, known := outputs[coin.OutPoint]
			if !known {
				return nil
			}
			v.Own[i].Output, fee = output, fee+amount.Sats(output.Value)
		}
		for _, in := range v.Tx.Msg.TxIn {
			if v.IsOwn(in.PreviousOutPoint) {
				continue
			}
			output, err := tx.Outputs.Output(ctx, in.PreviousOutPoint)
			if err != nil {
				return err
			}
			fee += output.Value
		}
		for _, out := range v.Tx.Msg.TxOut {
			fee -= amount.Sats(out.Value)
		}
		v.Fee = fee
		s.book.Log.Info("the fee of a found payout is known", "txid", v.Tx.ID.String(), "fee_sats", int64(fee))
		return tx.Payouts.UpdateVersion(ctx, v)
	})
}

// eachWithoutFee calls visit for every version whose fee is not known, of payouts that are not final.
func eachWithoutFee(ctx context.Context, tx payout.Tx, visit func(payout.Version) error) error {
	open, err := tx.Payouts.PayoutsIn(ctx, payout.Live, payout.Confirmed)
	if err != nil {
		return err
	}
	for _, p := range open {
		for _, v := range p.Versions {
			if v.KnowsFee() {
				continue
			}
			if err := visit(v); err != nil {
				return err
			}
		}
	}
	return nil
}
