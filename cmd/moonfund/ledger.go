package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"moonfund/signer"
	"moonfund/store"
)

// serving opens a ledger for a server that works on it. It takes the file's lock before it changes the schema, so
// that no other server works on the ledger meanwhile. release gives the lock back.
func (f ledgerFlags) serving(ctx context.Context) (db *store.Store, release func(), err error) {
	if !f.onDisk() {
		return nil, nil, f.missing()
	}
	if release, err = store.Lock(f.address()); err != nil {
		return nil, nil, err
	}
	db, err = store.OpenLedger(ctx, f.address())
	if errors.Is(err, store.ErrNoLedger) {
		err = f.missing()
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	if err := os.MkdirAll(f.Data, 0o700); err != nil {
		release()
		return nil, nil, errors.Join(fmt.Errorf("the data folder can't be made: %w", err), db.Close())
	}
	return db, release, nil
}

// missing says what to do where a ledger was expected and is none.
func (f ledgerFlags) missing() error {
	where := "the data folder " + f.Data
	if f.Database != "" {
		where = "the database that --database names"
	}
	return fmt.Errorf("there is no ledger in %s. Is it the right one, and is its disk mounted? "+
		"A new ledger is made on purpose only: with `moonfund init`, or from a backup with `moonfund restore`", where)
}

// begin is serving for a dev network, which makes its ledger by itself at its first start, and lets the mark of its
// key name the new one.
func (f ledgerFlags) begin(ctx context.Context, marks signer.Marks) (*store.Store, error) {
	db, err := store.OpenLedger(ctx, f.address())
	if !errors.Is(err, store.ErrNoLedger) {
		return db, err
	}
	id, err := store.Create(ctx, f.address())
	if err != nil {
		return nil, err
	}
	kept, err := marks.Kept(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := marks.Raise(ctx, signer.Mark{Ledger: id}, kept.Ledger); err != nil {
		return nil, err
	}
	return store.OpenLedger(ctx, f.address())
}
