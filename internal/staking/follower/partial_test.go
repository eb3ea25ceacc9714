package follower_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/dispatch"
	"moonfund/internal/state"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

const unfollowed = 777 // base units of an untracked rune

// tainted gives a wallet an output with an untracked rune, which a wallet without a rune index shows as plain sats. It
// is the first output of a transaction that etches a rune.
func tainted(w *testkit.World, to *testkit.Wallet) testkit.Coin {
	w.Helper()
	premine := uint128.From64(unfollowed)
	stone, err := runes.Runestone{Etching: &runes.Etching{Premine: &premine}}.Script()
	testkit.Must(w, err)
	out := wire.NewTxOut(200_000, to.Payment.Script)
	tx := w.Node.Grant(out, wire.NewTxOut(0, stone))
	return testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: out}
}

// locked returns the reasons of the outputs in quarantine.
func locked(w *testkit.World) (reasons []string) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		outputs, err := tx.Quarantined(w.Context(), testkit.Prefix)
		for _, o := range outputs {
			reasons = append(reasons, string(o.Kind)+": "+o.Quarantine)
		}
		return err
	})
	return reasons
}

// held returns the runes on an output according to an index of every rune, which the test builds from the chain alone.
func held(w *testkit.World, out wire.OutPoint) []runes.Balance {
	w.Helper()
	var all runes.Allocated
	index := runes.NewMemory()
	for height := int64(1); height <= w.Node.Height(); height++ {
		hash, err := w.Node.BlockHash(w.Context(), height)
		testkit.Must(w, err)
		block, err := w.Node.Block(w.Context(), hash, height)
		testkit.Must(w, err)
		commitments := runes.NodeCommitments{Node: w.Node, Height: height, Hash: hash}
		got, err := runes.RulesFor(w.Network).Apply(w.Context(), index, commitments, block)
		testkit.Must(w, err)
		if len(got.To(out)) > 0 {
			all = got
		}
	}
	return all.To(out)
}

// With an index of the community's rune alone, stakes, rewards, payments, withdrawals and recoveries are the same as
// with an index of every rune.
func TestStakingWithAFollowedIndex(t *testing.T) {
	w := live(testkit.NewFollowing(t))
	w.Audit()
	before := w.Dump()
	w.Restart()
	w.Reindex(true)
	if got := w.Dump(); got != before {
		t.Errorf("after a rebuild: got\n%s\nwant\n%s", got, before)
	}
	w.Reindex(false) // with every rune: every credited output stays credited
	w.Audit()
	if got := w.Dump(); got != before {
		t.Errorf("with an index of every rune: got\n%s\nwant\n%s", got, before)
	}
	w.Settle(8)
	w.Audit()
	if got := locked(w); got != nil {
		t.Errorf("in quarantine: %v", got)
	}
}

// An output that may hold an untracked rune is quarantined at every kind of address: it is no stake, no payment and no
// fee input. The operator sees it in a list and can return it with all its runes.
func TestUnfollowedIsLocked(t *testing.T) {
	lockedLife(t)
}

func TestUnfollowedIsLockedOnBtcd(t *testing.T) {
	testkit.OnBtcd(t)
	lockedLife(t)
}

