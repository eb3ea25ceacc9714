package follower

import (
	"context"
	"errors"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// expire marks transactions as vanished that were unconfirmed for ledger.VanishAfter and are not in the node's mempool.
// Until then they are broadcast, because a transaction that is absent from a mempool can still confirm. A transaction
// from which a payout of ours descends does not expire.
func (f *Follower) expire(ctx context.Context, m ledger.Moment, touched *touched) error {
	if f.resend {
		return nil // every transaction is broadcast first
	}
	var old []ledger.Tracked
	if err := f.Transact(ctx, func(tx Tx) error {
		paused, err := tx.Pauses.PausedAll(ctx)
		if err != nil || paused != "" {
			return err
		}
		kept, err := tx.Watched.TrackedUnconfirmed(ctx)
		old = slices.DeleteFunc(kept, func(t ledger.Tracked) bool { return !overdue(t, m) })
		return err
	}); err != nil {
		return err
	}
	var missing []ledger.Tracked
	for _, t := range old {
		if _, _, err := f.Node.Tx(ctx, t.Tx.ID); errors.Is(err, chain.ErrUnknown) {
			missing = append(missing, t)
		} else if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return f.Transact(ctx, func(tx Tx) error {
		for _, t := range missing {
			if err := f.expireTx(ctx, tx, t, m, touched); err != nil {
				return err
			}
		}
		return nil
	})
}

// overdue reports whether a transaction of others has been unconfirmed for ledger.VanishAfter.
func overdue(t ledger.Tracked, m ledger.Moment) bool {
	return !t.Ours && !m.Now.Before(t.Since.Add(ledger.VanishAfter))
}

// expireTx marks a transaction and its descendants as vanished, and reverts its payments, unless the transaction was
// confirmed since or a payout of ours descends from it.
func (f *Follower) expireTx(ctx context.Context, tx Tx, t ledger.Tracked, m ledger.Moment, touched *touched) error {
	t, err := tx.Tracked.TrackedTx(ctx, t.Tx.ID.String()) // it may have vanished with its ancestor
	if err != nil || t.Vanished || t.Height != chain.None {
		return err
	}
	if needed, err := hasPayout(ctx, tx, t); err != nil || needed {
		return err
	}
	seen, err := f.Ledger.Drop(ctx, tx.LedgerTx(), t.Tx.ID.String())
	if err != nil {
		return err
	}
	f.Log.Warn("a transaction vanished: in no block for 14 days, and not in the mempool", "txid", t.Tx.ID.String())
	touched.seen(seen)
	return f.Orders.Reverse(ctx, tx.OrderTx(), seen.Vanished, m.Now)
}

// hasPayout reports whether a payout of ours descends from an unconfirmed transaction: it spends an output of the
// transaction or of an unconfirmed descendant.
func hasPayout(ctx context.Context, tx Tx, t ledger.Tracked) (bool, error) {
	known := map[string]bool{t.Tx.ID.String(): true}
	for open := []string{t.Tx.ID.String()}; len(open) > 0; {
		children, err := tx.Tracked.Children(ctx, open...)
		if err != nil {
			return false, err
		}
		open = nil
		for _, child := range children {
			if child.Vanished || known[child.ID] {
				continue
			}
			if child.Ours {
				return true, nil
			}
			known[child.ID] = true
			open = append(open, child.ID)
		}
	}
	return false, nil
}

// toBroadcast returns the unconfirmed transactions to broadcast again, ancestors first. A transaction of others is
// included for ledger.VanishAfter, so that nodes can drop it afterwards, and longer if a payout of ours descends from
// it.
func (f *Follower) toBroadcast(ctx context.Context, tx Tx, m ledger.Moment) (wanted []ledger.Tracked, err error) {
	kept, err := tx.Watched.TrackedUnconfirmed(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range kept {
		needed := !overdue(t, m)
		if t.Ours {
			lost, err := lostAncestors(ctx, tx, t)
			if err != nil {
				return nil, err
			}
			wanted = append(wanted, lost...)
		} else if !needed {
			if needed, err = hasPayout(ctx, tx, t); err != nil {
				return nil, err
			}
		}
		if needed {
			wanted = append(wanted, t)
		}
	}
	return wanted, nil
}

// lostAncestors returns the vanished transactions that a payout of ours descends from and that can confirm again,
// because their replacements vanished as well. Without them the payout could neither confirm nor become DEAD.
func lostAncestors(ctx context.Context, tx Tx, t ledger.Tracked) (lost []ledger.Tracked, err error) {
	known := map[chainhash.Hash]bool{t.Tx.ID: true}
	for open := []ledger.Tracked{t}; len(open) > 0; open = open[1:] {
		for _, in := range open[0].Tx.Msg.TxIn {
			parent, err := tx.Tracked.TrackedTx(ctx, in.PreviousOutPoint.Hash.String())
			if errors.Is(err, state.ErrNotFound) || (err == nil && (parent.Height != chain.None || known[parent.Tx.ID])) {
				continue
			}
			if err != nil {
				return nil, err
			}
			known[parent.Tx.ID] = true
			open = append(open, parent)
			if !parent.Vanished {
				continue
			}
			if replaced, err := isReplaced(ctx, tx, parent); replaced || err != nil {
				return nil, err
			}
			lost = slices.Insert(lost, 0, parent)
		}
	}
	return lost, nil
}

// isReplaced reports whether another transaction that did not vanish spends an input of a transaction.
func isReplaced(ctx context.Context, tx Tx, t ledger.Tracked) (bool, error) {
	spenders, err := tx.Tracked.Spenders(ctx, t.Tx.Spends(anyOutput)...)
	return slices.ContainsFunc(spenders, func(other ledger.TxState) bool {
		return !other.Vanished && other.ID != t.Tx.ID.String()
	}), err
}

// anyOutput is a filter that selects every output.
func anyOutput(wire.OutPoint) bool { return true }
