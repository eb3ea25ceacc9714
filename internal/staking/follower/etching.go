package follower

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
)

// The mint and etch service runs in the follower's Steps and shares no other state with the ledger. Without the service
// these functions do nothing.

func (f *Follower) loadEtchings(ctx context.Context, tx Tx) error {
	if f.Etching == nil {
		return nil
	}
	return f.Etching.Load(tx.Etching.Etchings(ctx))
}

// recordEtchings records the transactions of a block that concern mint and etch orders.
func (f *Follower) recordEtchings(ctx context.Context, tx Tx, block chain.Block,
	allocated runes.Allocated, m ledger.Moment) error {
	if f.Etching == nil {
		return nil
	}
	for _, t := range block.Txs {
		if !f.Etching.Concerns(t) {
			continue
		}
		if err := f.Etching.RecordTx(tx.Etching.Etchings(ctx), etching.Seen{
			Tx: t, Height: block.Height, At: m.Now, Allocated: allocatedTo(allocated, t.ID),
		}); err != nil {
			return err
		}
	}
	return nil
}

func (f *Follower) undoEtchings(ctx context.Context, tx Tx, height int64, block chain.Block) error {
	if f.Etching == nil {
		return nil
	}
	return f.Etching.Undo(tx.Etching.Etchings(ctx), height, block.Txs)
}

// recordEtchingsUnconfirmed records the mempool transactions that concern mint and etch orders.
func (f *Follower) recordEtchingsUnconfirmed(ctx context.Context, added []chain.Tx, m ledger.Moment) error {
	if f.Etching == nil || len(added) == 0 {
		return nil
	}
	parents, err := f.fetchEtchingParents(ctx, added)
	if err != nil || len(parents) == 0 {
		return err
	}
	return f.Transact(ctx, func(tx Tx) error {
		for _, t := range added {
			if !f.Etching.Concerns(t) {
				continue
			}
			if err := f.Etching.RecordTx(tx.Etching.Etchings(ctx), etching.Seen{
				Tx: t, Height: chain.None, At: m.Now, Parents: parents[t.ID],
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// fetchEtchingParents fetches the unconfirmed ancestors of the transactions that concern mint and etch orders.
func (f *Follower) fetchEtchingParents(
	ctx context.Context, added []chain.Tx,
) (parents map[chainhash.Hash][]chain.Tx, err error) {
	parents = map[chainhash.Hash][]chain.Tx{}
	for _, t := range added {
		if !f.Etching.Concerns(t) {
			continue
		}
		known := map[chainhash.Hash]chain.Tx{}
		if err := f.fetchAncestors(ctx, t, known); err != nil {
			return nil, err
		}
		parents[t.ID] = slices.Collect(maps.Values(known))
	}
	return parents, nil
}

// processEtchings carries out mint and etch orders that are due, in a separate transaction, unless payouts or
// everything is paused. It logs errors instead of returning them, so that these orders never delay staking.
func (f *Follower) processEtchings(ctx context.Context, m ledger.Moment) error {
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
	if f.etchings = ""; err != nil {
		f.delayEtchings(err)
	}
	return nil
}

// advanceEtchings stores the transactions that are due for orders if all are signed. Otherwise it returns
// etching.ErrUnsigned.
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

// delayEtchings logs and shows why no mint or etch order is carried out. It delays nothing else.
func (f *Follower) delayEtchings(err error) {
	f.etchings = err.Error()
	f.Log.Error("mint and etch orders are delayed", "error", f.etchings)
}

// waitingEtchings returns the unconfirmed transactions of mint and etch orders, to broadcast them again. It returns
// none if they can't be read.
func (f *Follower) waitingEtchings(ctx context.Context, tx Tx) (waiting []ledger.Tracked, err error) {
	if f.Etching == nil {
		return nil, nil
	}
	m, err := f.Moment()
	if err != nil {
		return nil, err
	}
	var payments, ours []etching.Tx
	failed, err := tx.Etching.Attempt(ctx, func() (err error) {
		payments, ours, err = f.Etching.Waiting(ctx, tx.Etching.Etchings(ctx), m.Now)
		return err
	})
	if f.unread = failed != nil; f.unread {
		f.delayEtchings(failed)
		return nil, err
	}
	for _, t := range payments {
		waiting = append(waiting, ledger.Tracked{Tx: t.Tx})
	}
	for _, t := range ours {
		waiting = append(waiting, ledger.Tracked{Tx: t.Tx, Ours: true})
	}
	return waiting, err
}
