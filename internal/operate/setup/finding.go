// Package setup prepares a machine for a server, and checks the machine of an existing server: the node, the disk, the
// clock, the files and the connection from the domain to the server. It writes the settings, a manifest, a key file and
// a systemd unit.
package setup

import (
	"slices"
)

// Level is the result of a check.
type Level string

// The levels, from best to worst.
const (
	OK   Level = "ok"
	Warn Level = "warn" // the server runs, but something should be changed
	Fail Level = "fail" // the server does not run, or money is at risk
)

var levels = []Level{OK, Warn, Fail}

// Finding is the result of one check.
type Finding struct {
	Check string `json:"check"` // name of the check, such as node or disk
	Level Level  `json:"level"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // advice; empty if the level is OK
}

func ok(check, found string) Finding         { return Finding{Check: check, Level: OK, Found: found} }
func warn(check, found, do string) Finding   { return Finding{check, Warn, found, do} }
func failed(check, found, do string) Finding { return Finding{check, Fail, found, do} }

// Worst returns the worst level of the findings, or OK if there are none.
func Worst(findings []Finding) Level {
	worst := OK
	for _, f := range findings {
		if slices.Index(levels, f.Level) > slices.Index(levels, worst) {
			worst = f.Level
		}
	}
	return worst
}
