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
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// folder is a world's folder of manifests.
type folder struct {
	cli
	dir string
}

// withManifest returns a world, and a folder with the manifest of its community.
func withManifest(t *testing.T) folder {
	w := folder{cli{testkit.NewWorld(t)}, t.TempDir()}
	genesis, _ := testkit.Calendar()
	w.put("lobo.toml", w.ofWorld(testkit.Prefix, testkit.Rune.String(), genesis))
	w.put("._lobo.toml", "written by macOS, no manifest")
	return w
}

func (w folder) manifest(prefix string, account int, rune string, genesis time.Time) string {
	_, length := testkit.Calendar()
	return fmt.Sprintf("prefix = %q\nname = %q\ntoken = %q\naccount = %d\ngenesis = %s\nepoch_length = %q\n"+
		"reward_budget = 1\nminimum_stake = 1\nservice_fee = 100\n[rune]\nid = %q\nname = %q\n", prefix, prefix, prefix,
		account, genesis.UTC().Format(time.RFC3339), length, rune, strings.ToUpper(prefix)+"•RUNE")
}

// ofWorld returns the manifest of one of a testkit world's communities, with the values that its ledger fixed.
func (w folder) ofWorld(prefix, rune string, genesis time.Time) string {
	text := w.manifest(prefix, 0, rune, genesis)
	text = strings.Replace(text, fmt.Sprintf("name = %q", testkit.Prefix), fmt.Sprintf("name = %q", testkit.Name), 1)
	return strings.Replace(text, "minimum_stake = 1\n", fmt.Sprintf("minimum_stake = %d\n", testkit.MinimumStake), 1)
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
	w.put("lobo.toml", w.ofWorld(testkit.Prefix, testkit.Rune.String(), genesis))
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

// wantCutsOfHeaders checks that exactly the epochs that followed headers start began, at the first such header.
func (w folder) wantCutsOfHeaders(prefix string, genesis time.Time) {
	w.Helper()
	_, length := testkit.Calendar()
	for n := int64(0); ; n++ {
		starts := genesis.Add(time.Duration(n) * length).Unix()
		want := w.Rows("SELECT height - 1 AS cut FROM block WHERE time >= ? ORDER BY height LIMIT 1", starts)
		got := w.Rows("SELECT cut FROM boundary WHERE community = ? AND epoch = ?", prefix, n)
		if got != want {
			w.Errorf("epoch %d of %s begins after block %q, by the headers after %q", n, prefix, got, want)
		}
		if want == "" {
			if n == 0 {
				w.Errorf("no epoch of %s began", prefix)
			}
			return
		}
	}
}

// Whatever a server missed, an epoch begins at the block that the headers name. So no cut is recorded late, and no
// command has to correct one.
func TestNoCutIsLate(t *testing.T) {
	add := func(w folder, genesis time.Time) time.Time {
		file := filepath.Join(w.TempDir(), "bear.toml")
		testkit.Must(w, os.WriteFile(file, []byte(w.manifest("bear", 0, "900000:1", genesis)), 0o600))
		_, err := w.add(file)
		testkit.Must(w, err)
		return genesis
	}
	for name, misses := range map[string]func(w folder) (genesisOfBear time.Time){
		"down over three boundaries": func(w folder) time.Time {
			for range 3 {
				w.Clock.Advance(testkit.EpochLength)
				w.Mine(2)
			}
			return time.Time{}
		},
		"no block in two epochs": func(w folder) time.Time {
			w.Clock.Advance(2 * testkit.EpochLength)
			w.Mine(1)
			return time.Time{}
		},
		"restarted after a genesis that was seconds ahead": func(w folder) time.Time {
			genesis := add(w, w.Clock.Now().Add(15*time.Second))
			w.Mine(3)
			return genesis
		},
		"behind its node, added after the genesis": func(w folder) time.Time {
			genesis := w.Clock.Now().Add(15 * time.Second)
			w.Clock.Advance(testkit.EpochLength)
			w.Mine(3)
			return add(w, genesis)
		},
		"headers whose time goes back": func(w folder) time.Time {
			w.Clock.Advance(testkit.EpochLength)
			w.Mine(1)
			w.Clock.Advance(-testkit.EpochLength)
			w.Mine(2)
			return time.Time{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := withManifest(t)
			w.Staked(w.Anna, 5000)
			bear := misses(w)
			w.Restart()
			w.Step()
			w.Audit()
			w.NextEpoch()
			w.Settle(ledger.SettleDepth + 1)
			genesis, _ := testkit.Calendar()
			w.wantCutsOfHeaders("lobo", genesis)
			if !bear.IsZero() {
				w.wantCutsOfHeaders("bear", bear)
			}
			w.Audit()
		})
	}
}

// A genesis has passed if any followed block is from after it, also if the tip is from before it. Otherwise the audit
// would miss an epoch that the ledger had not begun.
func TestGenesisBeforeAnEarlierBlock(t *testing.T) {
	w := withManifest(t)
	w.Settle(1)
	w.Clock.Advance(-10 * time.Minute)
	w.Settle(1)
	genesis := w.Clock.Now().Add(5 * time.Minute)
	w.put("bear.toml", w.manifest("bear", 1, "900000:1", genesis))
	w.wantRefused("has passed")
	w.put("bear.toml", w.manifest("bear", 1, "900000:1", genesis.Add(time.Hour)))
	testkit.Must(t, w.start())
}
