package order

import (
	"fmt"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// Terms are the parameters of a community.
type Terms struct {
	Prefix     string // identifies the community
	Rune       runes.ID
	ServiceFee amount.Sats   // part of every order's price
	Limits     Limits        // of one order
	Account    vault.Account // derives the payment addresses
}

// price returns the price of delivering units to an output script at a fee rate, if one payment pays it.
func price(terms Terms, units []ledger.Unit, to []byte, rate amount.FeeRate) (Fees, error) {
	s, err := shapeOf(units, to)
	if err != nil {
		return Fees{}, err
	}
	vbytes, err := deliveryVBytes(terms, s)
	if err != nil {
		return Fees{}, err
	}
	return feesOf(terms, s, rate, vbytes)
}

// shape has the properties of an order that determine the size of its delivery.
type shape struct {
	real    int64 // number of custody outputs to spend
	self    int64 // number of those in self-custody
	virtual bool  // some units are virtual
	amount  amount.Runes
	movable amount.Runes // the part of amount that our key alone can move
	to      []byte       // output script of the destination
}

// deliveryVBytes returns the size in vbytes of delivering an order alone, without its unit inputs, with one payment
// input.
func deliveryVBytes(terms Terms, s shape) (int64, error) {
	vbytes, err := vault.DeliveryVBytes(vault.OrderShape{Rune: terms.Rune, Amount: s.amount, To: s.to, Virtual: s.virtual,
		Payments: 1})
	if err != nil {
		return 0, fmt.Errorf("pricing a delivery: %w", err)
	}
	return vbytes, nil
}

func feesOf(terms Terms, s shape, rate amount.FeeRate, vbytes int64) (Fees, error) {
	perRutxo := rate.Fee(vault.InputVBytes(vault.Stake))
	rutxos, err := perRutxo.Mul(s.real - s.self)
	if err != nil {
		return Fees{}, err
	}
	self, err := rate.Fee(vault.SelfVBytes).Mul(s.self)
	if err == nil {
		rutxos, err = rutxos.Add(self)
	}
	if err != nil {
		return Fees{}, err
	}
	return Fees{
		Dust: vault.DustSats, Network: rate.Fee(vbytes), Service: terms.ServiceFee, Listed: terms.ServiceFee,
		Rutxos: rutxos, PerRutxo: perRutxo,
	}, nil
}

// unitVBytes returns the size in vbytes of the unit inputs.
func (s shape) unitVBytes() int64 {
	return (s.real-s.self)*vault.InputVBytes(vault.Stake) + s.self*vault.SelfVBytes
}

func shapeOf(units []ledger.Unit, to []byte) (s shape, err error) {
	s.to = to
	for _, unit := range units {
		switch {
		case unit.Virtual():
			s.virtual = true
		case unit.Self:
			s.real, s.self = s.real+1, s.self+1
		default:
			s.real++
		}
		if s.amount, err = s.amount.Add(unit.Amount); err != nil {
			return shape{}, err
		}
		if !unit.Self {
			s.movable += unit.Amount // no more than amount
		}
	}
	return s, nil
}

// coverage reports whether several sets of payments pay the price.
type coverage struct {
	covered bool // the payments that were seen
	inTime  bool // the payments that were seen while the rate was valid
	paid    bool // the payments that are confirmed
}

// tally returns the order with the sums and the price computed from its payments, none of which may be vanished. to is
// the output script of the owner. If the confirmed payments pay the price, they alone determine the price, so that a
// payment that never confirms delays nothing. Otherwise all seen payments determine it.
func tally(terms Terms, o Order, to []byte, payments []Payment, tip int64) (Order, coverage, error) {
	o.Seen, o.Usable, o.Confirmed, o.Late, o.Refunded, o.Returned = 0, 0, 0, 0, 0, 0
	q, err := quoteOf(terms, o, to)
	if err != nil {
		return o, coverage{}, err
	}
	var timely, confirmed []Payment
	parts := make([]Payment, 0, len(payments))
	for _, p := range payments {
		switch {
		case p.Kept:
			if p.Refunded {
				o.Returned += p.Value
			}
			continue
		case p.Refunded:
			o.Refunded += p.Value
			continue
		case !p.Counted:
			continue
		case p.Late:
			o.Late += p.Value
			continue
		}
		if o.Seen, err = o.Seen.Add(p.Value); err != nil {
			return o, coverage{}, err
		}
		parts = append(parts, p)
		if !p.SeenAt.After(o.RateDate.Add(FeeValid)) {
			timely = append(timely, p)
		}
		if p.IsConfirmed(tip) {
			confirmed = append(confirmed, p)
		}
	}
	var st coverage
	_, _, st.inTime = q.cover(largest(timely, q.most-1))
	usable, fees, covered := q.cover(largest(parts, q.most-1))
	if !covered { // reserve inputs for a further payment, and for the anchor if it is not among the largest payments
		usable, fees, _ = q.cover(largest(parts, q.most-2))
	}
	spendable := spentTogether(o.Anchor, confirmed, q.most)
	if taken, price, paid := q.cover(spendable); paid {
		usable, fees, covered, st.paid = taken, price, true, true
	}
	o.Fees, o.Usable, o.Confirmed, st.covered = fees, sumOf(usable), sumOf(spendable), covered
	return o, st, nil
}

// IsConfirmed reports whether the payment has enough confirmations to count as confirmed and to be spent.
func (p Payment) IsConfirmed(tip int64) bool {
	depth := int64(PaymentDepth)
	if p.Coinbase {
		depth = CoinbaseDepth
	}
	return ledger.Confirmations(p.Height, tip) >= depth
}
