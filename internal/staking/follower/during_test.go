package follower_test

import (
	"context"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// moments are the calls of a Step to the node, the signer and the database. The n-th of them calls act first.
type moments struct {
	n, calls int
	act      func() // nil outside of the Step, and once it was called
}

func (m *moments) call() {
	if m.act == nil {
		return
	}
	if m.calls++; m.calls == m.n {
		act := m.act
		m.act = nil // its own calls are no moments of the Step
		act()
	}
}

// watch makes the calls of a world's services moments.
func (m *moments) watch(w *testkit.World) {
	w.FollowedNode = momentsNode{w.Chain(), m}
	w.FetchAhead = 1
	w.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
		fn func(*store.Tx) error) error {
		m.call()
		return update(ctx, fn)
	}
	w.ReadContext = func(ctx context.Context) context.Context {
		m.call()
		return ctx
	}
}

// momentsNode is a node whose calls are moments, except Tx, which several goroutines call.
type momentsNode struct {
	follower.Node
	*moments
}

// Best implements follower.Node.
func (n momentsNode) Best(ctx context.Context) (chainhash.Hash, int64, error) {
	n.call()
	return n.Node.Best(ctx)
}

// BlockHash implements follower.Node.
func (n momentsNode) BlockHash(ctx context.Context, height int64) (chainhash.Hash, error) {
	n.call()
	return n.Node.BlockHash(ctx, height)
}

// Block implements follower.Node.
func (n momentsNode) Block(ctx context.Context, hash chainhash.Hash, height int64) (chain.Block, error) {
	n.call()
	return n.Node.Block(ctx, hash, height)
}

// Mempool implements follower.Node.
func (n momentsNode) Mempool(ctx context.Context) ([]chainhash.Hash, error) {
	n.call()
	return n.Node.Mempool(ctx)
}

// Broadcast implements follower.Node.
func (n momentsNode) Broadcast(ctx context.Context, raw []byte) error {
	n.call()
	return n.Node.Broadcast(ctx, raw)
}

// momentsSigner is a signer whose calls are moments.
type momentsSigner struct {
	payout.Signer
	*moments
}

// Sign implements payout.Signer.
func (s momentsSigner) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	s.call()
	return s.Signer.Sign(ctx, u)
}

// atEachMoment runs a Step from a snapshot once for each of its moments, or where that takes long for some of them, and
// calls act there. Then it settles some blocks, audits the ledger and calls the function that act returned, if any.
func atEachMoment(t *testing.T, from testkit.Checkpoint, act func(w *testkit.World) (check func())) {
	stride := 1
	if testing.Short() || engine.Current() == engine.Postgres || testkit.Real() {
		stride = 9
	}
	n := 1
	defer func() {
		if t.Failed() {
			t.Logf("at moment %d of the Step", n)
		}
	}()
	for ; ; n += stride {
		m := &moments{n: n}
		w := from.Start(t, m.watch)
		w.Signer = momentsSigner{w.Signer, m}
		reached, check := false, func() {}
		m.act = func() {
			reached = true
			if then := act(w); then != nil {
				check = then
			}
		}
		if _, err := w.Follower.Step(t.Context()); err != nil {
			t.Logf("moment %d: %v", n, err) // the chain changed while it was read
		}
		m.act = nil
		if !reached {
			break
		}
		w.Step()
		w.Settle(10)
		check()
		w.Audit()
		testkit.Must(t, w.Store.Close())
	}
	if n == 1 {
		t.Error("a Step without moments")
	}
}

