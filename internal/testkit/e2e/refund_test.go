package e2e

import (
	"testing"
	"time"
)

func (p *staker) sats() (sum int64) {
	p.t.Helper()
	for _, c := range p.coins(p.payment) {
		sum += c.Value
	}
	return sum
}

// TestRefunds checks that the server refunds orders automatically, also after a crash, that a pause extends deadlines,
// and that an operator can put an order under review and resume it.
func TestRefunds(t *testing.T) {
	h := newDevServer(t, "")
	dora := newStaker(h.site, "Dora", segwit, taproot)
	id := dora.unlock(h, 300*lobo)[0]
	asks := func(want string, arguments ...string) {
		t.Helper()
		h.operate(want, append(arguments, "--by", "olga", "--why", "Dora asked for it", "--yes")...)
	}

	canceled := *dora.act("WITHDRAW", id)
	dora.pay(canceled, canceled.Total-300)
	dora.awaitStatus(canceled.ID, "CONFIRMED")
	if closed := dora.cancel(canceled); closed.Status != "CANCELED" || closed.RefundDue == nil {
		t.Fatalf("canceled: %+v", closed)
	}
	before := dora.sats()
	h.mine(1)
	await(t, patience, "the refund is made", func() bool { return dora.order(canceled.ID).RefundDue == nil })
	h.mine(3)
	dora.wantStatus(canceled.ID, "CANCELED")
	if got := dora.sats() - before; got <= 546 || got >= canceled.Total-300 {
		t.Errorf("the refund returned %d sats of %d", got, canceled.Total-300)
	}

	// The server is killed as soon as the refund can be sent. The refund must be sent exactly once.
	late := *dora.act("WITHDRAW", id)
	h.advanceClock(31 * time.Minute)
	dora.pay(late, late.Total)
	await(t, patience, "what was paid late is due", func() bool { return dora.order(late.ID).RefundDue != nil })
	before = dora.sats()
	h.mine(1)
	h.kill()
	h.start()
	await(t, patience, "the refund is made", func() bool { return dora.sats() > before })
	h.mine(3)
	dora.wantStatus(late.ID, "EXPIRED")
	if got := dora.sats() - before; got >= late.Total {
		t.Errorf("the refund returned %d sats of %d", got, late.Total)
	}
	var refunds []struct{ Status string }
	h.readJSON(&refunds, "payout", "list", "--kind", "refund")
	if len(refunds) != 2 {
		t.Errorf("want 2 refunds, got %+v", refunds)
	}

	// A pause of an hour extends the deadline of an order.
	o := *dora.act("WITHDRAW", id)
	h.operate("Paused", "pause", "all", "--by", "olga", "--why", "a new disk")
	h.advanceClock(time.Hour)
	dora.refused("postAction", dora.with(fields{"utxos": []string{}, "wa_action_type": "CLAIM"}))
	dora.wantStatus(o.ID, "PENDING")
	asks("Resumed", "resume", "all")
	if moved := dora.wantStatus(o.ID, "PENDING"); moved.Deadline.Sub(*o.Deadline) < time.Hour {
		t.Errorf("the deadline moved from %s to %s", o.Deadline, moved.Deadline)
	}

	// The order is paid, put under review and resumed.
	dora.pay(o, o.Total)
	dora.awaitStatus(o.ID, "CONFIRMED")
	asks("is carried out", "order", "review", o.ID)
	dora.wantStatus(o.ID, "AUDIT")
	h.mine(1)
	asks("is carried out", "order", "resolve", o.ID)
	dora.awaitSent(o.ID)
	h.mine(3)
	dora.wantStatus(o.ID, "DELIVERED")
	dora.wantStage(id, "WITHDRAWN")
	var lines []struct{ By, Command string }
	h.readJSON(&lines, "log")
	if len(lines) != 4 || lines[0].By != "olga" || lines[0].Command != "order resolve" {
		t.Errorf("unexpected log: %+v", lines)
	}
	h.audit()
}
