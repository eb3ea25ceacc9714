package etching_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

// storedBytes returns the bytes of every stored transaction of an order, by role and id.
func (w *world) storedBytes(o etching.Order) map[string][]byte {
	w.Helper()
	kept := map[string][]byte{}
	w.Update(func(tx *store.Tx) error {
		txs, err := tx.Etchings(w.Context()).Txs.Txs(o.ID)
		for _, t := range txs {
			kept[string(t.Role)+" "+t.ID.String()] = t.Bytes()
		}
		return err
	})
	return kept
}

// After a reorg of three blocks and a restart at each stage, the same bytes complete the order.
func TestReorgAtEachStage(t *testing.T) {
	for _, after := range []int{0, 1, 2, 5, 6, 7} {
		t.Run(fmt.Sprintf("etching after %d blocks", after), func(t *testing.T) {
			w := newWorld(t)
			w.Mine(3)
			o := w.etch()
			w.pay(o, o.FundAmount)
			w.Step()
			w.disturbed(o, after)
			p := w.settle(o, etching.Complete)
			reveal := w.role(p, etching.Reveal)
			entry, found := w.entry(name)
			if !found || entry.Etching != reveal.ID || p.RuneID != entry.ID.String() {
				t.Errorf("entry: got %+v, order: got rune %s", entry, p.RuneID)
			}
			w.holds(first(reveal), entry.ID, 1000)
		})
	}
	for _, after := range []int{0, 1, 2} {
		t.Run(fmt.Sprintf("mints after %d blocks", after), func(t *testing.T) {
			w := newWorld(t)
			entry := w.open("100")
			w.Settle(3)
			o := w.mint(3)
			w.pay(o, o.FundAmount)
			w.Step()
			w.disturbed(o, after)
			p := w.settle(o, etching.Complete)
			w.holds(first(w.role(p, etching.Minting)), entry.ID, 150)
		})
	}
}

// disturbed mines blocks, makes a reorg of three blocks and a restart, and checks that no transaction is built again.
func (w *world) disturbed(o etching.Order, after int) {
	w.Helper()
	w.Settle(after)
	before := w.storedBytes(o)
	w.Node.Rewind(3)
	w.Node.Forget() // the node also loses its mempool
	for range 4 {
		w.Node.MineOnly()
	}
	w.Restart()
	w.Step()
	w.Settle(12)
	kept := w.storedBytes(o)
	for id, raw := range before {
		if !bytes.Equal(kept[id], raw) {
			w.Errorf("%s changed", id)
		}
	}
	if len(before) > 1 && len(kept) != len(before) {
		w.Errorf("stored: got %v, want %v", slices.Sorted(maps.Keys(kept)), slices.Sorted(maps.Keys(before)))
	}
}

// A reorg of one to six blocks undoes the reveal. The reveal is mined again at once, later, or not before a competing
// one with the same name. The order and the index equal the state of a server that saw only the winning chain.
func TestReorgOfTheReveal(t *testing.T) {
	for depth := 1; depth <= follower.MaxReorg; depth++ {
		if engine.Current() == engine.Postgres && depth > 1 && depth < follower.MaxReorg {
			continue // the ends of the range suffice
		}
		for _, outcome := range []string{"again", "later", "taken"} {
			t.Run(fmt.Sprintf("%d/%s", depth, outcome), func(t *testing.T) { reorgOfTheReveal(t, depth, outcome) })
		}
	}
}

