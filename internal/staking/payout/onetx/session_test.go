package onetx_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/onetx"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// orderedTwo returns a world with two withdrawals of Anna's.
func orderedTwo(t *testing.T) (w *testkit.World, first, second order.Order) {
	t.Helper()
	w = testkit.NewWorld(t).InjectFaults()
	w.GiveSignerIndex()
	w.AddTreasurySats(100_000)
	ids := w.UnlockedUnits(2, 5000)
	return w, w.Withdrawal(ids[0]), w.Withdrawal(ids[1])
}

// A stranger who has the transaction of another order issued ends no session: the owner can sign either one, and then
// not the other one until the first order is delivered, also if both spend the same coin.
func TestOneTxSessionsOfTwoOrders(t *testing.T) {
	w, first, second := orderedTwo(t)
	held, further := w.Anna.Sats(), w.Anna.Sats()
	w.Anna.Hold(held)
	firstSigned, own := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, first).PSBT)
	w.Anna.Hold(held)
	secondSigned, same := w.Anna.SignPSBT(w.BeginOneTx(w.Anna, second).PSBT) // the stranger's call
	if len(own) != 1 || len(same) != 1 || own[0].OutPoint != same[0].OutPoint {
		t.Fatalf("the transactions spend %v and %v, want the same coin", own, same)
	}
	for range 2 { // the second time, a stranger replaces a session that is signed
		testkit.Must(t, w.TrySendOneTx(w.Anna, first, firstSigned))
		_, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, w.Anna.Pair(), second.ID, nil)
		wantOneTxFault(t, err, fault.OneTxSession)
	}
	wantOneTxFault(t, w.TrySendOneTx(w.Anna, second, secondSigned), fault.OneTxSession)
	w.Step()
	w.WantStatus(first.ID, order.Sent)
	wantOneTxFault(t, w.TrySendOneTx(w.Anna, second, secondSigned), fault.OneTxSession)
	w.Settle(order.DeliveryDepth)
	w.WantStatus(first.ID, order.Delivered)
	testkit.Must(t, w.TrySendOneTx(w.Anna, second, secondSigned))
	w.Step()
	if s := session(w, second.ID); s.Signed || s.Ended.Reason != order.OneTxCoin {
		t.Errorf("the session with the spent coin is %+v", s)
	}
	w.Anna.Hold(further)
	w.PayOneTx(w.Anna, second)
	w.Step()
	w.WantStatus(second.ID, order.Sent)
	w.Audit()
}

// A signed session whose time is over, and that no Step has ended, does not keep the owner from signing another one.
func TestOneTxLateSessionBlocksNothing(t *testing.T) {
	w, first, second := orderedTwo(t)
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "a test") })
	w.PayOneTx(w.Anna, first)
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	w.WantStatus(second.ID, order.Expired)
	again := w.Withdrawal(second.UnitIDs...)
	w.PayOneTx(w.Anna, again)
	if s := session(w, first.ID); s.Signed || s.Ended.Reason != order.OneTxLate {
		t.Errorf("the session that is over is %+v", s)
	}
	w.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, "") })
	w.Step()
	w.WantStatus(again.ID, order.Sent)
	w.Audit()
}

// Sessions that nobody signed are deleted a week after their end, and others are not.
func TestOneTxSessionsAreForgotten(t *testing.T) {
	w, first, second := orderedTwo(t)
	w.BeginOneTx(w.Anna, first)
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	again := w.Withdrawal(second.UnitIDs...)
	count := func(want int) {
		t.Helper()
		if rows := strings.Fields(w.Rows("SELECT order_id FROM one_tx_session")); len(rows) != want {
			t.Errorf("%d sessions are stored, want %d", len(rows), want)
		}
	}
	w.BeginOneTx(w.Anna, again)
	count(2)
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	again = w.Withdrawal(second.UnitIDs...)
	w.BeginOneTx(w.Anna, again)
	count(2)
}

