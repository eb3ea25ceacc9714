package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// serving opens a ledger for a server. It locks the ledger before it migrates the schema, so that no other server uses
// it meanwhile. release releases the lock.
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
		return nil, nil, errors.Join(fmt.Errorf("the data folder can't be created: %w", err), db.Close())
	}
	return db, release, nil
}

// missing returns the error for a ledger that does not exist, with advice.
func (f ledgerFlags) missing() error {
	where := "the data folder " + f.Data
	if f.Database != "" {
		where = "the database that --database names"
	}
	return fmt.Errorf("there is no ledger in %s. Is it the right one, and is its disk mounted? "+
		"Create a new ledger with `moonfund init`, or restore a backup with `moonfund restore`", where)
}

// checkKeys compares every address of the ledger with the keys, and returns the number of addresses.
func (f ledgerFlags) checkKeys(ctx context.Context, keys *signer.Keys) (addresses int, err error) {
	db, err := f.existing(ctx)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.View(ctx, func(tx *store.Tx) error {
		addresses, err = signing.CheckKeys(ctx, tx, keys)
		return err
	})
	return addresses, err
}
