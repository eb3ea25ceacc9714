package signer

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// withdrawing returns a request to withdraw from the treasury to bert, whose payment address the signer's configuration
// lists.
func (w *world) withdrawing(sats amount.Sats, n amount.Runes) Request {
	w.Helper()
	bert := newWallet(w, 2, chain.P2TR, w.network)
	w.config.WithdrawTo = []string{bert.payment.Text}
	runeChange, satsChange := w.account.TreasuryRunes, w.account.TreasurySats
	change, _ := satsChange()
	r := Request{Withdrawal: &Withdrawal{Community: "lobo", To: bert.payment.Text, Sats: sats, Runes: n}}
	spare := []vault.Coin{w.coin(vault.TreasurySats, 80_000, 0, "")}
	var err error
	if sats > 0 {
		r.Tx, r.Inputs, _, err = vault.BuildSatsWithdrawal(vault.SatsWithdrawal{Spare: spare, Amount: sats,
			To: bert.payment.Script, SatsChange: change.Script, FeeRate: amount.SatPerVB(3)})
		must(w, err)
		return r
	}
	keep, _ := runeChange()
	plan, tx, _, err := vault.FundPayout(vault.PayoutPlan{
		Inputs:     []vault.Coin{w.coin(vault.TreasuryRunes, 546, 50_000, "")},
		Deliveries: []vault.Delivery{vault.WithdrawalOf(lobo, n, bert.payment.Script)}, Rune: lobo, RuneChange: keep.Script,
		SatsChange: change.Script, FeeRate: amount.SatPerVB(3)}, spare)
	must(w, err)
	r.Tx, r.Inputs = tx, plan.Inputs
	return r
}

func TestWithdrawalIsSigned(t *testing.T) {
	for _, informed := range []bool{true, false} {
		for _, request := range []func(w *world) Request{
			func(w *world) Request { return w.withdrawing(30_000, 0) },
			func(w *world) Request { return w.withdrawing(0, 4_000) },
		} {
			w := newWorld(t)
			r := request(w)
			if !informed {
				w.config.Balances = nil
			}
			tx, err := w.signer().Sign(context.Background(), r)
			must(t, err)
			if len(tx.TxIn[0].Witness) != 1 {
				t.Errorf("informed %t: %+v", informed, tx)
			}
		}
	}
}

