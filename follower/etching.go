package follower

import (
	"context"
	"errors"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/etching"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/state"
)

// The mint and etch service is driven by the same steps as the ledger, and shares
// nothing else with it. Without the service each of these does nothing.

func (f *Follower) loadEtchings(ctx context.Context, tx Tx) error {
	if f.Etching == nil {
		return nil
	}
	return f.Etching.Load(tx.Etching.Etchings(ctx))
}

// seeEtchings records what of a block concerns an order. Addresses that were handed
// out since the last Load may be paid in it already.
func (f *Follower) seeEtchings(ctx context.Context, tx Tx, block chain.Block,
	allocated map[wire.OutPoint][]runes.Balance, m ledger.Moment) error {
	if f.Etching == nil {
		return nil
	}
	if err := f.loadEtchings(ctx, tx); err != nil {
		return err
	}
	for _, t := range block.Txs {
		if !f.Etching.Concerns(t) {
			continue
		}
		if err := f.Etching.RecordTx(tx.Etching.Etchings(ctx), t, block.Height, m.Now, func(vout uint32) []runes.Balance {
			return allocated[wire.OutPoint{Hash: t.ID, Index: vout}]
		}); err != nil {
			return err
		}
	}
	return nil
}

func (f *Follower) undoEtchings(ctx context.Context, tx Tx, height int64) error {
	if f.Etching == nil {
		return nil
	}
	return f.Etching.Undo(tx.Etching.Etchings(ctx), height)
}

// sightEtchings records what of the mempool concerns an order.
func (f *Follower) sightEtchings(ctx context.Context, added []chain.Tx, m ledger.Moment) error {
	if f.Etching == nil || len(added) == 0 {
		return nil
	}
	return f.Transact(ctx, func(tx Tx) error {
		if err := f.loadEtchings(ctx, tx); err != nil {
			return err
		}
		for _, t := range added {
			if !f.Etching.Concerns(t) {
				continue
			}
			if err := f.Etching.RecordTx(tx.Etching.Etchings(ctx), t, chain.None, m.Now, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// etch does what is due for orders, in a transaction of its own, unless everything
// that pays is paused. What goes wrong with them holds up nobody's stake.
func (f *Follower) etch(ctx context.Context, m ledger.Moment) error {
	if f.Etching == nil {
		return nil
	}
	rate := f.Rate(ctx)
	f.Etching.ForgetSignatures()
	err := error(etching.ErrUnsigned)
	for range signingRounds {
		if err = f.advanceEtchings(ctx, rate, m); !errors.Is(err, etching.ErrUnsigned) {
			break
		}
		if err := f.Etching.Sign(ctx); err != nil {
			return err
		}
	}
	if errors.Is(err, state.ErrNotLeading) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		f.Log.Error("mint and etch orders are held up", "error", err.Error())
	}
	return nil
}

// advanceEtchings stores what is due for orders, if all of it is signed.
func (f *Follower) advanceEtchings(ctx context.Context, rate amount.FeeRate, m ledger.Moment) error {
	return f.Transact(ctx, func(tx Tx) error {
		for _, pause := range []func(context.Context) (string, error){tx.Pauses.PausedAll, tx.Pauses.PausedPayouts} {
			if reason, err := pause(ctx); err != nil || reason != "" {
				return err
			}
		}
		stored, err := f.Etching.Advance(ctx, tx.Etching, rate, m.Now)
		f.resend = f.resend || stored
		return err
	})
}

// waitingEtchings returns what of the orders is to be sent again.
func (f *Follower) waitingEtchings(ctx context.Context, tx Tx) (waiting []ledger.Tracked, err error) {
	if f.Etching == nil {
		return nil, nil
	}
	m, err := f.Moment()
	if err != nil {
		return nil, err
	}
	payments, ours, err := f.Etching.Waiting(ctx, tx.Etching.Etchings(ctx), m.Now)
	for _, t := range payments {
		waiting = append(waiting, ledger.Tracked{Tx: t.Tx})
	}
	for _, t := range ours {
		waiting = append(waiting, ledger.Tracked{Tx: t.Tx, Ours: true})
	}
	return waiting, err
}