func reorgOfTheReveal(t *testing.T, depth int, outcome string) {
	w, theirs, o, reveal := revealing(t)
	twin := &world{w.Copy()}
	twin.Etch()
	w.Node.MineOnly(reveal.Tx)
	for range depth - 1 {
		w.Node.MineOnly()
	}
	w.Step()
	w.want(o, etching.Complete)

	w.Node.Rewind(depth)
	end := etching.Complete
	switch outcome {
	case "again":
		w.Node.MineOnly(reveal.Tx)
	case "later":
		w.Node.MineOnly()
		w.Step() // on a chain that may be shorter
		w.Node.MineOnly(reveal.Tx)
	case "taken":
		w.Node.MineOnly(w.foreignReveal(theirs))
		end = etching.Failed
	}
	for range depth {
		w.Node.MineOnly()
	}
	w.Step()
	twin.Step()
	p, q := w.want(o, end), twin.want(o, end)
	if p.RuneID != q.RuneID || p.Reason != q.Reason {
		t.Errorf("order: got %q %q, want %q %q as after a replay", p.RuneID, p.Reason, q.RuneID, q.Reason)
	}
	if a, b := w.Dump(), twin.Dump(); a != b {
		t.Errorf("ledger after the reorg: got\n%s\nwant\n%s", a, b)
	}
	if outcome == "taken" {
		w.back(w.settle(o, etching.Refunded), o.FundAmount, w.role(p, etching.Commit).Fee+800)
		return
	}
	entry, _ := w.entry(name)
	w.holds(first(reveal), entry.ID, 1000)
	if kept := w.storedBytes(o); len(kept) != 3 || !bytes.Equal(kept["reveal "+reveal.ID.String()], reveal.Bytes()) {
		t.Errorf("stored transactions: got %v", slices.Sorted(maps.Keys(kept)))
	}
}

// A reorg of the last block of a complete order moves it back to executing, and it completes again.
func TestCompleteIsUndone(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.settle(o, etching.Complete)
	w.Node.Rewind(1)
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Step()
	w.want(o, etching.Executing)
	w.settle(o, etching.Complete)
}

func TestRefundIsUndone(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount-1)
	w.Settle(1)
	w.Clock.Advance(etching.FundingWindow)
	w.Step()
	refund := w.role(w.settle(o, etching.Refunded), etching.Refund)
	w.Node.Rewind(1)
	w.Node.Forget()
	w.Node.MineOnly()
	w.Node.MineOnly()
	w.Restart()
	w.Step()
	w.want(o, etching.Failed)
	if p := w.settle(o, etching.Refunded); w.role(p, etching.Refund).ID != refund.ID {
		t.Error("the order was refunded by another transaction")
	}
}

// If the server stops between storing and broadcasting, the stored transactions are broadcast later, and none is built
// twice.
func TestStoredBeforeItIsSent(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Mine(1)
	w.Node.FailSend(errors.New("the line is dead"), false)
	if _, err := w.Follower.Step(t.Context()); err == nil {
		t.Error("Step returned no error although the broadcast failed")
	}
	before := w.storedBytes(o)
	if len(before) != 3 {
		t.Fatalf("stored transactions: got %v, want 3", before)
	}
	w.Node.FailSend(nil, false)
	for range 3 {
		w.Restart()
		w.Step()
	}
	if after := w.storedBytes(o); len(after) != len(before) {
		t.Errorf("built again: %v", after)
	}
	w.settle(o, etching.Complete)
}

// A server that is started on the same database continues every order.
func TestAnotherServerGoesOn(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Settle(2)
	before := w.storedBytes(o)
	w.Restart()
	w.Settle(6)
	w.settle(o, etching.Complete)
	if after := w.storedBytes(o); len(after) != len(before) {
		t.Errorf("built again: %v", after)
	}
}

// An order that the signer refuses waits and says so, and continues when the signer accepts it.
func TestSignerRefuses(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	signing := w.RuneOrders
	w.RuneOrders = refusing{signing}
	w.pay(o, o.FundAmount)
	w.Step()
	w.Clock.Advance(etching.FundingWindow + 2*etching.RefusalPatience)
	w.Settle(3)
	if p := w.want(o, etching.Pending); p.ReasonCode != fault.RuneOrderDelayed.Code {
		t.Errorf("the order waits because of %q", p.Reason)
	}
	w.waits(o, testkit.ErrRefused.Error())
	w.RuneOrders = signing
	w.settle(o, etching.Complete)
	w.waits(o, "")
}

