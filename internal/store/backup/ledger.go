package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

// Names of the entries, and of the files in the data folder that they are restored to.
const (
	ledgerEntry       = "ledger.jsonl"
	outflowEntry      = "outflow.json"
	headsEntry        = "statements.json"
	keyFolder         = "keys"
	communitiesFolder = "communities"
	ledgerFile        = "ledger.db"
)

// Source describes what a backup contains besides the ledger.
type Source struct {
	Data        string // folder with the signer's outflows of the last 24 hours, and its last statements
	Key         string // path of the key file; "" omits it
	Communities string // folder of the community manifests; "" omits them
	Program     string // program version
	Older       bool   // the ledger has an older schema, so that its height and communities may not be readable
}

// manifestsIn returns the paths of the manifests in a folder, or none for "". It returns an error if a named folder
// contains no manifest.
func manifestsIn(folder string) ([]string, error) {
	if folder == "" {
		return nil, nil
	}
	paths, err := community.Files(folder)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("--communities: there is no manifest (*.toml) in %s", folder)
	}
	return paths, err
}

// Write writes a backup of the ledger and of the files of s. A running server can continue to write to the ledger.
func (s Source) Write(ctx context.Context, db *store.Store, file string) (About, error) {
	manifests, err := manifestsIn(s.Communities)
	if err != nil {
		return About{}, err
	}
	return Write(file, func(w *Writer) error {
		w.About.Made, w.About.Program = time.Now().UTC().Truncate(time.Second), s.Program
		w.About.Height = chain.None
		if err := w.describe(ctx, db); err != nil && !s.Older {
			return err
		}
		if err := w.Add(ledgerEntry, func(to io.Writer) (err error) {
			w.About.Rows, err = db.Copy(ctx, to)
			return err
		}); err != nil {
			return err
		}
		return s.addFiles(w, manifests)
	})
}

