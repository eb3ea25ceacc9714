package custody_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/action"
	"moonfund/ledger"
	"moonfund/store"
	"moonfund/testkit"
	"moonfund/vault"
)

// kept describes what a world's ledger and follower hold of a wallet's stake addresses.
func (s *searching) kept(of *testkit.Wallet, script []byte) string {
	s.Helper()
	rows := func(query string, args ...any) bool { return s.Rows(query, args...) != "" }
	return fmt.Sprint(
		rows(`SELECT address FROM stake_address WHERE owner = $1`, of.Ordinals.Text),
		rows(`SELECT number FROM watch WHERE owner = $1`, of.Ordinals.Text),
		rows(`SELECT id FROM action WHERE type = 'STAKE' AND ordinals = $1`, of.Ordinals.Text),
		s.Follower.Watches([][]byte{script}),
	)
}

const (
	allKept  = "true true true true"
	noneKept = "false false false false"
)

// An address that nobody paid expires with its script and its action 30 days after it was last asked for. Whoever asks
// again gets the same address, and what was sent there meanwhile, in whatever block, is found and earns like any stake.
func TestStakeAddressExpires(t *testing.T) {
	for name, world := range map[string]func(testing.TB) *testkit.World{
		"every rune": testkit.NewWorld, "followed runes": testkit.NewFollowing,
	} {
		t.Run(name, func(t *testing.T) {
			s := newSearch(world(t))
			s.Staked(s.Anna, 50_000)
			first, script := s.StakeAddress(s.Bert, 5000)
			s.World.Step()
			s.Clock.Advance(29 * 24 * time.Hour)
			if again, _ := s.StakeAddress(s.Bert, 5000); again != first {
				t.Fatalf("asked again: %+v, first %+v", again, first)
			}
			s.Clock.Advance(action.StakeKept - time.Second)
			s.World.Step()
			if kept := s.kept(s.Bert, script); kept != allKept {
				t.Fatalf("a second too early: %s", kept)
			}
			s.Clock.Advance(time.Second)
			s.World.Step()
			if kept := s.kept(s.Bert, script); kept != noneKept {
				t.Fatalf("30 days after it was last asked for: %s", kept)
			}
			s.wantRight()

			deposit := s.Send(s.Transfer(s.Bert, script, 70_000))
			unit := wire.OutPoint{Hash: deposit.ID}.String()
			s.Settle(8)
			if stage := s.Stage(unit); stage != "" {
				t.Fatalf("a deposit at an expired address is %s", stage)
			}
			s.wantRight()
			if again, _ := s.StakeAddress(s.Bert, 5000); again.Address != first.Address {
				t.Fatalf("after it expired: %s, first %s", again.Address, first.Address)
			}
			s.wantRight()
			s.World.Step()
			s.blocks = 0
			s.search()
			if s.blocks > 1 {
				t.Errorf("the guard read %d blocks for one deposit", s.blocks)
			}
			s.WantStage(unit, ledger.PendingStake)
			s.NextEpoch()
			s.Settle(3)
			s.WantStage(unit, ledger.Staked)
			s.Clock.Advance(2 * action.StakeKept)
			s.World.Step()
			if kept := s.kept(s.Bert, script); kept != allKept {
				t.Errorf("an address with a stake: %s", kept)
			}
			if next, _ := s.StakeAddress(s.Bert, 5000); next.Address == first.Address {
				t.Error("an address with a stake is handed out again")
			}
			s.wantRight()
		})
	}
}

// A deposit in the mempool keeps its address, also when it vanishes again; so does a deposit that a reorg takes away.
func TestDepositKeepsItsAddress(t *testing.T) {
	s := newSearch(testkit.NewWorld(t))
	_, waiting := s.StakeAddress(s.Anna, 5000)
	_, mined := s.StakeAddress(s.Bert, 5000)
	_, invented := s.StakeAddress(s.Cleo, 5000)
	s.Send(s.Transfer(s.Bert, mined, 6000))
	s.Mine(1)
	s.World.Step()
	s.Node.Rewind(1)
	s.Node.Mine()
	s.World.Step()
	s.Clock.Advance(action.StakeKept)
	s.Send(s.Transfer(s.Anna, waiting, 6000)) // seen in the very Step that lets addresses expire
	s.World.Step()
	for range 2 {
		a, b, c := s.kept(s.Anna, waiting), s.kept(s.Bert, mined), s.kept(s.Cleo, invented)
		if a != allKept || b != allKept || c != noneKept {
			t.Errorf("in the mempool %s, in a block %s, invented %s", a, b, c)
		}
		s.Clock.Advance(action.StakeKept)
		s.World.Step()
	}
}

