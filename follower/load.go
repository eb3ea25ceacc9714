package follower

import (
	"context"
	"slices"
	"sync"

	"github.com/btcsuite/btcd/wire/v2"
)

// load fills the watch list from the store: completely in the first Step, later with new scripts. The first Step reads
// nearly everything before its write transaction, so that no other writer waits for it: only the leader writes outputs,
// and a former leader commits nothing in this term.
func (f *Follower) load(ctx context.Context) error {
	if !f.loaded {
		loaded, err := f.readWatched(ctx)
		if err != nil {
			return err
		}
		f.watch.setLoaded(loaded)
	}
	return f.Transact(ctx, func(tx Tx) error {
		if err := tx.Watched.EachWatched(ctx, f.watch.last, f.watch.addScript); err != nil {
			return err
		}
		if err := f.loadEtchings(ctx, tx); err != nil {
			return err
		}
		if f.loaded {
			return nil
		}
		outs, err := f.Payouts.CoinsToValue(ctx, tx.PayoutTx())
		if err != nil {
			return err
		}
		f.loaded, f.valued = true, len(outs) == 0
		return f.watchUnconfirmed(ctx, tx)
	})
}

// readWatched reads the watched scripts and the outputs whose spends concern the ledger. It reads them concurrently in
// two snapshots, unless FetchAhead is 1: load adds the scripts that are newer than the first snapshot, and nobody else
// writes outputs.
func (f *Follower) readWatched(ctx context.Context) (loaded loadedHashes, err error) {
	var scriptsErr error
	readScripts := func() { loaded.scripts, loaded.last, scriptsErr = f.readScripts(ctx) }
	var reading sync.WaitGroup
	if f.FetchAhead > 1 {
		reading.Go(readScripts)
	} else if readScripts(); scriptsErr != nil {
		return loaded, scriptsErr
	}
	outputs, err := f.readOutputs(ctx)
	reading.Wait()
	if scriptsErr != nil {
		return loaded, scriptsErr
	}
	loaded.outputs = outputs
	return loaded, err
}

// readScripts returns the sorted hashes of the watched scripts, and the number of the last one.
func (f *Follower) readScripts(ctx context.Context) (hashes []uint64, last int64, err error) {
	err = f.View(ctx, func(tx Tx) (err error) {
		hashes = nil // the transaction may be retried
		last, err = tx.Watched.EachScript(ctx, func(script []byte) { hashes = append(hashes, f.watch.script(script)) })
		return err
	})
	slices.Sort(hashes)
	return hashes, last, err
}

// readOutputs returns the sorted hashes of the outputs that are unspent, or whose spend a reorg can undo.
func (f *Follower) readOutputs(ctx context.Context) (hashes []uint64, err error) {
	err = f.View(ctx, func(tx Tx) error {
		hashes = nil // the transaction may be retried
		tip, err := tx.Headers.Tip(ctx)
		if err != nil {
			return err
		}
		return tx.Watched.EachOpenOutpoint(ctx, tip.Height-2*MaxReorg, func(out wire.OutPoint) {
			hashes = append(hashes, f.watch.point(out))
		})
	})
	slices.Sort(hashes)
	return hashes, err
}
