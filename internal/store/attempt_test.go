package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"moonfund/internal/state"
)

// An attempt that fails or has a bug leaves no row, and the rest of its transaction is stored.
func TestAttempt(t *testing.T) {
	s := open(t)
	errOwn := errors.New("own error")
	var bugs map[string]int
	must(t, s.Update(t.Context(), func(tx *Tx) error {
		for _, c := range []struct {
			name string
			end  func() error
			want string
		}{
			{"good", func() error { return nil }, ""},
			{"failed", func() error { return errOwn }, errOwn.Error()},
			{"bug", func() error { bugs["a"]++; return nil }, "nil map"},
			{"panic", func() error { panic("a text") }, "a text"},
			{"good again", func() error { return nil }, ""},
		} {
			failed, err := tx.Attempt(t.Context(), func() error {
				return errors.Join(tx.PutSetting(t.Context(), c.name, "put"), c.end())
			})
			if err != nil || (failed == nil) != (c.want == "") || failed != nil && !strings.Contains(failed.Error(), c.want) {
				t.Errorf("%s: %v, %v", c.name, failed, err)
			}
			if bug := new(state.Panic); (c.name == "bug" || c.name == "panic") &&
				(!errors.As(failed, &bug) || !strings.Contains(string(bug.Stack), "TestAttempt")) {
				t.Errorf("the bug has no stack: %v", failed)
			}
			if stored, err := tx.Setting(t.Context(), c.name); err != nil || (stored == "put") != (c.want == "") {
				t.Errorf("%s: the row is %q, %v", c.name, stored, err)
			}
		}
		return nil
	}))
	value := func() (value any) {
		defer func() { value = recover() }()
		return s.Update(t.Context(), func(tx *Tx) error {
			_, err := tx.Attempt(t.Context(), func() error { panic(testEnds{}) })
			return err
		})
	}()
	if p, is := value.(*state.Panic); !is || p.Value != (testEnds{}) {
		t.Errorf("the panic of a test that ends became %v", value)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.Update(ctx, func(tx *Tx) error {
		_, err := tx.Attempt(ctx, func() error { cancel(); return errOwn })
		return err
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("an attempt that was canceled: %v", err)
	}
}

// testEnds is the value of a panic that ends a test.
type testEnds struct{}

// Unrecoverable implements state.Unrecoverable.
func (testEnds) Unrecoverable() {}
