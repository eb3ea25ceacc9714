package signer

import (
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// economyOrder adds a withdrawal of a stake at a chosen rate, which pays sats, to a request.
func (w *world) economyOrder(r *Request, owner wallet, rate amount.FeeRate, sats amount.Sats) {
	w.Helper()
	stake := w.stake(owner, 600, "")
	id := stake.OutPoint.String()
	intent := owner.intent("WITHDRAW", "600", []string{id})
	if rate > 0 {
		intent.Rate, intent.Until = int64(rate), time.Date(2026, 11, 18, 7, 0, 0, 0, time.UTC)
	}
	o := Order{Withdraw: true, Units: []wire.OutPoint{stake.OutPoint}, UnitIDs: []string{id},
		Delivery: vault.Delivery{Rune: lobo, Amount: 600, To: owner.ordinals.Script, Value: 2 * 546}}
	o.Proof = owner.proof(w, intent)
	o.Delivery.OrderID = message.OrderID(o.Proof.Text)
	r.Orders = append(r.Orders, o)
	r.Inputs = append(r.Inputs, stake, w.coin(vault.Payment, sats, 0, o.Delivery.OrderID))
}

// buildAt builds the transaction of a request at a rate.
func (w *world) buildAt(r *Request, rate amount.FeeRate) {
	w.Helper()
	p := w.plan(r)
	p.FeeRate = rate
	var err error
	r.Tx, _, err = vault.BuildPayout(p)
	must(w, err)
}

// economyPrice returns the price of an order of economyOrder at a rate.
func economyPrice(w *world, owner wallet, rate amount.FeeRate, service amount.Sats) amount.Sats {
	w.Helper()
	vbytes, err := vault.DeliveryVBytes(vault.OrderShape{Rune: lobo, Amount: 600, To: owner.ordinals.Script, Payments: 1})
	must(w, err)
	return vault.DustSats + rate.Fee(vbytes) + rate.Fee(vault.InputVBytes(vault.Stake)) + service
}

// The signer signs only economy orders that pay for their own vbytes at their own rate and the service fee.
func TestEconomyCharges(t *testing.T) {
	const service, rate = 2000, amount.FeeRate(2000)
	tests := map[string]struct {
		reason Reason // "": signed
		craft  func(w *world, r *Request, anna, bert wallet)
	}{
		"one order": {"", func(w *world, r *Request, anna, _ wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			w.buildAt(r, rate)
		}},
		"two orders of one rate": {"", func(w *world, r *Request, anna, bert wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			w.economyOrder(r, bert, rate, economyPrice(w, bert, rate, service))
			w.buildAt(r, rate)
		}},
		"a small overpayment": {"", func(w *world, r *Request, anna, _ wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service)+500)
			w.buildAt(r, rate)
		}},
		"charged the price of a higher rate": {WrongCharge, func(w *world, r *Request, anna, _ wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, 20_000, service))
			w.buildAt(r, rate)
		}},
		"charged less than its own vbytes": {WrongCharge, func(w *world, r *Request, anna, _ wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, 0)-1)
			r.Inputs = append(r.Inputs, w.coin(vault.TreasurySats, 10_000, 0, ""))
			w.buildAt(r, rate)
		}},
		"a fee from the treasury": {WrongCharge, func(w *world, r *Request, anna, _ wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			r.Inputs = append(r.Inputs, w.coin(vault.TreasurySats, 10_000, 0, ""))
			w.buildAt(r, 20_000)
		}},
		"two rates": {"", func(w *world, r *Request, anna, bert wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			w.economyOrder(r, bert, 2*rate, economyPrice(w, bert, 2*rate, service))
			w.buildAt(r, rate)
		}},
		"two rates, one charged the price of the other": {WrongCharge, func(w *world, r *Request, anna, bert wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, 4*rate, service))
			w.economyOrder(r, bert, 4*rate, economyPrice(w, bert, 4*rate, service))
			w.buildAt(r, 4*rate)
		}},
		"two rates, a fee that they do not pay": {WrongCharge, func(w *world, r *Request, anna, bert wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			w.economyOrder(r, bert, 2*rate, economyPrice(w, bert, 2*rate, service))
			r.Inputs = append(r.Inputs, w.coin(vault.TreasurySats, 30_000, 0, ""))
			w.buildAt(r, 20*rate)
		}},
		"with a normal order": {UnsafeBatch, func(w *world, r *Request, anna, bert wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			w.economyOrder(r, bert, 0, economyPrice(w, bert, rate, service))
			w.buildAt(r, rate)
		}},
		"the difference is paid": {"", func(w *world, r *Request, anna, bert wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, 20_000, service))
			r.Orders[0].Raised = true
			w.economyOrder(r, bert, 0, economyPrice(w, bert, 20_000, service))
			w.buildAt(r, 20_000)
		}},
		"the difference is not paid": {WrongCharge, func(w *world, r *Request, anna, _ wallet) {
			w.economyOrder(r, anna, rate, economyPrice(w, anna, rate, service))
			r.Orders[0].Raised = true
			w.buildAt(r, rate)
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			policy := w.config.Policies[0]
			policy.ServiceFee = service
			w.config.Policies[0] = policy
			var r Request
			test.craft(w, &r, newWallet(t, 1, chain.P2TR, w.network), newWallet(t, 2, chain.P2TR, w.network))
			_, err := w.signer().Sign(t.Context(), r)
			if test.reason == "" && err != nil || test.reason != "" && !refusedFor(err, test.reason) {
				t.Errorf("got %v, want %q", err, test.reason)
			}
		})
	}
}
