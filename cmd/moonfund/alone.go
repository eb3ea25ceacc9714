package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// alone makes sure that no other server works on a ledger in a file: two would
// only take the lead from each other. The lock ends with the process, however that
// ends. Servers on PostgreSQL may be several, and need none.
func alone(address string) (release func(), err error) {
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
