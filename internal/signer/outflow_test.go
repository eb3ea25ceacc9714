package signer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// spending returns a payout of the claims that spends the payments and a treasury output of its own.
func (w *world) spending(orders []Order, payments ...vault.Coin) Request {
	w.Helper()
	r := Request{Orders: orders, Inputs: append(slices.Clone(payments), w.coin(vault.TreasuryRunes, 546, 50_000, ""))}
	w.build(&r)
	return r
}

// payment returns another payment of an order.
func (w *world) payment(o Order) vault.Coin {
	w.Helper()
	return w.coin(vault.Payment, 5_000, 0, o.Delivery.OrderID)
}

// claims returns n orders of 400 base units each, with one payment each.
func (w *world) claims(n int) (orders []Order, payments []vault.Coin) {
	w.Helper()
	var r Request
	for i := range n {
		w.claim(&r, newWallet(w, 1, chain.P2TR, w.network), fmt.Sprint("c", i), 400)
	}
	return r.Orders, r.Inputs
}

// TestOrderCountsOnceWhateverARetrySpends checks that each order of a payout counts once although a payout that could
// not be stored is built again, with other treasury inputs or in another batch. Every version spends the order's
// payment.
func TestOrderCountsOnceWhateverARetrySpends(t *testing.T) {
	w := newWorld(t)
	w.limit(1_200, 1_000_000)
	client := w.overSocket()
	orders, payments := w.claims(3)
	for _, r := range []Request{
		w.spending(orders, payments...),
		w.spending(orders, payments...),
		w.spending(orders[:1], payments[0]),
		w.spending(orders[1:], payments[1], payments[2], w.payment(orders[2])),
		w.spending([]Order{orders[2], orders[0]}, payments[2], payments[0]),
	} {
		_, err := client.Sign(t.Context(), r)
		must(t, err)
	}
	if _, err := client.Sign(t.Context(), w.claimOf(1)); !refusedFor(err, OverLimit) {
		t.Errorf("Sign of 1 base unit above the used limit of 1200: got error %v", err)
	}
}

// retried lists requests of a compromised server whose transactions can all confirm but might be counted as one
// outflow. Each case requests one more claim of 400 than the limit of 800 allows.
var retried = map[string]func(w *world, o Order, payment vault.Coin) []Request{
	"another payment of the order": func(w *world, o Order, payment vault.Coin) []Request {
		return []Request{w.spending([]Order{o}, payment), w.spending([]Order{o}, w.payment(o)),
			w.spending([]Order{o}, w.payment(o))}
	},
	"a chain in which only neighbors conflict": func(w *world, o Order, payment vault.Coin) []Request {
		b, c, d, e := w.payment(o), w.payment(o), w.payment(o), w.payment(o)
		f := w.payment(o)
		return []Request{
			w.spending([]Order{o}, payment, b), w.spending([]Order{o}, b, c), w.spending([]Order{o}, c, d),
			w.spending([]Order{o}, d, e), w.spending([]Order{o}, e, f),
		}
	},
	"a bridge that joins two, and then a third": func(w *world, o Order, payment vault.Coin) []Request {
		b, c := w.payment(o), w.payment(o)
		return []Request{
			w.spending([]Order{o}, payment), w.spending([]Order{o}, b), w.spending([]Order{o}, payment, b, c),
			w.spending([]Order{o}, c),
		}
	},
	"one transaction with two orders whose payments were called one order's": func(w *world, o Order,
		payment vault.Coin) []Request {
		orders, payments := w.claims(3)
		lie := payments[1]
		var err error
		lie, err = w.account.Coin(vault.Payment, lie.OutPoint, 5_000, nil, orders[0].Delivery.OrderID)
		must(w, err)
		return []Request{w.spending(orders[:1], payments[0], lie), w.spending(orders, payments...)}
	},
	"a refund and a rearrangement in between": func(w *world, o Order, payment vault.Coin) []Request {
		b, c := w.payment(o), w.payment(o)
		refund := Request{Inputs: []vault.Coin{payment, b, c}, Refund: &Refund{OrderID: o.Delivery.OrderID, Proof: o.Proof}}
		to := newWallet(w, 1, chain.P2TR, w.network).payment.Script
		var err error
		refund.Tx, _, err = vault.BuildRefund(vault.RefundPlan{Inputs: refund.Inputs, To: to, FeeRate: amount.SatPerVB(2)})
		must(w, err)
		return []Request{refund, w.spending([]Order{o}, payment), w.spending([]Order{o}, b), w.spending([]Order{o}, c)}
	},
}

