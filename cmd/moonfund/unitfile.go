package main

import (
	"fmt"

	"moonfund/internal/operate/setup"
)

// unitFile prints the systemd unit that a package contains.
type unitFile struct{}

// Run is `moonfund unit-file`.
func (unitFile) Run() error {
	fmt.Print(setup.DefaultUnitOf("/usr/bin/moonfund").Text())
	return nil
}
