package signer

import (
	"cmp"
	"slices"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// checkSpeed checks the charges of orders whose messages chose a fee rate. Each pays its own vbytes at its own rate.
// Such orders share a payout only with each other, and together pay its whole fee. An order whose difference to the
// normal price was paid is a normal one.
func (c *check) checkSpeed() error {
	economy := false // the first order chose a rate
	var charges amount.Sats
	for i, o := range c.request.Orders {
		rate, err := c.speed(o)
		if err != nil {
			return err
		}
		if i > 0 && rate > 0 != economy {
			return refuse(UnsafeBatch, "order %s has another speed than the first one", o.Delivery.OrderID)
		}
		if economy = rate > 0; !economy {
			continue
		}
		charge, least, most, err := c.economyCharge(o, rate)
		if err != nil {
			return err
		}
		if charge < least || charge > most {
			return refuse(WrongCharge, "order %s is charged %d sats; at %s sat/vB these must be %d to %d",
				o.Delivery.OrderID, charge, rate, least, most)
		}
		charges += charge
	}
	if fee := c.fee(); economy && fee > charges {
		return refuse(WrongCharge, "the fee is %d sats, and the orders of economy delivery pay %d", fee, charges)
	}
	return nil
}

// speed returns the fee rate of an economy order, or 0 for a normal order. It checks that an order with a raised price
// was paid more than its economy price.
func (c *check) speed(o Order) (amount.FeeRate, error) {
	intent, err := message.Parse(o.Proof.Text)
	if err != nil || intent.Rate == 0 {
		return 0, err
	}
	rate := amount.FeeRate(intent.Rate)
	if !o.Raised {
		return rate, nil
	}
	charge, least, _, err := c.economyCharge(o, rate)
	if err == nil && charge <= least+c.policy.ServiceFee {
		err = refuse(WrongCharge, "order %s is charged %d sats, no more than at the %s sat/vB that its owner chose",
			o.Delivery.OrderID, charge, rate)
	}
	return 0, err
}

// economyCharge returns the charge of an order, without the 546 sats of its delivery and its kept overpayment, and the
// minimum and maximum charge at a rate: the fee for its own vbytes, and the service fee. An overpayment that is not
// worth an output and a refund is not kept.
func (c *check) economyCharge(o Order, rate amount.FeeRate) (charge, least, most amount.Sats, err error) {
	d := o.Delivery
	vbytes, err := vault.DeliveryVBytes(vault.OrderShape{Rune: d.Rune, Amount: d.Amount, To: d.To,
		Virtual: len(o.Units) < len(o.UnitIDs), Payments: 1})
	if err != nil {
		return 0, 0, 0, refuse(BadRequest, "order %s: %v", d.OrderID, err)
	}
	input := rate.Fee(vault.InputVBytes(vault.Stake))
	least = rate.Fee(vbytes) + input*amount.Sats(len(o.Units))
	var payments []amount.Sats
	for _, coin := range c.inputs {
		if coin.Kind == vault.Payment && coin.OrderID == d.OrderID {
			payments = append(payments, amount.Sats(coin.Output.Value))
		}
	}
	slices.SortFunc(payments, func(a, b amount.Sats) int { return cmp.Compare(b, a) })
	for i, value := range payments {
		if charge += value; i > 0 { // vbytes includes the input of the largest payment
			least += min(input, value)
		}
	}
	charge -= vault.DustSats + d.Overpayment
	unkept := rate.Fee(vault.KeptVBytes) + rate.Fee(refundVBytes) + vault.DustSats
	return charge, least, least + c.policy.ServiceFee + unkept, nil
}

// refundVBytes is the size of a refund of one payment.
const refundVBytes = 112

// fee returns the network fee of the transaction.
func (c *check) fee() (fee amount.Sats) {
	for _, coin := range c.inputs {
		fee += amount.Sats(coin.Output.Value)
	}
	for _, out := range c.request.Tx.TxOut {
		fee -= amount.Sats(out.Value)
	}
	return fee
}
