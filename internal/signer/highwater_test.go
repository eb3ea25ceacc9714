package signer

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestMarks checks that a mark only increases, both in a file and in a signer's process, that the mark of another
// ledger is not replaced, and that an older copy of a ledger is accepted only with a higher generation.
func TestMarks(t *testing.T) {
	for _, kind := range []string{"file", "process"} {
		t.Run(kind, func(t *testing.T) {
			file := &MarkFile{Path: filepath.Join(t.TempDir(), "key.mark"), Network: "regtest"}
			var marks Marks = file
			if kind == "process" {
				marks = markProcess(t, file)
			}
			at := func(generation, journal, stake int64) Mark {
				return Mark{Ledger: "one", Generation: generation, Counts: map[string]int64{"journal": journal,
					"stake:lobo": stake}}
			}
			raise := func(m, want Mark) {
				t.Helper()
				kept, err := marks.Raise(t.Context(), m, "")
				if err != nil || !reflect.DeepEqual(kept, want) {
					t.Errorf("Raise(%+v): got %+v, %v; want %+v", m, kept, err, want)
				}
				if kept, err = marks.Load(t.Context()); err != nil || !reflect.DeepEqual(kept, want) {
					t.Errorf("Load: got %+v, %v; want %+v", kept, err, want)
				}
			}
			raise(at(0, 3, 1), at(0, 3, 1))
			raise(at(0, 5, 1), at(0, 5, 1))
			raise(at(0, 4, 2), at(0, 5, 1)) // one count is behind
			raise(at(1, 4, 1), at(1, 4, 1)) // an operator accepted the older copy
			raise(at(0, 9, 9), at(1, 4, 1)) // the replaced copy is rejected
			other := Mark{Ledger: "two", Counts: map[string]int64{}}
			if kept, err := marks.Raise(t.Context(), other, ""); !errors.Is(err, ErrOtherLedger) || kept.Ledger != "one" {
				t.Errorf("Raise of another ledger's mark: got %+v, %v, want ErrOtherLedger", kept, err)
			}
			if _, err := marks.Raise(t.Context(), other, "one"); err != nil {
				t.Errorf("Raise of a mark that replaces another ledger's: got error %v", err)
			}
			raise(other, other)
			if err := os.WriteFile(file.Path, []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := marks.Raise(t.Context(), other, ""); err == nil {
				t.Error("an unreadable mark was replaced")
			}
		})
	}
}

// markProcess starts a signer's process that stores its mark in a file.
func markProcess(t *testing.T, file *MarkFile) *Client {
	t.Helper()
	w := newWorld(t)
	w.config.Marks = file
	return w.overSocket()
}
