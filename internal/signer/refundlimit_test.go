package signer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// limitRefunds sets the limits of refunds, in total and per owner.
func (w *world) limitRefunds(total, owner amount.Sats) {
	changePolicy(&w.config, func(p *Policy) { p.RefundSatsPerDay, p.RefundSatsPerOwnerDay = total, owner })
}

// opened returns the id and the proof of a new order of the owner.
func (w *world) opened(owner wallet) (string, Proof) {
	w.Helper()
	proof := owner.proof(w, owner.intent("CLAIM", "1000", []string{fmt.Sprint("reward-", w.outputs)}))
	return message.OrderID(proof.Text), proof
}

// refundFor returns a refund of payments of the given values, all of one order of the owner.
func (w *world) refundFor(owner wallet, values ...amount.Sats) Request {
	w.Helper()
	id, proof := w.opened(owner)
	var payments []vault.Coin
	for _, value := range values {
		payments = append(payments, w.coin(vault.Payment, value, 0, id))
	}
	return w.refunding(owner, id, proof, amount.SatPerVB(2), payments...)
}

func (w *world) refunding(owner wallet, id string, proof Proof, rate amount.FeeRate, payments ...vault.Coin) Request {
	w.Helper()
	r := Request{Inputs: payments, Refund: &Refund{OrderID: id, Proof: proof}}
	var err error
	r.Tx, _, err = vault.BuildRefund(vault.RefundPlan{Inputs: payments, To: owner.payment.Script, FeeRate: rate})
	must(w, err)
	return r
}

// TestRefundsOfOneOwnerAreLimited requests refunds of one owner's orders as a compromised server would. The owner's
// limit applies, also across day boundaries, and other owners are still refunded.
func TestRefundsOfOneOwnerAreLimited(t *testing.T) {
	w := newWorld(t)
	w.limitRefunds(1_000_000, 100_000)
	client := w.overSocket()
	anna, bert := newWallet(t, 1, chain.P2TR, w.network), newWallet(t, 2, chain.P2PKH, w.network)
	if _, err := client.Sign(t.Context(), w.refundFor(anna, 100_001)); !refusedFor(err, OverLimit) {
		t.Errorf("refund above the owner's limit: got error %v", err)
	}
	_, err := client.Sign(t.Context(), w.refundFor(anna, 30_000, 30_000))
	must(t, err)
	w.now = w.now.Add(11 * time.Hour) // 23:00: the next day begins before the 24 hours end
	_, err = client.Sign(t.Context(), w.refundFor(anna, 40_000))
	must(t, err)
	for _, later := range []time.Duration{0, 2 * time.Hour, 10*time.Hour + 59*time.Minute} {
		w.now = w.now.Add(later)
		if _, err := client.Sign(t.Context(), w.refundFor(anna, 1_000)); !refusedFor(err, OverLimit) {
			t.Errorf("refund above the owner's limit at %s: got error %v", w.now, err)
		}
	}
	_, err = client.Sign(t.Context(), w.refundFor(bert, 100_000))
	must(t, err)
	w.now = w.now.Add(time.Minute) // 24 hours after anna's first refund
	_, err = client.Sign(t.Context(), w.refundFor(anna, 60_000))
	must(t, err)
	if _, err := client.Sign(t.Context(), w.refundFor(anna, 1_000)); !refusedFor(err, OverLimit) {
		t.Errorf("refund while the second one counts: got error %v", err)
	}
}

// TestAllRefundsAreLimited requests refunds for many invented owners as a compromised server would. All refunds
// together stay within the total, and deliveries are signed as before.
func TestAllRefundsAreLimited(t *testing.T) {
	w := newWorld(t)
	w.limitRefunds(500_000, 100_000)
	client := w.overSocket()
	var out amount.Sats
	for i := range 12 {
		owner := newWallet(t, byte(20+i), chain.P2TR, w.network)
		switch _, err := client.Sign(t.Context(), w.refundFor(owner, 90_000)); {
		case err == nil:
			out += 90_000
		case !refusedFor(err, OverLimit):
			t.Fatal(err)
		}
	}
	if out != 450_000 {
		t.Errorf("refunded %d sats, want 450,000", out)
	}
	_, err := client.Sign(t.Context(), w.claimOf(900))
	must(t, err)
}

