package signing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// markFile is the name of the high-water mark in a signer's folder.
const markFile = "mark.json"

// AdoptCommand is the command of the record line of a move.
const AdoptCommand = "signer adopt"

// indexAddress returns the address of the index in a signer's folder.
func indexAddress(data string) string { return "sqlite:" + filepath.Join(data, "index.db") }

// Move moves a key with all its records to a signer: the markers beside the key file, the record of the last 24 hours,
// the record of the last statements, the high-water mark, and a signer's pause with its record. Without one of them the
// key would sign above its limits, or sign nothing.
type Move struct {
	FromKey  string // key file
	FromData string // data folder of the server, or folder of the signer, that signed with it
	Key      string // new key file
	Data     string // folder of the signer
}

// movedFile is a file of a move.
type movedFile struct{ from, to string }

// Prepare locks both folders and checks that the move is complete. It changes no file of the key. The caller calls
// release when the move is done.
func (m Move) Prepare() (release func(), err error) {
	if filepath.Clean(m.FromKey) == filepath.Clean(m.Key) || filepath.Clean(m.FromData) == filepath.Clean(m.Data) {
		return nil, errors.New("the new key file and the signer's folder must differ from the old ones")
	}
	if _, err := m.files(); err != nil {
		return nil, err
	}
	var all []func()
	release = func() {
		for _, unlock := range all {
			unlock()
		}
	}
	for _, address := range []string{"sqlite:" + filepath.Join(m.FromData, "ledger.db"), indexAddress(m.FromData),
		indexAddress(m.Data)} {
		if _, err := os.Stat(strings.TrimPrefix(address, "sqlite:")); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		unlock, err := store.Lock(address)
		if err != nil {
			release()
			return nil, err
		}
		all = append(all, unlock)
	}
	return release, nil
}

// Run copies every file, and removes the old ones when all copies are durable: the key file first, so that nothing
// signs with it there any more. Another Run completes a move that was interrupted before that. After it, only old
// records can be left there, which nothing uses.
func (m Move) Run(ctx context.Context, by, why string, at time.Time) error {
	files, err := m.files()
	if err != nil {
		return err
	}
	if !exists(m.Data) {
		if err := errors.Join(os.MkdirAll(m.Data, 0o700), own(m.Data, filepath.Dir(m.Data))); err != nil {
			return fmt.Errorf("the signer's folder can't be created: %w", err)
		}
	}
	for _, file := range files {
		if err := m.copy(file); err != nil {
			return fmt.Errorf("%w. Nothing was removed: correct that, and run the command again", err)
		}
	}
	marks, err := m.raiseMarks(ctx)
	if err != nil {
		return fmt.Errorf("the high-water mark: %w. Nothing was removed", err)
	}
	old := []string{m.FromKey}
	for _, file := range files {
		if file.from != m.FromKey {
			old = append(old, file.from)
		}
	}
	for _, path := range append(old, marks...) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the key and its records are in the new place, but the old ones can't be removed: %w. Remove "+
				"%s: a second signer would sign as much again", err, m.FromKey)
		}
	}
	line := signer.RecordLine{At: at, By: by, Command: AdoptCommand, Why: why, Detail: m.FromKey + ", " + m.FromData}
	if err := PauseFile(m.Data).Append(line); err != nil {
		return err
	}
	return own(PauseFile(m.Data).RecordPath(), m.Data)
}

// files returns the files to move, the key file last. It returns an error if the key lacks a record, or if the new
// place has another one.
func (m Move) files() (files []movedFile, err error) {
	if err := signer.CheckKeyFile(m.FromKey); err != nil {
		return nil, err
	}
	outflows := filepath.Join(m.FromData, OutflowFile)
	if !exists(outflows) {
		return nil, fmt.Errorf("%s does not exist, so this would be half a move: name the folder in which this key has "+
			"signed. If that record is lost, run moonfund signer confirm-limits --data %s first", outflows, m.FromData)
	}
	add := func(from, to string) { files = append(files, movedFile{from, to}) }
	add(outflows, filepath.Join(m.Data, OutflowFile))
	heads := filepath.Join(m.FromData, HeadFile)
	if exists(heads) {
		add(heads, filepath.Join(m.Data, HeadFile))
	}
	for _, name := range []string{string(PauseFile("")), PauseFile("").RecordPath()} {
		if path := filepath.Join(m.FromData, name); exists(path) {
			add(path, filepath.Join(m.Data, name))
		}
	}
	for _, network := range chain.Networks() {
		started, signed := startedMarker(m.FromKey, network), headMarker(m.FromKey, network)
		if exists(signed) && !exists(heads) {
			return nil, fmt.Errorf("%s does not exist and this key has signed statements, so this would be half a move: "+
				"restore the file first (moonfund help restore)", heads)
		}
		for _, path := range []string{started, signed} {
			if exists(path) {
				add(path, m.Key+strings.TrimPrefix(path, m.FromKey))
			}
		}
	}
	add(m.FromKey, m.Key)
	for _, file := range files {
		if err := file.check(); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// check returns an error if the new place has another file. The record of a first start is none: it is of a signer that
// was started without the records of its key.
func (f movedFile) check() error {
	have, err := os.ReadFile(f.to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	moved, err := os.ReadFile(f.from)
	if err != nil || bytes.Equal(have, moved) || filepath.Base(f.to) == OutflowFile && signer.IsFirstStart(have) {
		return err
	}
	return fmt.Errorf("%s is another file than %s: name an empty folder, or remove what another key or an interrupted "+
		"move left there", f.to, f.from)
}

// copy copies a file and reads the copy again.
func (m Move) copy(f movedFile) error {
	text, err := os.ReadFile(f.from)
	if err != nil {
		return err
	}
	if err := signer.ReplaceFile(f.to, text); err != nil {
		return err
	}
	if copied, err := os.ReadFile(f.to); err != nil || !bytes.Equal(copied, text) {
		return errors.Join(fmt.Errorf("%s is no copy of %s", f.to, f.from), err)
	}
	return own(f.to, m.Data)
}

// raiseMarks raises the signer's marks to those of the key, and returns the old files.
func (m Move) raiseMarks(ctx context.Context) (old []string, err error) {
	to := filepath.Join(m.Data, markFile)
	for _, from := range []string{m.FromKey + ".mark", filepath.Join(m.FromData, markFile)} {
		if !exists(from) {
			continue
		}
		old = append(old, from)
		for _, network := range chain.Networks() {
			mark, err := (&signer.MarkFile{Path: from, Network: network.Name}).Load(ctx)
			if err != nil {
				return nil, err
			}
			if mark.Ledger == "" {
				continue
			}
			if _, err := (&signer.MarkFile{Path: to, Network: network.Name}).Raise(ctx, mark, ""); err != nil {
				return nil, err
			}
		}
	}
	if !exists(to) {
		return old, nil
	}
	return old, own(to, m.Data)
}

// own gives a file that root wrote to the owner of a folder.
func own(path, folder string) error {
	info, err := os.Stat(folder)
	if err != nil || os.Geteuid() != 0 {
		return err
	}
	if owner, known := info.Sys().(*syscall.Stat_t); known {
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
