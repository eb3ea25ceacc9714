package publisher_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/server/publisher"
	"moonfund/internal/signed/statement"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/state"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/verify"
)

// kinds returns the kinds of receipts, oldest first.
func kinds(all []statement.SignedReceipt) string {
	var names []string
	for _, s := range slices.Backward(all) {
		names = append(names, s.Receipt.Kind)
	}
	return strings.Join(names, " ")
}

// verified verifies the receipts of an owner like moonfund-verify.
func verified(w *testkit.World, r *publisher.Receipts, owner string) {
	w.Helper()
	text, err := r.Of(w.Context(), testkit.Prefix, owner, "", "", 0)
	testkit.Must(w, err)
	file := filepath.Join(w.TempDir(), "receipts.json")
	testkit.Must(w, os.WriteFile(file, []byte(text), 0o600))
	var out bytes.Buffer
	v := verify.Verifier{Out: &out, Key: r.Communities[0].Key, Owner: owner}
	if testkit.Must(w, v.Receipts(w.Context(), []string{file})); v.Failed() > 0 {
		w.Fatal(&out)
	}
}

// TestReceiptsOfActionsAndOrders makes the receipts of a stake and of an order from its action to its refund.
func TestReceiptsOfActionsAndOrders(t *testing.T) {
	w := testkit.NewWorld(t)
	r := w.Receipts(w.StatementSigner(t.TempDir()))
	owner := w.Anna.Ordinals.Text
	id := w.Staked(w.Anna, 5000)
	w.Act(w.Anna, action.Unstake, id)
	if got := kinds(w.ReceiptsOf(r, owner)); got != "stake unstake" {
		t.Fatalf("got %s", got)
	}
	w.NextEpoch()
	w.NextEpoch()
	w.Settle(8)
	signed := w.Act(w.Anna, action.Withdraw, id)
	opened := w.ReceiptsOf(r, owner)[0]
	if got := opened.Receipt; got.Order != signed.Order.ID || got.Sats.String() != fmt.Sprint(signed.Order.Due()) ||
		got.Address != signed.Order.Address || got.Runes.String() != "5000" || got.Units != 1 ||
		got.Message == (statement.Hash{}) || got.TxID != statement.NoTx {
		t.Errorf("of the withdrawal: %+v", got)
	}
	paid := w.Pay(w.Anna, *signed.Order, signed.Order.Due()+20_000)
	w.Step()
	seen := w.ReceiptsOf(r, owner)[0].Receipt
	if seen.Kind != "payment" || seen.TxID != paid.ID.String() || seen.Height != 0 || seen.Order != signed.Order.ID {
		t.Errorf("of the payment: %+v", seen)
	}
	w.Settle(8)
	w.Settle(8)
	all := w.ReceiptsOf(r, owner)
	if got := kinds(all); got != "stake unstake withdraw payment delivery refund" {
		t.Errorf("got %s", got)
	}
	delivery := all[1].Receipt
	if delivery.TxID != w.Order(signed.Order.ID).PayoutTx || delivery.Height == 0 || delivery.Address != owner {
		t.Errorf("of the delivery: %+v", delivery)
	}
	if again := w.ReceiptsOf(w.Receipts(w.StatementSigner(t.TempDir())), owner); len(again) != len(all) {
		t.Errorf("another server made others: %s", kinds(again))
	}
	verified(w, r, owner)
	for name, c := range map[string]struct {
		action, order string
		skip          int32
		want          int
	}{
		"action": {action: opened.Receipt.Action, want: 1},
		"order":  {order: signed.Order.ID, want: 4},
		"skip":   {skip: 4, want: 2},
		"none":   {order: "none"},
	} {
		text, err := r.Of(t.Context(), testkit.Prefix, owner, c.action, c.order, c.skip)
		testkit.Must(t, err)
		if got := strings.Count(text, statement.SignedReceiptFormat); got != c.want {
			t.Errorf("%s: %d receipts, want %d", name, got, c.want)
		}
	}
	if _, err := r.Of(t.Context(), "wolf", owner, "", "", 0); !errors.Is(err, state.ErrNotFound) {
		t.Errorf("a community without receipts: got %v", err)
	}
}

// A payment that a reorg undoes and that is seen again has one receipt. A delivery that confirms again in another block
// also has one receipt.
func TestReceiptsAfterAReorg(t *testing.T) {
	w := testkit.NewWorld(t)
	r := w.Receipts(w.StatementSigner(t.TempDir()))
	owner := w.Anna.Ordinals.Text
	_, reward := w.Rewarded(w.Anna, 5000)
	signed := w.Act(w.Anna, action.Claim, reward)
	w.Pay(w.Anna, *signed.Order, signed.Order.Due())
	w.Settle(5)
	before := w.ReceiptsOf(r, owner)
	if got := kinds(before); got != "stake claim payment delivery" {
		t.Fatalf("got %s", got)
	}
	w.Node.Rewind(5)
	w.Mine(1)
	w.Step()
	w.ReceiptsOf(r, owner)
	w.Settle(8)
	if after := w.ReceiptsOf(r, owner); kinds(after) != kinds(before) {
		t.Errorf("after the reorg: %s", kinds(after))
	}
	verified(w, r, owner)
}

// certifier counts the keys that it certifies.
type certifier struct {
	*signer.Signer
	keys int
	fail error
}

func (c *certifier) CertifyReceiptKey(
	ctx context.Context, account uint32, key statement.Key,
) (signer.CertifiedKey, error) {
	if c.fail != nil {
		return signer.CertifiedKey{}, c.fail
	}
	c.keys++
	return c.Signer.CertifyReceiptKey(ctx, account, key)
}

