package main

import (
	"errors"
	"testing"
	"time"

	"moonfund/follower"
	"moonfund/ledger"
)

// While following has stopped, whatever the reason, the ledger is behind: nobody knows by how much, but not by 0.
func TestLag(t *testing.T) {
	at := func(height int64) ledger.Header { return ledger.Header{Height: height} }
	for _, row := range []struct {
		what  string
		state follower.State
		want  int64
	}{
		{"at the tip", follower.State{Tip: at(7), NodeHeight: 7, Synced: true}, 0},
		{"three behind", follower.State{Tip: at(4), NodeHeight: 7}, 3},
		{"stuck at the tip", follower.State{Tip: at(7), NodeHeight: 7, Err: errors.New("a step failed")}, 1},
		{"a step hangs", follower.State{Tip: at(7), NodeHeight: 7, Err: &follower.StallError{For: time.Minute}}, 1},
		{"the node is away", follower.State{Tip: at(ledger.None), NodeHeight: ledger.None, Err: errors.New("no node")}, 1},
		{"nothing was followed yet", follower.State{Tip: at(ledger.None), NodeHeight: 900}, 1},
	} {
		if got := lag(row.state); got != row.want {
			t.Errorf("%s: lag %d, want %d", row.what, got, row.want)
		}
	}
}
