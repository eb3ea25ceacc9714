package order

import (
	"cmp"
	"slices"
	"sort"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// reservedVBytes is the size that is reserved in a delivery for an output that keeps the overpayment, and for 8
// treasury inputs, because the order's payments do not determine these.
const reservedVBytes = vault.KeptVBytes + 8*58

// quote computes the price of an order from the payments that its delivery spends.
type quote struct {
	fees   Fees // for a delivery that spends one payment
	most   int  // maximum number of payments that fit in one delivery beside the units, at least 3
	strict bool // the service fee is not lowered
}

// quoteOf returns the quote of an order at its fee rate.
func (s *Service) quoteOf(o Order) (quote, error) {
	to, err := s.script(o)
	if err != nil {
		return quote{}, err
	}
	terms, err := s.termsOf(o)
	if err != nil {
		return quote{}, err
	}
	return quoteOf(terms, o, to)
}

func quoteOf(terms Terms, o Order, to []byte) (quote, error) {
	s := shape{real: o.RealUnits, self: o.SelfUnits, virtual: o.RealUnits < int64(len(o.UnitIDs)),
		amount: o.Amount, to: to}
	vbytes, err := deliveryVBytes(terms, s)
	if err != nil {
		return quote{}, err
	}
	fees, err := feesOf(terms, s, o.FeeRate, vbytes)
	input := vault.InputVBytes(vault.Payment)
	free := vault.MaxPayoutVBytes - reservedVBytes - vbytes - s.unitVBytes()
	strict := o.Economy.RaisedRate > 0 && !o.IsEconomy() // the signer requires more than the economy price
	return quote{fees: fees, most: max(3, 1+int(free/input)), strict: strict}, err
}

// spending is the cost of spending payments: of each its input, but at most its own value, so that a stranger's payment
// never raises the sats that the owner still has to pay.
type spending struct {
	inputs  amount.Sats // of all payments
	largest amount.Sats // of the costliest one, which the price includes
}

// add returns the cost with one more payment. input is the cost of an input.
func (s spending) add(input, value amount.Sats) spending {
	cost := min(input, value)
	return spending{s.inputs + cost, max(s.largest, cost)}
}

// further returns the cost of all payments except the costliest one.
func (s spending) further() amount.Sats { return s.inputs - s.largest }

// spending returns the cost of spending payments.
func (q quote) spending(payments []Payment) (cost spending) {
	for _, p := range payments {
		cost = cost.add(q.fees.PerRutxo, p.Value)
	}
	return cost
}

// cover returns the first payments that together pay the price, including the cost of spending them, and that price.
// q.fees includes the cost of one payment input, for the largest payment. If the payments lack no more than the service
// fee may be lowered by, it is lowered by that. Otherwise, cover returns all of them and a price that includes the cost
// of spending one more.
func (q quote) cover(payments []Payment) (taken []Payment, fees Fees, covered bool) {
	var sum amount.Sats
	var cost spending
	fees = q.fees
	for i, p := range payments {
		sum, cost = sum+p.Value, cost.add(q.fees.PerRutxo, p.Value)
		fees.Network = q.fees.Network + cost.further()
		if sum >= fees.Total() {
			return payments[:i+1], fees, true
		}
	}
	if lacks := fees.Total() - sum; len(payments) > 0 && !q.strict && lacks <= q.fees.lowered(cost) {
		fees.Service -= lacks
		return payments, fees, true
	}
	fees.Network = q.fees.Network + cost.inputs
	return payments, fees, false
}

// lowered returns the sats by which the service fee is lowered at most: what no further payment could pay, because an
// output needs 546 sats, or the cost of a second and a third payment, so that the price that was shown first can be
// paid in three parts. The network fees are always paid in full, as the signer requires.
func (f Fees) lowered(cost spending) amount.Sats {
	return min(f.Service, max(vault.DustSats-1, min(cost.further(), 2*f.PerRutxo)))
}

// worth returns the sum of payments without the cost of spending them, except of the costliest one.
func (q quote) worth(payments []Payment) amount.Sats {
	return sumOf(payments) - q.spending(payments).further()
}

// largest returns at most limit payments, the largest first, and equal ones in their order.
func largest(payments []Payment, limit int) []Payment {
	var top []int // indexes, because there can be thousands of payments
	for i, p := range payments {
		at := sort.Search(len(top), func(n int) bool { return payments[top[n]].Value < p.Value })
		if at < limit {
			top = slices.Insert(top[:min(len(top), limit-1)], at, i)
		}
	}
	found := make([]Payment, len(top))
	for n, i := range top {
		found[n] = payments[i]
	}
	return found
}

// spentTogether returns the confirmed payments that one delivery spends, at most limit: the anchor and then the largest
// others. The anchor is the payment with the outpoint fixed, if it is among confirmed, else the first in the chain.
func spentTogether(fixed string, confirmed []Payment, limit int) []Payment {
	if len(confirmed) == 0 {
		return nil
	}
	anchor := slices.IndexFunc(confirmed, func(p Payment) bool { return p.OutPoint.String() == fixed })
	if anchor < 0 {
		anchor = first(confirmed)
	}
	rest := slices.Delete(slices.Clone(confirmed), anchor, anchor+1)
	return append([]Payment{confirmed[anchor]}, largest(rest, limit-1)...)
}

// first returns the index of the payment that comes first in the chain.
func first(confirmed []Payment) int {
	found := 0
	for i, p := range confirmed {
		if ChainOrder(p, confirmed[found]) < 0 {
			found = i
		}
	}
	return found
}

// ChainOrder compares two confirmed payments by height, position in the block, and output index.
func ChainOrder(a, b Payment) int {
	return cmp.Or(
		cmp.Compare(a.Height, b.Height), cmp.Compare(a.Position, b.Position),
		cmp.Compare(a.OutPoint.Index, b.OutPoint.Index),
	)
}

func sumOf(payments []Payment) (sum amount.Sats) {
	for _, p := range payments {
		sum += p.Value
	}
	return sum
}

// PaymentsToSpend returns the payments that the delivery of a PAID order spends, the anchor first, and the order with
// its anchor and the price for these payments. ok is false if they do not pay the price, or if a transaction already
// spends the anchor. Every delivery of an order must spend the anchor, so that consensus forbids a second delivery.
func (s *Service) PaymentsToSpend(
	o Order, payments []Payment, tip int64,
) (spent []Payment, priced Order, ok bool, err error) {
	q, err := s.quoteOf(o)
	if err != nil {
		return nil, o, false, err
	}
	confirmed := slices.DeleteFunc(slices.Clone(payments), func(p Payment) bool {
		return !p.Counted || p.Vanished || p.Late || p.Kept || p.Refunded || !p.IsConfirmed(tip)
	})
	parts := spentTogether(o.Anchor, confirmed, len(confirmed))
	if len(parts) == 0 || parts[0].SpentBy != "" {
		return nil, o, false, nil
	}
	parts = slices.DeleteFunc(parts, func(p Payment) bool { return p.SpentBy != "" })
	taken, fees, ok := q.cover(parts[:min(len(parts), q.most)])
	o.Fees, o.Anchor = fees, taken[0].OutPoint.String()
	return taken, o, ok, nil
}

// Anchored returns the order with an anchor. If the order has none, the anchor is the first counted payment in the
// chain among the confirmed payments that a transaction spends.
func (o Order) Anchored(spent []Payment) Order {
	confirmed := slices.DeleteFunc(slices.Clone(spent), func(p Payment) bool { return p.Kept || p.Height == chain.None })
	if o.Anchor == "" && len(confirmed) > 0 {
		o.Anchor = confirmed[firstRefunded(confirmed)].OutPoint.String()
	}
	return o
}
