package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestAdoptFromAnotherLedger checks that a copy of a ledger adopts addresses that the original ledger created after the
// copy was made. An adopted address with an index in use is added beside the existing address. Its deposit is credited
// and earns from the next epoch on, and the audit passes.
func TestAdoptFromAnotherLedger(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 50_000)
	stale := w.Copy()
	unit, _ := w.Deposit(w.Bert, 70_000)
	w.Settle(3)
	w.NextEpoch()
	w.WantStage(unit, ledger.Staked)
	stale.StakeAddress(stale.Cleo, 5000) // with the index of Bert's
	stale.Step()
	if stage := stale.Stage(unit); stage != "" {
		t.Fatalf("the copy has the unit in stage %s, want no unit", stage)
	}
	key, manifests := worldKey(t), worldManifests(t)
	adopt := []string{"ledger", "adopt", "--network", "regtest", "--communities", manifests, "--key", key, "--by", "olga",
		"--why", "found again", "--json"}
	from := w.URL()
	var view adoptView
	for _, want := range []int{1, 0} { // the second run adopts nothing
		text, err := cli{stale}.command("yes\n", append(adopt, "--from", from)...)
		testkit.Must(t, err)
		testkit.Must(t, json.Unmarshal([]byte(text), &view))
		if view.Found != 2 || len(view.Adopted) != want {
			t.Errorf("ledger adopt: got %+v, want %d adopted addresses", view, want)
		}
	}
	var shown decisions.LedgerView
	if (cli{stale}).read(&shown, "ledger", "show"); shown.Unsearched != 1 || shown.Behind || shown.StakerSearch != nil {
		t.Errorf("ledger show after the adoption: got %+v", shown)
	}
	_, err := stale.Follower.Rebuild(t.Context(), nil, func(int64, int64) {})
	testkit.Must(t, err)
	stale.Step()
	stale.WantStage(unit, ledger.PendingStake)
	stale.NextEpoch()
	stale.WantStage(unit, ledger.Staked)
	db, err := audit.Open(stale.URL())
	testkit.Must(t, err)
	defer db.Close()
	report, err := audit.Run(context.Background(), db, stale.Chain(), audit.Config{
		Rules: runes.RulesFor(stale.Network), MinimumStake: map[string]amount.Runes{testkit.Prefix: testkit.MinimumStake},
	})
	testkit.Must(t, err)
	if !report.OK() {
		t.Errorf("the audit found violations: %v", report.Violations)
	}
}

// worldManifests writes a manifest of a world's community with the keys that the derivation of addresses needs.
func worldManifests(t *testing.T) (dir string) {
	t.Helper()
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	testkit.Must(t, err)
	dir = t.TempDir()
	edited := strings.Replace(string(text), "[rune]", "[rune]\nid = \""+testkit.Rune.String()+"\"", 1)
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "lobo.toml"), []byte(edited), 0o600))
	return dir
}

// kitOf returns the recovery kit of the first stake of a ledger.
func kitOf(w *testkit.World, owner *testkit.Wallet, unit string) api.RecoveryKit {
	w.Helper()
	records, err := store.ReadStakes(w.Context(), w.URL())
	testkit.Must(w, err)
	leaf, err := hex.DecodeString(records[0].LeafKey)
	testkit.Must(w, err)
	keys := vault.StakeKeys{Position: uint32(records[0].Position), Leaf: leaf, Delay: records[0].Delay}
	stake, err := w.Account.StakeOutput(keys)
	testkit.Must(w, err)
	return api.RecoveryKit{Network: "regtest", Destination: owner.Ordinals.Text, Outputs: []api.RecoveryOutput{{
		Outpoint: unit, Address: stake.Address, Delay: int64(stake.Delay), InternalKey: hex.EncodeToString(stake.InternalKey),
		CustodyKind: api.CustodyKindOperator, CommunityKey: hex.EncodeToString(stake.CommunityKey),
		LeafScript: hex.EncodeToString(stake.LeafScript), ControlBlock: hex.EncodeToString(stake.ControlBlock),
	}}}
}

// TestAdoptFromKit checks that a recovery kit is sufficient to adopt its address, and that a changed kit is refused.
func TestAdoptFromKit(t *testing.T) {
	w := testkit.NewWorld(t)
	stale := w.Copy()
	unit, _ := w.Deposit(w.Bert, 70_000)
	kit := kitOf(w, w.Bert, unit)
	adopt := []string{"ledger", "adopt", "--network", "regtest", "--communities", worldManifests(t), "--key", worldKey(t),
		"--by", "olga", "--why", "asked for", "--kit"}
	saved := func() string {
		text, err := json.Marshal(kit)
		testkit.Must(t, err)
		path := filepath.Join(t.TempDir(), "kit.json")
		testkit.Must(t, os.WriteFile(path, text, 0o600))
		return path
	}
	good := saved()
	kit.Destination = w.Anna.Ordinals.Text
	cli{stale}.refused("the kit was changed", append(adopt, saved())...)
	if _, err := (cli{stale}).command("no\n", append(adopt, good)...); !errors.Is(err, terminal.ErrDeclined) {
		t.Errorf("declined adoption: got error %v, want ErrDeclined", err)
	}
	text, err := cli{stale}.command("yes\n", append(adopt, good)...)
	if err != nil || !strings.Contains(text, "adopted 1") {
		t.Fatalf("adoption from a kit: output %s, error %v", text, err)
	}
	stale.Step() // the deposit is still in the mempool
	stale.WantStage(unit, ledger.PendingStake)
}
