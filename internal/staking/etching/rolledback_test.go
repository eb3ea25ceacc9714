package etching_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/staking/etching"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// update and change are the parameters of a testkit.WrapTransaction.
type (
	change = func(*store.Tx) error
	update = func(context.Context, func(*store.Tx) error) error
)

var errRolledBack = errors.New("rolled back")

// TestAddressOfAFailedCommit checks that an order is watched whose insertion shared a commit with a transaction of the
// follower, if the commit failed and each was repeated alone. Then the order has another address with the same number.
// A shared commit fails if the client of one of its requests disconnects while the database runs its statement.
func TestAddressOfAFailedCommit(t *testing.T) {
	w := newWorld(t)
	w.open("100")
	w.Mine(1)
	w.Deposit(w.Bert, 2000)
	var orders []etching.Order
	var follower change // the transaction that shares the commit of the next order
	w.WrapTransaction = func(ctx context.Context, run update, fn change) error {
		if follower == nil {
			follower = fn
			orders = append(orders, w.mint(1))
			return run(ctx, fn)
		}
		with := follower
		follower = nil
		if err := run(ctx, func(tx *store.Tx) error {
			if err := fn(tx); err != nil {
				return err
			}
			_ = with(tx) // it is repeated
			return errRolledBack
		}); !errors.Is(err, errRolledBack) {
			return err
		}
		return run(ctx, fn)
	}
	w.Step()
	w.WrapTransaction = nil
	coin := w.Anna.Sats()
	var outs []*wire.TxOut
	for _, o := range orders {
		outs = append(outs, wire.NewTxOut(int64(o.FundAmount), o.Script))
	}
	testkit.Must(t, w.Node.Broadcast(t.Context(), w.Anna.Spend([]testkit.Coin{coin}, outs...).Bytes()))
	w.Step()
	for i, o := range orders {
		if p := w.progress(o); p.Received != o.FundAmount {
			t.Errorf("order %d of %d: received %d sats, want %d", i+1, len(orders), p.Received, o.FundAmount)
		}
	}
}

// TestLedgerFromABackupAfterRollbacks checks that a server finds the transactions that were sent after its backup if
// each of its database transactions is rolled back and repeated.
func TestLedgerFromABackupAfterRollbacks(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	twin := &world{w.Copy()}
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	sent := w.storedBytes(o)
	testkit.Must(t, w.Store.Close())
	w = twin
	w.Etch()
	w.WrapTransaction = func(ctx context.Context, run update, fn change) error {
		if err := run(ctx, func(tx *store.Tx) error {
			if err := fn(tx); err != nil {
				return err
			}
			return errRolledBack
		}); !errors.Is(err, errRolledBack) {
			return err
		}
		return run(ctx, fn)
	}
	w.Step()
	w.want(o, etching.Complete)
	kept := w.storedBytes(o)
	for id, raw := range sent {
		if !bytes.Equal(kept[id], raw) {
			t.Errorf("the transaction %s is not stored", id)
		}
	}
	if len(kept) != len(sent) {
		t.Errorf("%d transactions are stored, %d were sent", len(kept), len(sent))
	}
}
