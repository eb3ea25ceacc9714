package follower

import (
	"context"
	"errors"
	"slices"

	"moonfund/chain"
	"moonfund/ledger"
)

// expire lets what is in no block for 14 days, and not in the node's mempool
// either, vanish. It was offered to the node until then: absence alone means
// nothing. What a payout of ours builds on is kept for as long as the payout is.
func (f *Follower) expire(ctx context.Context, m ledger.Moment, touched *touched) error {
	if f.resend {
		return nil // the node is offered everything first
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
	var gone []ledger.Tracked
	for _, t := range old {
		if _, _, err := f.Node.Tx(ctx, t.Tx.ID); errors.Is(err, chain.ErrUnknown) {
			gone = append(gone, t)
		} else if err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return f.Transact(ctx, func(tx Tx) error {
		for _, t := range gone {
			if err := f.giveUp(ctx, tx, t, m, touched); err != nil {
				return err
			}
		}
		return nil
	})
}

func overdue(t ledger.Tracked, m ledger.Moment) bool {
	return !t.Ours && !m.Now.Before(t.Since.Add(ledger.VanishAfter))
}

func (f *Follower) giveUp(ctx context.Context, tx Tx, t ledger.Tracked, m ledger.Moment, touched *touched) error {
	t, err := tx.Tracked.TrackedTx(ctx, t.Tx.ID.String()) // an ancestor's end may have been its own
	if err != nil || t.Vanished || t.Height != chain.None {
		return err
	}
	if needed, err := carries(ctx, tx, t); err != nil || needed {
		return err
	}
	seen, err := f.Book.Expire(ctx, tx.LedgerTx(), t)
	if err != nil {
		return err
	}
	f.Log.Warn("a transaction vanished: in no block for 14 days, and not in the mempool", "txid", t.Tx.ID.String())
	touched.seen(seen)
	return f.Orders.Reverse(ctx, tx.OrderTx(), seen.Vanished, m.Now)
}

// carries reports whether a payout of ours builds on a transaction.
func carries(ctx context.Context, tx Tx, t ledger.Tracked) (bool, error) {
	children, err := tx.Tracked.TrackedChildren(ctx, t.Tx.ID.String())
	return slices.ContainsFunc(children, func(child ledger.Tracked) bool { return child.Ours && !child.Vanished }), err
}

// wanted is what is kept and sent again: after 14 days no longer what others
// sent, so that a node that lets it go may forget it.
func (f *Follower) wanted(ctx context.Context, tx Tx, m ledger.Moment) (wanted []ledger.Tracked, err error) {
	kept, err := tx.Watched.TrackedUnconfirmed(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range kept {
		needed := !overdue(t, m)
		if !needed {
			if needed, err = carries(ctx, tx, t); err != nil {
				return nil, err
			}
		}
		if needed {
			wanted = append(wanted, t)
		}
	}
	return wanted, nil
}
