package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"moonfund/internal/server/disk"
)

// Limits of free disk space, in bytes, below which the check warns. Below disk.Least it fails.
const (
	mebibyte     = int64(1) << 20
	plentyFree   = 2048 * mebibyte
	plentyOnMain = 40 * 1024 * mebibyte // index of every rune, backups and future growth
)

// CheckDisk checks the free space for the ledger at path on a network.
func CheckDisk(path, network string) Finding {
	const check = "disk"
	free, err := disk.Free(path)
	if err != nil {
		return failed(check, err.Error(), "Mount the disk, or correct the path.")
	}
	wanted := plentyFree
	if network == "mainnet" {
		wanted = plentyOnMain
	}
	found := fmt.Sprintf("%d MiB free for %s", free/mebibyte, path)
	switch {
	case free < disk.Least:
		return failed(check, found, fmt.Sprintf("Free at least %d MiB: a server stops when its disk is full.",
			disk.Least/mebibyte))
	case free < wanted:
		return warn(check, found, fmt.Sprintf("%d MiB are comfortable on %s.", wanted/mebibyte, network))
	}
	return ok(check, found)
}

// CheckFolder checks that files can be created in a folder, by creating and removing one. For a folder that does not
// exist it checks the nearest parent folder.
func CheckFolder(check, folder string) Finding {
	at := disk.Existing(folder)
	info, err := os.Stat(at)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is a file", at)
	}
	if err != nil {
		return failed(check, err.Error(), "Name a folder.")
	}
	probe, err := os.CreateTemp(at, ".moonfund-check-*")
	if err == nil {
		_, written := probe.Write(make([]byte, 4096))
		err = errors.Join(written, probe.Sync(), probe.Close(), os.Remove(probe.Name()))
	}
	if err != nil {
		return failed(check, "nothing can be written into "+at+": "+reason(err), writeAdvice(err))
	}
	if at != folder {
		return ok(check, folder+" can be created")
	}
	return ok(check, folder+" can be written")
}

// reason returns the text of an error without the name of the temporary file.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

func writeAdvice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "Free space on this disk."
	case errors.Is(err, syscall.EROFS):
		return "Mount the disk for writing."
	case errors.Is(err, fs.ErrPermission):
		return "Run the command as the user who owns the folder, such as with sudo."
	}
	return "Correct the path, or the folder's permissions."
}

// checkBackups checks the folder of the automatic backups.
func checkBackups(backups, data string) Finding {
	const check = "backups"
	if backups == "" {
		return warn(check, "no automatic backups are made", "Set MOONFUND_BACKUPS to a folder on another disk.")
	}
	if f := CheckFolder(check, backups); f.Level != OK {
		return f
	}
	if sameDisk(backups, data) {
		return warn(check, backups+" is on the disk of the ledger", "Use another disk, and copy backups to another machine.")
	}
	return ok(check, backups+" is on another disk than the ledger")
}

func sameDisk(a, b string) bool {
	var first, second unix.Stat_t
	return unix.Stat(disk.Existing(a), &first) == nil && unix.Stat(disk.Existing(b), &second) == nil &&
		first.Dev == second.Dev
}

// ClockSynchronized reports whether a time server sets the system clock, according to the kernel.
func ClockSynchronized() (bool, error) {
	state, err := unix.Adjtimex(&unix.Timex{})
	return err == nil && state != unix.TIME_ERROR, err
}