func lockedLife(t *testing.T) {
	t.Helper()
	w := testkit.NewFollowing(t)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.FeeTopUp = 10_000 })
	w.AddTreasurySats(30_000)
	o := withdraw(w, w.Unlocked(w.Anna, 5000))
	paid := w.Send(w.Payment(w.Anna, tainted(w, w.Anna), o, o.Due(), 1000)).ID
	given, script := w.StakeAddress(w.Anna, 5000)
	stake := w.Send(stakedWith(w, tainted(w, w.Anna), script))
	treasury, _ := w.Account.TreasurySats()
	w.Send(w.Anna.Spend([]testkit.Coin{tainted(w, w.Anna)}, wire.NewTxOut(199_000, treasury.Script)))
	check := func() {
		t.Helper()
		w.WantStatus(o.ID, order.Pending)
		w.WantStage(wire.OutPoint{Hash: stake.ID}.String(), "")
		reason := ": " + ledger.Unfollowed
		if got, want := strings.Join(locked(w), "\n"),
			"payment"+reason+"\nsats"+reason+"\nstake"+reason; sorted(got) != want {
			t.Errorf("in quarantine:\n%s", got)
		}
		w.Audit()
	}
	w.Step() // in the mempool
	check()
	w.Settle(1)
	check()
	w.Node.Rewind(1)
	w.Settle(2)
	check()
	w.Restart()
	w.Settle(2)
	w.Update(func(tx *store.Tx) error {
		_, err := tx.BookTreasury(w.Context(), testkit.Prefix, ledger.Cause{Kind: "operator", ID: "test", At: w.Clock.Now()})
		return err
	})
	if got := w.Rows(`SELECT COALESCE(SUM(amount), 0) FROM journal WHERE event = 'sats credited'`); !strings.Contains(got,
		"30000") {
		t.Errorf("sats credited to the fee account: got %s, want 30000", got)
	}
	check()
	for _, id := range []wire.OutPoint{{Hash: stake.ID}, {Hash: paid}} {
		w.Request(payout.RequestReturn, id.String())
	}
	w.Pay(w.Anna, o, o.Due()) // from a coin of known origin
	w.Settle(4)
	w.WantStatus(o.ID, order.Delivered)
	w.Audit()
	for _, id := range []wire.OutPoint{{Hash: stake.ID}, {Hash: paid}} {
		spender := strings.TrimSpace(w.Rows(`SELECT spent_by FROM custody WHERE txid = $1 AND vout = 0 AND spent_ours = 1`,
			id.Hash.String()))
		if !returnsAll(w, spender) {
			t.Errorf("%s of %s was spent by %q, which does not return all of its runes", id, given.Address, spender)
		}
	}
}

func sorted(lines string) string {
	all := strings.Split(lines, "\n")
	for i := range all {
		for j := range i {
			if all[i] < all[j] {
				all[i], all[j] = all[j], all[i]
			}
		}
	}
	return strings.Join(all, "\n")
}

// stakedWith deposits runes with another coin as an input. All runes that no edict names are allocated to the stake
// output.
func stakedWith(w *testkit.World, sats testkit.Coin, script []byte) chain.Tx {
	w.Helper()
	stone, err := runes.Runestone{Edicts: []runes.Edict{{ID: testkit.Rune,
		Amount: uint128.From64(uint64(testkit.RuneCoin - 5000)), Output: 1}}}.Script()
	testkit.Must(w, err)
	return w.Anna.Spend([]testkit.Coin{w.Anna.Runes(), sats}, wire.NewTxOut(546, script),
		wire.NewTxOut(546, w.Anna.Ordinals.Script), wire.NewTxOut(0, stone), wire.NewTxOut(sats.Out.Value-2000,
			w.Anna.Payment.Script))
}

// returnsAll reports whether the transaction in text sends the untracked rune to Anna.
func returnsAll(w *testkit.World, text string) bool {
	w.Helper()
	for height := w.Node.Height(); height > 0; height-- {
		hash, err := w.Node.BlockHash(w.Context(), height)
		testkit.Must(w, err)
		block, err := w.Node.Block(w.Context(), hash, height)
		testkit.Must(w, err)
		for _, tx := range block.Txs {
			if !strings.Contains(text, tx.ID.String()) {
				continue
			}
			for _, b := range held(w, wire.OutPoint{Hash: tx.ID}) {
				if b.ID != testkit.Rune && b.Amount == uint128.From64(unfollowed) {
					return string(tx.Msg.TxOut[0].PkScript) == string(w.Anna.Ordinals.Script)
				}
			}
		}
	}
	return false
}

