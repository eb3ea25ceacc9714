package signing

import (
	"errors"
	"path/filepath"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestServersShareHeads checks that two servers on one PostgreSQL database, each with a separate data folder, sign one
// chain of statements.
func TestServersShareHeads(t *testing.T) {
	address := testkit.NewDatabase(t)
	server := func() signer.Heads {
		db, err := store.Open(t.Context(), address)
		testkit.Must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return SharedHeads(StatementHeads(t.TempDir(), filepath.Join(t.TempDir(), "key"), chain.Network{Name: "regtest"}), db)
	}
	one, two := server(), server()
	heads := []signer.Head{signer.NoHead, {Sequence: 0, ID: statement.Hash{1}}, {Sequence: 1, ID: statement.Hash{2}}}
	testkit.Must(t, one.Advance(t.Context(), 3, heads[0], heads[1]))
	if head, err := two.Load(t.Context(), 3); err != nil || head != heads[1] {
		t.Errorf("head of the other server: %+v, %v", head, err)
	}
	if head, err := two.Load(t.Context(), 4); err != nil || head != signer.NoHead {
		t.Errorf("head of another account: %+v, %v", head, err)
	}
	testkit.Must(t, two.Advance(t.Context(), 3, heads[1], heads[1]))
	testkit.Must(t, two.Advance(t.Context(), 3, heads[1], heads[2]))
	fork := signer.Head{Sequence: 1, ID: statement.Hash{3}}
	if err := one.Advance(t.Context(), 3, heads[1], fork); !errors.Is(err, signer.ErrHeadMoved) {
		t.Errorf("a fork: got error %v", err)
	}
	if head, err := one.Load(t.Context(), 3); err != nil || head != heads[2] {
		t.Errorf("head after a fork was refused: %+v, %v", head, err)
	}
}

// TestReplaceNote checks that exactly one of several servers that replace the same note succeeds.
func TestReplaceNote(t *testing.T) {
	db, err := store.Open(t.Context(), testkit.NewDatabase(t))
	testkit.Must(t, err)
	defer db.Close()
	for _, before := range []string{"", "0"} {
		won := make(chan bool)
		for range 8 {
			go func() {
				replaced, err := db.ReplaceNote(t.Context(), "x", before, before+"0")
				won <- replaced && err == nil
			}()
		}
		n := 0
		for range 8 {
			if <-won {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d servers replaced the note %q", n, before)
		}
	}
}
