package refund_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/signer"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// limitRefunds restarts the world with limits for refunds.
func limitRefunds(w *testkit.World, perDay, perOwnerDay amount.Sats) {
	w.Helper()
	w.SetPayoutTerms(func(t *payout.Terms) { t.Refunds = payout.RefundLimits{PerDay: perDay, PerOwnerDay: perOwnerDay} })
}

// expired returns an order of the owner that expired without a payment. Later payments to it are refunded.
func expired(w *testkit.World, owner *testkit.Wallet) order.Order {
	w.Helper()
	o := w.Act(owner, "WITHDRAW", w.Unlocked(owner, 5000)).Order
	w.Clock.Advance(order.FeeValid + time.Second)
	w.Step()
	return w.WantStatus(o.ID, order.Expired)
}

// payLate pays an expired order, and returns the order once the payment is confirmed and its refund is sent or held.
func payLate(w *testkit.World, owner *testkit.Wallet, o order.Order, sats amount.Sats) order.Order {
	w.Helper()
	w.Pay(owner, o, sats)
	w.Settle(1)
	return w.Order(o.ID)
}

func wantRefunds(w *testkit.World, o order.Order, sent int, due amount.Sats, hold order.RefundHold) {
	w.Helper()
	got := w.Order(o.ID)
	if n := len(w.RefundsOf(o.ID)); n != sent || got.Owed.Sats != due || got.Owed.Hold != hold {
		w.Fatalf("got %d refunds, %d sats due, held by %q; want %d, %d, %q", n, got.Owed.Sats, got.Owed.Hold, sent, due,
			hold)
	}
}

func TestRefundAboveTheOwnersLimitWaits(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	anna, bert := expired(w, w.Anna), expired(w, w.Bert)
	limitRefunds(w, 100_000, 10_000)
	payLate(w, w.Anna, anna, 6000)
	wantRefunds(w, anna, 1, 0, order.HoldNone)
	payLate(w, w.Anna, anna, 4001)
	wantRefunds(w, anna, 1, 4001, order.HoldLimit)
	payLate(w, w.Bert, bert, 9000)
	wantRefunds(w, bert, 1, 0, order.HoldNone)
	// The second refund still waits after a restart, and is sent once the first is 24 hours old.
	w.Restart()
	w.Clock.Advance(23 * time.Hour)
	w.Settle(1)
	wantRefunds(w, anna, 1, 4001, order.HoldLimit)
	w.Clock.Advance(2 * time.Hour)
	w.Settle(1)
	wantRefunds(w, anna, 2, 0, order.HoldNone)
	w.Audit()
}

// The owner's page hears that a refund waits for another reason, even if the payment was published in an earlier step,
// because the audit of its block took longer than the step waits.
func TestHeldRefundIsPublished(t *testing.T) {
	w := testkit.NewWorld(t)
	o := expired(w, w.Anna)
	limitRefunds(w, 100_000, 10_000)
	var published []order.RefundHold
	w.Changed = func(_, owner string) {
		if owner == w.Anna.Ordinals.Text {
			published = append(published, w.Order(o.ID).Owed.Hold)
		}
	}
	auditing := true
	w.Follower.Audit = func(context.Context) error {
		if auditing {
			return follower.ErrAuditing
		}
		return nil
	}
	w.Pay(w.Anna, o, 10_001)
	w.Settle(1)
	w.Clock.Advance(2 * time.Minute)
	w.Step()
	if _, waits := w.Follower.State().Waiting[follower.AllPayouts]; !waits {
		t.Error("nothing says that payouts wait for the audit")
	}
	auditing = false
	w.Step()
	want := []order.RefundHold{order.HoldNone, order.HoldLimit}
	if got := slices.Compact(published); !slices.Equal(got, want) {
		t.Errorf("published holds are %q, want %q", got, want)
	}
	w.Step()
	if n := len(w.Payouts.Changed()); n != 0 {
		t.Errorf("%d orders changed again", n)
	}
}

