package e2e

import (
	"testing"
	"time"
)

// late is a time after the deadline of a PENDING order and after the validity of its rate.
const late = 31 * time.Minute

// TestOrders checks orders that are not paid in time, with a legacy payment address and a segwit ordinals address.
func TestOrders(t *testing.T) {
	h := newDevServer(t, "")
	carol := newStaker(h.site, "Carol", legacy, segwit)
	units := carol.unlock(h, 400*lobo, 300*lobo)
	t.Run("cancel", func(t *testing.T) { carol.on(t).cancels(units[0]) })
	t.Run("expire", func(t *testing.T) { carol.on(t).expires(units[0], units[1]) })
	t.Run("late payment", func(t *testing.T) { carol.on(t).paysLate(units[1]) })
	t.Run("rerate", func(t *testing.T) { carol.on(t).rerates(units[0]) })
	t.Run("cancel after paying", func(t *testing.T) { carol.on(t).cancelsPaid() })
	t.Run("events", func(t *testing.T) { carol.on(t).checkStream() })
	t.Run("signed by the payment address", func(t *testing.T) { carol.on(t).linked(units[1]) })
	h.audit()
}

// unlock stakes each amount and waits for the end of its cooldown. Two rewards remain to be claimed.
func (p *staker) unlock(h *devServer, amounts ...int64) (ids []string) {
	p.t.Helper()
	for _, amount := range amounts {
		p.endow(amount)
	}
	h.mine(1)
	for _, amount := range amounts {
		ids = append(ids, p.stake(amount).ID)
	}
	h.mine(3)
	for range 3 { // the first epoch makes the units STAKED, the others pay a reward each
		h.nextEpoch()
	}
	p.act("UNSTAKE", ids...)
	h.nextEpoch()
	h.nextEpoch()
	for _, id := range ids {
		p.wantStage(id, "UNLOCKED")
	}
	return ids
}

// cancel requests a cancel, signs it and submits it twice.
func (p *staker) cancel(o order) (closed order) {
	p.t.Helper()
	var asked struct {
		intent
		Order *order
	}
	p.post("cancelPO", p.with(fields{"order_id": o.ID}), &asked)
	if asked.Message == "" || asked.Order != nil {
		p.t.Fatalf("the request of a cancel returned %+v", asked)
	}
	body := p.with(fields{"order_id": o.ID, "action_id": asked.ActionID, "signature": p.ordinals.signMessage(p.t,
		asked.Message)})
	var first, second struct{ Order *order }
	p.post("cancelPO", body, &first)
	p.post("cancelPO", body, &second)
	if first.Order == nil || second.Order == nil || second.Order.Status != first.Order.Status {
		p.t.Fatalf("canceled: %+v, then %+v", first.Order, second.Order)
	}
	return *first.Order
}

func (p *staker) cancels(id string) {
	o := *p.act("WITHDRAW", id)
	p.wantStage(id, "PO_LOCKED")
	if closed := p.cancel(o); closed.Status != "CANCELED" {
		p.t.Errorf("after the cancel the order is %+v", closed)
	}
	p.wantStage(id, "UNLOCKED")
	var again struct {
		Message *string `json:"messagetosign"`
		Order   *order
	}
	p.post("cancelPO", p.with(fields{"order_id": o.ID}), &again)
	if again.Message != nil || again.Order == nil || again.Order.Status != "CANCELED" {
		p.t.Errorf("a cancel of a canceled order returned %+v", again)
	}
}

func (p *staker) expires(ids ...string) {
	o := *p.act("WITHDRAW", ids...)
	p.advanceClock(29 * time.Minute)
	p.wantStatus(o.ID, "PENDING")
	p.advanceClock(2 * time.Minute)
	p.wantStatus(o.ID, "EXPIRED")
	for _, id := range ids {
		p.wantStage(id, "UNLOCKED")
	}
}

func (p *staker) paysLate(id string) {
	o := *p.act("WITHDRAW", id)
	p.advanceClock(late)
	p.wantStatus(o.ID, "EXPIRED")
	p.pay(o, o.Total)
	await(p.t, patience, "what was paid late is due", func() bool { return p.order(o.ID).RefundDue != nil })
	p.mine(1)
	p.wantStatus(o.ID, "EXPIRED")
	p.wantStage(id, "UNLOCKED") // a closed order releases its units
}

func (p *staker) rerates(id string) {
	o := *p.act("WITHDRAW", id)
	before := p.balance()
	if sentence := p.refused("rearatePO", p.with(fields{"order_id": o.ID})); sentence == "" {
		p.t.Error("an order with a valid rate was rerated")
	}
	p.pay(o, o.Total/2)
	p.awaitStatus(o.ID, "CONFIRMED")
	p.mine(1)
	p.advanceClock(late)
	stale := p.wantStatus(o.ID, "PENDING_RERATE")
	p.wantStage(id, "PENDING_WITHDRAW")

	p.dev("feerate", fields{"sat_per_vb": 17.5}, nil)
	defer p.dev("feerate", fields{"sat_per_vb": nil}, nil)
	var rerated struct{ Order order }
	p.post("rearatePO", p.with(fields{"order_id": o.ID}), &rerated)
	fresh := rerated.Order
	if fresh.Status != "CONFIRMED" || fresh.FeeRate != 17.5 || fresh.Total <= stale.Total ||
		fresh.Balance != stale.Balance || !fresh.RateDate.After(stale.RateDate) {
		p.t.Errorf("rerated from %+v to %+v", stale, fresh)
	}
	if fresh.Deadline == nil || !fresh.Deadline.Equal(*stale.Deadline) || !fresh.Created.Equal(stale.Created) {
		p.t.Errorf("unexpected dates of the rerated order: %+v", fresh)
	}
	p.refused("rearatePO", p.with(fields{"order_id": o.ID}))
	p.pay(fresh, fresh.Due)
	await(p.t, patience, "the order is paid in full", func() bool { return p.order(o.ID).Due == 0 })
	p.mine(1)
	p.awaitSent(o.ID)
	p.mine(3)
	p.awaitStatus(o.ID, "DELIVERED")
	if got := p.balance() - before; got != units(p.t, o.Amount) {
		p.t.Errorf("the withdrawal delivered %d base units, want %s", got, o.Amount)
	}
}

func (p *staker) cancelsPaid() {
	o := *p.act("CLAIM")
	p.pay(o, o.Total/2)
	p.awaitStatus(o.ID, "CONFIRMED")
	if closed := p.cancel(o); closed.Status != "CANCELED" || closed.RefundDue == nil {
		p.t.Errorf("after the cancel the paid order is %+v", closed)
	}
	for _, id := range o.Units {
		p.wantStage(id, "CLAIMABLE")
	}
	p.mine(1)
	p.wantStatus(o.ID, "CANCELED")
}

// linked checks that the payment address may sign alone only after both addresses have signed the same message.
func (p *staker) linked(id string) {
	byPayment := func(kind string, ids ...string) (intent, fields) {
		i := p.ask(kind, ids...)
		return i, p.signed(kind, i, p.payment.signMessage(p.t, i.Message))
	}
	_, body := byPayment("RESTAKE", id)
	p.refused("signWalletAction", body)
	p.wantStage(id, "UNLOCKED")

	i := p.ask("COMPOUND")
	both := p.signed("COMPOUND", i, p.ordinals.signMessage(p.t, i.Message))
	both["signature_payment"] = p.payment.signMessage(p.t, i.Message)
	p.submit("COMPOUND", i, both)

	i, body = byPayment("RESTAKE", id)
	p.submit("RESTAKE", i, body)
	p.wantStage(id, "PENDING_STAKE")
}