// TestRequestsDuringAStep makes requests, payments, deposits and blocks at each moment of a Step that has all kinds of
// work to do. Nothing of them is lost, and every order is delivered or canceled.
func TestRequestsDuringAStep(t *testing.T) {
	w := testkit.NewWorld(t)
	var units []string
	for range 5 {
		id, _ := w.Deposit(w.Anna, 5000)
		units = append(units, id)
	}
	staked, _ := w.Deposit(w.Bert, 7000)
	w.Settle(4)
	w.NextEpoch()
	w.Act(w.Anna, action.Unstake, units...)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	w.NextEpoch()
	w.Settle(ledger.SettleDepth)
	reward, unlocked := w.Units(w.Bert, ledger.Claimable)[0], units[0]
	sent, canceled, paid, seen := w.Withdrawal(units[1]), w.Withdrawal(units[2]), w.Withdrawal(units[3]),
		w.Withdrawal(units[4])
	w.Pay(w.Anna, sent, sent.Due())
	w.Settle(1)
	w.WantStatus(sent.ID, order.Sent)
	w.Pay(w.Anna, canceled, 5000)
	w.Step()
	w.Cancel(canceled)
	w.Pay(w.Anna, paid, paid.Due())
	w.Mine(1)
	w.Pay(w.Anna, seen, seen.Due())
	w.Deposit(w.Cleo, 3000)
	start := w.Checkpoint()

	buy := func(w *testkit.World, from *testkit.Wallet, kind action.Type, unit string) func() {
		o := *w.Act(from, kind, unit).Order
		w.Pay(from, o, o.Due())
		return func() { w.WantStatus(o.ID, order.Consolidated) }
	}
	stake := func(w *testkit.World) func() {
		id, _ := w.Deposit(w.Bert, 2000)
		return func() { w.WantStage(id, ledger.PendingStake) }
	}
	moved := func(w *testkit.World, from *testkit.Wallet, kind action.Type, unit string, to ledger.Stage) func() {
		w.Act(from, kind, unit)
		return func() { w.WantStage(unit, to) }
	}
	for name, act := range map[string]func(w *testkit.World) (check func()){
		"withdrawal": func(w *testkit.World) func() { return buy(w, w.Anna, action.Withdraw, unlocked) },
		"withdrawal, in a block": func(w *testkit.World) func() {
			defer w.Node.Mine()
			return buy(w, w.Anna, action.Withdraw, unlocked)
		},
		"withdrawal in one transaction": func(w *testkit.World) func() {
			o := *w.Act(w.Anna, action.Withdraw, unlocked).Order
			w.PayOneTx(w.Anna, o)
			return func() { w.WantStatus(o.ID, order.Consolidated) }
		},
		"claim": func(w *testkit.World) func() { return buy(w, w.Bert, action.Claim, reward) },
		"stake": stake,
		"stake, in a block": func(w *testkit.World) func() {
			defer w.Node.Mine()
			return stake(w)
		},
		"unstake": func(w *testkit.World) func() {
			return moved(w, w.Bert, action.Unstake, staked, ledger.PendingUnlock)
		},
		"compound": func(w *testkit.World) func() {
			return moved(w, w.Bert, action.Compound, reward, ledger.PendingStake)
		},
		"cancels": func(w *testkit.World) func() {
			for _, o := range []order.Order{paid, seen} {
				if w.Order(o.ID).Status.Active() {
					w.Cancel(o)
				}
			}
			return nil
		},
		"more payments": func(w *testkit.World) func() {
			for _, o := range []order.Order{sent, canceled, paid} {
				w.Pay(w.Anna, o, 4000)
			}
			return nil
		},
		"reorg": func(w *testkit.World) func() {
			w.Node.Rewind(2)
			w.Mine(3)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atEachMoment(t, start, func(w *testkit.World) func() {
				check := act(w)
				return func() {
					if check != nil {
						check()
					}
					for _, o := range []order.Order{sent, canceled, paid, seen} {
						o = w.Order(o.ID)
						if done := o.Status == order.Consolidated || o.Status == order.Canceled; !done || o.Owed.Sats > 0 {
							t.Errorf("the order of %s is %s, and %d sats are due", o.UnitIDs[0], o.Status, o.Owed.Sats)
						}
					}
				}
			})
		})
	}
}

// TestAddressIssuedAgainDuringAStep requests a stake address again, and sends a deposit to it, at each moment of the
// Step in which it expires.
func TestAddressIssuedAgainDuringAStep(t *testing.T) {
	w := testkit.NewWorld(t)
	w.StakeAddress(w.Cleo, 3000)
	w.Step()
	w.Clock.Advance(action.StakeKept + time.Second)
	start := w.Checkpoint()
	for name, mined := range map[string]bool{"in the mempool": false, "in a block": true} {
		t.Run(name, func(t *testing.T) {
			atEachMoment(t, start, func(w *testkit.World) func() {
				id, _ := w.Deposit(w.Cleo, 3000)
				if mined {
					w.Node.Mine()
				}
				return func() { w.WantStage(id, ledger.PendingStake) }
			})
		})
	}
}
