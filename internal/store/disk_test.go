package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moonfund/internal/testkit/engine"
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

// TestFullDisk fills the disk of a ledger. The change that does not fit is refused as a whole, reads go on, and after
// space was freed the ledger has every acknowledged change and takes new ones.
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
	if err == nil || !strings.Contains(err.Error(), "database or disk is full") || kept == 0 {
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

// TestReadOnlyDisk opens a ledger on a disk that can't be written, and loses nothing.
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

// upgradeVariable is the address of the ledger that a child process of TestInterruptedUpgrade upgrades.
const upgradeVariable = "MOONFUND_TEST_UPGRADE"

// TestInterruptedUpgrade kills a process that migrates an old ledger, at several moments. The next start completes the
// migration, and no row has changed.
func TestInterruptedUpgrade(t *testing.T) {
	if address := os.Getenv(upgradeVariable); address != "" {
		fmt.Println("begins")
		must(t, openAndClose(t.Context(), address))
		return
	}
	if engine.Current() != engine.SQLite {
		t.Log("the old ledger is an SQLite file")
		return
	}
	script, err := os.ReadFile(filepath.Join(upgradeData, "ledger.sql"))
	must(t, err)
	first := filepath.Join(t.TempDir(), "ledger.db")
	db, err := sql.Open("sqlite", "file:"+first+"?_pragma=synchronous(OFF)")
	must(t, err)
	_, err = db.Exec("BEGIN;" + string(script) + "COMMIT;")
	must(t, err)
	must(t, db.Close())
	before := facts(t, "sqlite:"+first)
	content, err := os.ReadFile(first)
	must(t, err)
	old := func() string {
		path := filepath.Join(t.TempDir(), "ledger.db")
		must(t, os.WriteFile(path, content, 0o600))
		return "sqlite:" + path
	}
	whole := upgradeFor(t, old(), time.Minute)
	const kills = 8
	between := 0
	for n := range kills {
		address := old()
		from := schemaOf(t, address)
		upgradeFor(t, address, whole*time.Duration(n)/kills)
		reached := schemaOf(t, address)
		upgraded(t, address)
		if reached > from && reached < schemaOf(t, address) {
			between++
		}
		for table, want := range before {
			if got := facts(t, address)[table]; got != want {
				t.Errorf("killed after %d of %d parts: %s was\n%s\nand is\n%s", n, kills, table, want, got)
			}
		}
	}
	t.Logf("%d of %d kills were between two migrations of an upgrade of %s", between, kills, whole)
}

// upgradeFor starts an upgrade in a child process, kills it after a time, and returns how long it ran.
func upgradeFor(t *testing.T, address string, limit time.Duration) time.Duration {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestInterruptedUpgrade$")
	child.Env = append(os.Environ(), upgradeVariable+"="+address, "MOONFUND_TEST_ENGINE=sqlite")
	output, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "begins\n" {
		t.Fatalf("the child process printed %q: %v", line, err)
	}
	began := time.Now()
	timer := time.AfterFunc(limit, func() { _ = child.Process.Kill() }) // fails if it has ended
	defer timer.Stop()
	err = child.Wait()
	if ended := new(exec.ExitError); err != nil && (!errors.As(err, &ended) || ended.Exited()) {
		t.Fatalf("the child process: %v", err)
	}
	return time.Since(began)
}

func schemaOf(t *testing.T, address string) (version int64) {
	t.Helper()
	s, err := connect(address)
	must(t, err)
	defer func() { must(t, s.Close()) }()
	_, version, _, err = s.versions(t.Context())
	must(t, err)
	return version
}
