package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk mounts an empty disk of 8 MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=8m"); errors.Is(err, syscall.EPERM) {
		t.Skip("mounting a disk needs root")
	} else {
		must(t, err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(folder, 0)) })
	return folder
}

// TestFullDisk fills the disk of a ledger. The change that does not fit is rejected as a whole and reads continue. Once
// space is freed, the ledger has every acknowledged change and accepts new ones.
func TestFullDisk(t *testing.T) {
	folder := smallDisk(t)
	address := "sqlite:" + filepath.Join(folder, "ledger.db")
	s, err := Open(t.Context(), address)
	must(t, err)
	text := strings.Repeat("x", 64<<10)
	put := func(n int) error {
		return s.Update(t.Context(), func(tx *Tx) error {
			return errors.Join(tx.PutSetting(t.Context(), fmt.Sprint("first ", n), text),
				tx.PutSetting(t.Context(), fmt.Sprint("second ", n), text))
		})
	}
	kept := 0
	for err = put(kept); err == nil && kept < 1000; err = put(kept) {
		kept++
	}
	if err == nil || !strings.Contains(err.Error(), "The disk of "+filepath.Join(folder, "ledger.db")+" is full") ||
		kept == 0 {
		t.Fatalf("after %d changes: %v", kept, err)
	}
	check := func() {
		t.Helper()
		must(t, s.View(t.Context(), func(tx *Tx) error {
			for n := range kept + 1 {
				for _, name := range []string{"first ", "second "} {
					value, err := tx.Setting(t.Context(), fmt.Sprint(name, n))
					if err != nil || (value == text) != (n < kept) {
						t.Errorf("%s%d of %d has %d characters: %v", name, n, kept, len(value), err)
					}
				}
			}
			return nil
		}))
	}
	check()
	must(t, s.Close())
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT, "size=32m"))
	s = openAt(t, address)
	check()
	must(t, put(kept))
	kept++
	check()
}

// TestReadOnlyDisk checks that a ledger on a read-only disk loses nothing.
func TestReadOnlyDisk(t *testing.T) {
	folder := smallDisk(t)
	address := "sqlite:" + filepath.Join(folder, "ledger.db")
	must(t, openAndClose(t.Context(), address))
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	if _, err := Lock(address); err == nil || !strings.Contains(err.Error(), "read-only file system") {
		t.Errorf("the lock of a server: %v", err)
	}
	if err := openAndClose(t.Context(), address); err == nil || !strings.Contains(err.Error(), "readonly database") &&
		!strings.Contains(err.Error(), "unable to open database file") {
		t.Errorf("the ledger: %v", err)
	}
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT, ""))
	must(t, openAndClose(t.Context(), address))
}

func openAndClose(ctx context.Context, address string) error {
	s, err := Open(ctx, address)
	if err != nil {
		return err
	}
	return s.Close()
}