// TestRefundsAndDeliveriesShareNoLimit checks that neither refunds nor deliveries use the limit of the other.
func TestRefundsAndDeliveriesShareNoLimit(t *testing.T) {
	w := newWorld(t)
	w.limit(900, 6_000)
	w.limitRefunds(60_000, 60_000)
	client := w.overSocket()
	anna := newWallet(t, 1, chain.P2TR, w.network)
	_, err := client.Sign(t.Context(), w.refundFor(anna, 60_000))
	must(t, err)
	_, err = client.Sign(t.Context(), w.claimOf(900))
	must(t, err)
	if _, err := client.Sign(t.Context(), w.claimOf(1)); !refusedFor(err, OverLimit) {
		t.Errorf("delivery above its limit: got error %v", err)
	}
	w.limitRefunds(120_000, 120_000)
	_, err = w.overSocket().Sign(t.Context(), w.refundFor(anna, 60_000))
	must(t, err)
}

// TestReplacedRefundCountsOnce checks that a replacement of a refund counts once, that a refund of other payments of
// the same order counts again, and that a delivery of the order does not free a part of the limit.
func TestReplacedRefundCountsOnce(t *testing.T) {
	w := newWorld(t)
	w.limitRefunds(100_000, 100_000)
	client := w.overSocket()
	anna := newWallet(t, 1, chain.P2TR, w.network)
	id, proof := w.opened(anna)
	first, second := w.coin(vault.Payment, 50_000, 0, id), w.coin(vault.Payment, 50_000, 0, id)
	for rate := range 5 {
		_, err := client.Sign(t.Context(), w.refunding(anna, id, proof, amount.SatPerVB(int64(2+rate)), first))
		must(t, err)
	}
	w.now = w.now.Add(23 * time.Hour)
	_, err := client.Sign(t.Context(), w.refunding(anna, id, proof, amount.SatPerVB(9), first))
	must(t, err)
	_, err = client.Sign(t.Context(), w.refunding(anna, id, proof, amount.SatPerVB(9), second))
	must(t, err)
	third := w.coin(vault.Payment, 1_000, 0, id)
	for name, payments := range map[string][]vault.Coin{
		"a third payment": {third}, "joined with both": {first, second, third}, "joined with one": {second, third},
	} {
		r := w.refunding(anna, id, proof, amount.SatPerVB(2), payments...)
		if _, err := client.Sign(t.Context(), r); !refusedFor(err, OverLimit) {
			t.Errorf("%s: got error %v, want a refusal over the limit", name, err)
		}
	}
	w.now = w.now.Add(2 * time.Hour) // the window counts from the latest signature of a version
	if _, err := client.Sign(t.Context(), w.refunding(anna, id, proof, amount.SatPerVB(2), third)); !refusedFor(err,
		OverLimit) {
		t.Errorf("refund two hours after the replacement: got error %v", err)
	}
}

