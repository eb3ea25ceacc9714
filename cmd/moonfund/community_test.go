package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// folder is a world's folder of manifests.
type folder struct {
	office
	dir string
}

// withManifest returns a world, and a folder with the manifest of its community.
func withManifest(t *testing.T) folder {
	w := folder{office{testkit.NewWorld(t)}, t.TempDir()}
	genesis, _ := testkit.Calendar()
	w.put("lobo.toml", w.manifest("lobo", 0, testkit.Rune.String(), genesis))
	w.put("._lobo.toml", "written by macOS, no manifest")
	return w
}

func (w folder) manifest(prefix string, account int, rune string, genesis time.Time) string {
	_, length := testkit.Calendar()
	return fmt.Sprintf("prefix = %q\nname = %q\ntoken = %q\naccount = %d\ngenesis = %s\nepoch_length = %q\n"+
		"reward_budget = 1\nminimum_stake = 1\nservice_fee = 100\n[rune]\nid = %q\nname = %q\n", prefix, prefix, prefix,
		account, genesis.UTC().Format(time.RFC3339), length, rune, strings.ToUpper(prefix)+"•RUNE")
}

// put writes a file into the folder and returns its path.
func (w folder) put(name, text string) string {
	w.Helper()
	path := filepath.Join(w.dir, name)
	testkit.Must(w, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// start returns the error with which a server would refuse the folder.
func (w folder) start() (err error) {
	w.Helper()
	manifests, err := community.LoadDir(w.dir, "regtest")
	testkit.Must(w, err)
	testkit.Must(w, w.Store.View(w.Context(), func(tx *store.Tx) error {
		err = wiring.Check(w.Context(), tx, manifests)
		return nil
	}))
	return err
}

// wantRefused checks that a start and `manifest check` refuse the folder with the same reason.
func (w folder) wantRefused(reason string) {
	w.Helper()
	_, checked := w.command("", "manifest", "check", w.dir, "--network", "regtest")
	for _, err := range []error{w.start(), checked} {
		if err == nil || !strings.Contains(err.Error(), reason) {
			w.Errorf("got error %v, want %q", err, reason)
		}
	}
}

func (w folder) add(file string) (string, error) {
	return w.command("", "community", "add", file, "--communities", w.dir, "--network", "regtest", "--by", "olga", "--yes")
}

// A copied manifest is refused because of its account, its rune or its genesis. A community is added with the next
// account. Its epoch begins although no server serves it yet, at the block that the audit expects.
func TestAddCommunity(t *testing.T) {
	w := withManifest(t)
	w.NextEpoch()
	soon := w.Clock.Now().Add(15 * time.Second)
	genesis, _ := testkit.Calendar()
	for text, reason := range map[string]string{
		w.manifest("bear", 0, "900000:1", soon):            "account 0 belongs to the community lobo",
		w.manifest("bear", 4, testkit.Rune.String(), soon): "rune 1:1 belongs to the community lobo",
		w.manifest("bear", 4, "900000:1", genesis):         "genesis 2026-11-04T00:00:00Z has passed",
		w.manifest("bear", 4, "900000:1", w.Clock.Now()):   "has passed",
	} {
		w.put("lobo.toml", text)
		w.wantRefused(reason)
	}
	w.put("lobo.toml", w.manifest("lobo", 0, testkit.Rune.String(), genesis))
	old := filepath.Join(t.TempDir(), "old.toml")
	testkit.Must(t, os.WriteFile(old, []byte(w.manifest("bear", 0, "900000:1", genesis)), 0o600))
	if _, err := w.add(old); err == nil || !strings.Contains(err.Error(), "has passed") {
		t.Errorf("a past genesis: %v", err)
	}
	testkit.Must(t, os.WriteFile(old, []byte(w.manifest("bear", 0, "900000:1", soon)), 0o600))
	if text, err := w.add(old); err != nil || !strings.Contains(text, "Added bear with account 1") {
		t.Fatalf("%v: %s", err, text)
	}
	w.Clock.Advance(time.Minute)
	w.Settle(1)
	if n := strings.Count(w.Rows("SELECT epoch FROM boundary WHERE community = 'bear'"), "epoch="); n != 1 {
		t.Errorf("%d epochs of the added community began, want 1", n)
	}
	testkit.Must(t, w.start())
	w.must("manifest", "check", w.dir, "--network", "regtest")
	var all []decisions.CommunityView
	w.read(&all, "community", "list", "--communities", w.dir, "--network", "regtest")
	if len(all) != 2 || all[0].State != decisions.CommunityOpen || all[0].Account != 1 || all[0].Prefix != "bear" {
		t.Errorf("community list: %+v", all)
	}
	w.Audit()
}

// A community that owes nothing can be removed and put back. One that owes stakes can't be removed or renamed.
func TestRemoveCommunity(t *testing.T) {
	w := withManifest(t)
	w.NextEpoch()
	text := w.manifest("bear", 0, "900000:1", w.Clock.Now().Add(15*time.Second))
	file := filepath.Join(t.TempDir(), "bear.toml")
	testkit.Must(t, os.WriteFile(file, []byte(text), 0o600))
	_, err := w.add(file)
	testkit.Must(t, err)
	added := filepath.Join(w.dir, "bear.toml")
	kept, err := os.ReadFile(added)
	testkit.Must(t, err)
	testkit.Must(t, os.Remove(added))
	testkit.Must(t, w.start())
	w.Staked(w.Anna, 5000)
	w.NextEpoch()
	w.Settle(9)
	w.put("bear.toml", string(kept))
	testkit.Must(t, w.start())
	w.Audit()
	genesis, _ := testkit.Calendar()
	w.put("lobo.toml", w.manifest("wolf", 0, testkit.Rune.String(), genesis))
	w.wantRefused("A prefix can't be changed")
	testkit.Must(t, os.Remove(filepath.Join(w.dir, "lobo.toml")))
	w.wantRefused("community lobo has no manifest, but the ledger owes its stakers something (2 stakes and rewards")
}

// A retired community takes no stakes, and delivers withdrawals.
func TestRetireCommunity(t *testing.T) {
	w := withManifest(t)
	id := w.Unlocked(w.Anna, 5000)
	w.must("community", "retire", "lobo", "--by", "olga", "--yes")
	w.refused("closed already", "community", "retire", "lobo", "--by", "olga", "--yes")
	_, err := w.Actions.Post(t.Context(), testkit.Prefix, w.Anna.Pair(), action.Restake, []string{id}, "")
	if refused := fault.From(err); refused == nil || refused.Code != fault.CommunityClosed.Code {
		t.Errorf("a restake: %v", err)
	}
	o := w.Withdrawal(id)
	w.PayInFull(w.Anna, o)
	w.Settle(15)
	w.put("cub.toml", w.manifest("cub", 3, "900000:1", w.Clock.Now().Add(time.Hour)))
	testkit.Must(t, os.Remove(filepath.Join(w.dir, "lobo.toml")))
	testkit.Must(t, w.start())
	w.Audit()
}
