package payout

import (
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
)

// KnowsFee reports whether the values of all inputs, and so the fee, are known. They are not known of a version that
// Find stored, until ValueCoins.
func (v Version) KnowsFee() bool {
	return !slices.ContainsFunc(v.Own, func(coin vault.Coin) bool { return len(coin.Output.PkScript) == 0 })
}

// KnowsFee reports whether the fee of the newest version is known.
func (p Payout) KnowsFee() bool { return p.last().KnowsFee() }

// CoinsToValue returns the coins of owners whose values are not known, of transactions that are not final.
func (s *Service) CoinsToValue(ctx context.Context, tx Tx) (outs []wire.OutPoint, err error) {
	err = eachWithoutFee(ctx, tx, func(v Version) error {
		for _, coin := range v.Own {
			outs = append(outs, coin.OutPoint)
		}
		return nil
	})
	return outs, err
}

// ValueCoins stores the values of the coins that CoinsToValue returned, with the fees of their transactions. It leaves
// a transaction as it is if outputs lacks one of its coins.
func (s *Service) ValueCoins(ctx context.Context, tx Tx, outputs map[wire.OutPoint]wire.TxOut) error {
	return eachWithoutFee(ctx, tx, func(v Version) error {
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
			if v.isOwn(in.PreviousOutPoint) {
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
		s.log.Info("the fee of a found payout is known", "txid", v.Tx.ID.String(), "fee_sats", int64(fee))
		return tx.Payouts.UpdateVersion(ctx, v)
	})
}

// eachWithoutFee calls visit for every version whose fee is not known, of payouts that are not final.
func eachWithoutFee(ctx context.Context, tx Tx, visit func(Version) error) error {
	open, err := tx.Payouts.PayoutsIn(ctx, Live, Confirmed)
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
