package order

import (
	"fmt"

	"moonfund/amount"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/vault"
)

// Terms are what orders need to know of a community.
type Terms struct {
	Prefix     string
	Rune       runes.ID
	ServiceFee amount.Sats
	MaxUnits   int
	Account    vault.Account
}

// price is the one function behind both estimates and orders: what delivering
// these units costs at a fee rate, when that many payments must be spent.
// network_fee delivers the order alone without its unit inputs; each real unit adds one input.
func price(terms Terms, units []ledger.Unit, to []byte, rate amount.FeeRate, payments int) (Fees, error) {
	real, total, err := sum(units)
	if err != nil {
		return Fees{}, err
	}
	return priceOf(terms, shape{real: real, virtual: real < int64(len(units)), amount: total, to: to}, rate, payments)
}

type shape struct {
	real    int64 // custody outputs to spend
	virtual bool  // some units are backed by the treasury
	amount  amount.Runes
	to      []byte // script of the destination
}

func priceOf(terms Terms, s shape, rate amount.FeeRate, payments int) (Fees, error) {
	vbytes, err := vault.DeliveryVBytes(vault.OrderShape{
		Rune: terms.Rune, Amount: s.amount, To: s.to, Virtual: s.virtual, Payments: max(1, payments),
	})
	if err != nil {
		return Fees{}, fmt.Errorf("pricing a delivery: %w", err)
	}
	perRutxo := rate.Fee(vault.InputVBytes(vault.Stake))
	rutxos, err := perRutxo.Mul(s.real)
	if err != nil {
		return Fees{}, err
	}
	return Fees{
		Dust: vault.DustSats, Network: rate.Fee(vbytes), Service: terms.ServiceFee,
		Rutxos: rutxos, PerRutxo: perRutxo,
	}, nil
}

func sum(units []ledger.Unit) (real int64, total amount.Runes, err error) {
	for _, unit := range units {
		if !unit.Virtual() {
			real++
		}
		if total, err = total.Add(unit.Amount); err != nil {
			return 0, 0, err
		}
	}
	return real, total, nil
}

// inTime adds up what was seen while the rate was valid.
func inTime(o Order, counted []Payment) (seen amount.Sats) {
	for _, p := range counted {
		if !p.Kept && !p.Late && !p.SeenAt.After(o.RateDate.Add(FeeValid)) {
			seen += p.Value
		}
	}
	return seen
}

// tally adds up the counted payments and prices the order by them. They are taken in
// the order of their arrival until they cover the price; each one short of that
// makes the next one necessary, and its input is then part of the price. What
// arrives after that is surplus.
func tally(terms Terms, o Order, to []byte, payments []Payment, tip int64) (Order, error) {
	o.Seen, o.Confirmed, o.Late, o.Refunded, o.Returned = 0, 0, 0, 0, 0
	needed := 1
	complete := false
	s := shape{real: o.RealUnits, virtual: o.RealUnits < int64(len(o.UnitIDs)), amount: o.Amount, to: to}
	fees, err := priceOf(terms, s, o.FeeRate, needed)
	if err != nil {
		return o, err
	}
	for _, p := range payments {
		if p.Kept {
			if p.Refunded {
				o.Returned += p.Value
			}
			continue
		}
		if p.Refunded {
			o.Refunded += p.Value
			continue
		}
		if p.Late {
			o.Late += p.Value
			continue
		}
		if !complete && o.Seen > 0 {
			needed++
			if fees, err = priceOf(terms, s, o.FeeRate, needed); err != nil {
				return o, err
			}
		}
		if o.Seen, err = o.Seen.Add(p.Value); err != nil {
			return o, err
		}
		if p.Deep(tip) {
			o.Confirmed += p.Value
		}
		complete = o.Seen >= fees.Total()
	}
	if !complete && o.Seen > 0 {
		if fees, err = priceOf(terms, s, o.FeeRate, needed+1); err != nil {
			return o, err
		}
	}
	o.Fees = fees
	return o, nil
}

// Deep reports whether the payment has the confirmations it needs to count as
// confirmed and to be spent.
func (p Payment) Deep(tip int64) bool {
	depth := int64(PaymentDepth)
	if p.Coinbase {
		depth = CoinbaseDepth
	}
	return ledger.Confirmations(p.Height, tip) >= depth
}

func refundable(o Order, payments int) bool {
	return worthRefunding(o.Seen+o.Late, o.FeeRate, payments)
}

// A refund spends every payment to one output; less than its cost plus dust is abandoned.
func worthRefunding(sats amount.Sats, rate amount.FeeRate, payments int) bool {
	const overhead = 54 // vB of a transaction with one output, without inputs
	cost := rate.Fee(overhead + int64(max(1, payments))*vault.InputVBytes(vault.Payment))
	return sats >= cost+vault.DustSats
}
