// Package disk measures free disk space.
package disk

import (
	"math"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Least is the free space below which a server is about to stop, in bytes. MoonfundDiskFull in
// docs/operations/alerts.yaml has the same limit.
const Least = int64(512) << 20

// Existing returns the path, or its nearest parent folder that exists.
func Existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// Free returns the disk space for a path that is available to an unprivileged user, in bytes.
func Free(path string) (int64, error) {
	var stat unix.Statfs_t
	if err := unix.Statfs(Existing(path), &stat); err != nil {
		return 0, err
	}
	blocks := min(stat.Bavail, math.MaxInt64/uint64(max(stat.Bsize, 1)))
	return int64(blocks) * stat.Bsize, nil
}
