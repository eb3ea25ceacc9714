package signer

import (
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// crafted lists requests of a compromised server. Their parts are genuine and include a staker's real proofs, but the
// proofs belong to another order.
var crafted = map[string]struct {
	reason Reason
	craft  func(w *world, victim, thief wallet) Request
}{
	"refund of a victim's payment by the thief's proof": {OtherOrder, func(w *world, victim, thief wallet) Request {
		return w.refundOf(w.orderOf(victim, "v"), thief.proof(w, thief.intent("CLAIM", "500", []string{"t"})), thief)
	}},
	"refund by another proof of the same owner": {OtherOrder, func(w *world, victim, _ wallet) Request {
		return w.refundOf(w.orderOf(victim, "v"), victim.proof(w, victim.intent("CLAIM", "500", []string{"w"})), victim)
	}},
	"refund to another payment address of the same owner": {OtherOrder, func(w *world, victim, thief wallet) Request {
		moved := victim.intent("CLAIM", "500", []string{"v"})
		moved.Payment = thief.payment.Text
		return w.refundOf(w.orderOf(victim, "v"), victim.proof(w, moved), thief)
	}},
	"refund to another address than the message's": {WrongTarget, func(w *world, victim, thief wallet) Request {
		return w.refundOf(w.orderOf(victim, "v"), victim.proof(w, victim.intent("CLAIM", "500", []string{"v"})), thief)
	}},
	"refund under the thief's order id": {NotOurs, func(w *world, victim, thief wallet) Request {
		r := w.refundOf(w.orderOf(victim, "v"), thief.proof(w, thief.intent("CLAIM", "500", []string{"t"})), thief)
		r.Refund.OrderID, r.Inputs[0].OrderID = w.orderOf(thief, "t"), w.orderOf(thief, "t")
		return r
	}},
	"refund of an order with an invented id": {OtherOrder, func(w *world, victim, thief wallet) Request {
		return w.refundOf("00112233445566778899aabbccddeeff", thief.proof(w, thief.intent("CLAIM", "500", []string{"t"})),
			thief)
	}},
	"claim paid by a victim's payment": {OtherOrder, func(w *world, victim, thief wallet) Request {
		r := w.claimBy(thief, "t")
		w.underID(&r, w.orderOf(victim, "v"))
		return r
	}},
	"claim by another proof of the same owner": {OtherOrder, func(w *world, victim, _ wallet) Request {
		r := w.claimBy(victim, "w")
		w.underID(&r, w.orderOf(victim, "v"))
		return r
	}},
	"claim without a proof": {BadProof, func(w *world, victim, thief wallet) Request {
		r := w.claimBy(thief, "t")
		r.Orders[0].Proof = Proof{}
		return r
	}},
	"one proof for two orders": {OtherOrder, func(w *world, victim, _ wallet) Request {
		r := w.claimBy(victim, "v")
		second := r.Orders[0]
		second.Delivery.OrderID = w.orderOf(victim, "w")
		r.Orders = append(r.Orders, second)
		r.Inputs = append(r.Inputs, w.coin(vault.Payment, 5_000, 0, second.Delivery.OrderID))
		w.build(&r)
		return r
	}},
	"withdrawal by another proof of the same owner": {OtherOrder, func(w *world, victim, _ wallet) Request {
		var r Request
		w.withdrawal(&r, victim, "v", 0, w.stake(victim, 400, ""))
		w.underID(&r, w.orderOf(victim, "v"))
		return r
	}},
	"return of a victim's runes by the thief's proof": {OtherOrder, func(w *world, victim, thief wallet) Request {
		r := w.misplaced(100)
		r.Return.Proof = thief.proof(w, thief.intent("CLAIM", "600", []string{"reward-x"}))
		r.Return.Owner, r.Tx.TxOut[0].PkScript = thief.ordinals.Text, thief.ordinals.Script
		return r
	}},
}

// orderOf returns the id of the order that a claim of 500 base units by the owner opens.
func (w *world) orderOf(owner wallet, unit string) string {
	w.Helper()
	return message.OrderID(owner.proof(w, owner.intent("CLAIM", "500", []string{unit})).Text)
}

func (w *world) claimBy(owner wallet, unit string) Request {
	w.Helper()
	o := Order{Delivery: vault.Delivery{Rune: lobo, Amount: 500, To: owner.ordinals.Script, Value: 546},
		UnitIDs: []string{unit}}
	o.Proof = owner.proof(w, owner.intent("CLAIM", "500", o.UnitIDs))
	r := Request{Inputs: []vault.Coin{w.coin(vault.TreasuryRunes, 546, 50_000, "")}}
	w.order(&r, o)
	w.build(&r)
	return r
}

// underID makes the request's first order use another id and a payment to the address of that id.
func (w *world) underID(r *Request, id string) {
	w.Helper()
	r.Orders[0].Delivery.OrderID = id
	r.Inputs[len(r.Inputs)-1] = w.coin(vault.Payment, 5_000, 0, id)
	w.build(r)
}

// refundOf returns a refund of an order's payment to a wallet's payment address.
func (w *world) refundOf(id string, proof Proof, to wallet) Request {
	w.Helper()
	r := Request{Inputs: []vault.Coin{w.coin(vault.Payment, 5_000, 0, id)}, Refund: &Refund{OrderID: id, Proof: proof}}
	var err error
	r.Tx, _, err = vault.BuildRefund(vault.RefundPlan{Inputs: r.Inputs, To: to.payment.Script,
		FeeRate: amount.SatPerVB(2)})
	must(w, err)
	return r
}

// TestCraftedRequestsOverTheSocket checks that a running signer rejects a message that did not open the order, even if
// the rest of the request is genuine.
func TestCraftedRequestsOverTheSocket(t *testing.T) {
	for name, row := range crafted {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := row.craft(w, newWallet(t, 1, chain.P2TR, w.network), newWallet(t, 9, chain.P2TR, w.network))
			if tx, err := w.overSocket().Sign(t.Context(), r); tx != nil || !refusedFor(err, row.reason) {
				t.Errorf("Sign: signed %v, error %v; want a refusal for %q", tx != nil, err, row.reason)
			}
			if kept, _ := w.config.Outflows.Load(); len(kept) > 0 {
				t.Error("a refused request used some of the limit")
			}
		})
	}
}

// TestOwnMessageIsGoodForAllOfItsOrder checks that an order's message is valid for several transactions: a refund of a
// second payment, and a replacement.
func TestOwnMessageIsGoodForAllOfItsOrder(t *testing.T) {
	w := newWorld(t)
	victim := newWallet(t, 1, chain.P2TR, w.network)
	client := w.overSocket()
	for range 2 {
		_, err := client.Sign(t.Context(), w.refundOf(w.orderOf(victim, "v"),
			victim.proof(t, victim.intent("CLAIM", "500", []string{"v"})), victim))
		must(t, err)
	}
}
