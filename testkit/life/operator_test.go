package life

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// operator runs one of the operator's commands on the house's data.
func (h *house) operator(arguments ...string) string {
	h.t.Helper()
	output, err := h.moonfund("", append(arguments, "--data", h.data)...)
	if err != nil {
		h.t.Fatalf("moonfund %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
	return output
}

func (p *staker) sats() (sum int64) {
	p.t.Helper()
	for _, c := range p.coins(p.payment) {
		sum += c.Value
	}
	return sum
}

// An operator refunds orders and takes one up again, through a crash of the
// server, and holds everything up for an hour.
func TestOperator(t *testing.T) {
	h := newHouse(t, "")
	dora := newStaker(h.site, "Dora", segwit, taproot)
	id := dora.unlock(h, 300*lobo)[0]
	said := []string{"--by", "olga", "--why", "Dora asked for it", "--yes"}
	refund := func(o order, more ...string) string {
		return h.operator(append(append([]string{"order", "refund", o.ID}, said...), more...)...)
	}

	canceled := *dora.act("WITHDRAW", id)
	dora.pay(canceled, canceled.Total-300)
	dora.awaitStatus(canceled.ID, "CONFIRMED")
	if closed := dora.cancel(canceled); closed.Status != "AUDIT" {
		t.Fatalf("canceled: %+v", closed)
	}
	h.mine(1)
	before := dora.sats()
	if text := refund(canceled); !strings.Contains(text, "is carried out") {
		t.Errorf("refund: %s", text)
	}
	h.mine(3)
	dora.wantStatus(canceled.ID, "CANCELED")
	if got := dora.sats() - before; got <= 546 || got >= canceled.Total-300 {
		t.Errorf("the refund brought %d sats of %d", got, canceled.Total-300)
	}

	// The server dies as soon as it is asked; nothing is lost, nothing comes twice.
	late := *dora.act("WITHDRAW", id)
	h.advanceClock(31 * time.Minute)
	dora.pay(late, late.Total)
	h.mine(1)
	dora.awaitStatus(late.ID, "AUDIT")
	before = dora.sats()
	refund(late, "--wait", "0s")
	h.kill()
	h.start()
	await(t, 10*time.Second, "the refund is made", func() bool { return dora.sats() > before })
	h.mine(3)
	dora.wantStatus(late.ID, "CANCELED")
	if got := dora.sats() - before; got >= late.Total {
		t.Errorf("the refund brought %d sats of %d", got, late.Total)
	}
	var refunds []struct{ Status string }
	must(t, json.Unmarshal([]byte(h.operator("payout", "list", "--kind", "refund", "--json")), &refunds))
	if len(refunds) != 2 {
		t.Errorf("refunds: %+v", refunds)
	}

	// An hour in which everything stands still: the order has its 30 minutes all the same.
	o := *dora.act("WITHDRAW", id)
	h.operator("pause", "all", "--by", "olga", "--why", "a new disk")
	h.advanceClock(time.Hour)
	dora.refused("postAction", dora.with(fields{"utxos": []string{}, "wa_action_type": "CLAIM"}))
	dora.wantStatus(o.ID, "PENDING")
	h.operator("resume", "all", "--by", "olga", "--why", "the disk is in", "--yes")
	if moved := dora.wantStatus(o.ID, "PENDING"); moved.Deadline.Sub(*o.Deadline) < time.Hour {
		t.Errorf("the deadline moved from %s to %s", o.Deadline, moved.Deadline)
	}

	// Then it expires, is paid after all, and the operator takes it up again.
	h.advanceClock(31 * time.Minute)
	dora.wantStatus(o.ID, "EXPIRED")
	dora.pay(o, o.Total)
	h.mine(1)
	dora.awaitStatus(o.ID, "AUDIT")
	h.operator(append([]string{"order", "resolve", o.ID}, said...)...)
	dora.awaitStatus(o.ID, "SENT")
	h.mine(3)
	dora.wantStatus(o.ID, "DELIVERED")
	dora.wantStage(id, "WITHDRAWN")
	if text := h.operator("log"); strings.Count(text, "olga") != 5 {
		t.Errorf("the log:\n%s", text)
	}
	h.audit()
}
