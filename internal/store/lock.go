package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Lock locks a database file, so that no second server or signer uses it: two servers would repeatedly seize the lease
// from each other, and two signers would count their limits apart. It returns an error if another process holds the
// lock. The operating system releases the lock when the process ends. Lock does nothing for a PostgreSQL database,
// which several servers may share.
func Lock(address string) (release func(), err error) {
	path, isFile := strings.CutPrefix(address, "sqlite:")
	if !isFile {
		return func() {}, nil
	}
	file, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("another server works on %s: stop it first", path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() { _ = file.Close() }, nil
}
