package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
)

// serving opens and locks a ledger for a server, so that no other server uses it meanwhile. It refuses a ledger of an
// earlier version, so that no restart migrates one. release releases the lock.
func (f ledgerFlags) serving(ctx context.Context) (db *store.Store, release func(), err error) {
	return f.locked(ctx, nil)
}

// upgraded is serving, and migrates the schema of an earlier version. Before, it writes a backup into a folder, or into
// the data folder for "".
func (f ledgerFlags) upgraded(ctx context.Context, folder string) (db *store.Store, release func(), err error) {
	return f.locked(ctx, func(ctx context.Context, db *store.Store) error {
		file := filepath.Join(cmp.Or(folder, f.Data), "before-upgrade-"+time.Now().UTC().Format("20060102T150405Z")+".zip")
		fmt.Fprintln(os.Stderr, "Backup before the migration:", file)
		_, err := backup.Source{Data: f.Data, Program: version, Older: true}.Write(ctx, db, file)
		return err
	})
}

// locked locks and opens a ledger. before is the parameter of store.OpenLedger.
func (f ledgerFlags) locked(ctx context.Context,
	before func(context.Context, *store.Store) error) (db *store.Store, release func(), err error) {
	if !f.onDisk() {
		return nil, nil, f.missing()
	}
	if release, err = store.Lock(f.address()); err != nil {
		return nil, nil, err
	}
	db, err = store.OpenLedger(ctx, f.address(), before)
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

type ledgerUpgrade struct {
	reading
	Backups string `env:"MOONFUND_BACKUPS" help:"${help_backups}" type:"path"`
	Check   bool   `help:"Change nothing. Exit code 1: the ledger must be migrated."`
}

// Run is `moonfund ledger upgrade`.
func (c ledgerUpgrade) Run(ctx context.Context) error {
	if c.Check {
		if !c.onDisk() {
			return nil
		}
		db, err := c.existing(ctx)
		if errors.Is(err, store.ErrNoLedger) {
			return nil
		}
		if err != nil {
			return err
		}
		return db.Close()
	}
	db, release, err := c.upgraded(ctx, c.Backups)
	if err != nil {
		return err
	}
	defer release()
	defer db.Close()
	schema, err := db.Schema(ctx)
	if err != nil {
		return err
	}
	return c.print(struct {
		Schema int64 `json:"schema"`
	}{schema}, func() error {
		fmt.Printf("The ledger has this program's schema, %d.\n", schema)
		return nil
	})
}
