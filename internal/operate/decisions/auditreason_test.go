package decisions_test

import (
	"strings"
	"testing"

	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/inquiry"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// TestAuditReason moves orders to AUDIT by each event that ends there, and checks that the order's view, the list of
// orders and `moonfund find` name that event.
func TestAuditReason(t *testing.T) {
	events := map[order.Event]bool{}
	for event, reach := range map[order.Event]func(*testkit.World, order.Order, string){
		order.ReviewedByOperator: func(w *testkit.World, o order.Order, _ string) {
			w.Pay(w.Anna, o, o.Due())
			w.Step()
			w.Request(payout.RequestReview, o.ID)
			w.Settle(1)
		},
		order.UnitLostAfterPaying: func(w *testkit.World, o order.Order, unit string) {
			w.Pay(w.Anna, o, o.Due())
			w.Send(w.Recover(w.Anna, unit))
			w.Settle(ledger.RecoveryDepth)
		},
		order.PayoutDeadByInput: func(w *testkit.World, o order.Order, unit string) {
			w.Pay(w.Anna, o, o.Due())
			w.Settle(1)
			w.Mature(unit)
			w.Node.MineOnly(w.Recover(w.Anna, unit))
			w.Settle(order.FinalDepth)
		},
		order.RefundUnconfirmed: func(w *testkit.World, o order.Order, _ string) {
			w.Pay(w.Anna, o, o.Due())
			w.Step()
			w.Request(payout.RequestReview, o.ID)
			w.Settle(1)
			w.Request(payout.RequestRefund, o.ID)
			w.Settle(order.FinalDepth)
			if v := orderView(w, o.ID); v.Status != order.Canceled || v.InAudit != nil {
				w.Errorf("refunded: the order is %s, in AUDIT because %v", v.Status, v.InAudit)
			}
			w.Node.Rewind(order.FinalDepth)
			for range order.FinalDepth + 1 {
				w.Node.MineOnly()
			}
			w.Step()
		},
	} {
		events[event] = true
		t.Run(string(event), func(t *testing.T) {
			w := testkit.NewWorld(t)
			unit := w.Unlocked(w.Anna, 5000)
			o := *w.Act(w.Anna, action.Withdraw, unit).Order
			reach(w, o, unit)
			w.WantStatus(o.ID, order.Audit)
			wantAuditReason(w, o.ID, event)
		})
	}
	for _, row := range order.Statuses.Rows {
		if row.To == order.Audit && !events[row.Event] {
			t.Errorf("no order was moved to AUDIT by %q", row.Event)
		}
	}
}

// TestAuditReasonOfTheAudit has the server's audit request the review, which is not shown as an operator's.
func TestAuditReasonOfTheAudit(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 5000)).Order
	w.Pay(w.Anna, o, o.Due())
	w.Step()
	w.Update(func(tx *store.Tx) error {
		_, err := tx.InsertRequest(t.Context(), payout.Request{Kind: payout.RequestReview, OrderID: o.ID,
			By: payout.ByAudit, Why: "audit: a payment is spent", At: w.Clock.Now()}, "")
		return err
	})
	w.Settle(1)
	w.WantStatus(o.ID, order.Audit)
	wantAuditReason(w, o.ID, order.ReviewedByOperator)
	testkit.Must(w, w.Store.View(t.Context(), func(tx *store.Tx) error {
		page, err := inquiry.Find(t.Context(), tx, o.ID)
		if err == nil && strings.Contains(page.String(), "operator did") {
			t.Errorf("moonfund find names an operator as the author:\n%s", page)
		}
		return err
	}))
	if text := orderView(w, o.ID).InAudit.Text; !strings.Contains(text, "the server's audit") {
		t.Errorf("the reason is %q", text)
	}
}

// TestAuditReasonOfAnUnknownPayout has another copy of the ledger deliver two orders in one payout, of which this one
// knows one order, and closes that order.
func TestAuditReasonOfAnUnknownPayout(t *testing.T) {
	w := testkit.NewWorld(t)
	w.GiveSignerIndex()
	w.Staked(w.Anna, 7001)
	w.Rewarded(w.Bert, 5000)
	known := *w.Act(w.Bert, action.Claim).Order
	stale := w.Copy()
	pause := func(why string) {
		stale.Update(func(tx *store.Tx) error { return tx.PutSetting(t.Context(), store.PausePayouts, why) })
	}
	pause("restored")
	unknown := *w.Act(w.Anna, action.Claim).Order
	w.Pay(w.Bert, known, known.Due())
	w.Pay(w.Anna, unknown, unknown.Due())
	w.Settle(1)
	stale.Step()
	w.Settle(ledger.ExplainDepth)
	pause("")
	stale.Step()
	stale.WantStatus(known.ID, order.Audit)
	wantAuditReason(stale, known.ID, order.UnitLostAfterPaying)
	stale.Request(payout.RequestClose, known.ID)
	stale.Settle(1)
	stale.WantStatus(known.ID, order.Canceled)
}

func orderView(w *testkit.World, id string) (v decisions.OrderDetail) {
	w.Helper()
	testkit.Must(w, w.Store.View(w.Context(), func(tx *store.Tx) error {
		facts, err := decisions.ReadOrder(w.Context(), tx, id)
		v = facts.View()
		return err
	}))
	return v
}

func wantAuditReason(w *testkit.World, id string, event order.Event) {
	w.Helper()
	v := orderView(w, id)
	reason := v.InAudit
	if reason == nil || reason.Event != event || reason.Text == "" || reason.Cause == "" || reason.Since.IsZero() {
		w.Fatalf("the order is in AUDIT because of %+v, want %q", reason, event)
	}
	if last := v.Moves[len(v.Moves)-1]; last.To != string(order.Audit) || last.Event != string(event) ||
		v.Moves[0].To != string(order.Pending) {
		w.Errorf("the changes of the status are %+v", v.Moves)
	}
	testkit.Must(w, w.Store.View(w.Context(), func(tx *store.Tx) error {
		list, err := decisions.Orders(w.Context(), tx, decisions.OrderFilter{Status: order.Audit, Limit: 10})
		if err != nil || len(list) != 1 || list[0].InAudit == nil || *list[0].InAudit != *reason {
			w.Errorf("orders in AUDIT: got %+v, %v", list, err)
		}
		page, err := inquiry.Find(w.Context(), tx, id)
		if err != nil || !strings.Contains(page.String(), reason.Text) {
			w.Errorf("moonfund find: %v, want %q in\n%s", err, reason.Text, page)
		}
		if event == order.ReviewedByOperator && strings.Contains(page.String(), reason.Cause) {
			w.Errorf("moonfund find prints the operator's reason, but stakers read it:\n%s", page)
		}
		return nil
	}))
}
