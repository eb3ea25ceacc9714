package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// year is a simulated year of a server: 52 epochs, with the operator's commands on its ledger.
type year struct {
	cli
	t                  *testing.T
	backups, manifests string // folders
}

const bear = "bear"

// TestYear lives 52 epochs. A second community is added in spring and closed in autumn, the server is upgraded, its
// disk is lost and a backup is restored. At the end the audit is clean, and everybody has all stakes and rewards.
func TestYear(t *testing.T) {
	y := &year{cli: cli{testkit.NewWorld(t)}, t: t, backups: t.TempDir(), manifests: t.TempDir()}
	testkit.Identify(y.World)
	y.endow()
	y.stake(testkit.Prefix, y.Anna, 50_000)
	y.stake(testkit.Prefix, y.Bert, 20_000)
	events := map[int]func(){
		10: y.upgraded, 13: y.spring, 20: func() { y.fill(testkit.Prefix, y.Bert, 3) }, 30: y.backedUp, 39: y.autumn,
	}
	for week := 1; week <= 52; week++ {
		y.NextEpoch()
		y.Settle(ledger.SettleDepth + 1)
		if event := events[week]; event != nil {
			event()
		}
		if week%8 == 0 {
			y.claims(testkit.Prefix, y.Anna)
			y.claims(testkit.Prefix, y.Bert)
		}
		if week > 13 && week%8 == 4 {
			y.claims(bear, y.Cleo)
		}
	}
	y.leaves(testkit.Prefix, y.Anna, y.Bert)
	y.paid()
	testkit.Must(t, os.Remove(filepath.Join(y.manifests, "bear.toml")))
	testkit.Must(t, y.folder().start()) // nobody is owed anything by the closed community
	y.Audit()
	if n := strings.Count(y.must("epoch", "list", testkit.Prefix, "--limit", "100"), "yes"); n < 52 {
		t.Errorf("%d epochs are settled, want 52", n)
	}
}

// stake deposits runes at a stake address of a community.
func (y *year) stake(community string, from *testkit.Wallet, n amount.Runes) {
	y.t.Helper()
	given, err := y.Actions.NewStake(y.Context(), community, from.Request(n))
	testkit.Must(y.t, err)
	address, err := chain.ParseAddress(given.Address, y.Network)
	testkit.Must(y.t, err)
	y.Send(y.Transfer(from, address.Script, n))
	y.Settle(4)
}

// act has a wallet sign an action about its units of some stages, and returns the order.
func (y *year) act(community string, from *testkit.Wallet, kind action.Type, stages ...string) *order.Order {
	y.t.Helper()
	var ids []string
	if len(stages) > 0 {
		if ids = y.units(community, from, stages...); len(ids) == 0 {
			return nil
		}
	}
	asked, err := y.Actions.Post(y.Context(), community, from.Pair(), kind, ids, "")
	testkit.Must(y.t, err)
	signed, err := y.Actions.Sign(y.Context(), community, action.SignRequest{
		Wallet: from.Pair(), ActionID: asked.ActionID, Type: kind, Signature: from.Sign(asked.Message),
	})
	testkit.Must(y.t, err)
	return signed.Order
}

// units returns the ids of a wallet's units in a community.
func (y *year) units(community string, of *testkit.Wallet, stages ...string) (ids []string) {
	y.t.Helper()
	rows := y.Rows("SELECT id FROM unit WHERE community = ? AND owner = ? AND stage IN ('"+strings.Join(stages, "', '")+
		"') ORDER BY number", community, of.Ordinals.Text)
	for row := range strings.Lines(rows) {
		if _, id, found := strings.Cut(strings.TrimSpace(row), "id="); found {
			ids = append(ids, id)
		}
	}
	return ids
}

// pays pays an order and waits until it is delivered.
func (y *year) pays(from *testkit.Wallet, o *order.Order) {
	y.t.Helper()
	if o == nil {
		return
	}
	y.Pay(from, *o, o.Due())
	y.Settle(6)
	y.WantStatus(o.ID, order.Delivered)
}

