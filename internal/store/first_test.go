package store

import (
	"errors"
	"testing"
)

// Read runs a function once if it executes one statement, otherwise again in a transaction.
func TestRead(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	must(t, s.Update(ctx, func(tx *Tx) error { return tx.PutSetting(ctx, "a", "1") }))
	for statements, wanted := range []int{1, 1, 2, 2} {
		runs, completed := 0, 0
		must(t, s.Read(ctx, func(tx *Tx) error {
			runs++
			for i := range statements {
				value, err := tx.Setting(ctx, "a")
				if err != nil {
					return err
				}
				if value != "1" {
					t.Errorf("statement %d reads %q", i, value)
				}
			}
			completed++
			return nil
		}))
		if runs != wanted || completed != 1 {
			t.Errorf("%d statements: %d runs, %d of them completed; want %d runs and 1", statements, runs, completed, wanted)
		}
	}

	var seen []string
	must(t, s.Read(ctx, func(tx *Tx) error {
		first, _ := tx.Setting(ctx, "a")
		_, ignored := tx.Refusals(ctx) // the run without a transaction has no effect even if its error is ignored
		seen = append(seen, first)
		if len(seen) == 1 && !errors.Is(ignored, errSecondStatement) {
			t.Errorf("the second statement of the first run: %v", ignored)
		}
		return nil
	}))
	if len(seen) != 2 {
		t.Errorf("a run whose second statement was refused counted: %v", seen)
	}
	if err := s.Read(ctx, func(tx *Tx) error { return tx.PutSetting(ctx, "a", "2") }); err == nil {
		t.Error("Read changed a setting")
	}
	failed := errors.New("failed")
	for statement := 1; statement <= 2; statement++ { // the second one is in a transaction
		left := statement
		err := s.Read(InjectFaults(ctx, func(string, bool) error {
			if left--; left == 0 {
				return failed
			}
			return nil
		}), func(tx *Tx) error {
			if _, err := tx.Setting(ctx, "a"); err != nil {
				return err
			}
			_, err := tx.Setting(ctx, "a")
			return err
		})
		if !errors.Is(err, failed) {
			t.Errorf("statement %d failed, and Read returned %v", statement, err)
		}
	}
}