// A single refund above the limit is never sent without an operator.
func TestOperatorSendsARefundAboveTheLimit(t *testing.T) {
	w := testkit.NewWorld(t).InjectFaults()
	o := expired(w, w.Anna)
	limitRefunds(w, 100_000, 10_000)
	payLate(w, w.Anna, o, 10_001)
	wantRefunds(w, o, 0, 10_001, order.HoldLimit)
	for range 3 {
		w.Clock.Advance(25 * time.Hour)
		w.Settle(1)
	}
	wantRefunds(w, o, 0, 10_001, order.HoldLimit)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestDone, "")
	wantRefunds(w, o, 1, 0, order.HoldNone)
	w.Audit()
}

// Owners who each stay within their own limit use at most half of the total, so that small refunds of others are sent.
func TestLargeRefundsLeaveRoomForSmallOnes(t *testing.T) {
	w := testkit.NewWorld(t)
	anna, bert := expired(w, w.Anna), expired(w, w.Bert)
	limitRefunds(w, 16_000, 10_000)
	payLate(w, w.Anna, anna, 8000)
	wantRefunds(w, anna, 1, 0, order.HoldNone)
	payLate(w, w.Bert, bert, 1001)
	wantRefunds(w, bert, 0, 1001, order.HoldLimit)
	limitRefunds(w, 16_000, 10_010) // now it is within a tenth of the owner's limit
	w.Clock.Advance(time.Hour)
	w.Settle(1)
	wantRefunds(w, bert, 1, 0, order.HoldNone)
}

// A DEAD refund still counts against the limits, because the signer's own count includes it.
func TestDeadRefundCounts(t *testing.T) {
	w := testkit.NewWorld(t)
	o := expired(w, w.Anna)
	limitRefunds(w, 100_000, 10_000)
	coin := w.Anna.Sats()
	w.Send(w.Payment(w.Anna, coin, o, 6000, 1000))
	w.Settle(1)
	wantRefunds(w, o, 1, 0, order.HoldNone)
	w.Node.Rewind(1)
	w.Node.MineOnly(w.SpendToSelf(w.Anna, 20_000, coin))
	w.Settle(6)
	if got := w.RefundsOf(o.ID); got[0].Status != payout.Dead {
		t.Fatalf("the refund is %s", got[0].Status)
	}
	payLate(w, w.Anna, o, 4001)
	wantRefunds(w, o, 1, 4001, order.HoldLimit)
}

// A refund and its replacement count once, from the time when the replacement was signed.
func TestReplacedRefundCountsOnce(t *testing.T) {
	w := testkit.NewWorld(t)
	o := expired(w, w.Anna)
	limitRefunds(w, 100_000, 10_000)
	payLate(w, w.Anna, o, 6000)
	wantRefunds(w, o, 1, 0, order.HoldNone)
	w.Clock.Advance(20 * time.Hour)
	w.Rate *= 2
	w.Decide(payout.RequestBump, w.RefundsOf(o.ID)[0].ID)
	if versions := w.RefundsOf(o.ID)[0].Versions; len(versions) != 2 {
		t.Fatalf("got %d versions, want 2", len(versions))
	}
	w.Update(func(tx *store.Tx) error {
		charged, err := tx.ChargedRefunds(w.Context(), testkit.Prefix, o.Owner, w.Clock.Now().Add(-time.Hour))
		if charged.Total != 6000 || charged.ToOwner != 6000 {
			t.Errorf("charged: got %+v, want 6000 sats", charged)
		}
		return err
	})
}

// A refund above a limit of the signer is held like one above a limit of the server.
func TestRefundAboveTheSignersLimitWaits(t *testing.T) {
	w := testkit.NewWorld(t)
	o := expired(w, w.Anna)
	w.Signer = w.SeparateSigner(signer.Policy{RunesPerDay: 1 << 60, SatsPerDay: 1 << 40, RefundSatsPerDay: 100_000,
		RefundSatsPerOwnerDay: 5000})
	payLate(w, w.Anna, o, 5001)
	wantRefunds(w, o, 0, 5001, order.HoldLimit)
	w.Decide(payout.RequestRefund, o.ID)
	w.WantRequest(o.ID, payout.RequestOpen, "moonfund payout export "+o.ID)
	payLate(w, w.Anna, o, 600)
	wantRefunds(w, o, 0, 5601, order.HoldLimit)
}