// First addresses leave the counted indexes alone, a wallet with another payment address gets the owner's, and later
// addresses are counted and never expire.
func TestFirstAddressIsNotCounted(t *testing.T) {
	s := newSearch(testkit.NewWorld(t))
	given, _ := s.StakeAddress(s.Anna, 5000)
	other := s.Anna.Request(5000)
	other.Wallet.Payment, other.PaymentKey = s.Bert.Request(5000).Wallet.Payment, s.Bert.Request(5000).PaymentKey
	same, err := s.Actions.NewStake(t.Context(), testkit.Prefix, other)
	testkit.Must(t, err)
	if same != given {
		t.Errorf("with another payment address %+v, want %+v", same, given)
	}
	if _, err := s.Actions.Sign(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: other.Wallet, ActionID: same.ActionID, Type: action.Stake,
	}); err != nil {
		t.Errorf("asked about with another payment address: %v", err)
	}
	s.Deposit(s.Anna, 6000)
	s.World.Step()
	second, _ := s.StakeAddress(s.Anna, 5000)
	if same, err = s.Actions.NewStake(t.Context(), testkit.Prefix, other); err != nil || same != second {
		t.Errorf("the second with another payment address: %+v, %v, want %+v", same, err, second)
	}
	records, err := store.ReadStakes(t.Context(), s.URL())
	testkit.Must(t, err)
	var positions []int64
	for _, r := range records {
		positions = append(positions, r.Position)
	}
	want := int64(vault.FirstStake(testkit.Prefix, s.Anna.Ordinals.Text))
	if !slices.Equal(positions, []int64{1, want}) {
		t.Errorf("the indexes %v, want 1 and %d", positions, want)
	}
	s.Update(func(tx *store.Tx) error {
		standing, err := tx.Mark(t.Context())
		if standing.Counts["stake:lobo"] != 1 || standing.Counts["first stake:lobo"] != 1 {
			t.Errorf("the ledger counts %v", standing.Counts)
		}
		return err
	})
}

// A thousand addresses that nobody pays leave a bounded trace: some bytes each, and at most 1,048,576 rows in all.
func TestExpiredAddressesLeaveLittle(t *testing.T) {
	s := newSearch(testkit.NewWorld(t))
	const strangers = 250
	for i := range strangers {
		s.StakeAddress(testkit.NewWallet(t, fmt.Sprint("stranger ", i), s.Network), 5000)
	}
	s.Clock.Advance(action.StakeKept)
	for range 3 { // 100 in one Step
		s.World.Step()
	}
	if left := s.Rows(`SELECT address FROM stake_address`) + s.Rows(`SELECT id FROM action`) +
		s.Rows(`SELECT number FROM watch WHERE kind = 'stake'`); left != "" {
		t.Errorf("left are %s", left)
	}
	if left := s.Rows(
		`SELECT COUNT(*) AS n, MAX(bucket) / 1048576 AS above FROM expired_stake`); left != "n=250 above=0 \n" {
		t.Errorf("of the expired addresses is kept: %s", left)
	}
}

// What is no stake at an address that expired twice is nobody's: a guard that noted it in between stays silent.
func TestExpiredAgain(t *testing.T) {
	s := newSearch(testkit.NewWorld(t))
	_, script := s.StakeAddress(s.Bert, 5000)
	s.Clock.Advance(action.StakeKept)
	s.World.Step()
	s.Send(s.Bert.Spend([]testkit.Coin{s.Bert.Sats()}, wire.NewTxOut(10_000, script)))
	s.Settle(3)
	s.StakeAddress(s.Bert, 5000)
	s.guarded()
	s.World.Step()
	s.search()
	s.Clock.Advance(action.StakeKept)
	s.World.Step()
	if kept := s.kept(s.Bert, script); kept != noneKept {
		t.Errorf("after 30 days more: %s", kept)
	}
	s.wantRight()
}

// A ledger that was restored, or found to be behind, may have handed any first address out before. A staker whom it
// never heard of asks again, and the stake is found.
func TestFirstAddressOfAnotherCopy(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 50_000)
	stale := w.Copy()
	unit, _ := w.Deposit(w.Bert, 70_000)
	w.Settle(8)
	var mark store.Mark
	w.Update(func(tx *store.Tx) (err error) {
		mark, err = tx.Mark(t.Context())
		return err
	})
	stale.Update(func(tx *store.Tx) error { return tx.FoundBehind(t.Context(), mark, "a copy", w.Clock.Now()) })
	stale.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PauseAll, "") })
	stale.Step()
	s := newSearch(stale)
	s.search()
	if stage := s.Stage(unit); stage != "" {
		t.Fatalf("the stake of a staker who is not known is %s", stage)
	}
	s.StakeAddress(s.Bert, 5000)
	s.World.Step()
	s.search()
	s.WantStage(unit, ledger.PendingStake)
}