// TestOwnersOfRefundsAreNotMistaken checks that another spelling of an owner's address has the same limit, and that
// another owner can't use it up.
func TestOwnersOfRefundsAreNotMistaken(t *testing.T) {
	w := newWorld(t)
	w.limitRefunds(1_000_000, 100_000)
	client := w.overSocket()
	anna, thief := newWallet(t, 1, chain.P2TR, w.network), newWallet(t, 9, chain.P2TR, w.network)
	bert := newWallet(t, 2, chain.P2TR, w.network)
	_, err := client.Sign(t.Context(), w.refundFor(anna, 100_000))
	must(t, err)
	kept, err := w.config.Outflows.Load()
	must(t, err)
	if len(kept) != 1 || kept[0].RefundOwner != anna.ordinals.Text || kept[0].Sats != 100_000 {
		t.Errorf("the recorded outflows are %+v", kept)
	}
	loud := anna
	loud.ordinals.Text = strings.ToUpper(anna.ordinals.Text)
	if _, err := client.Sign(t.Context(), w.refundFor(loud, 1_000)); err == nil {
		t.Error("the address in upper case has a separate limit")
	}
	for name, tamper := range map[string]func(*Request){
		"to another address":    func(r *Request) { r.Tx.TxOut[0].PkScript = thief.payment.Script },
		"another order's proof": func(r *Request) { _, r.Refund.Proof = w.opened(thief) },
		"another order's payment": func(r *Request) {
			id, _ := w.opened(anna)
			r.Inputs = []vault.Coin{w.coin(vault.Payment, 5_000, 0, id)}
			r.Tx.TxIn[0].PreviousOutPoint = r.Inputs[0].OutPoint
		},
		"a message of the thief that names the owner": func(r *Request) {
			x := thief.intent("CLAIM", "1000", []string{"u"})
			x.Ordinals = anna.ordinals.Text
			r.Refund.Proof = thief.proof(w, x)
			r.Refund.OrderID = message.OrderID(r.Refund.Proof.Text)
			r.Inputs = []vault.Coin{w.coin(vault.Payment, 5_000, 0, r.Refund.OrderID)}
			r.Tx.TxIn[0].PreviousOutPoint = r.Inputs[0].OutPoint
		},
	} {
		r := w.refundFor(bert, 5_000)
		tamper(&r)
		if tx, err := client.Sign(t.Context(), r); tx != nil || !errors.As(err, new(*Refusal)) {
			t.Errorf("%s: got error %v, want a refusal", name, err)
		}
	}
	if kept, err := w.config.Outflows.Load(); err != nil || len(kept) != 1 {
		t.Errorf("a refused request was charged: %+v, %v", kept, err)
	}
}

// TestRefundLimitsSurviveRestarts checks that the limits of refunds survive a restart, and that nothing is refunded
// without their record.
func TestRefundLimitsSurviveRestarts(t *testing.T) {
	w := newWorld(t)
	w.limitRefunds(100_000, 100_000)
	file, marker := OutflowFile(filepath.Join(t.TempDir(), "outflow.json")), filepath.Join(t.TempDir(), "key.started")
	restart := func() *Client {
		t.Helper()
		outflows, err := StartOutflows(file, marker)
		must(t, err)
		w.config.Outflows = outflows
		return w.overSocket()
	}
	anna := newWallet(t, 1, chain.P2TR, w.network)
	_, err := restart().Sign(t.Context(), w.refundFor(anna, 99_000))
	must(t, err)
	if _, err := restart().Sign(t.Context(), w.refundFor(anna, 2_000)); !refusedFor(err, OverLimit) {
		t.Errorf("refund above the limit after a restart: got error %v", err)
	}
	must(t, os.Remove(string(file)))
	if _, err := restart().Sign(t.Context(), w.refundFor(anna, 1_000)); !refusedFor(err, LimitsLost) {
		t.Errorf("refund without the record: got error %v", err)
	}
}

func TestNewRefusesMissingRefundLimits(t *testing.T) {
	for name, change := range map[string]func(*Policy){
		"total": func(p *Policy) { p.RefundSatsPerDay = 0 },
		"owner": func(p *Policy) { p.RefundSatsPerOwnerDay = 0 },
	} {
		w := newWorld(t)
		changePolicy(&w.config, change)
		if _, err := New(w.keys, w.config); err == nil {
			t.Errorf("New accepted a policy without a limit: %s", name)
		}
	}
}

func changePolicy(c *Config, change func(*Policy)) {
	p := c.Policies[0]
	change(&p)
	c.Policies = map[uint32]Policy{0: p}
}
