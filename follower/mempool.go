package follower

import (
	"context"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
)

// recordedAtOnce bounds the inputs and outputs that one database transaction records from the mempool: what fits into
// one standard transaction.
const recordedAtOnce = 3000

// followMempool records what is new in the mempool and concerns us.
func (f *Follower) followMempool(ctx context.Context, p pass) error {
	added, removed, err := f.mempool.Poll(ctx)
	if err != nil {
		return err
	}
	f.resend = f.resend || f.sent.lost(removed)
	if err := f.sightEtchings(ctx, added, p.m); err != nil {
		f.forgetMempool(added)
		return err
	}
	var concerning []chain.Tx
	for _, t := range added {
		if f.watch.concerns(t) {
			concerning = append(concerning, t)
			f.watch.note(t) // so that a child in the same round concerns us too
		}
	}
	for len(concerning) > 0 {
		n := fitting(concerning)
		if err := f.recordUnconfirmed(ctx, p, concerning[:n]); err != nil {
			f.forgetMempool(concerning) // the parts before it are committed
			return err
		}
		concerning = concerning[n:]
	}
	return nil
}

// forgetMempool makes the next Step record transactions again.
func (f *Follower) forgetMempool(txs []chain.Tx) {
	for _, t := range txs {
		f.mempool.Forget(t.ID)
	}
}

// recordUnconfirmed records some transactions of the mempool in one database transaction.
func (f *Follower) recordUnconfirmed(ctx context.Context, p pass, txs []chain.Tx) error {
	d, err := f.fetchUnconfirmed(ctx, txs)
	if err != nil {
		return err
	}
	return f.Transact(ctx, func(tx Tx) error {
		s := f.newStep(tx, d, p, p.m.Now)
		for _, t := range txs {
			view := newUnconfirmed(f.Rules, tx.Index.Runes(ctx), d.ancestors)
			outputs, err := view.allocate(t)
			if err != nil {
				return err
			}
			if err := s.record(ctx, ledger.Observation{
				Tx: t, Height: chain.None, At: p.m.Now, Parents: view.ancestors(t),
				Allocated: func(vout uint32) []runes.Balance {
					if int(vout) < len(outputs) {
						return outputs[vout]
					}
					return nil
				},
			}); err != nil {
				return err
			}
		}
		return s.evaluate(ctx)
	})
}

// fitting returns how many of the first transactions one database transaction takes
// in: at least one, and together no more inputs and outputs than the largest standard
// transaction has. Other writers wait no longer for many transactions than for one.
func fitting(txs []chain.Tx) int {
	size := 0
	for n, t := range txs {
		if size += len(t.Msg.TxIn) + len(t.Msg.TxOut); n > 0 && size > recordedAtOnce {
			return n
		}
	}
	return len(txs)
}
