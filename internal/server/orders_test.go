package server

import (
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/wiring"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/refund"
	"moonfund/internal/testkit"
)

// refundSight is Anna's view of the refunds of her order.
type refundSight struct {
	*testkit.World
	order order.Order
}

func (s refundSight) views() views {
	return views{&Server{
		Config: Config{Store: s.Store, Clock: clock.NewLenient(), Rates: feerate.Fixed(s.Rate),
			Communities: []community.Manifest{{Prefix: testkit.Prefix,
				Limits: community.Limits{MaxFeeRate: amount.SatPerVB(500)}}}},
		Services: wiring.Services{Orders: s.Orders},
	}}
}

func (s refundSight) anna() action.Wallet {
	return action.Wallet{Payment: s.Anna.Payment.Text, Ordinals: s.Anna.Ordinals.Text}
}

func (s refundSight) wantStates(want ...refund.State) api.OrderView {
	s.Helper()
	orders, err := s.views().Orders(s.Context(), testkit.Prefix, s.anna())
	testkit.Must(s, err)
	var got []refund.State
	for _, r := range orders[0].Refunds {
		got = append(got, r.State)
		if r.Address != s.Anna.Payment.Text || r.Sats != r.Cost+r.Net && r.Net > 0 || (r.TxID == "") != (r.Due.Sats > 0) {
			s.Fatalf("refund: %+v", r)
		}
	}
	if len(got) != len(want) {
		s.Fatalf("refunds are %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			s.Fatalf("refunds are %q, want %q", got, want)
		}
	}
	return orders[0]
}

// An order is paid in part and too late. Its owner sees each state of its refunds, and their transactions in the
// journal.
func TestOwnerSeesEveryStateOfARefund(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 60_000)).Order
	s := refundSight{w, o}
	s.wantStates()
	w.Pay(w.Anna, o, 2000)
	w.Settle(1)
	usual := w.Rate
	w.Rate = amount.SatPerVB(100)
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	if r := s.wantStates(refund.WaitingRate).Refunds[0]; r.Rate <= usual || r.Rate >= w.Rate || r.Sats != 2000 {
		t.Errorf("waits for %s sat/vB: %+v", r.Rate, r)
	}
	w.Rate = usual
	w.Step()
	sent := s.wantStates(refund.Sent).Refunds[0]
	w.Pay(w.Anna, o, 3000)
	w.Step()
	s.wantStates(refund.Sent, refund.WaitingConfirmation)
	w.SetPayoutTerms(func(t *payout.Terms) { t.Refunds = payout.RefundLimits{PerDay: 50_000, PerOwnerDay: 4999} })
	w.Settle(3)
	s.wantStates(refund.Done, refund.OverLimit)
	w.Clock.Advance(25 * time.Hour)
	w.Settle(4)
	s.wantStates(refund.Done, refund.Done)
	lines, err := s.views().Journal(t.Context(), testkit.Prefix, s.anna(), 0, 100)
	testkit.Must(t, err)
	for _, line := range lines {
		if line.Event == "refund sent" && line.PayoutTxid == sent.TxID && line.Amount == 2000 {
			return
		}
	}
	t.Errorf("the journal does not name the transaction %s: %+v", sent.TxID, lines)
}

// A payment above the price is refunded by the delivery's transaction or after it.
func TestOwnerSeesTheRefundOfAnOverpayment(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 60_000)).Order
	s := refundSight{w, o}
	w.Pay(w.Anna, o, o.Due()+30_000)
	w.Settle(5)
	if r := s.wantStates(refund.Sent).Refunds[0]; r.Sats < 29_000 || r.Sats > 30_000 {
		t.Errorf("%d of 30000 overpayment sats are refunded", r.Sats)
	}
	w.Settle(3)
	s.wantStates(refund.Done)
}

// An order in AUDIT waits for the operator, and so does a refund that the signer refuses.
func TestOwnerSeesWhatWaitsForAPerson(t *testing.T) {
	w := testkit.NewWorld(t)
	o := *w.Act(w.Anna, action.Withdraw, w.Unlocked(w.Anna, 60_000)).Order
	s := refundSight{w, o}
	release := w.HoldRefunds()
	w.Pay(w.Anna, o, 2000)
	w.Settle(1)
	w.Clock.Advance(order.PaymentWindow)
	w.Step()
	s.wantStates(refund.WaitingPerson)
	release()
	w.Clock.Advance(time.Hour)
	w.Step()
	s.wantStates(refund.Sent)
}
