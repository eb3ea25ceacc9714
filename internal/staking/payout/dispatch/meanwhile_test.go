package dispatch_test

import (
	"context"
	"errors"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// meanwhile is a signer that calls happen once, during its first signature.
type meanwhile struct {
	next   payout.Signer
	happen func()
	signed []*wire.MsgTx
}

func (m *meanwhile) Sign(ctx context.Context, u payout.Unsigned) (*wire.MsgTx, error) {
	tx, err := m.next.Sign(ctx, u)
	if err == nil {
		m.signed = append(m.signed, tx)
	}
	if happen := m.happen; happen != nil {
		m.happen = nil
		happen()
	}
	return tx, err
}

// A signed payout is discarded if the ledger changed during the signing so that the payout would not be built again.
func TestChangesWhileAPayoutIsSigned(t *testing.T) {
	setting := func(name, value string) func(*testkit.World, *store.Tx, order.Order) error {
		return func(w *testkit.World, tx *store.Tx, _ order.Order) error {
			return tx.PutSetting(w.Context(), name, value)
		}
	}
	output := func(find func(*testkit.World, *store.Tx, order.Order) (wire.OutPoint, error),
		change func(*ledger.Output)) func(*testkit.World, *store.Tx, order.Order) error {
		return func(w *testkit.World, tx *store.Tx, o order.Order) error {
			point, err := find(w, tx, o)
			if err != nil {
				return err
			}
			out, err := tx.Output(w.Context(), point)
			if err != nil {
				return err
			}
			change(&out)
			return tx.PutOutput(w.Context(), out)
		}
	}
	unit := func(w *testkit.World, tx *store.Tx, o order.Order) (wire.OutPoint, error) {
		return ledger.ParseOutPoint(o.UnitIDs[0])
	}
	payment := func(w *testkit.World, tx *store.Tx, o order.Order) (wire.OutPoint, error) {
		payments, err := tx.PaymentsOf(w.Context(), o.ID)
		return payments[0].OutPoint, err
	}
	for name, change := range map[string]func(*testkit.World, *store.Tx, order.Order) error{
		"payouts are paused":    setting(store.PausePayouts, "by the test"),
		"everything is paused":  setting(store.PauseAll, "by the test"),
		"its unit is spent":     output(unit, func(out *ledger.Output) { out.SpentBy = "another transaction" }),
		"its unit is reorged":   output(unit, func(out *ledger.Output) { out.Height = chain.None }),
		"its payment vanishes":  output(payment, func(out *ledger.Output) { out.Vanished = true }),
		"its payment is spent":  output(payment, func(out *ledger.Output) { out.SpentBy = "another transaction" }),
		"its payment is undone": output(payment, func(out *ledger.Output) { out.Height = chain.None }),
		"it goes to AUDIT": func(w *testkit.World, tx *store.Tx, o order.Order) error {
			cause := ledger.Cause{Kind: "operator", ID: "test", At: w.Clock.Now()}
			_, err := w.Orders.Apply(w.Context(), tx.OrderTx(), o, order.UnitLostAfterPaying, cause, nil)
			return err
		},
		"its owner cancels it": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := testkit.NewWorld(t)
			o := w.Withdrawal(w.Unlocked(w.Anna, 5000))
			w.Pay(w.Anna, o, o.Due())
			w.Mine(1)
			w.HoldRefunds() // of what is canceled
			signer := &meanwhile{next: w.Signer}
			signer.happen = func() {
				if change == nil {
					w.Cancel(o)
					return
				}
				paid := w.Order(o.ID)
				w.Update(func(tx *store.Tx) error { return change(w, tx, paid) })
			}
			w.Signer = signer
			if _, err := w.Follower.Step(w.Context()); err != nil {
				t.Fatal(err)
			}
			if len(signer.signed) == 0 {
				t.Fatal("nothing was signed")
			}
			if status := w.Order(o.ID).Status; status == order.Sent {
				t.Error("the order is SENT")
			}
			if stored := w.Rows(`SELECT txid FROM payout_version`); stored != "" {
				t.Errorf("stored: %s", stored)
			}
			for _, tx := range signer.signed {
				if n := w.Node.Broadcasts(tx.TxHash()); n != 0 {
					t.Errorf("%s was broadcast %d times", tx.TxHash(), n)
				}
			}
		})
	}
}

// A payout that was signed but not stored is signed again as the same transaction, and counts once towards the signer's
// limit.
func TestSignedTwiceCountsOnce(t *testing.T) {
	w := testkit.NewWorld(t)
	orders := w.PaidClaims() // of 333,333 base units each, all in one payout
	w.LimitSigner(1_000_000)
	lost := errors.New("the storing failed")
	signer := &meanwhile{next: w.Signer}
	signer.happen = func() {
		w.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
			fn func(*store.Tx) error) error {
			w.WrapTransaction = nil
			return update(ctx, func(tx *store.Tx) error { return errors.Join(fn(tx), lost) })
		}
	}
	w.Signer = signer
	w.Mine(1)
	if _, err := w.Follower.Step(w.Context()); !errors.Is(err, lost) {
		t.Fatalf("got %v", err)
	}
	if stored := w.Rows(`SELECT txid FROM payout_version`); stored != "" {
		t.Fatalf("stored: %s", stored)
	}
	w.Rate *= 2 // another fee: another transaction of the same orders
	w.Step()
	for _, o := range orders {
		w.WantStatus(o.ID, order.Sent)
	}
	if len(signer.signed) < 2 || signer.signed[0].TxHash() == signer.signed[1].TxHash() {
		t.Errorf("got %d signed transactions, want two different ones", len(signer.signed))
	}
}