// The database refuses a second signed session of an owner.
func TestOneTxOneSignedSession(t *testing.T) {
	w, first, second := orderedTwo(t)
	w.BeginOneTx(w.Anna, second)
	w.PayOneTx(w.Anna, first)
	s := session(w, second.ID)
	s.Signed = true
	if err := w.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.PutSession(t.Context(), s) }); err == nil {
		t.Error("two sessions of an owner are signed")
	}
	var all []payout.Session
	w.Update(func(tx *store.Tx) (err error) {
		all, err = tx.SignedSessions(t.Context())
		return err
	})
	if len(all) != 1 || all[0].OrderID != first.ID {
		t.Errorf("signed are %+v", all)
	}
}

// The owner's page hears of a session that ends unsigned, and why.
func TestOneTxEndIsPublished(t *testing.T) {
	w, o, _ := ordered(t)
	own := w.PayOneTx(w.Anna, o)
	w.Send(w.SpendToSelf(w.Anna, 1000, own...))
	w.Step()
	if ended := w.Payouts.Changed(); len(ended) != 1 || ended[0] != o.ID {
		t.Errorf("the sessions of %v ended, want that of %s", ended, o.ID)
	}
	w.Step()
	if ended := w.Payouts.Changed(); len(ended) != 0 {
		t.Errorf("the sessions of %v ended again", ended)
	}
	published := 0
	w.Changed = func(_, owner string) {
		if owner == w.Anna.Ordinals.Text {
			published++
		}
	}
	w.PayOneTx(w.Anna, o)
	w.Clock.Advance(order.FeeValid / 2)
	w.Step()
	w.WantStatus(o.ID, order.Sent)
	w.Rate = amount.SatPerVB(9)
	w.PayOneTx(w.Anna, o)
	w.Clock.Advance(order.FeeValid + time.Second)
	published = 0
	w.Step()
	if s := session(w, o.ID); s.Ended.Reason != order.OneTxLate || published == 0 {
		t.Errorf("the replacement is %+v, published %d times", s, published)
	}
	w.WantStatus(o.ID, order.Sent)
	w.Audit()
}

// The transaction names the payment address of the order, whatever address the caller names.
func TestOneTxNamesAddressOfOrder(t *testing.T) {
	w, o, _ := ordered(t)
	from := w.Anna.Pair()
	from.Payment = w.Bert.Payment.Text
	draft, err := w.OneTx.BeginOneTx(t.Context(), testkit.Prefix, from, o.ID, nil)
	testkit.Must(t, err)
	if draft.Address != w.Anna.Payment.Text {
		t.Errorf("the address is %s, want %s", draft.Address, w.Anna.Payment.Text)
	}
}

// A signed session of a community that is not served is deleted when its time is over.
func TestOneTxSessionOfNoCommunity(t *testing.T) {
	w, o, _ := ordered(t)
	w.PayOneTx(w.Anna, o)
	w.SetPayoutTerms(func(terms *payout.Terms) { terms.Prefix = "another" })
	rows := func() string { return w.Rows("SELECT order_id FROM one_tx_session") }
	w.Step()
	if rows() == "" {
		t.Error("the session is deleted before its end")
	}
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	if got := rows(); got != "" {
		t.Errorf("stored are %s", got)
	}
}

// countingFinder counts the coins that are checked.
type countingFinder struct {
	onetx.Finder
	checked map[string]int
}

func (f countingFinder) Check(ctx context.Context, coins []vault.Coin, spenders []chainhash.Hash) error {
	for _, coin := range coins {
		f.checked[coin.OutPoint.String()]++
	}
	return f.Finder.Check(ctx, coins, spenders)
}

// A replacement asks the node once about each coin, also if several versions spend it.
func TestOneTxReplacementChecksEachCoinOnce(t *testing.T) {
	w, o, _, own := sentOneTx(t)
	w.Rate *= 2
	w.PayOneTx(w.Anna, o)
	w.Step()
	if versions := len(live(w).Versions); versions != 2 {
		t.Fatalf("%d versions, want 2", versions)
	}
	w.Rate *= 2
	finder := countingFinder{w.OneTx.Coins, map[string]int{}}
	w.OneTx.Coins = finder
	w.BeginOneTx(w.Anna, o)
	if n := finder.checked[own[0].OutPoint.String()]; n != 1 {
		t.Errorf("the coin was checked %d times, want once", n)
	}
}