// endow gives each wallet coins for a year of payments.
func (y *year) endow() {
	for _, to := range []*testkit.Wallet{y.Anna, y.Bert, y.Cleo} {
		var outs []*wire.TxOut
		for range 60 {
			outs = append(outs, wire.NewTxOut(int64(testkit.SatsCoin), to.Payment.Script))
		}
		granted := y.Node.Grant(outs...)
		var coins []testkit.Coin
		for vout, out := range outs {
			coins = append(coins, testkit.Coin{OutPoint: wire.OutPoint{Hash: granted.ID, Index: uint32(vout)}, Out: out})
		}
		to.Hold(coins...)
	}
}

func (y *year) claims(community string, from *testkit.Wallet) {
	y.t.Helper()
	if len(y.units(community, from, "CLAIMABLE")) > 0 {
		y.pays(from, y.act(community, from, action.Claim))
	}
}

// fill sends coins of runes to a community's treasury and credits them.
func (y *year) fill(community string, from *testkit.Wallet, coins int) {
	y.t.Helper()
	var to struct {
		Runes string `json:"runes_address"`
	}
	y.read(&to, "treasury", "show", community)
	address, err := chain.ParseAddress(to.Runes, y.Network)
	testkit.Must(y.t, err)
	for range coins {
		y.Send(y.Transfer(from, address.Script, testkit.RuneCoin))
	}
	y.Settle(4)
	y.must("treasury", "credit", community, "--why", "the rewards of the next months", "--by", "olga", "--yes")
}

// upgraded replaces the program by its next version, which has a second migration.
func (y *year) upgraded() {
	first, err := fs.ReadFile(store.Migrations(), "migrations/0001_ledger.sql")
	testkit.Must(y.t, err)
	testkit.Must(y.t, y.Store.Close())
	y.t.Cleanup(store.UseMigrations(fstest.MapFS{
		"migrations/0001_ledger.sql": {Data: first},
		"migrations/0002_next.sql": {Data: []byte("-- +goose Up\nCREATE TABLE next (\n" +
			"    name TEXT NOT NULL PRIMARY KEY\n);\n" +
			"INSERT INTO next (name) SELECT name FROM setting WHERE name = 'ledger_id';\n")},
	}))
	const older = "the ledger must be migrated"
	y.refused(older, "order", "list")
	y.refused(older, "backup", filepath.Join(y.backups, "older.zip"))
	y.refused(older, "audit", "--network", "regtest", "--node-url", "http://127.0.0.1:1", "--node-user", "moonfund",
		"--node-password", "secret")
	if _, _, err := (ledgerFlags{Database: y.URL()}).serving(y.Context()); !errors.Is(err, store.ErrOlder) {
		y.t.Errorf("opened by a server: %v", err)
	}
	y.must("ledger", "upgrade", "--backups", y.backups)
	if made, err := filepath.Glob(filepath.Join(y.backups, "before-upgrade-*.zip")); err != nil || len(made) != 1 {
		y.t.Errorf("the backups before the migration are %v: %v", made, err)
	}
	y.Restart()
}

// folder returns the folder of the manifests.
func (y *year) folder() folder { return folder{y.cli, y.manifests} }

// etch etches a rune and gives a wallet all of it, in coins.
func (y *year) etch(to *testkit.Wallet, coins int) runes.ID {
	y.t.Helper()
	premine := uint128.From64(uint64(coins) * uint64(testkit.RuneCoin))
	stone := runes.Runestone{Etching: &runes.Etching{Premine: &premine}}
	var outs []*wire.TxOut
	for vout := range uint32(coins) {
		stone.Edicts = append(stone.Edicts, runes.Edict{Amount: uint128.From64(uint64(testkit.RuneCoin)), Output: vout})
		outs = append(outs, wire.NewTxOut(vault.DustSats, to.Ordinals.Script))
	}
	script, err := stone.Script()
	testkit.Must(y.t, err)
	granted := y.Node.Grant(append(outs, wire.NewTxOut(0, script))...)
	etched := runes.ID{Block: uint64(y.Node.Height()), Tx: 1}
	var held []testkit.Coin
	for vout, out := range outs {
		held = append(held, testkit.Coin{OutPoint: wire.OutPoint{Hash: granted.ID, Index: uint32(vout)}, Out: out,
			Runes: testkit.RuneCoin, Rune: etched})
	}
	to.HoldRunes(held...)
	return etched
}

