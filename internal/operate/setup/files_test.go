package setup_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moonfund/internal/operate/setup"
	"moonfund/internal/testkit"
)

// smallDisk mounts an empty disk of the given size, to test a full disk and a read-only disk.
func smallDisk(t *testing.T, options string, flags uintptr) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", flags, options); errors.Is(err, syscall.EPERM) {
		t.Skip("mounting a disk needs root")
	} else {
		testkit.Must(t, err)
	}
	t.Cleanup(func() { testkit.Must(t, syscall.Unmount(folder, 0)) })
	return folder
}

// list returns the paths below a folder, relative to it.
func list(t *testing.T, folder string) (paths []string) {
	t.Helper()
	testkit.Must(t, filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		if path != folder {
			paths = append(paths, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	}))
	return paths
}

func twoFiles(folder string) setup.Plan {
	return setup.Plan{
		Folders: []setup.Folder{{Path: filepath.Join(folder, "etc", "communities"), Mode: 0o750}},
		Files: []setup.File{
			{Path: filepath.Join(folder, "etc", "a"), Text: "first", Mode: 0o640},
			{Path: filepath.Join(folder, "etc", "b"), Text: strings.Repeat("x", 1<<17), Mode: 0o600, Keep: true},
		},
	}
}

func TestWriteAll(t *testing.T) {
	folder := t.TempDir()
	testkit.Must(t, twoFiles(folder).Write(false))
	if got := strings.Join(list(t, folder), " "); got != "etc etc/a etc/b etc/communities" {
		t.Errorf("the written files are %s", got)
	}
	info, err := os.Stat(filepath.Join(folder, "etc", "a"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file has the mode %v, error %v", info.Mode(), err)
	}
}

// TestWriteNeverOverwrites checks that nothing is replaced without --overwrite, and that key files are never replaced.
func TestWriteNeverOverwrites(t *testing.T) {
	folder := t.TempDir()
	plan := twoFiles(folder)
	testkit.Must(t, os.MkdirAll(filepath.Join(folder, "etc"), 0o755))
	testkit.Must(t, os.WriteFile(plan.Files[0].Path, []byte("mine"), 0o600))
	if err := plan.Write(false); err == nil || !strings.Contains(err.Error(), "--overwrite replaces it") ||
		!strings.Contains(err.Error(), "Nothing was written") {
		t.Errorf("Write over an existing file: got error %v", err)
	}
	if got := strings.Join(list(t, folder), " "); got != "etc etc/a" {
		t.Errorf("files left behind: %s", got)
	}
	testkit.Must(t, plan.Write(true))
	err := plan.Write(true)
	if err == nil || !strings.Contains(err.Error(), plan.Files[1].Path) || !strings.Contains(err.Error(), "Complete are: "+
		plan.Files[0].Path) {
		t.Errorf("Write over a key file: got error %v", err)
	}
	if got := strings.Join(list(t, folder), " "); got != "etc etc/a etc/b etc/communities" {
		t.Errorf("files left behind: %s", got)
	}
}

func TestFullDisk(t *testing.T) {
	folder := smallDisk(t, "size=64k", 0)
	err := twoFiles(folder).Write(false)
	if err == nil || !strings.Contains(err.Error(), "no space left on device. Nothing was written. Free space") {
		t.Errorf("Write to a full disk: got error %v", err)
	}
	if left := list(t, folder); len(left) > 0 {
		t.Errorf("files left behind: %v", left)
	}
	want(t, setup.CheckDisk(folder, "mainnet"), setup.Fail, "0 MiB free", "Free at least 512 MiB")
	testkit.Must(t, os.WriteFile(filepath.Join(folder, "fill"), make([]byte, 64<<10), 0o600))
	want(t, setup.CheckFolder("data", folder), setup.Fail, "no space left on device", "Free space")
	if got := list(t, folder); len(got) != 1 {
		t.Errorf("the check left %v", got)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	folder := smallDisk(t, "size=1m", syscall.MS_RDONLY)
	err := twoFiles(folder).Write(false)
	if err == nil || !strings.Contains(err.Error(), "read-only file system. Nothing was written. Mount the disk") {
		t.Errorf("Write to a read-only disk: got error %v", err)
	}
	want(t, setup.CheckFolder("data", filepath.Join(folder, "below", "it")), setup.Fail, "read-only file system", "Mount")
}

func TestCheckFolder(t *testing.T) {
	folder := t.TempDir()
	want(t, setup.CheckFolder("data", folder), setup.OK, "can be written")
	want(t, setup.CheckFolder("data", filepath.Join(folder, "x", "y")), setup.OK, "can be created")
	file := filepath.Join(folder, "file")
	testkit.Must(t, os.WriteFile(file, nil, 0o600))
	want(t, setup.CheckFolder("data", file), setup.Fail, "is a file")
	if got := list(t, folder); len(got) != 1 {
		t.Errorf("the checks left %v", got)
	}
	roomy := smallDisk(t, "size=1g", 0)
	want(t, setup.CheckDisk(roomy, "regtest"), setup.Warn, "1024 MiB free", "2048 MiB are comfortable")
	want(t, setup.CheckDisk(smallDisk(t, "size=3g", 0), "regtest"), setup.OK)
}

// TestSettingsAreReadAlike checks that this program and a shell read the same values from a settings file.
func TestSettingsAreReadAlike(t *testing.T) {
	values := []string{
		"plain", `it's "50 %" of $HOME \ and ` + "`date`", "a b\tc", "#x", "a=b", "ü€", "'", `\n`, "$$", "~/x",
	}
	settings := setup.Settings{{Name: "MOONFUND_EMPTY"}}
	command := ""
	for i, value := range values {
		name := "MOONFUND_" + string(rune('A'+i))
		settings = append(settings, setup.Setting{Name: name, Value: value})
		command += `printf '%s\0' "$` + name + `"; `
	}
	path := filepath.Join(t.TempDir(), "moonfund.env")
	testkit.Must(t, os.WriteFile(path, []byte(settings.Text()), 0o600))
	read, err := setup.ReadSettings(path)
	testkit.Must(t, err)
	if _, given := read["MOONFUND_EMPTY"]; given {
		t.Error("an empty setting is written")
	}
	printed, err := exec.Command("sh", "-c", "set -a; . "+path+"; "+command).Output()
	testkit.Must(t, err)
	for i, byShell := range strings.Split(strings.TrimSuffix(string(printed), "\x00"), "\x00") {
		if byProgram := read[settings[i+1].Name]; byShell != values[i] || byProgram != values[i] {
			t.Errorf("%q is %q to a shell and %q to the program", values[i], byShell, byProgram)
		}
	}
	if _, err := setup.ReadSettings(path + "x"); err == nil {
		t.Error("no error for a missing file")
	}
	testkit.Must(t, os.WriteFile(path, []byte("MOONFUND KEY\n= x"), 0o600))
	if _, err := setup.ReadSettings(path); err == nil {
		t.Error("no error for a malformed file")
	}
}

// TestUnit verifies the unit with systemd-analyze.
func TestUnit(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	program := filepath.Join(t.TempDir(), "moonfund")
	testkit.Must(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	path := filepath.Join(t.TempDir(), "moonfund.service")
	testkit.Must(t, os.WriteFile(path, []byte(setup.DefaultUnitOf(program).Text()), 0o644))
	// Verify without man pages and without the units of this machine.
	output, err := exec.Command("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", path).CombinedOutput()
	if err != nil || strings.Contains(string(output), "moonfund.service") {
		t.Errorf("systemd-analyze verify: %v\n%s", err, output)
	}
	output, err = exec.Command("systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", path).
		CombinedOutput()
	if err != nil {
		t.Errorf("systemd-analyze security: %v\n%s", err, output)
	}
}