// An order that fails, for example because of an error of the database, holds no other up.
func TestOneOrderFails(t *testing.T) {
	w := newWorld(t)
	w.open("100")
	broken, other := w.mint(1), w.mint(1)
	w.pay(broken, broken.FundAmount)
	w.pay(other, other.FundAmount)
	w.Step()
	w.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
		fn func(*store.Tx) error) error {
		failed := false
		return update(store.InjectFaults(ctx, func(statement string, _ bool) error {
			if !failed && strings.Contains(statement, "INTO rune_order_tx") && inStep() {
				failed = true
				return errors.New("the row is refused")
			}
			return nil
		}), fn)
	}
	w.settle(other, etching.Complete)
	w.want(broken, etching.Pending)
	w.waits(broken, "the row is refused")
	w.WrapTransaction = nil
	w.settle(broken, etching.Complete)
	w.waits(broken, "")
}

// An order that is paid during a pause of payouts stays new, and shows the pause. One that nobody paid does not.
func TestPausedOrderSaysSo(t *testing.T) {
	w := newWorld(t)
	paid, unpaid := w.etch(), w.etch()
	w.PausedPayouts()
	w.pay(paid, paid.FundAmount)
	w.Settle(1)
	w.Update(func(tx *store.Tx) error {
		for o, want := range map[string]int{paid.ID: 1, unpaid.ID: 0} {
			view, err := decisions.ReadRuneOrder(w.Context(), tx, o)
			if err != nil {
				return err
			}
			if len(view.Waits) != want || view.State != etching.New {
				t.Errorf("%s is %s and waits for %v", o, view.State, view.Waits)
			}
		}
		return nil
	})
}

// A row that can't be read delays mint and etch orders, which say so, and no step of the server.
func TestUnreadableOrderStopsNoStep(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Step()
	engine.Damage(t, w.URL(), "UPDATE rune_order SET promise = 'no ' || promise")
	w.Step()
	if why := w.Follower.State().Waiting["rune-order any"].Reason; !strings.Contains(why, "orders are delayed: ") {
		t.Errorf("it waits because of %q", why)
	}
	engine.Damage(t, w.URL(), "UPDATE rune_order SET promise = substr(promise, 4)")
	w.settle(o, etching.Complete)
}

// waits checks that an order waits for a reason that contains the text, or that it does not wait if text is "".
func (w *world) waits(o etching.Order, text string) {
	w.Helper()
	wait, waits := w.Follower.State().Waiting["rune-order "+o.ID]
	if waits != (text != "") || !strings.Contains(wait.Reason, text) {
		w.Errorf("the order waits: %v, %q, want %q", waits, wait.Reason, text)
	}
	w.Update(func(tx *store.Tx) error {
		view, err := decisions.ReadRuneOrder(w.Context(), tx, o.ID)
		if err == nil && (len(view.Waits) > 0) != waits {
			w.Errorf("the order's view says that it waits: %v", view.Waits)
		}
		return err
	})
}

// The transactions of an order are all stored or none, also if the signer fails after the first signature, or the
// database after the first transaction.
func TestNothingIsStoredHalf(t *testing.T) {
	for _, kind := range []etching.Kind{etching.Etch, etching.Mint} {
		w := newWorld(t)
		var o etching.Order
		if kind == etching.Etch {
			o = w.etch()
		} else {
			w.open("100")
			o = w.mint(2)
		}
		waits := func() {
			t.Helper()
			w.want(o, etching.Pending)
			if kept := w.storedBytes(o); len(kept) != 1 {
				t.Errorf("%s: stored transactions: got %v, want only the payment", kind, slices.Sorted(maps.Keys(kept)))
			}
		}
		signing := w.RuneOrders
		w.RuneOrders = &tired{Signer: signing, left: 1}
		w.pay(o, o.FundAmount)
		w.Settle(1)
		waits()
		w.RuneOrders = signing
		w.WrapTransaction = failing("INTO rune_order_tx", 2)
		w.Step()
		waits()
		w.WrapTransaction = nil
		w.settle(o, etching.Complete)
	}
}

// tired is a signer that fails after a number of signatures.
type tired struct {
	etching.Signer
	left int
}

func (s *tired) SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error) {
	if s.left--; s.left < 0 {
		return nil, testkit.ErrRefused
	}
	return s.Signer.SignRuneOrder(ctx, o, tx)
}

