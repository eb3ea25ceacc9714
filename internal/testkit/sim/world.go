package sim

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/state"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// Snapshot is a prepared world with stakes, rewards and unlocked units, from which scenarios start.
type Snapshot struct {
	testkit.Checkpoint
	stakes map[string]string // owner of each stake address, by script
	self   [][]byte          // scripts of the stake addresses in self-custody
	runes  map[wire.OutPoint][]runes.Balance

	unstaked   []string // ids of the units that were unstaked
	unstakedAt time.Time
	reserve    int64 // base units that the treasury holds for rewards

	single func() Snapshot // a world whose treasury has one rune output; nil: none
}

// NewSnapshot prepares a world and returns its snapshot.
func NewSnapshot(t testing.TB) Snapshot {
	t.Helper()
	s := snapshotOf(t, testkit.NewWorld(t), 2)
	if !testkit.Real() {
		s.single = sync.OnceValue(func() Snapshot { return snapshotOf(t, testkit.NewSingle(t), 2) })
	}
	return s
}

// snapshotOf prepares a new world, with self unlocked units in self-custody of each actor, and returns its snapshot.
func snapshotOf(t testing.TB, w *testkit.World, self int) Snapshot {
	t.Helper()
	w.Update(func(tx *store.Tx) error { return tx.BeginReceipts(t.Context(), testkit.Prefix) })
	w.GiveSignerIndex()
	grantForeign(w, 8)
	ids := map[*testkit.Wallet][]string{}
	for _, wallet := range actors(w) {
		for i := range 3 + self {
			wallet.Self = i > 2
			id, _ := w.Deposit(wallet, testkit.MinimumStake*10+amount.Runes(7*i))
			ids[wallet] = append(ids[wallet], id)
		}
		wallet.Self = false
	}
	w.AddTreasurySats(300_000, 300_000)
	w.Settle(4)
	w.NextEpoch()
	p := Snapshot{stakes: map[string]string{}, runes: map[wire.OutPoint][]runes.Balance{},
		unstakedAt: testkit.MomentAt(w.Clock.Now()).Chain, reserve: 4 * int64(testkit.TreasuryCoin)}
	for _, wallet := range actors(w) {
		unstaked := slices.Concat(ids[wallet][:2], ids[wallet][3:])
		w.Act(wallet, action.Unstake, unstaked...)
		p.unstaked = append(p.unstaked, unstaked...)
	}
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(10)
	w.Audit()
	p.remember(t, w)
	p.Checkpoint = w.Checkpoint()
	return p
}

func actors(w *testkit.World) []*testkit.Wallet { return []*testkit.Wallet{w.Anna, w.Bert, w.Cleo} }

// remember reads the stake addresses and rune balances, which the model cannot derive from the chain.
func (p *Snapshot) remember(t testing.TB, w *testkit.World) {
	db := engine.Connect(t, w.URL())
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT script, owner FROM watch WHERE kind = 'stake'`)
	testkit.Must(t, err)
	for rows.Next() {
		var script []byte
		var owner string
		testkit.Must(t, rows.Scan(&script, &owner))
		p.stakes[string(script)] = owner
	}
	testkit.Must(t, rows.Err())
	rows, err = db.QueryContext(t.Context(), `SELECT outpoint, balances FROM rune_balance`)
	testkit.Must(t, err)
	for rows.Next() {
		var point, data []byte
		testkit.Must(t, rows.Scan(&point, &data))
		out, err := runes.DecodeOutPoint(point)
		testkit.Must(t, err)
		p.runes[out], err = runes.DecodeBalances(data)
		testkit.Must(t, err)
	}
	testkit.Must(t, rows.Err())
	rows, err = db.QueryContext(t.Context(), `SELECT watch.script FROM watch JOIN stake_address
		ON stake_address.address = watch.ref AND stake_address.self_custody = 1`)
	testkit.Must(t, err)
	for rows.Next() {
		var script []byte
		testkit.Must(t, rows.Scan(&script))
		p.self = append(p.self, script)
	}
	testkit.Must(t, rows.Err())
}

// grantForeign gives every actor sats and coins of a rune that no community follows.
func grantForeign(w *testkit.World, each int) {
	w.Helper()
	var outs []*wire.TxOut
	var stone runes.Runestone
	for _, wallet := range actors(w) {
		for range each {
			stone.Edicts = append(stone.Edicts, runes.Edict{Amount: uint128.From64(1_000_000), Output: uint32(len(outs))})
			outs = append(outs, wire.NewTxOut(vault.DustSats, wallet.Ordinals.Script))
		}
	}
	for _, wallet := range actors(w) {
		for range 24 {
			outs = append(outs, wire.NewTxOut(int64(2*testkit.SatsCoin), wallet.Payment.Script))
		}
	}
	premine := uint128.From64(uint64(len(stone.Edicts)) * 1_000_000)
	stone.Etching = &runes.Etching{Premine: &premine}
	script, err := stone.Script()
	testkit.Must(w, err)
	w.Node.Grant(append(outs, wire.NewTxOut(0, script))...)
}

func stack() string { return string(debug.Stack()) }

// original returns what a recovered value was before the store raised it again, with the stack of a bug.
func original(recovered any) any {
	p, is := recovered.(*state.Panic)
	if !is {
		return recovered
	}
	switch p.Value.(type) {
	case crash, failure:
		return p.Value
	}
	return fmt.Sprint(p.Value, "\n", string(p.Stack))
}