// TestWithdrawalRefusals checks that only the signer's own configuration determines the destination of a withdrawal: a
// compromised server can change neither the destination nor the amount.
func TestWithdrawalRefusals(t *testing.T) {
	thief := newWallet(t, 9, chain.P2TR, newWorld(t).network)
	type row struct {
		reason Reason
		change func(w *world, r *Request)
	}
	rows := map[string]row{
		"no address configured": {Unlisted, func(w *world, _ *Request) { w.config.WithdrawTo = nil }},
		"another address": {Unlisted, func(_ *world, r *Request) {
			r.Withdrawal.To = thief.payment.Text
		}},
		"another address and destination": {Unlisted, func(_ *world, r *Request) {
			r.Withdrawal.To = thief.payment.Text
			for _, out := range r.Tx.TxOut {
				out.PkScript = thief.payment.Script
			}
		}},
		"no address": {WrongTarget, func(_ *world, r *Request) { r.Withdrawal.To = "nobody" }},
		"the treasury": {WrongTarget, func(w *world, r *Request) {
			own, _ := w.account.TreasurySats()
			r.Withdrawal.To = own.Text
			w.config.WithdrawTo = []string{own.Text}
		}},
		"both":       {BadRequest, func(_ *world, r *Request) { r.Withdrawal.Sats, r.Withdrawal.Runes = 1_000, 1_000 }},
		"neither":    {BadRequest, func(_ *world, r *Request) { r.Withdrawal.Sats, r.Withdrawal.Runes = 0, 0 }},
		"negative":   {BadRequest, func(_ *world, r *Request) { r.Withdrawal.Sats, r.Withdrawal.Runes = -5, 5 }},
		"with order": {BadRequest, func(_ *world, r *Request) { r.Orders = []Order{{}} }},
		"a refund":   {BadRequest, func(_ *world, r *Request) { r.Refund = &Refund{OrderID: "x"} }},
		"a return":   {BadRequest, func(_ *world, r *Request) { r.Return = &Return{} }},
		"a payment as input": {NotOurs, func(w *world, r *Request) {
			coin := w.coin(vault.Payment, 80_000, 0, "x")
			r.Inputs[len(r.Inputs)-1], r.Tx.TxIn[len(r.Inputs)-1].PreviousOutPoint = coin, coin.OutPoint
		}},
		"a stake as input": {NotOurs, func(w *world, r *Request) {
			coin := w.stake(newWallet(w, 2, chain.P2TR, w.network), 500, "")
			r.Inputs[len(r.Inputs)-1], r.Tx.TxIn[len(r.Inputs)-1].PreviousOutPoint = coin, coin.OutPoint
		}},
		"a command as community": {BadRequest, func(_ *world, r *Request) { r.Withdrawal.Community = "lobo; rm -r /" }},
		"too dear":               {FeeTooHigh, func(w *world, _ *Request) { w.config.MaxFee = 10 }},
	}
	sats := map[string]row{
		"more":          {WrongTarget, func(_ *world, r *Request) { r.Withdrawal.Sats-- }},
		"less":          {WrongTarget, func(_ *world, r *Request) { r.Withdrawal.Sats++ }},
		"another pays":  {WrongTarget, func(_ *world, r *Request) { r.Tx.TxOut[1].PkScript = thief.payment.Script }},
		"change leaves": {WrongTarget, func(_ *world, r *Request) { r.Tx.TxOut[0].PkScript = thief.payment.Script }},
		"a third output": {WrongTarget, func(_ *world, r *Request) {
			r.Tx.TxOut[0].Value -= 600
			r.Tx.AddTxOut(wire.NewTxOut(600, thief.payment.Script))
		}},
		"a runestone": {WrongTarget, func(_ *world, r *Request) {
			script, err := runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Amount: uint128.From64(1), Output: 1}}}.Script()
			must(t, err)
			r.Tx.AddTxOut(wire.NewTxOut(0, script))
		}},
		"treasury runes as input": {WrongTarget, func(w *world, r *Request) {
			coin := w.coin(vault.TreasuryRunes, 80_000, 50, "")
			r.Inputs[0], r.Tx.TxIn[0].PreviousOutPoint = coin, coin.OutPoint
		}},
		"runes on the input": {WrongRunes, func(w *world, r *Request) { w.balances[r.Inputs[0].OutPoint] = balance(7) }},
		"over the limit": {OverLimit, func(w *world, _ *Request) {
			policy := w.config.Policies[0]
			policy.SatsPerDay = 30_000 // the network fee counts, too
			w.config.Policies[0] = policy
		}},
	}
	ofRunes := map[string]row{
		"more":         {WrongRunes, func(_ *world, r *Request) { r.Withdrawal.Runes-- }},
		"less":         {WrongRunes, func(_ *world, r *Request) { r.Withdrawal.Runes++ }},
		"another pays": {WrongRunes, func(_ *world, r *Request) { r.Tx.TxOut[0].PkScript = thief.payment.Script }},
		"rune change leaves": {WrongRunes, func(_ *world, r *Request) {
			r.Tx.TxOut[1].PkScript = thief.payment.Script
		}},
		"false runes on the input": {WrongRunes, func(w *world, r *Request) {
			w.balances[r.Inputs[0].OutPoint] = balance(60_000)
		}},
		"an unverified pointer": {UnsafeBatch, func(w *world, r *Request) {
			w.config.Balances = nil
			script, err := runes.Runestone{Edicts: []runes.Edict{{ID: lobo, Amount: uint128.From64(4_000)}}}.Script()
			must(t, err)
			r.Tx.TxOut[2].PkScript = script
		}},
		"above cold_above": {NeedsHand, func(w *world, _ *Request) {
			policy := w.config.Policies[0]
			policy.ColdAbove = 3_999
			w.config.Policies[0] = policy
		}},
		"over the limit": {OverLimit, func(w *world, _ *Request) {
			policy := w.config.Policies[0]
			policy.RunesPerDay = 3_999
			w.config.Policies[0] = policy
		}},
	}
	try := func(name string, rows map[string]row, request func(w *world) Request) {
		for what, row := range rows {
			t.Run(name+"/"+what, func(t *testing.T) {
				w := newWorld(t)
				r := request(w)
				row.change(w, &r)
				if _, err := w.signer().Sign(context.Background(), r); !refusedFor(err, row.reason) {
					t.Errorf("%v, want a refusal for %q", err, row.reason)
				}
			})
		}
	}
	ask := func(w *world) Request { return w.withdrawing(30_000, 0) }
	askRunes := func(w *world) Request { return w.withdrawing(0, 4_000) }
	try("sats", rows, ask)
	try("sats", sats, ask)
	try("runes", rows, askRunes)
	try("runes", ofRunes, askRunes)
}

// TestWithdrawalsCountInTheLimit checks that a withdrawal counts against the limits of 24 hours, once for all of its
// versions.
func TestWithdrawalsCountInTheLimit(t *testing.T) {
	w := newWorld(t)
	policy := w.config.Policies[0]
	policy.RunesPerDay = 9_000
	w.config.Policies[0] = policy
	s := func() *Signer { return w.signer() }
	first := w.withdrawing(0, 4_000)
	for range 2 {
		_, err := s().Sign(context.Background(), first)
		must(t, err)
	}
	_, err := s().Sign(context.Background(), w.withdrawing(0, 4_000))
	must(t, err)
	if _, err := s().Sign(context.Background(), w.withdrawing(0, 4_000)); !refusedFor(err, OverLimit) {
		t.Errorf("12,000 base units with a limit of 9,000: got error %v", err)
	}
}

// TestWithdrawalByHand checks that an operator who signs by hand sees the address and can sign for any address.
func TestWithdrawalByHand(t *testing.T) {
	w := newWorld(t)
	r := w.withdrawing(30_000, 0)
	w.config.WithdrawTo, w.config.AnyWithdrawal = nil, true
	_, err := w.signer().Sign(context.Background(), r)
	must(t, err)
	if text := r.Describe(w.network); !strings.Contains(text, "30000 sats to "+r.Withdrawal.To) {
		t.Errorf("Describe: got %s", text)
	}
	if r.Subject() != "treasury:lobo" {
		t.Errorf("Subject: got %s", r.Subject())
	}
	data, err := json.Marshal(r)
	must(t, err)
	again, err := ReadRequest(bytes.NewReader(data))
	must(t, err)
	if again.Withdrawal == nil || *again.Withdrawal != *r.Withdrawal {
		t.Errorf("ReadRequest: got the withdrawal %+v", again.Withdrawal)
	}
}

func TestWithdrawalAddressesAreChecked(t *testing.T) {
	w := newWorld(t)
	w.config.WithdrawTo = []string{"bc1nobody"}
	if _, err := New(w.keys, w.config); err == nil || !strings.Contains(err.Error(), "bc1nobody") {
		t.Errorf("New with an invalid address: got error %v", err)
	}
}