// A deposit whose origin is too far back is quarantined, even if it holds no other rune. An index of every rune can
// prove that the deposit holds no other rune, and credits it.
func TestUnprovableIsCreditedByTheWholeIndex(t *testing.T) {
	w := testkit.NewFollowing(t)
	coin := w.Anna.Sats()
	for range runes.ProvenanceLimit + 1 {
		tx := w.Anna.Spend([]testkit.Coin{coin}, wire.NewTxOut(coin.Out.Value-200, w.Anna.Payment.Script))
		w.Node.MineOnly(tx)
		coin = testkit.Coin{OutPoint: wire.OutPoint{Hash: tx.ID}, Out: tx.Msg.TxOut[0]}
	}
	w.Step()
	_, script := w.StakeAddress(w.Anna, 5000)
	id := wire.OutPoint{Hash: w.Send(stakedWith(w, coin, script)).ID}.String()
	w.Settle(1)
	w.WantStage(id, "")
	w.Audit()
	w.Reindex(false)
	w.WantStage(id, ledger.PendingStake)
	w.Audit()
}

// An index of one rune begins 144 blocks before the rune's etching, in the middle of the chain, and handles a reorg
// there.
func TestFollowedIndexStartsLate(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Mine(160)
	bears := tainted(w, w.Anna)
	id := runes.ID{Block: uint64(w.Node.Height()), Tx: 1}
	address := testkit.NewDatabase(t)
	db, err := store.Open(t.Context(), address)
	testkit.Must(t, err)
	defer db.Close()
	rules := runes.RulesFor(w.Network).Only(id)
	book, orders, log := ledger.NewService(), order.NewService(w.Network), slog.New(slog.DiscardHandler)
	f := follower.New(follower.Config{
		Node: w.Node, Rules: rules, Start: rules.Start(), Ledger: book, Orders: orders, Log: log,
		Payouts: dispatch.NewService(payout.NewBook(payout.Config{Network: w.Network, Ledger: book, Orders: orders,
			Policy: chain.DefaultPolicy(), Log: log}), nil),
		Transact: func(ctx context.Context, fn func(follower.Tx) error) error {
			return db.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		Moment:  func() (ledger.Moment, error) { return ledger.Moment{Now: time.Now(), Chain: time.Now()}, nil },
		Rate:    func(context.Context) amount.FeeRate { return amount.SatPerVB(1) },
		Changed: func(string, string) {},
	})
	holds := func(out wire.OutPoint, want uint64) {
		t.Helper()
		_, err := f.Step(t.Context())
		testkit.Must(t, err)
		testkit.Must(t, db.View(t.Context(), func(tx *store.Tx) error {
			got, err := runes.BalancesOf(tx.Runes(t.Context()), out)
			if err != nil || len(got) != 1 || got[0].ID != id || !got[0].Amount.Equals64(want) {
				t.Errorf("runes on %s: got %v, %v", out, got, err)
			}
			if _, err := tx.HeaderAt(t.Context(), rules.Start()); err != nil {
				t.Errorf("the first block %d: %v", rules.Start(), err)
			}
			if _, err := tx.HeaderAt(t.Context(), rules.Start()-1); !errors.Is(err, state.ErrNotFound) {
				t.Errorf("a block before the first: %v", err)
			}
			return nil
		}))
	}
	if rules.Start() != int64(id.Block)-144 {
		t.Fatalf("first block of the index: got %d", rules.Start())
	}
	holds(bears.OutPoint, unfollowed)
	moved := w.Node.MineOnly(w.SpendToSelf(w.Anna, 1000, bears)).Txs[1]
	holds(wire.OutPoint{Hash: moved.ID}, unfollowed)
	w.Node.Rewind(1)
	again := w.SpendToSelf(w.Anna, 2000, bears)
	w.Node.MineOnly(again)
	w.Node.MineOnly()
	holds(wire.OutPoint{Hash: again.ID}, unfollowed)
}
