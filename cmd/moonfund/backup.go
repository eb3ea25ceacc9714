package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/backup"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/store"
)

// Names in a backup, and below the data folder that it is restored to.
const (
	ledgerEntry      = "ledger.jsonl"
	outflowFile      = "outflow.json"
	keyFolder        = "keys"
	communitiesEntry = "communities"
)

type backupCommand struct {
	reading
	File        string `arg:"" help:"Where to write it; never over an existing file." type:"path"`
	Key         string `env:"MOONFUND_KEY" help:"The key file, to be put in as it is, encrypted." type:"path"`
	Communities string `env:"MOONFUND_COMMUNITIES" help:"Folder of the manifests, to be put in." type:"path"`
}

// Run is `moonfund backup`: one file with the ledger at one instant, while the server runs.
func (c backupCommand) Run(ctx context.Context) error {
	manifests, err := c.manifests()
	if err != nil {
		return err
	}
	if c.Key != "" && !isKeyFile(c.Key) {
		return fmt.Errorf("--key: %s is no key file", c.Key)
	}
	db, err := c.existing(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	about, err := c.write(ctx, db, manifests)
	if err != nil {
		return err
	}
	if c.JSON {
		return console.JSON(about)
	}
	fmt.Printf("Wrote %s: the ledger up to block %s, %d rows%s.\n", c.File, console.Height(about.Height), about.Rows, andFiles(about))
	if missing := c.missing(); missing != "" {
		fmt.Printf("Not in it: %s.\n", missing)
	}
	return nil
}

// write makes the file.
func (c backupCommand) write(ctx context.Context, db *store.Store, manifests []string) (backup.About, error) {
	return backup.Write(c.File, func(w *backup.Writer) error {
		w.About.Made, w.About.Program = time.Now().UTC().Truncate(time.Second), version
		if err := c.describe(ctx, db, w); err != nil {
			return err
		}
		if err := w.Add(ledgerEntry, func(to io.Writer) (err error) {
			w.About.Rows, err = db.Copy(ctx, to)
			return err
		}); err != nil {
			return err
		}
		return c.addFiles(w, manifests)
	})
}

// describe reads where the ledger stands, just before it is copied.
func (c backupCommand) describe(ctx context.Context, db *store.Store, w *backup.Writer) error {
	return db.View(ctx, func(tx *store.Tx) error {
		tip, err := tx.Tip(ctx)
		if err != nil {
			return err
		}
		w.About.Height, w.About.Block = tip.Height, tip.Hash
		bindings, err := tx.Bindings(ctx)
		for _, b := range bindings {
			w.About.Communities = append(w.About.Communities, b.Prefix)
			if !slices.Contains(w.About.Networks, b.Network) {
				w.About.Networks = append(w.About.Networks, b.Network)
			}
		}
		return err
	})
}

// addFiles puts in what is beside the ledger: what left the treasury in the last
// 24 hours, the key file and the manifests.
func (c backupCommand) addFiles(w *backup.Writer, manifests []string) error {
	outflow := filepath.Join(c.Data, outflowFile)
	if _, err := os.Stat(outflow); err == nil {
		if err := w.AddFile(outflowFile, outflow); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if c.Key != "" {
		if err := w.AddFile(keyFolder+"/"+filepath.Base(c.Key), c.Key); err != nil {
			return err
		}
	}
	for _, path := range manifests {
		if err := w.AddFile(communitiesEntry+"/"+filepath.Base(path), path); err != nil {
			return err
		}
	}
	return nil
}

func (c backupCommand) manifests() ([]string, error) {
	if c.Communities == "" {
		return nil, nil
	}
	paths, err := filepath.Glob(filepath.Join(c.Communities, "*.toml"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("--communities: there is no manifest (*.toml) in %s", c.Communities)
	}
	return paths, err
}

func (c backupCommand) missing() string {
	var missing []string
	if c.Key == "" {
		missing = append(missing, "the key file (--key)")
	}
	if c.Communities == "" {
		missing = append(missing, "the manifests (--communities)")
	}
	return strings.Join(missing, " and ")
}

func andFiles(about backup.About) string {
	var names []string
	for _, f := range about.Files {
		if f.Name != ledgerEntry {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", and " + strings.Join(names, ", ")
}

// isKeyFile reports whether a file looks like one of ours; it stays closed.
func isKeyFile(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(file, head)
	return strings.Contains(string(head[:n]), `"moonfund-key"`)
}

// blockWords says up to where a backup goes.
func blockWords(about backup.About) string {
	if about.Height == ledger.None {
		return "before any block"
	}
	return fmt.Sprintf("block %d", about.Height)
}