// describe sets the height, networks and communities of the backup. Call it just before the ledger is copied; the copy
// may contain later blocks.
func (w *Writer) describe(ctx context.Context, db *store.Store) error {
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

// addFiles adds the records of the signer, the key file and the manifests.
func (s Source) addFiles(w *Writer, manifests []string) error {
	for _, name := range []string{outflowEntry, headsEntry} {
		record := filepath.Join(s.Data, name)
		if _, err := os.Stat(record); err == nil {
			if err := w.AddFile(name, record); err != nil {
				return err
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if s.Key != "" {
		if err := w.AddFile(keyFolder+"/"+filepath.Base(s.Key), s.Key); err != nil {
			return err
		}
	}
	for _, manifest := range manifests {
		if err := w.AddFile(communitiesFolder+"/"+filepath.Base(manifest), manifest); err != nil {
			return err
		}
	}
	return nil
}

// Position returns the height of the ledger in the backup as text, such as "block 900000".
func (a About) Position() string {
	if a.Height == chain.None {
		return "before any block"
	}
	return fmt.Sprintf("block %d", a.Height)
}

// Extras returns the names of the files other than the ledger, formatted as the end of a sentence, or "".
func (a About) Extras() string {
	var names []string
	for _, f := range a.Files {
		if f.Name != ledgerEntry {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", and " + strings.Join(names, ", ")
}

// Target is the destination of a restore.
type Target struct {
	Data     string             // folder; created if it does not exist
	Database string             // address of an empty database; "" means a file in Data
	Pause    string             // reason for the pause of the restored ledger
	Log      store.OperatorLine // entry that is added to the restored ledger's operator log
}

func (t Target) address() string {
	if t.Database != "" {
		return t.Database
	}
	return "sqlite:" + filepath.Join(t.Data, ledgerFile)
}

// Kept returns the entries of a backup that a restore does not write, because the data folder has them: they are newer
// than the backup, such as the signer's records.
func (t Target) Kept(about About) (kept []string) {
	for _, f := range about.Files {
		name := strings.Split(f.Name, "/")[0]
		_, err := os.Lstat(filepath.Join(t.Data, name))
		if f.Name != ledgerEntry && err == nil && !slices.Contains(kept, name) {
			kept = append(kept, name)
		}
	}
	return kept
}

// Replaces reports whether the data folder has a ledger, which a restore sets aside.
func (t Target) Replaces() bool {
	_, err := os.Lstat(filepath.Join(t.Data, ledgerFile))
	return t.Database == "" && err == nil
}

// Restore restores the files of a backup that the folder does not have, and then the ledger, which is paused from the
// time of the backup on. A ledger file gets its name when it is complete, so an interrupted restore leaves the old
// ledger or none. It returns the folder with the old ledger, or "" if there was none.
func (t Target) Restore(ctx context.Context, archive *Archive) (old string, err error) {
	if err := os.MkdirAll(t.Data, 0o700); err != nil {
		return "", fmt.Errorf("the data folder can't be created: %w", err)
	}
	release, err := store.Lock(t.address())
	if err != nil {
		return "", err
	}
	defer release()
	kept := t.Kept(archive.About)
	for _, f := range archive.About.Files {
		if f.Name == ledgerEntry || slices.Contains(kept, strings.Split(f.Name, "/")[0]) {
			continue
		}
		if err := t.unpack(archive, f.Name); err != nil {
			return "", err
		}
	}
	if old, err = t.load(ctx, archive); err != nil {
		return old, err
	}
	db, err := store.OpenWithoutMigration(ctx, t.address())
	if err != nil {
		return old, err
	}
	defer db.Close()
	return old, db.Update(ctx, func(tx *store.Tx) error {
		if _, err := tx.Log(ctx, t.Log); err != nil {
			return err
		}
		detail := "from the backup of " + archive.About.Made.UTC().Format(time.RFC3339)
		return tx.RecordIncident(ctx, "", store.IncidentRestore, detail, t.Log.At)
	})
}

// setAside moves the ledger, its journal and the audit's copy of the chain into a folder of their own. It returns ""
// without a ledger.
func (t Target) setAside() (old string, err error) {
	if !t.Replaces() {
		return "", nil
	}
	if old, err = os.MkdirTemp(t.Data, "before-restore-"); err != nil {
		return "", err
	}
	// The ledger is last: until then a repeated restore sets it aside again.
	for _, pattern := range []string{"audit.db*", ledgerFile + "-*", ledgerFile} {
		paths, err := filepath.Glob(filepath.Join(t.Data, pattern))
		if err != nil {
			return old, err
		}
		for _, path := range paths {
			if err := os.Rename(path, filepath.Join(old, filepath.Base(path))); err != nil {
				return old, err
			}
		}
	}
	return old, nil
}

// load restores the ledger's rows.
func (t Target) load(ctx context.Context, archive *Archive) (old string, err error) {
	rows, err := archive.Entry(ledgerEntry)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	pause := &store.Pause{Reason: t.Pause, Since: archive.About.Made}
	if t.Database != "" {
		return "", store.Load(ctx, t.Database, rows, pause)
	}
	unfinished, err := os.MkdirTemp(t.Data, ".restoring-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(unfinished)
	whole := filepath.Join(unfinished, ledgerFile)
	if err := store.Load(ctx, "sqlite:"+whole, rows, pause); err != nil {
		return "", err
	}
	if old, err = t.setAside(); err != nil {
		return old, err
	}
	if err := os.Rename(whole, filepath.Join(t.Data, ledgerFile)); err != nil {
		return old, err
	}
	return old, syncFolder(t.Data)
}

// unpack restores one file of the backup into the data folder.
func (t Target) unpack(archive *Archive, name string) (err error) {
	from, err := archive.Entry(name)
	if err != nil {
		return err
	}
	defer from.Close()
	to := filepath.Join(t.Data, filepath.FromSlash(path.Clean(name)))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Sync(), file.Close())
}
