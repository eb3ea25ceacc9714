package order_test

import (
	"fmt"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// account returns the sats on a journal account of an order.
func account(w *testkit.World, name, orderID string) amount.Sats {
	w.Helper()
	full := name + ":" + orderID
	sum := w.Rows(`SELECT CAST(COALESCE(SUM(CASE WHEN to_account = ? THEN amount ELSE -amount END), 0) AS BIGINT) AS sats
		FROM journal WHERE asset = 'sats' AND (to_account = ? OR from_account = ?)`, full, full, full)
	var sats amount.Sats
	_, err := fmt.Sscanf(sum, "sats=%d", &sats)
	testkit.Must(w, err)
	return sats
}

func wantAccounts(w *testkit.World, o order.Order, paid, late, abandoned amount.Sats) {
	w.Helper()
	w.Audit()
	for name, want := range map[string]amount.Sats{"paid": paid, "late": late, "abandoned": abandoned} {
		if got := account(w, name, o.ID); got != want {
			w.Errorf("journal: got %d sats %s, want %d", got, name, want)
		}
	}
}

// Payments that are too small to refund are abandoned when their order closes, and owed again when a later payment
// makes them worth a refund.
func TestAbandonedSats(t *testing.T) {
	w, o, _ := begin(t)
	w.Pay(w.Anna, o, 600)
	w.Settle(1)
	wantAccounts(w, o, 600, 0, 0)
	cancel(w, o)
	w.WantStatus(o.ID, order.Canceled)
	wantAccounts(w, o, 0, 0, 600)
	release := w.HoldRefunds()
	w.Pay(w.Anna, o, 2500)
	w.Settle(1)
	if got := w.WantStatus(o.ID, order.Canceled); got.Owed.Sats != 3100 {
		t.Errorf("due refund: got %+v", got.Owed)
	}
	wantAccounts(w, o, 600, 2500, 0)
	release()
	ask(w, payout.RequestRefund, o)
	w.Settle(3)
	w.WantStatus(o.ID, order.Canceled)
	wantAccounts(w, o, 0, 0, 0)
	if got := account(w, "refunded", o.ID); got != 3100 {
		t.Errorf("got %d sats refunded, want 3100", got)
	}
}

// Payments that are abandoned together have one posting, because anyone can send thousands of them.
func TestAbandonedTogether(t *testing.T) {
	w, o, _ := begin(t)
	for range 3 {
		w.Pay(w.Anna, o, 600)
	}
	w.Settle(1)
	o = w.Order(o.ID)
	o.FeeRate = amount.SatPerVB(50) // it rose since the payments counted
	w.Update(func(tx *store.Tx) error {
		return tx.UpdateOrders(w.Context(), order.Change{Order: o, From: o.Status})
	})
	cancel(w, o)
	w.WantStatus(o.ID, order.Canceled)
	wantAccounts(w, o, 0, 0, 1800)
	rows := w.Rows(`SELECT amount FROM journal WHERE subject = ? AND event = 'sats abandoned'`, o.ID)
	if strings.TrimSpace(rows) != "amount=1800" {
		t.Errorf("got %q, want one posting of 1800 sats", rows)
	}
}

// lastRequest returns the last request about an order.
func lastRequest(w *testkit.World, o order.Order) (last payout.Request) {
	w.Helper()
	w.Update(func(tx *store.Tx) error {
		all, err := tx.RequestsAbout(w.Context(), o.ID)
		last = all[len(all)-1]
		return err
	})
	return last
}

// An operator can close an AUDIT order only if no refund is due.
func TestCloseOfAnAudit(t *testing.T) {
	w, o, _ := begin(t)
	ask(w, payout.RequestClose, o)
	if r := lastRequest(w, o); r.Status != payout.RequestRefused || !strings.Contains(r.Note, "only an AUDIT order") {
		t.Errorf("request of a PENDING order: %+v", r)
	}
	price := o.Due()
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, price, 1000))
	w.Step()
	ask(w, payout.RequestReview, o)
	w.WantStatus(o.ID, order.Audit)
	ask(w, payout.RequestClose, o)
	if r := lastRequest(w, o); r.Status != payout.RequestRefused ||
		!strings.Contains(r.Note, fmt.Sprint(int64(price))+" sats of it are owed") {
		t.Errorf("request while a refund is due: %+v", r)
	}
	w.Send(w.Payment(w.Anna, coin, o, 700, 9000)) // replaces it with one that is too small
	w.Step()
	ask(w, payout.RequestClose, o)
	if r := lastRequest(w, o); r.Status != payout.RequestDone {
		t.Errorf("request when nothing is worth a refund: %+v", r)
	}
	w.WantStatus(o.ID, order.Canceled)
	wantAccounts(w, o, 0, 0, 700)
}

// An operator can't close an AUDIT order while its refund is unconfirmed, because the refund closes the order.
func TestCloseWaitsForARefund(t *testing.T) {
	w, o, _ := begin(t)
	undecided(w, o)
	ask(w, payout.RequestRefund, o)
	ask(w, payout.RequestClose, o)
	if r := lastRequest(w, o); r.Status != payout.RequestRefused || !strings.Contains(r.Note, "is sent, and closes it") {
		t.Errorf("request while a refund is under way: %+v", r)
	}
}