// failing makes the nth statement of a kind fail in each transaction.
func failing(statement string, n int) testkit.WrapTransaction {
	return func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
		fn func(*store.Tx) error) error {
		left := n
		return update(store.InjectFaults(ctx, func(asked string, _ bool) error {
			if strings.Contains(asked, statement) {
				left--
			}
			if left == 0 {
				return errors.New("the disk is full")
			}
			return nil
		}), fn)
	}
}

// If the lookup of a rule fails, nothing is decided about a waiting or executing order, and it says why it waits. The
// order is completed when the database answers again.
func TestFailedLookupDecidesNothing(t *testing.T) {
	w := newWorld(t)
	o := w.etch()
	w.pay(o, o.FundAmount)
	w.Step()
	for _, state := range []etching.State{etching.Pending, etching.Executing} {
		w.Mine(1)
		asked := 0
		w.WrapTransaction = func(ctx context.Context, update func(context.Context, func(*store.Tx) error) error,
			fn func(*store.Tx) error) error {
			failed := false
			return update(store.InjectFaults(ctx, func(statement string, _ bool) error {
				if !failed && strings.Contains(statement, "kind = 'rune_etch' AND state = 'executing'") && inStep() {
					failed, asked = true, asked+1
					return errors.New("the disk is full")
				}
				return nil
			}), fn)
		}
		before := w.storedBytes(o)
		w.Step()
		w.WrapTransaction = nil
		w.want(o, state)
		w.waits(o, "the disk is full")
		if after := w.storedBytes(o); asked == 0 || len(after) != len(before) {
			t.Errorf("%s: %d lookups failed; transactions: got %d, want %d", state, asked, len(after), len(before))
		}
		w.Step()
	}
	w.settle(o, etching.Complete)
}

// inStep reports whether a statement comes from the step of an order.
func inStep() bool {
	var stack [64]uintptr
	return strings.Contains(testkit.CallPath(stack[:runtime.Callers(2, stack[:])]), "etching.(*step)")
}

// A server with a ledger from a backup finds the transactions that were sent after the backup on the chain and in the
// mempool. It builds the missing ones, and no transaction twice.
func TestLedgerFromABackup(t *testing.T) {
	depths := []int{1, 2, 5, 6, 7}
	if testing.Short() && engine.Current() == engine.Postgres {
		depths = []int{1, 7}
	}
	for _, after := range depths {
		w := newWorld(t)
		o := w.etch()
		twin := &world{w.Copy()}
		w.pay(o, o.FundAmount)
		w.Settle(after)
		sent := w.storedBytes(o)
		if after%2 == 1 {
			w.Node.Forget()
		}
		testkit.Must(t, w.Store.Close())
		w = twin
		w.Etch()
		w.Step()
		p := w.settle(o, etching.Complete)
		kept := w.storedBytes(o)
		if len(kept) != 3 {
			t.Errorf("after %d blocks: got %v, sent %v", after, slices.Sorted(maps.Keys(kept)), slices.Sorted(maps.Keys(sent)))
		}
		for id, raw := range sent {
			if !bytes.Equal(kept[id], raw) {
				t.Errorf("after %d blocks: transaction %s changed", after, id)
			}
		}
		entry, _ := w.entry(name)
		w.holds(first(w.role(p, etching.Reveal)), entry.ID, 1000)
	}
	for _, after := range []int{0, 2} {
		w := newWorld(t)
		entry := w.open("100")
		o := w.mint(3)
		twin := &world{w.Copy()}
		w.pay(o, o.FundAmount)
		w.Settle(1)
		ours := w.progress(o).Txs[1:]
		for _, tx := range ours[:after] {
			w.Node.MineOnly(tx.Tx)
		}
		w.Node.Forget()
		testkit.Must(t, w.Store.Close())
		w = twin
		w.Etch()
		w.Step()
		p := w.settle(o, etching.Complete)
		if last := w.role(p, etching.Minting); last.ID != ours[2].ID || len(p.Txs) != 4 {
			t.Errorf("after %d mints: %v", after, ids(p.Txs))
		}
		w.holds(first(ours[2]), entry.ID, 150)
	}
}
