package follower

import (
	"context"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
)

// load fills the watch lists from the store in the first Step. watchIssued adds the addresses that are issued later.
// Both read snapshots: a write transaction sees changes of others that share its commit, and if that fails, these are
// undone, and the lists would keep them. Only the leader writes outputs, and a former leader commits nothing in this
// term.
func (f *Follower) load(ctx context.Context) error {
	if f.loaded {
		return nil
	}
	loaded, err := f.readWatched(ctx)
	if err != nil {
		return err
	}
	f.watch.setLoaded(loaded)
	err = f.View(ctx, func(tx Tx) error {
		if err := f.loadEtchings(ctx, tx); err != nil {
			return err
		}
		outs, err := f.Payouts.OneTx().CoinsToValue(ctx, tx.PayoutTx())
		if err != nil {
			return err
		}
		f.valued = len(outs) == 0
		return f.watchUnconfirmed(ctx, tx)
	})
	f.loaded = err == nil
	return err
}

// watchIssued watches the addresses that were issued since it was last called. It must be called after blocks or
// transactions were read from the node and before they are recorded: an address is stored before anybody can pay it, so
// none of them pays an address that is not watched then. Each block and transaction is read only once.
func (f *Follower) watchIssued(ctx context.Context) error {
	return f.View(ctx, func(tx Tx) error {
		if err := f.loadEtchings(ctx, tx); err != nil {
			return err
		}
		return tx.Watched.EachWatched(ctx, f.watch.last, f.watch.addScript)
	})
}

// readWatched reads the sorted hashes of the watched scripts, with the number of the last one, and of the outputs that
// are unspent or whose spend a reorg can undo.
func (f *Follower) readWatched(ctx context.Context) (loaded loadedHashes, err error) {
	err = f.View(ctx, func(tx Tx) (err error) {
		loaded = loadedHashes{} // the transaction may be retried
		if loaded.last, err = tx.Watched.EachScript(ctx, func(script []byte) {
			loaded.scripts = append(loaded.scripts, f.watch.script(script))
		}); err != nil {
			return err
		}
		tip, err := tx.Headers.Tip(ctx)
		if err != nil {
			return err
		}
		return tx.Watched.EachOpenOutpoint(ctx, tip.Height-2*MaxReorg, func(out wire.OutPoint) {
			loaded.outputs = append(loaded.outputs, f.watch.point(out))
		})
	})
	slices.Sort(loaded.scripts)
	slices.Sort(loaded.outputs)
	return loaded, err
}
