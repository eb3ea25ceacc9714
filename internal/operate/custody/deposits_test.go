package custody_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/custody"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// scanning is a node that counts the calls of ScanUnspent.
type scanning struct {
	follower.Node
	scans *int
}

// ScanUnspent returns the error of btcd, after which the search reads the blocks.
func (n scanning) ScanUnspent(context.Context, [][]byte) ([]chain.Paid, error) {
	*n.scans++
	return nil, chain.ErrNoScan
}

// searching is a world with the server's search.
type searching struct {
	*testkit.World
	server *custody.Deposits
	scans  int
	guard  *audit.Checker // stores the walked chain, like the guard of a server
	blocks int            // number of blocks that the guard read
}

// reading is a node that counts the blocks that are read.
type reading struct {
	audit.Node
	blocks *int
}

func (n reading) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	*n.blocks++
	return n.Node.Block(ctx, hash, height)
}

// guarded creates a new guard, as a restart of the server does.
func (s *searching) guarded() {
	s.Helper()
	db, err := audit.Open(s.URL())
	testkit.Must(s, err)
	s.Cleanup(func() { _ = db.Close() })
	s.guard = audit.NewChecker(db, reading{s.Chain(), &s.blocks}, audit.Config{Rules: runes.RulesFor(s.Network)})
}

func newSearch(w *testkit.World) *searching {
	s := &searching{World: w}
	s.server = &custody.Deposits{
		Accounts: accounts(w, w, worldKeys(w)),
		Store:    w.Store, Node: scanning{w.Chain(), &s.scans}, Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now,
		Ready:   func() bool { return w.Follower.State().Synced },
		Watches: func(scripts [][]byte) bool { return w.Follower.Watches(scripts) },
		Credit:  func() {},
	}
	s.guarded()
	return s
}

// search runs the server's search until nothing is due.
func (s *searching) search() {
	s.Helper()
	for range 4 {
		testkit.Must(s, s.server.Step(s.Context()))
		s.World.Step()
		s.wantRight()
	}
}

// wantRight fails the test if the audit finds a violation.
func (s *searching) wantRight() {
	s.Helper()
	db, err := audit.Open(s.URL())
	testkit.Must(s, err)
	defer db.Close()
	report, err := audit.Run(s.Context(), db, s.Chain(), audit.Config{Rules: runes.RulesFor(s.Network), MinimumStake: nil})
	testkit.Must(s, err)
	if !report.OK() {
		s.Fatalf("audit violations: %v", report.Violations)
	}
	if report, err = s.guard.Check(s.Context()); err != nil || !report.OK() {
		s.Fatalf("violations of the guard: %v, %v", report.Violations, err)
	}
}

// adopt adopts every address of another ledger that this one does not have.
func (s *searching) adopt(from *testkit.World) {
	s.Helper()
	records, err := store.ReadStakes(s.Context(), from.URL())
	testkit.Must(s, err)
	s.Update(func(tx *store.Tx) error {
		for _, r := range records {
			address, err := chain.ParseAddress(r.Address, s.Network)
			if err != nil {
				return err
			}
			if _, err := tx.AdoptStake(s.Context(), r, address.Script); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestAdoptedDepositsAreCredited checks that the running server credits the deposits at adopted addresses, in any
// block, and from the next epoch on. Spent deposits are not credited, a reorg undoes a deposit and restores it, and the
// audit finds no violation at any step.
func TestAdoptedDepositsAreCredited(t *testing.T) {
	for name, world := range map[string]func(testing.TB) *testkit.World{"every rune": testkit.NewWorld,
		"followed runes": testkit.NewFollowing} {
		t.Run(name, func(t *testing.T) {
			w := world(t)
			w.Staked(w.Anna, 50_000)
			stale := w.Copy()
			spent, _ := w.Deposit(w.Cleo, 40_000)
			w.Settle(150)
			w.Send(w.Recover(w.Cleo, spent))
			w.Settle(4)
			deep, _ := w.Deposit(w.Bert, 70_000)
			w.Settle(8)
			recent, _ := w.Deposit(w.Bert, 60_000)
			w.Settle(1)
			waiting, _ := w.Deposit(w.Bert, 30_000)
			stale.Step()
			s := newSearch(stale)
			s.adopt(w)
			s.wantRight() // adopted and not searched yet
			s.search()
			for _, id := range []string{deep, recent, waiting} {
				stale.WantStage(id, ledger.PendingStake)
			}
			if stage := stale.Stage(spent); stage != "" {
				t.Errorf("the stage of a recovered deposit is %s", stage)
			}
			if s.scans != 1 {
				t.Errorf("%d scans of the chain, want 1", s.scans)
			}
			stale.Node.Rewind(1)
			stale.Node.Mine()
			stale.Step()
			stale.Node.Mine()
			stale.Step()
			s.wantRight()
			stale.WantStage(recent, ledger.PendingStake)
			stale.NextEpoch()
			stale.Settle(3)
			s.wantRight()
			stale.WantStage(deep, ledger.Staked)
			stale.NextEpoch()
			stale.Settle(3)
			s.wantRight()
			stale.WantStage(recent, ledger.Staked)
		})
	}
}

// TestAdoptedDepositIsSpentMeanwhile checks that neither a crash between two parts of the search nor a deposit that is
// spent meanwhile changes the result.
func TestAdoptedDepositIsSpentMeanwhile(t *testing.T) {
	w := testkit.NewWorld(t)
	stale := w.Copy()
	unit, _ := w.Deposit(w.Bert, 70_000)
	w.Settle(150)
	stale.Step()
	s := newSearch(stale)
	s.adopt(w)
	stale.Step()
	testkit.Must(t, s.server.Step(t.Context())) // found and not credited
	s.wantRight()
	stale.Restart()
	w.Send(w.Recover(w.Bert, unit))
	w.Node.Mine()
	stale.Step()
	s = newSearch(stale)
	s.search()
	if stage := stale.Stage(unit); stage != "" || s.scans != 0 {
		t.Errorf("the stage of the spent deposit's unit is %q after %d more scans", stage, s.scans)
	}
}

// TestKnownStakersAreSearchedForOnce checks that deposits of known stakers are searched for once after a restore, and
// once after a ledger was found to be behind its key's mark.
func TestKnownStakersAreSearchedForOnce(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Staked(w.Anna, 50_000)
	stale := w.Copy()
	unit, _ := w.Deposit(w.Anna, 70_000)
	stranger, _ := w.Deposit(w.Bert, 60_000) // the copy does not have Bert's key
	w.Settle(3)
	var mark store.Mark
	w.Update(func(tx *store.Tx) (err error) {
		mark, err = tx.Mark(t.Context())
		return err
	})
	stale.Update(func(tx *store.Tx) error { return tx.FoundBehind(t.Context(), mark, "a copy", w.Clock.Now()) })
	stale.Step()
	s := newSearch(stale)
	s.search()
	stale.WantStage(unit, ledger.PendingStake)
	if stage := stale.Stage(stranger); stage != "" {
		t.Errorf("the stage of an unknown staker's deposit is %s", stage)
	}
	var done *store.StakeSearch
	stale.Update(func(tx *store.Tx) (err error) {
		done, err = tx.StakeSearch(t.Context())
		return err
	})
	if done.Due || len(done.Adopted) != 1 || done.Tried == 0 || done.LeftOut != 0 || s.scans != 2 {
		t.Errorf("the search took %d scans with the result %+v", s.scans, done)
	}
	stale.Restart()
	stale.Step()
	again := newSearch(stale)
	if again.search(); again.scans != 0 {
		t.Errorf("%d scans after a restart, want none", again.scans)
	}
}
