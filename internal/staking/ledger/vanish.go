package ledger

import (
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// conflicts marks the unconfirmed tracked transactions that share an input with an observed one as vanished, with their
// descendants, except our own. rival reports whether any other tracked transaction shares an input. In that case the
// caller must track the observed transaction as well, because its confirmations determine when the other one can never
// confirm. seen are all in one block, or all in the mempool.
func (s *Service) conflicts(
	ctx context.Context, tx Tx, watch WatchList, seen []Observation, changes *Changes,
) (rival bool, err error) {
	observed, mined := map[string]bool{}, false
	var spends []wire.OutPoint
	for _, obs := range seen {
		observed[obs.Tx.ID.String()], mined = true, obs.Height != chain.None
		spends = append(spends, obs.Tx.Spends(watch.Tracked)...)
	}
	rivals, err := tx.Tracked.Spenders(ctx, spends...)
	if err != nil {
		return false, err
	}
	rivals = slices.DeleteFunc(rivals, func(t TxState) bool { return observed[t.ID] })
	return len(rivals) > 0, vanish(ctx, tx, rivals, mined, changes)
}

// Drop marks a transaction as vanished, with its descendants, and its inputs as unspent. The transaction is our own and
// was replaced or can never confirm, or it is of others and was unconfirmed for VanishAfter. A later block that
// contains it restores it.
func (s *Service) Drop(ctx context.Context, tx Tx, txid string) (Changes, error) {
	var changes Changes
	return changes, vanish(ctx, tx, []TxState{{ID: txid, Height: chain.None}}, false, &changes)
}

// vanish marks the unconfirmed ones among txs and their unconfirmed descendants, except our own, as vanished, and the
// outputs that they spent as unspent. It appends both to changes. It marks the descendants of our own only if a block
// contains the conflict (mined): until then our transaction is broadcast again and they can confirm with it. It handles
// all children of a generation together, because a block can replace thousands of transactions.
func vanish(ctx context.Context, tx Tx, txs []TxState, mined bool, changes *Changes) error {
	for len(txs) > 0 {
		var lost, parents []string
		for _, t := range txs {
			if t.replaceable() {
				lost = append(lost, t.ID)
			}
			if t.replaceable() || mined && t.Height == chain.None {
				parents = append(parents, t.ID)
			}
		}
		slices.Sort(lost) // so that both databases change them in the same order
		if err := vanishOnly(ctx, tx, lost, changes); err != nil || len(parents) == 0 {
			return err
		}
		var err error
		if txs, err = tx.Tracked.Children(ctx, parents...); err != nil {
			return err
		}
	}
	return nil
}

// vanishOnly marks transactions as vanished, without their descendants, and the outputs that they spent as unspent.
func vanishOnly(ctx context.Context, tx Tx, txids []string, changes *Changes) error {
	if len(txids) == 0 {
		return nil
	}
	if err := tx.Tracked.VanishTxs(ctx, txids...); err != nil {
		return err
	}
	outputs, err := tx.Outputs.OutputsOf(ctx, txids...)
	if err != nil {
		return err
	}
	var vanished []Output
	for _, output := range outputs {
		if output.Vanished { // vanished with an earlier version of the same payout
			continue
		}
		output.Vanished = true
		vanished = append(vanished, output)
	}
	if err := tx.Outputs.PutOutput(ctx, vanished...); err != nil {
		return err
	}
	changes.Vanished = append(changes.Vanished, vanished...)
	spent, err := tx.Outputs.OutputsSpentBy(ctx, txids...)
	if err != nil {
		return err
	}
	for i := range spent {
		spent[i].SpentBy, spent[i].SpentOurs, spent[i].SpentHeight = "", false, chain.None
	}
	changes.Spent = append(changes.Spent, spent...)
	return tx.Outputs.PutOutput(ctx, spent...)
}
