package follower

import (
	"context"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/ledger"
)

// recordedAtOnce is the default of Config.RecordedAtOnce.
const recordedAtOnce = 2000

// followMempool records the new transactions of the mempool that concern us.
func (f *Follower) followMempool(ctx context.Context, p pass) error {
	added, removed, err := f.mempool.Poll(ctx)
	if err != nil {
		return err
	}
	f.resend = f.resend || f.sent.lost(removed)
	if err := f.watchIssued(ctx); err != nil { // also without transactions, for Watches
		f.forgetMempool(added)
		return err
	}
	if err := f.recordEtchingsUnconfirmed(ctx, added, p.m); err != nil {
		f.forgetMempool(added)
		return err
	}
	var concerning []chain.Tx
	for _, t := range added {
		if f.watch.concerns(t) {
			concerning = append(concerning, t)
			f.watch.note(t) // so that a child among added concerns us, too
		}
	}
	for len(concerning) > 0 {
		n := f.batchSize(concerning)
		if err := f.recordUnconfirmed(ctx, p, concerning[:n]); err != nil {
			f.forgetMempool(concerning) // earlier parts are committed
			return err
		}
		f.analyze(ctx)
		concerning = concerning[n:]
	}
	return nil
}

// forgetMempool makes the next Step record the transactions again.
func (f *Follower) forgetMempool(txs []chain.Tx) {
	for _, t := range txs {
		f.mempool.Forget(t.ID)
	}
}

// recordUnconfirmed records transactions of the mempool in one database transaction.
func (f *Follower) recordUnconfirmed(ctx context.Context, p pass, txs []chain.Tx) error {
	d, err := f.fetchUnconfirmed(ctx, txs)
	if err != nil {
		return err
	}
	left := false
	if err := f.Transact(ctx, func(tx Tx) error {
		p.began = time.Now()
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
						return outputs[vout].All()
					}
					return nil
				},
			}); err != nil {
				return err
			}
		}
		left, err = s.evaluate(ctx, func() bool { return f.inTime(p) })
		return err
	}); err != nil || !left {
		return err
	}
	return f.evaluateRecorded(ctx, p.touched)
}

// batchSize returns how many of the first transactions fit in one database transaction: at least one. Many small
// transactions delay other writers no longer than one large transaction.
func (f *Follower) batchSize(txs []chain.Tx) int {
	size := 0
	for n, t := range txs {
		if size += sizeOf(t); n > 0 && size > f.RecordedAtOnce {
			return n
		}
	}
	return len(txs)
}

// sizeOf returns the number of inputs and outputs of a transaction, plus 10, because the statements that every
// transaction causes take as long as ten outputs.
func sizeOf(t chain.Tx) int { return 10 + len(t.Msg.TxIn) + len(t.Msg.TxOut) }

func totalSize(txs []chain.Tx) (size int) {
	for _, t := range txs {
		size += sizeOf(t)
	}
	return size
}
