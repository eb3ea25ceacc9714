package payout

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// lostInputs returns the inputs that the payout can never spend: a transaction that is no payout spends them, or a
// transaction conflicts with the one that created them, with order.FinalDepth confirmations. It returns none of a OneTx
// while a version can spend all of its inputs, because the versions share only the outputs of the units.
func lostInputs(ctx context.Context, tx Tx, p Payout,
	tip ledger.Header) (map[wire.OutPoint]ledger.Output, error) {
	inputs := map[wire.OutPoint]ledger.Output{}
	for _, v := range p.Versions {
		lost, err := lostInputsOf(ctx, tx, v, tip)
		if err != nil {
			return nil, err
		}
		if p.Kind == OneTx && len(lost) == 0 {
			return nil, nil
		}
		maps.Copy(inputs, lost)
	}
	return inputs, nil
}

// lostInputsOf returns the inputs that one version can never spend.
func lostInputsOf(ctx context.Context, tx Tx, v Version,
	tip ledger.Header) (map[wire.OutPoint]ledger.Output, error) {
	inputs := map[wire.OutPoint]ledger.Output{}
	for _, in := range v.Tx.Msg.TxIn {
		point := in.PreviousOutPoint
		var output ledger.Output
		var lost bool
		var err error
		if v.IsOwn(point) {
			lost, err = replacedForGood(ctx, tx, v.Tx.ID, point, tip)
		} else if output, err = tx.Outputs.Output(ctx, point); err == nil {
			lost = !output.SpentOurs && output.SpentBy != "" &&
				ledger.Confirmations(output.SpentHeight, tip.Height) >= order.FinalDepth
		}
		if err == nil && !lost {
			lost, err = neverConfirms(ctx, tx, point.Hash, tip)
		}
		if err != nil {
			return nil, err
		}
		if lost {
			inputs[point] = output
		}
	}
	return inputs, nil
}

// neverConfirms reports whether an unconfirmed transaction can never confirm, because a transaction with
// order.FinalDepth confirmations spends an input of it or of its ancestors.
func neverConfirms(ctx context.Context, tx Tx, txid chainhash.Hash, tip ledger.Header) (bool, error) {
	checked := map[chainhash.Hash]bool{}
	unchecked := []chainhash.Hash{txid}
	for len(unchecked) > 0 {
		last := len(unchecked) - 1
		txid, unchecked = unchecked[last], unchecked[:last]
		if checked[txid] {
			continue
		}
		checked[txid] = true
		tracked, err := tx.Tracked.TrackedTx(ctx, txid.String())
		if errors.Is(err, state.ErrNotFound) || (err == nil && tracked.Height != chain.None) {
			continue
		}
		if err != nil {
			return false, err
		}
		for _, in := range tracked.Tx.Msg.TxIn {
			if replaced, err := replacedForGood(ctx, tx, txid, in.PreviousOutPoint, tip); replaced || err != nil {
				return replaced, err
			}
			unchecked = append(unchecked, in.PreviousOutPoint.Hash)
		}
	}
	return false, nil
}

// replacedForGood reports whether a transaction other than txid spends an output, with order.FinalDepth confirmations.
func replacedForGood(ctx context.Context, tx Tx, txid chainhash.Hash, spent wire.OutPoint,
	tip ledger.Header) (bool, error) {
	others, err := tx.Tracked.Spenders(ctx, spent)
	return slices.ContainsFunc(others, func(other ledger.TxState) bool {
		return other.ID != txid.String() && ledger.Confirmations(other.Height, tip.Height) >= order.FinalDepth
	}), err
}
