package sim

import (
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signer"
	"moonfund/internal/staking/payout"
	"moonfund/internal/testkit"
)

// remembered is the number of requests to the signer that a hostile server repeats.
const remembered = 16

// remember stores a request that the signer accepted.
func (sc *scenario) remember(u payout.Unsigned) {
	sc.requests = append(sc.requests, u)
	sc.requests = sc.requests[max(0, len(sc.requests)-remembered):]
}

// takenOver simulates a hostile server, which repeats accepted requests to the signer, unchanged and changed in its
// favor. The signer must refuse every changed request, and the sum of the transactions that it signs must not exceed
// its limits.
func (sc *scenario) takenOver() {
	if len(sc.requests) == 0 {
		return
	}
	limits := sc.halfOf(sc.requests)
	sc.note("  %d requests, limits %+v", len(sc.requests), limits)
	sc.faults[serverTakenOver]++
	hostile := sc.SeparateSigner(limits)
	var signed []payout.Unsigned
	for _, u := range sc.requests {
		for _, crafted := range sc.crafted(u) {
			if tx, err := hostile.Sign(sc.Context(), crafted.Unsigned); err == nil {
				sc.Fatalf("the signer refuses what is not owed: it signed %s, %s", tx.TxHash(), crafted.what)
			}
		}
		if tx, err := hostile.Sign(sc.Context(), u); err == nil {
			u.Tx = tx
			signed = append(signed, u)
		}
	}
	sum := sc.outflow(signed)
	if sum.RunesPerDay > limits.RunesPerDay || sum.SatsPerDay > limits.SatsPerDay ||
		sum.RefundSatsPerDay > limits.RefundSatsPerDay {
		sc.Fatalf("the signer exceeds its limits: it signed %+v of %+v", sum, limits)
	}
}

// halfOf returns limits that allow about half of the requests.
func (sc *scenario) halfOf(requests []payout.Unsigned) signer.Policy {
	sum := sc.outflow(requests)
	return signer.Policy{
		RunesPerDay: max(1, sum.RunesPerDay/2), SatsPerDay: max(1, sum.SatsPerDay/2),
		RefundSatsPerDay: max(1, sum.RefundSatsPerDay/2), RefundSatsPerOwnerDay: max(1, sum.RefundSatsPerDay/2),
	}
}

// outflow returns the sum of runes and sats that transactions take from the treasury and from the orders' payments.
// What an owner signs for a stake in self-custody has no limit. Of two transactions that spend the same output it
// counts only the first.
func (sc *scenario) outflow(requests []payout.Unsigned) (sum signer.Policy) {
	runesAddress, _ := sc.Account.TreasuryRunes()
	satsAddress, _ := sc.Account.TreasurySats()
	spent := map[wire.OutPoint]bool{}
	for _, u := range requests {
		if slices.ContainsFunc(u.Inputs, func(c vault.Coin) bool { return spent[c.OutPoint] || c.Self }) {
			continue
		}
		own := [][]byte{runesAddress.Script, satsAddress.Script}
		for _, o := range u.Orders {
			own = append(own, o.Order.Script)
			for _, unit := range o.Units {
				if unit.Virtual() {
					sum.RunesPerDay += unit.Amount
				}
			}
		}
		var out amount.Sats
		for _, coin := range u.Inputs {
			spent[coin.OutPoint] = true
			if coin.Kind != vault.Stake && coin.Kind != vault.Own {
				out += amount.Sats(coin.Output.Value)
			}
		}
		for _, o := range u.Tx.TxOut {
			if slices.ContainsFunc(own, func(script []byte) bool { return string(script) == string(o.PkScript) }) {
				out -= amount.Sats(o.Value)
			}
		}
		if u.Refund != nil {
			sum.RefundSatsPerDay += max(0, out)
		} else {
			sum.SatsPerDay += max(0, out)
		}
	}
	return sum
}

// craftedRequest is a request that the signer must refuse.
type craftedRequest struct {
	payout.Unsigned
	what string
}

// crafted returns changed copies of a request, each of which takes runes or sats from the treasury or an owner.
func (sc *scenario) crafted(u payout.Unsigned) (all []craftedRequest) {
	thief := sc.wallet()
	for _, o := range u.Orders {
		thief = sc.strangerTo(o.Order.Owner)
	}
	if u.Refund != nil {
		thief = sc.strangerTo(u.Refund.Order.Owner)
	}
	add := func(what string, change func(u *payout.Unsigned)) {
		c := craftedRequest{u, what}
		c.Tx, c.Inputs, c.Orders = u.Tx.Copy(), slices.Clone(u.Inputs), slices.Clone(u.Orders)
		change(&c.Unsigned)
		all = append(all, c)
	}
	add("the first output goes to a stranger", func(u *payout.Unsigned) {
		u.Tx.TxOut[0].PkScript = thief.Payment.Script
	})
	add("a stranger gets an output of his own", func(u *payout.Unsigned) {
		u.Tx.TxOut[0].Value -= 100
		u.Tx.AddTxOut(wire.NewTxOut(100, thief.Payment.Script))
	})
	add("it is said to be no payout of any order", func(u *payout.Unsigned) {
		u.Orders, u.Refund, u.Return = nil, nil, nil
	})
	if len(u.Orders) > 0 {
		add("an order without its message", func(u *payout.Unsigned) { u.Orders[0].Proof = payout.Proof{} })
		add("an order with another message", func(u *payout.Unsigned) {
			u.Orders[0].Proof.Text = u.Orders[0].Proof.Text + " "
		})
		add("an order that gets more", func(u *payout.Unsigned) { u.Orders[0].Delivery.Amount++ })
		add("an order that is not paid for", func(u *payout.Unsigned) {
			id := u.Orders[0].Order.ID
			u.Tx.TxIn = nil
			u.Inputs = slices.DeleteFunc(u.Inputs, func(c vault.Coin) bool { return c.OrderID == id && c.Kind == vault.Payment })
			for _, coin := range u.Inputs {
				u.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: vault.Sequence})
			}
		})
		add("a payment that is refunded instead", func(u *payout.Unsigned) {
			u.Refund, u.Orders = &payout.RefundOf{Order: u.Orders[0].Order, Proof: u.Orders[0].Proof}, nil
		})
	}
	for _, coin := range u.Inputs {
		if coin.Kind == vault.Stake {
			add("a stake that is returned to a stranger", func(u *payout.Unsigned) {
				u.Orders, u.Refund, u.Return = nil, nil, &payout.ReturnTo{Owner: thief.Ordinals.Text}
				u.Inputs = []vault.Coin{coin}
				u.Tx = wire.NewMsgTx(2)
				u.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: vault.Sequence})
				u.Tx.AddTxOut(wire.NewTxOut(coin.Output.Value-200, thief.Ordinals.Script))
			})
		}
	}
	return all
}

// strangerTo returns a wallet with another ordinals address than owner.
func (sc *scenario) strangerTo(owner string) *testkit.Wallet {
	for _, wallet := range actors(sc.World) {
		if wallet.Ordinals.Text != owner {
			return wallet
		}
	}
	return sc.Anna
}
