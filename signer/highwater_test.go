package signer

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A mark rises with its ledger and never falls, in a file and in a signer's process alike. Another ledger's is
// left as it is, and an older copy only goes on with a higher generation.
func TestMarks(t *testing.T) {
	for _, kind := range []string{"file", "process"} {
		t.Run(kind, func(t *testing.T) {
			file := &MarkFile{Path: filepath.Join(t.TempDir(), "key.mark"), Network: "regtest"}
			var marks Marks = file
			if kind == "process" {
				marks = markProcess(t, file)
			}
			at := func(generation, journal, stake int64) Mark {
				return Mark{Ledger: "one", Generation: generation, Counts: map[string]int64{"journal": journal, "stake:lobo": stake}}
			}
			raise := func(m, want Mark) {
				t.Helper()
				kept, err := marks.Raise(t.Context(), m, "")
				if err != nil || !reflect.DeepEqual(kept, want) {
					t.Errorf("raised to %+v: %+v, %v; want %+v", m, kept, err, want)
				}
				if kept, err = marks.Kept(t.Context()); err != nil || !reflect.DeepEqual(kept, want) {
					t.Errorf("kept is %+v, %v; want %+v", kept, err, want)
				}
			}
			raise(at(0, 3, 1), at(0, 3, 1))
			raise(at(0, 5, 1), at(0, 5, 1))
			raise(at(0, 4, 2), at(0, 5, 1)) // behind in one of them
			raise(at(1, 4, 1), at(1, 4, 1)) // an operator went on with it
			raise(at(0, 9, 9), at(1, 4, 1)) // and no more with the other
			other := Mark{Ledger: "two", Counts: map[string]int64{}}
			if kept, err := marks.Raise(t.Context(), other, ""); !errors.Is(err, ErrOtherLedger) || kept.Ledger != "one" {
				t.Errorf("another ledger: %+v, %v", kept, err)
			}
			if _, err := marks.Raise(t.Context(), other, "one"); err != nil {
				t.Errorf("another ledger that replaces the first one: %v", err)
			}
			raise(other, other)
			if err := os.WriteFile(file.Path, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := marks.Raise(t.Context(), other, ""); err == nil {
				t.Error("a mark that can't be read was replaced")
			}
		})
	}
}

// markProcess is a signer's process that keeps its mark in a file.
func markProcess(t *testing.T, file *MarkFile) *Client {
	t.Helper()
	w := newWorld(t)
	w.config.Marks = file
	return w.overSocket()
}
