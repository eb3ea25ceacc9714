package signer

import (
	"slices"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// TestTamperedRequestsAreRefused changes one thing about a valid request in each case. The signer must refuse it.
func TestTamperedRequestsAreRefused(t *testing.T) {
	// thief controls the server and owns a wallet and a stake.
	thief := func(w *world) wallet { return newWallet(w, 9, chain.P2TR, w.network) }
	rows := map[string]struct {
		reason Reason
		tamper func(*world, *Request)
	}{
		"account":               {BadRequest, func(_ *world, r *Request) { r.Account = 1 }},
		"no transaction":        {BadRequest, func(_ *world, r *Request) { r.Tx = nil }},
		"lock time":             {BadRequest, func(_ *world, r *Request) { r.Tx.LockTime = 1 }},
		"version":               {BadRequest, func(_ *world, r *Request) { r.Tx.Version = 1 }},
		"sequence":              {BadRequest, func(_ *world, r *Request) { r.Tx.TxIn[0].Sequence = 0 }},
		"signed already":        {BadRequest, func(_ *world, r *Request) { r.Tx.TxIn[0].Witness = wire.TxWitness{{1}} }},
		"input not described":   {BadRequest, func(_ *world, r *Request) { r.Inputs = r.Inputs[1:] }},
		"inputs in other order": {BadRequest, func(_ *world, r *Request) { slices.Reverse(r.Inputs) }},
		"input twice": {BadRequest, func(_ *world, r *Request) {
			r.Tx.AddTxIn(r.Tx.TxIn[0])
			r.Inputs = append(r.Inputs, r.Inputs[0])
		}},
		"payout and refund": {BadRequest, func(_ *world, r *Request) { r.Refund = &Refund{OrderID: "order-a"} }},
		"more out than in":  {BadRequest, func(_ *world, r *Request) { r.Tx.TxOut[len(r.Tx.TxOut)-1].Value += 50_000 }},

		"script": {NotOurs, func(_ *world, r *Request) {
			r.Inputs[0].Output.PkScript = r.Inputs[1].Output.PkScript
		}},
		"path":               {NotOurs, func(_ *world, r *Request) { r.Inputs[0].Path = vault.KeyPath{0, 77} }},
		"merkle root":        {NotOurs, func(_ *world, r *Request) { r.Inputs[0].MerkleRoot = make([]byte, 32) }},
		"leaf":               {NotOurs, func(w *world, r *Request) { r.Inputs[0].Leaf = thief(w).leaf }},
		"delay":              {NotOurs, func(_ *world, r *Request) { r.Inputs[0].Delay++ }},
		"stake as treasury":  {NotOurs, func(_ *world, r *Request) { r.Inputs[0].Kind = vault.TreasuryRunes }},
		"payment of another": {NotOurs, func(_ *world, r *Request) { r.Inputs[2].OrderID = "order-b" }},

		"destination of a stake": {WrongTarget, func(w *world, r *Request) {
			r.Orders[0].Delivery.To = thief(w).ordinals.Script
			w.build(r)
		}},
		"overpayment to a thief": {WrongTarget, func(w *world, r *Request) {
			r.Orders[2].Delivery.Overpayment, r.Orders[2].Delivery.KeptAt = 1000, thief(w).payment.Script
			w.build(r)
		}},
		"overpayment to another order": {WrongTarget, func(w *world, r *Request) {
			address, _, err := w.account.PaymentAddress("order-a")
			must(w, err)
			r.Orders[2].Delivery.Overpayment, r.Orders[2].Delivery.KeptAt = 1000, address.Script
			w.build(r)
		}},
		"overpayment not kept": {WrongRunes, func(w *world, r *Request) {
			address, _, err := w.account.PaymentAddress(r.Orders[2].Delivery.OrderID)
			must(w, err)
			r.Orders[2].Delivery.Overpayment, r.Orders[2].Delivery.KeptAt = 1000, address.Script
		}},
		"output swapped only": {WrongRunes, func(w *world, r *Request) {
			r.Tx.TxOut[0].PkScript = thief(w).ordinals.Script
		}},
		"claim to no address": {WrongTarget, func(w *world, r *Request) {
			r.Orders[2].Delivery.To = []byte{0x51}
			w.build(r)
		}},
		"sats of the stake withheld": {WrongTarget, func(w *world, r *Request) {
			r.Orders[0].Delivery.Value = 546
			w.build(r)
		}},
		"more sats than owed": {WrongTarget, func(w *world, r *Request) {
			r.Orders[2].Delivery.Value = 2_000
			w.build(r)
		}},
		"rune change to a thief": {WrongRunes, func(w *world, r *Request) {
			r.Tx.TxOut[3].PkScript = thief(w).ordinals.Script
		}},
		"sats change to a thief": {WrongRunes, func(w *world, r *Request) {
			r.Tx.TxOut[5].PkScript = thief(w).ordinals.Script
		}},
		"an output more": {WrongRunes, func(w *world, r *Request) {
			r.Tx.AddTxOut(wire.NewTxOut(546, thief(w).ordinals.Script))
		}},
		"less than signed": {WrongRunes, func(w *world, r *Request) { r.Orders[0].Delivery.Amount--; w.build(r) }},
		"more than signed": {WrongRunes, func(w *world, r *Request) { r.Orders[1].Delivery.Amount++; w.build(r) }},
		"another rune":     {WrongRunes, func(_ *world, r *Request) { r.Orders[2].Delivery.Rune.Tx++ }},
		"nothing":          {WrongRunes, func(_ *world, r *Request) { r.Orders[2].Delivery.Amount = 0 }},
		"no runestone":     {WrongRunes, func(_ *world, r *Request) { r.Tx.TxOut[4].PkScript = []byte{0x6a} }},
		"cenotaph": {WrongRunes, func(_ *world, r *Request) {
			r.Tx.TxOut[4].PkScript = []byte{0x6a, 0x5d, 1, 0x7e, 1, 0}
		}},
		"runes overstated": {WrongRunes, func(_ *world, r *Request) { r.Inputs[0].Runes = balance(601) }},
		"runes on a payment": {WrongRunes, func(w *world, r *Request) {
			r.Inputs[2].Runes = balance(1)
			w.balances[r.Inputs[2].OutPoint] = balance(1)
		}},
		"foreign rune on a stake": {WrongRunes, func(w *world, r *Request) { w.foreignRune(&r.Inputs[0]) }},
		"treasury fills a stake's gap": {WrongRunes, func(w *world, r *Request) {
			r.Inputs[0].Runes = balance(500)
			w.balances[r.Inputs[0].OutPoint] = balance(500)
			w.build(r)
		}},

		"no proof": {BadProof, func(_ *world, r *Request) { r.Orders[0].Proof = Proof{} }},
		"forged signature": {BadProof, func(w *world, r *Request) {
			r.Orders[0].Proof.Signature = thief(w).sign(w, r.Orders[0].Proof.Text)
		}},
		"another signer":    {BadProof, func(w *world, r *Request) { r.Orders[0].Proof.Signer = thief(w).ordinals.Text }},
		"altered message":   {BadProof, func(_ *world, r *Request) { r.Orders[0].Proof.Text += " " }},
		"another action":    {BadProof, signing(func(w *world, x *message.Intent) { x.Action = "RESTAKE" })},
		"another network":   {BadProof, signing(func(w *world, x *message.Intent) { x.Network = "mainnet" })},
		"another community": {BadProof, signing(func(w *world, x *message.Intent) { x.Community = "WOLF" })},
		"payment key, no link": {BadProof, func(w *world, r *Request) {
			p := &r.Orders[0].Proof
			anna := newWallet(w, 1, chain.P2TR, w.network)
			p.Signer, p.Signature = anna.payment.Text, anna.signPayment(p.Text)
		}},
		"proof of another order": {BadProof, func(_ *world, r *Request) { r.Orders[0].Proof.Text = r.Orders[1].Proof.Text }},
		"thief's own proof": {NotOwner, func(w *world, r *Request) {
			x := thief(w)
			o := &r.Orders[0]
			o.Delivery.To = x.ordinals.Script
			o.Proof = x.proof(w, x.intent("WITHDRAW", "1000", o.UnitIDs))
			o.Delivery.OrderID = message.OrderID(o.Proof.Text)
			r.Inputs[2] = w.coin(vault.Payment, 5_000, 0, o.Delivery.OrderID)
			w.build(r)
		}},

		"a stake not named": {WrongUnits, func(_ *world, r *Request) { r.Orders[0].UnitIDs = r.Orders[0].UnitIDs[:1] }},
		"a stake not spent": {WrongUnits, func(w *world, r *Request) { w.dropStake(r) }},
		"a stake of no order": {WrongUnits, func(w *world, r *Request) {
			r.Inputs = append(r.Inputs, w.stake(thief(w), 5, ""))
			w.build(r)
		}},
		"another's stake": {WrongUnits, func(_ *world, r *Request) {
			r.Orders[0].Units[1], r.Orders[1].Units[0] = r.Orders[1].Units[0], r.Orders[0].Units[1]
		}},
		"withdrawal sold as claim": {WrongUnits, func(_ *world, r *Request) { r.Orders[0].Withdraw = false }},

		"no payment": {NoPayment, func(w *world, r *Request) { r.Inputs = slices.Delete(r.Inputs, 2, 3); w.build(r) }},
		"another's payment": {NoPayment, func(w *world, r *Request) {
			r.Inputs = append(r.Inputs, w.coin(vault.Payment, 900, 0, "order-z"))
			w.build(r)
		}},
		"order twice":          {BadRequest, func(_ *world, r *Request) { r.Orders = append(r.Orders, r.Orders[2]) }},
		"fee per virtual byte": {FeeTooHigh, func(w *world, r *Request) { w.config.MaxFeeRate = amount.FeeRate(1_900) }},
		"fee":                  {FeeTooHigh, func(w *world, r *Request) { w.config.MaxFee = 1_000 }},
		"runes per day":        {OverLimit, func(w *world, r *Request) { w.limit(1_499, 1_000_000) }},
		"sats per day":         {OverLimit, func(w *world, r *Request) { w.limit(10_000, 2_500) }},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := w.mixed()
			row.tamper(w, &r)
			tx, err := w.signer().Sign(t.Context(), r)
			if tx != nil || !refusedFor(err, row.reason) {
				t.Errorf("Sign: signed %v, error %v; want a refusal for %q", tx != nil, err, row.reason)
			}
			if _, err := w.overSocket().Sign(t.Context(), r); !refusedFor(err, row.reason) {
				t.Errorf("Sign over the socket: got error %v, want a refusal for %q", err, row.reason)
			}
			if kept, _ := w.config.Outflows.Load(); len(kept) > 0 {
				t.Error("a refused request used some of the limit")
			}
		})
	}
}

// signing returns a case in which the staker signs another message for order 0.
func signing(change func(*world, *message.Intent)) func(*world, *Request) {
	return func(w *world, r *Request) {
		anna := newWallet(w, 1, chain.P2TR, w.network)
		x := anna.intent("WITHDRAW", "1000", r.Orders[0].UnitIDs)
		change(w, &x)
		r.Orders[0].Proof = anna.proof(w, x)
	}
}

func (w *world) limit(perDay amount.Runes, sats amount.Sats) {
	changePolicy(&w.config, func(p *Policy) { p.RunesPerDay, p.SatsPerDay = perDay, sats })
}

func (w *world) foreignRune(c *vault.Coin) {
	c.Runes = append(slices.Clone(c.Runes), runes.Balance{ID: runes.ID{Block: 840000, Tx: 1}, Amount: uint128.From64(1)})
	w.balances[c.OutPoint] = c.Runes
}

// dropStake omits one of order 0's two stakes and replaces it by treasury runes.
func (w *world) dropStake(r *Request) {
	r.Inputs = r.Inputs[1:]
	r.Orders[0].Units = r.Orders[0].Units[1:]
	r.Orders[0].Delivery.Value -= 546
	w.build(r)
}
