package custody_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// stakeState describes a wallet's stake addresses in the ledger and the follower of a world.
func (s *searching) stakeState(of *testkit.Wallet, script []byte) string {
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

// TestStakeAddressExpires checks that a stake address without a deposit expires with its script and its action 30 days
// after its last request. A later request returns the same address. A deposit that arrived meanwhile, in any block, is
// found and earns like any other stake.
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
				t.Fatalf("the second request returned %+v, the first one %+v", again, first)
			}
			s.Clock.Advance(action.StakeKept - time.Second)
			s.World.Step()
			if kept := s.stakeState(s.Bert, script); kept != allKept {
				t.Fatalf("a second before expiry the ledger has %s", kept)
			}
			s.Clock.Advance(time.Second)
			s.World.Step()
			if kept := s.stakeState(s.Bert, script); kept != noneKept {
				t.Fatalf("30 days after the last request the ledger has %s", kept)
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
				t.Fatalf("the address after expiry is %s, want the first one, %s", again.Address, first.Address)
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
			if kept := s.stakeState(s.Bert, script); kept != allKept {
				t.Errorf("the ledger has %s for an address with a stake", kept)
			}
			if next, _ := s.StakeAddress(s.Bert, 5000); next.Address == first.Address {
				t.Error("an address with a stake is issued again")
			}
			s.wantRight()
		})
	}
}

// TestDepositKeepsItsAddress checks that an address does not expire after a deposit was seen at it, in the mempool or
// in a block that a reorg undid.
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
	s.Send(s.Transfer(s.Anna, waiting, 6000)) // seen in the Step that deletes expired addresses
	s.World.Step()
	for range 2 {
		a, b, c := s.stakeState(s.Anna, waiting), s.stakeState(s.Bert, mined), s.stakeState(s.Cleo, invented)
		if a != allKept || b != allKept || c != noneKept {
			t.Errorf("kept with a deposit in the mempool: %s; in a block: %s; without one: %s", a, b, c)
		}
		s.Clock.Advance(action.StakeKept)
		s.World.Step()
	}
}

// TestFirstAddressIsNotCounted checks that first addresses use no counted indexes. A wallet with another payment
// address gets the owner's first address. Later addresses are counted and never expire.
func TestFirstAddressIsNotCounted(t *testing.T) {
	s := newSearch(testkit.NewWorld(t))
	given, _ := s.StakeAddress(s.Anna, 5000)
	other := s.Anna.Request(5000)
	other.Wallet.Payment, other.PaymentKey = s.Bert.Request(5000).Wallet.Payment, s.Bert.Request(5000).PaymentKey
	same, err := s.Actions.NewStake(t.Context(), testkit.Prefix, other)
	testkit.Must(t, err)
	if same != given {
		t.Errorf("request with another payment address: got %+v, want %+v", same, given)
	}
	if _, err := s.Actions.Sign(t.Context(), testkit.Prefix, action.SignRequest{
		Wallet: other.Wallet, ActionID: same.ActionID, Type: action.Stake,
	}); err != nil {
		t.Errorf("signature of the request with another payment address: got error %v", err)
	}
	s.Deposit(s.Anna, 6000)
	s.World.Step()
	second, _ := s.StakeAddress(s.Anna, 5000)
	if same, err = s.Actions.NewStake(t.Context(), testkit.Prefix, other); err != nil || same != second {
		t.Errorf("second request with another payment address: got %+v, %v, want %+v", same, err, second)
	}
	records, err := store.ReadStakes(t.Context(), s.URL())
	testkit.Must(t, err)
	var positions []int64
	for _, r := range records {
		positions = append(positions, r.Position)
	}
	want := int64(vault.FirstStake(testkit.Prefix, s.Anna.Ordinals.Text))
	if !slices.Equal(positions, []int64{1, want}) {
		t.Errorf("the indexes are %v, want 1 and %d", positions, want)
	}
	s.Update(func(tx *store.Tx) error {
		mark, err := tx.Mark(t.Context())
		if mark.Counts["stake:lobo"] != 1 || mark.Counts["first stake:lobo"] != 1 {
			t.Errorf("the counts in the ledger's mark are %v", mark.Counts)
		}
		return err
	})
}

// TestExpiredAddressesLeaveLittle checks that expired addresses without deposits leave only rows of a few bytes in
// expired_stake, at most 1,048,576 in total.
func TestExpiredAddressesLeaveLittle(t *testing.T) {
	s := newSearch(testkit.NewWorld(t))
	const strangers = 250
	for i := range strangers {
		s.StakeAddress(testkit.NewWallet(t, fmt.Sprint("stranger ", i), s.Network), 5000)
	}
	s.Clock.Advance(action.StakeKept)
	for range 3 { // at most 100 expire in one Step
		s.World.Step()
	}
	if left := s.Rows(`SELECT address FROM stake_address`) + s.Rows(`SELECT id FROM action`) +
		s.Rows(`SELECT number FROM watch WHERE kind = 'stake'`); left != "" {
		t.Errorf("rows of expired addresses that were not deleted: %s", left)
	}
	if left := s.Rows(
		`SELECT COUNT(*) AS n, MAX(bucket) / 1048576 AS above FROM expired_stake`); left != "n=250 above=0 \n" {
		t.Errorf("the number of rows of expired addresses is %s", left)
	}
}

// TestExpiredAgain checks that an output that is no stake, at an address that expired twice, has no owner, and that a
// guard that recorded the output in between reports no violation.
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
	if kept := s.stakeState(s.Bert, script); kept != noneKept {
		t.Errorf("30 days later the ledger has %s", kept)
	}
	s.wantRight()
}

// TestFirstAddressOfAnotherCopy checks that a stake is found when a staker who is not in the ledger requests the first
// address again. A ledger that was restored, or found to be behind, may have issued any first address before.
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
		t.Fatalf("the stage of an unknown staker's stake is %s", stage)
	}
	s.StakeAddress(s.Bert, 5000)
	s.World.Step()
	s.search()
	s.WantStage(unit, ledger.PendingStake)
}