// TestRetriesEscapeNoLimit checks that a running signer never signs a set of transactions that can all confirm and
// together exceed the limit.
func TestRetriesEscapeNoLimit(t *testing.T) {
	for name, craft := range retried {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.limit(800, 1_000_000)
			client := w.overSocket()
			orders, payments := w.claims(1)
			var signed []Request
			refusals := 0
			for _, r := range craft(w, orders[0], payments[0]) {
				switch _, err := client.Sign(t.Context(), r); {
				case err == nil:
					signed = append(signed, r)
				case refusedFor(err, OverLimit):
					refusals++
				default:
					t.Fatal(err)
				}
			}
			if out := most(signed); out > 800 {
				t.Errorf("%d base units can leave in 24 hours, the limit is 800", out)
			}
			if refusals == 0 {
				t.Error("no request was refused: the requests do not reach the limit")
			}
		})
	}
}

// most returns the maximum sum of deliveries over sets of requests without a shared input, which can all confirm.
func most(signed []Request) (out amount.Runes) {
	for set := range 1 << len(signed) {
		spent, sum, apart := map[string]bool{}, amount.Runes(0), true
		for i, r := range signed {
			if set>>i&1 == 0 {
				continue
			}
			for _, coin := range r.Inputs {
				apart = apart && !spent[coin.OutPoint.String()]
				spent[coin.OutPoint.String()] = true
			}
			for _, o := range r.Orders {
				sum += o.Delivery.Amount
			}
		}
		if apart {
			out = max(out, sum)
		}
	}
	return out
}

// TestRecordBoundsEverySetThatCanConfirm checks for random charges that the recorded total is at least the outflow of
// every set of transactions without a shared input. The inputs of a transaction's charges are disjoint and drawn from
// few outpoints, so that they overlap in every way across transactions.
func TestRecordBoundsEverySetThatCanConfirm(t *testing.T) {
	at := time.Date(2026, 11, 4, 12, 0, 0, 0, time.UTC)
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 9))
		var kept []Outflow
		var made [][]Outflow
		for range 8 {
			points := random.Perm(7)
			var charges []Outflow
			for range 1 + random.IntN(2) {
				n := 1 + random.IntN(3)
				o := Outflow{At: at, Runes: amount.Runes(random.IntN(100)), Sats: amount.Sats(random.IntN(100))}
				for _, p := range points[:n] {
					o.Inputs = append(o.Inputs, fmt.Sprint(p))
				}
				points, charges = points[n:], append(charges, o)
			}
			made = append(made, charges)
			kept = record(kept, charges, at)
			used, err := sum(kept, 0, "")
			must(t, err)
			if runes, coins := mostOf(made); used.runes < runes || used.sats < coins {
				t.Fatalf("seed %d: recorded %d, %d; want at least %d, %d: %v", seed, used.runes, used.sats, runes, coins, made)
			}
		}
	}
}

// mostOf is like most for charges, of runes and of sats.
func mostOf(made [][]Outflow) (runes amount.Runes, sats amount.Sats) {
	for set := range 1 << len(made) {
		spent, r, s, apart := map[string]bool{}, amount.Runes(0), amount.Sats(0), true
		for i, charges := range made {
			for _, o := range charges {
				if set>>i&1 == 0 {
					continue
				}
				for _, p := range o.Inputs {
					apart = apart && !spent[p]
					spent[p] = true
				}
				r, s = r+o.Runes, s+o.Sats
			}
		}
		if apart {
			runes, sats = max(runes, r), max(sats, s)
		}
	}
	return runes, sats
}
