package custody_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/custody"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/follower"
	"moonfund/internal/testkit"
)

// blockNode is a node that can't list its unspent outputs, like btcd.
type blockNode struct{ follower.Node }

func (blockNode) ScanUnspent(context.Context, [][]byte) ([]chain.Paid, error) {
	return nil, chain.ErrNoScan
}

// manifests returns the manifest of a world's community with the keys that its addresses depend on.
func manifests(t testing.TB) []community.Manifest {
	t.Helper()
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	testkit.Must(t, err)
	dir := t.TempDir()
	edited := strings.Replace(string(text), "[rune]", "[rune]\nid = \""+testkit.Rune.String()+"\"", 1)
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "lobo.toml"), []byte(edited), 0o600))
	all, err := community.LoadDir(dir, "regtest")
	testkit.Must(t, err)
	return all
}

func worldKeys(t testing.TB) *signer.Keys {
	t.Helper()
	keys, err := testkit.Secret(signer.SchemeSeed).Keys()
	testkit.Must(t, err)
	return keys
}

func accounts(t testing.TB, w *testkit.World, keys *signer.Keys) custody.Accounts {
	t.Helper()
	a, err := custody.NewAccounts(w.Network, manifests(t), func(account uint32) (string, error) {
		return keys.AccountXpub(account, w.Network)
	})
	testkit.Must(t, err)
	return a
}

func search(t *testing.T, w *testkit.World) custody.Search {
	return custody.Search{Node: blockNode{w.Chain()}, Report: func(text string) { t.Log(text) }}
}

func none() error { return nil }

// TestFromChain checks that deposits of known stakers are found at addresses that the ledger never issued, and are
// adopted once.
func TestFromChain(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 50_000)
	stale := w.Copy()
	unit, _ := w.Deposit(w.Anna, 70_000)
	w.Settle(1)
	w.Deposit(w.Bert, 60_000) // the copy does not have Bert
	w.Settle(1)
	a := accounts(t, w, worldKeys(t))
	found, err := a.FromChain(t.Context(), stale.Store, search(t, w), 3, none)
	testkit.Must(t, err)
	if len(found) != 1 || found[0].Wallet.Ordinals != w.Anna.Ordinals.Text {
		t.Fatalf("FromChain returned %+v", found)
	}
	author := decisions.Author{By: "olga", Why: "found again"}
	for _, want := range []int{1, 0} {
		fresh, err := custody.Unknown(t.Context(), stale.Store, found)
		testkit.Must(t, err)
		if len(fresh) != want {
			t.Errorf("Unknown returned %d addresses, want %d", len(fresh), want)
		}
		added, err := custody.Adopt(author, found).Make(t.Context(), stale.Store, func(preview string) error {
			if !strings.Contains(preview, found[0].Address) {
				t.Errorf("the preview does not contain the address: %s", preview)
			}
			return nil
		})
		testkit.Must(t, err)
		if len(added) != want {
			t.Errorf("Adopt returned %v, want %d addresses", added, want)
		}
	}
	if all, err := a.FromChain(t.Context(), stale.Store, search(t, w), 3, none); err != nil || len(all) != 0 {
		t.Errorf("FromChain after the adoption: got %v, %v", all, err)
	}
	_, err = stale.Follower.Rebuild(t.Context(), nil, func(int64, int64) {})
	testkit.Must(t, err)
	stale.Step()
	if stale.Stage(unit) == "" {
		t.Error("the deposit is not credited")
	}
}

// TestHistory checks that a key of a funded treasury has a history, and that a new key has none.
func TestHistory(t *testing.T) {
	w := testkit.NewWorld(t)
	treasury, _ := w.Account.TreasuryRunes()
	history, err := accounts(t, w, worldKeys(t)).History(t.Context(), search(t, w))
	if err != nil || !strings.Contains(history, treasury.Text) {
		t.Errorf("history of a used key: got %q, %v, want the treasury's address", history, err)
	}
	fresh, err := signer.NewKeyFile(filepath.Join(t.TempDir(), "key"), "a passphrase")
	testkit.Must(t, err)
	if history, err := accounts(t, w, fresh).History(t.Context(), search(t, w)); err != nil || history != "" {
		t.Errorf("history of a new key: got %q, %v, want none", history, err)
	}
}
