package follower

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/state"
)

// sent is the result of the last broadcast.
type sent struct {
	accepted map[chainhash.Hash]bool // the transactions that the node accepted
	refused  bool                    // a refusal may be stored
	withheld bool                    // a pause or the audit may have withheld a transaction
}

// unknownSent is the result of a broadcast of which nothing is known: by an earlier process or another server.
func unknownSent() sent { return sent{refused: true, withheld: true} }

// lost reports whether an accepted transaction left the mempool, because of a block or a restart of the node.
func (s sent) lost(removed []chainhash.Hash) bool {
	return slices.ContainsFunc(removed, func(id chainhash.Hash) bool { return s.accepted[id] })
}

// send broadcasts the stored transactions that are unconfirmed: our payouts, and the transactions of others on which
// they or the ledger depend. The bytes are the same each time. Refusals of the node are stored in a separate database
// transaction.
func (f *Follower) send(ctx context.Context, m ledger.Moment, touched *touched) error {
	if !f.resend && !f.unread {
		return nil
	}
	waiting, withheld, err := f.waiting(ctx, m)
	if err != nil {
		return err
	}
	accepted, spent := map[chainhash.Hash]bool{}, map[wire.OutPoint]bool{}
	refused := map[chainhash.Hash]*chain.Refusal{}
	for before := -1; len(waiting) != before; { // a child may precede its parent
		before = len(waiting)
		var again []ledger.Tracked
		for _, t := range waiting {
			var refusal *chain.Refusal
			err := f.broadcast(ctx, t)
			switch {
			case errors.As(err, &refusal):
				refused[t.Tx.ID] = refusal
				again = append(again, t)
				continue
			case err != nil:
				return err
			}
			accepted[t.Tx.ID] = true
			for _, in := range t.Tx.Msg.TxIn {
				spent[in.PreviousOutPoint] = true
			}
		}
		waiting = again
	}
	var refusals []ledger.Refusal
	for _, t := range waiting {
		refusal := refused[t.Tx.ID]
		level := slog.LevelDebug
		if t.Ours && !spendsAny(t.Tx, spent) { // otherwise the node accepted another version of it
			level = slog.LevelWarn
			refusals = append(refusals, ledger.Refusal{
				TxID: t.Tx.ID.String(), Reason: refusal.Reason, Passing: refusal.Passing(), Since: m.Now,
			})
		}
		f.Log.Log(ctx, level, "the node does not accept a transaction", "txid", t.Tx.ID.String(), "reason", refusal.Reason)
	}
	if err := f.recordRefusals(ctx, refusals, withheld, touched); err != nil {
		return err
	}
	f.resend = len(withheld) > 0
	f.sent = sent{accepted: accepted, refused: len(refusals) > 0 || f.sent.refused && f.resend, withheld: f.resend}
	return nil
}

func spendsAny(t chain.Tx, outputs map[wire.OutPoint]bool) bool {
	return slices.ContainsFunc(t.Msg.TxIn, func(in *wire.TxIn) bool { return outputs[in.PreviousOutPoint] })
}

// recordRefusals stores the refusals of a broadcast, deletes refusals that no longer hold, and adds the affected owners
// to touched. It keeps the stored refusals of withheld transactions.
func (f *Follower) recordRefusals(ctx context.Context, refusals []ledger.Refusal, withheld map[string]bool,
	touched *touched) error {
	if len(refusals) == 0 && !f.sent.refused {
		return nil
	}
	return f.Transact(ctx, func(tx Tx) error {
		changed, err := ledger.RecordBroadcast(ctx, tx.Refusals, refusals, withheld)
		if err != nil {
			return err
		}
		for _, txid := range changed {
			p, err := tx.Payouts.PayoutOf(ctx, txid)
			if errors.Is(err, state.ErrNotFound) {
				continue // of a mint or etch order
			}
			if err != nil {
				return err
			}
			for _, id := range p.OrderIDs {
				o, err := tx.Orders.Order(ctx, id)
				if err != nil {
					return err
				}
				touched.orders([]order.Order{o})
			}
		}
		return nil
	})
}

// waiting returns the transactions to broadcast, and the ids of the transactions that a pause or a missing approval of
// the audit withholds.
func (f *Follower) waiting(ctx context.Context,
	m ledger.Moment) (waiting []ledger.Tracked, withheld map[string]bool, err error) {
	var etchings []ledger.Tracked
	paused := map[string]string{} // the reasons why a transaction is withheld, by its id
	if err := f.Transact(ctx, func(tx Tx) (err error) {
		if waiting, err = f.toBroadcast(ctx, tx, m); err != nil {
			return err
		}
		if etchings, err = f.waitingEtchings(ctx, tx); err != nil {
			return err
		}
		paused, err = pausedTxs(ctx, tx, slices.Concat(waiting, etchings))
		return err
	}); err != nil {
		return nil, nil, err
	}
	withheld = map[string]bool{}
	withhold := func(t ledger.Tracked, approved bool) bool {
		withhold := t.Ours && (paused[t.Tx.ID.String()] != "" || !approved)
		if withhold {
			withheld[t.Tx.ID.String()] = true
		}
		return withhold
	}
	waiting = slices.DeleteFunc(waiting, func(t ledger.Tracked) bool {
		approved := true
		if t.Ours && paused[t.Tx.ID.String()] == "" && f.Approve != nil && err == nil {
			approved, err = f.Approve(ctx, t.Tx.ID)
		}
		return withhold(t, approved)
	})
	etchings = slices.DeleteFunc(etchings, func(t ledger.Tracked) bool { return withhold(t, true) })
	return append(waiting, etchings...), withheld, err
}

// pausedTxs returns the reasons why transactions of ours are not broadcast while all payouts, or those of their
// community, are paused, by transaction.
func pausedTxs(ctx context.Context, tx Tx, waiting []ledger.Tracked) (map[string]string, error) {
	all, err := tx.Pauses.PausedPayouts(ctx)
	if err != nil {
		return nil, err
	}
	some, err := tx.Pauses.PausedCommunities(ctx)
	if err != nil {
		return nil, err
	}
	paused := map[string]string{}
	for _, t := range waiting {
		id := t.Tx.ID.String()
		if paused[id] = all; !t.Ours || all != "" || len(some) == 0 {
			continue
		}
		p, err := tx.Payouts.PayoutOf(ctx, id)
		if err != nil && !errors.Is(err, state.ErrNotFound) { // not found: of a mint or etch order
			return nil, err
		}
		paused[id] = some[p.Community]
	}
	return paused, nil
}