// spring adds a community whose first epoch begins with the next one of the other, and restarts the server with it.
func (y *year) spring() {
	etched := y.etch(y.Cleo, 7)
	y.Step()
	next := y.Clock.Now().Truncate(testkit.EpochLength).Add(testkit.EpochLength)
	genesis, _ := testkit.Calendar()
	f := y.folder()
	f.put("lobo.toml", f.ofWorld(testkit.Prefix, testkit.Rune.String(), genesis))
	file := filepath.Join(y.t.TempDir(), "bear.toml")
	testkit.Must(y.t, os.WriteFile(file, []byte(f.ofWorld(bear, etched.String(), next)), 0o600))
	text, err := f.add(file)
	testkit.Must(y.t, err)
	if !strings.Contains(text, "Added bear with account 1") {
		y.t.Errorf("community add printed %s", text)
	}
	testkit.Must(y.t, f.start())
	y.AddCommunityAt(bear, etched, next)
	y.fill(bear, y.Cleo, 6)
	y.stake(bear, y.Cleo, 30_000)
}

// backedUp makes a backup, has an order delivered afterwards, loses the disk, and restores the backup.
func (y *year) backedUp() {
	late := y.act(testkit.Prefix, y.Anna, action.Claim)
	file := filepath.Join(y.backups, "night.zip")
	y.must("backup", file)
	y.pays(y.Anna, late)
	paid := y.WantStatus(late.ID, order.Delivered).PayoutTx
	testkit.Must(y.t, y.Store.Close())
	address := engine.New(y.t, nil)
	_, err := command(y.t, "", "restore", file, "--data", filepath.Join(y.t.TempDir(), "new"), "--database", address,
		"--by", "olga", "--why", "the disk died", "--yes")
	testkit.Must(y.t, err)
	y.World = y.At(address)
	y.Step()
	y.must("resume", "all", "--why", "the audit finds nothing", "--by", "olga", "--yes")
	y.Settle(3)
	again := y.Order(late.ID)
	if again.Status != order.Delivered && again.Status != order.Consolidated || again.PayoutTx != paid {
		y.t.Errorf("after the restore the order is %s by %s, before it was delivered by %s", again.Status, again.PayoutTx,
			paid)
	}
	y.Audit()
}

// autumn closes the second community. Its staker gets everything.
func (y *year) autumn() {
	y.must("community", "retire", bear, "--by", "olga", "--yes")
	if _, err := y.Actions.NewStake(y.Context(), bear, y.Cleo.Request(30_000)); err == nil {
		y.t.Error("a closed community accepts stakes")
	}
	y.leaves(bear, y.Cleo)
}

// leaves has stakers take out their stakes and rewards.
func (y *year) leaves(community string, stakers ...*testkit.Wallet) {
	y.t.Helper()
	for _, from := range stakers {
		y.act(community, from, action.Unstake, "STAKED")
	}
	for range 3 {
		y.NextEpoch()
		y.Settle(ledger.SettleDepth + 1)
	}
	for _, from := range stakers {
		y.claims(community, from)
		y.pays(from, y.act(community, from, action.Withdraw, "UNLOCKED"))
	}
}

// paid checks that every unit is withdrawn, and that the rewards of the epochs are those that were paid.
func (y *year) paid() {
	y.t.Helper()
	if left := y.Rows("SELECT community, id, stage FROM unit WHERE stage <> 'WITHDRAWN'"); left != "" {
		y.t.Errorf("not paid:\n%s", left)
	}
	earned := y.Rows("SELECT community, SUM(reward) AS runes FROM epoch_reward GROUP BY community ORDER BY community")
	paid := y.Rows("SELECT community, SUM(amount) AS runes FROM unit WHERE origin <> 'STAKE' AND stage = 'WITHDRAWN' " +
		"GROUP BY community ORDER BY community")
	if earned != paid || !strings.Contains(earned, bear) {
		y.t.Errorf("earned:\n%s\npaid:\n%s", earned, paid)
	}
	if time.Duration(52)*testkit.EpochLength > y.Clock.Now().Sub(testkit.Genesis) {
		y.t.Error("the year is not over")
	}
}