// A server signs with one key until half of its certificate's validity is over. Each start uses another key, and no two
// batches of a key have the same sequence. No receipt is lost while the signer does not answer.
func TestReceiptKeys(t *testing.T) {
	w := testkit.NewWorld(t)
	sign := &certifier{Signer: w.StatementSigner(t.TempDir()), fail: errCrash}
	r := w.Receipts(sign)
	owner := w.Anna.Ordinals.Text
	stake := func() { w.Deposit(w.Anna, 1000); w.Settle(1) }
	stake()
	if err := r.Issue(t.Context()); !errors.Is(err, errCrash) {
		t.Fatalf("got error %v", err)
	}
	sign.fail = nil
	w.ReceiptsOf(r, owner)
	stake()
	all := w.ReceiptsOf(r, owner)
	if len(all) != 2 || sign.keys != 1 || all[0].Batch.Sequence != 1 || all[1].Batch.Sequence != 0 {
		t.Fatalf("%d keys, %+v", sign.keys, all)
	}
	now := w.Clock.Now()
	r.Now = func() (time.Time, error) { return now.Add(statement.CertificateLifetime/2 + time.Hour), nil }
	stake()
	w.ReceiptsOf(r, owner)
	stake()
	all = w.ReceiptsOf(w.Receipts(sign), owner)
	if len(all) != 4 || sign.keys != 3 || all[0].Batch.Key == all[1].Batch.Key || all[1].Batch.Key == all[2].Batch.Key {
		t.Errorf("%d keys, %d receipts", sign.keys, len(all))
	}
	verified(w, r, owner)
}

// A batch is stored with its place in the journal, or not at all. A key whose last batch may have been stored signs no
// other batch.
func TestReceiptCrashes(t *testing.T) {
	w := testkit.NewWorld(t)
	sign := &certifier{Signer: w.StatementSigner(t.TempDir())}
	r := w.Receipts(sign)
	owner := w.Anna.Ordinals.Text
	w.Deposit(w.Anna, 1000)
	w.Settle(1)
	r.Update = func(context.Context, func(*store.Tx) error) error { return errCrash }
	if err := r.Issue(t.Context()); !errors.Is(err, errCrash) {
		t.Fatalf("got error %v", err)
	}
	r.Update = func(ctx context.Context, fn func(*store.Tx) error) error {
		return errors.Join(w.Store.Update(ctx, fn), errCrash)
	}
	if err := r.Issue(t.Context()); !errors.Is(err, errCrash) || sign.keys != 2 {
		t.Fatalf("got error %v, %d keys", err, sign.keys)
	}
	r.Update = nil
	all := w.ReceiptsOf(r, owner)
	if len(all) != 1 || all[0].Batch.Sequence != 0 {
		t.Errorf("got %+v", all)
	}
}

// Of two servers that both assume that they lead, one stores each batch.
func TestTwoServersMakeOneReceipt(t *testing.T) {
	w := testkit.NewWorld(t)
	one, two := w.Receipts(w.StatementSigner(t.TempDir())), w.Receipts(w.StatementSigner(t.TempDir()))
	w.Deposit(w.Anna, 1000)
	w.Settle(1)
	one.Update = func(ctx context.Context, fn func(*store.Tx) error) error {
		one.Update = nil
		testkit.Must(t, two.Issue(ctx))
		return w.Store.Update(ctx, fn)
	}
	if err := one.Issue(t.Context()); !errors.Is(err, state.ErrConflict) {
		t.Errorf("got error %v", err)
	}
	if all := w.ReceiptsOf(one, w.Anna.Ordinals.Text); len(all) != 1 {
		t.Errorf("%d receipts", len(all))
	}
	two.Leads = func() bool { return false }
	w.Deposit(w.Anna, 1000)
	w.Settle(1)
	if all := w.ReceiptsOf(two, w.Anna.Ordinals.Text); len(all) != 1 {
		t.Errorf("a server that does not lead made %d receipts", len(all)-1)
	}
}

// A ledger's history before the first start has no receipts, and the receipts of old batches are deleted.
func TestReceiptsBeginAndEnd(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Deposit(w.Anna, 1000)
	w.Settle(1)
	r := w.Receipts(w.StatementSigner(t.TempDir()))
	owner := w.Anna.Ordinals.Text
	if all := w.ReceiptsOf(r, owner); len(all) != 0 {
		t.Errorf("receipts of the history: %s", kinds(all))
	}
	w.Deposit(w.Anna, 1000)
	w.Settle(1)
	if all := w.ReceiptsOf(r, owner); len(all) != 1 {
		t.Fatalf("got %s", kinds(all))
	}
	now := w.Clock.Now()
	r.Now = func() (time.Time, error) { return now.Add(399 * 24 * time.Hour), nil }
	if all := w.ReceiptsOf(r, owner); len(all) != 1 {
		t.Error("deleted too early")
	}
	r.Now = func() (time.Time, error) { return now.Add(401 * 24 * time.Hour), nil }
	if all := w.ReceiptsOf(r, owner); len(all) != 0 {
		t.Error("an old receipt is not deleted")
	}
	if left := w.Rows("SELECT root FROM receipt_batch"); left != "" {
		t.Errorf("an old batch is not deleted: %s", left)
	}
}

// A community that the ledger does not have is an error. The same Issue does not try it again.
func TestReceiptsOfAnUnknownCommunity(t *testing.T) {
	w := testkit.NewWorld(t)
	r := w.Receipts(w.StatementSigner(t.TempDir()))
	r.Communities[0].Prefix = "ghost"
	if err := r.Issue(t.Context()); !errors.Is(err, state.ErrNotFound) {
		t.Errorf("got %v, want %v", err, state.ErrNotFound)
	}
}
