package main

import (
	"context"
	"fmt"
	"path/filepath"

	"moonfund/ledger"
	"moonfund/store"
)

type treasuryCommand struct {
	Show   treasuryShow   `cmd:"" help:"Print where a community's treasury is filled, and what it holds."`
	Credit treasuryCredit `cmd:"" help:"Book the deposits that arrived at a community's treasury addresses."`
}

type ledgerFlags struct {
	Data     string `default:"data" help:"Folder of the ledger." type:"path"`
	Database string `help:"sqlite:PATH or postgres://…; ledger.db in the data folder when not given."`
}

func (f ledgerFlags) open(ctx context.Context) (*store.Store, error) {
	address := f.Database
	if address == "" {
		address = "sqlite:" + filepath.Join(f.Data, "ledger.db")
	}
	return store.Open(ctx, address)
}

type treasuryShow struct {
	ledgerFlags
	Community string `arg:"" help:"The community's prefix."`
}

// Run is `moonfund treasury show`.
func (t treasuryShow) Run(ctx context.Context) error {
	db, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(ctx, func(tx *store.Tx) error {
		scripts, err := tx.WatchedAfter(ctx, 0)
		if err != nil {
			return err
		}
		found := false
		for _, w := range scripts {
			if w.Community == t.Community && (w.Kind == ledger.RunesKind || w.Kind == ledger.SatsKind) {
				fmt.Printf("%-6s %s\n", w.Kind, w.Ref)
				found = true
			}
		}
		if !found {
			return fmt.Errorf("the ledger knows no community %q", t.Community)
		}
		held, err := tx.Treasury(ctx, t.Community)
		if err != nil {
			return err
		}
		owed, err := tx.VirtualOwed(ctx, t.Community)
		fmt.Printf("holds  %s (booked, base units of the rune: %d)\nowes   %s to rewards not yet delivered\n", held.Decimal(8), held, owed.Decimal(8))
		return err
	})
}

type treasuryCredit struct {
	ledgerFlags
	Community string `arg:"" help:"The community's prefix."`
}

// Run is `moonfund treasury credit`.
func (t treasuryCredit) Run(ctx context.Context) error {
	db, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Update(ctx, func(tx *store.Tx) error {
		booked, err := tx.BookTreasury(ctx, t.Community)
		fmt.Printf("Booked %d outputs.\n", booked)
		return err
	})
}
