package signer

import (
	"bytes"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// checkPayout checks every order and then the whole transaction. It returns the base units that each order takes out of
// the treasury.
func (c *check) checkPayout() ([]amount.Runes, error) {
	stakes, payments := map[wire.OutPoint]vault.Coin{}, map[string]int{}
	for _, coin := range c.inputs {
		switch coin.Kind {
		case vault.Stake:
			stakes[coin.OutPoint] = coin
		case vault.Payment:
			payments[coin.OrderID]++
		}
	}
	if err := c.checkPayments(payments); err != nil {
		return nil, err
	}
	if err := c.checkUnverifiedRunes(); err != nil {
		return nil, err
	}
	fromTreasury := make([]amount.Runes, 0, len(c.request.Orders))
	deliveries := make([]vault.Delivery, 0, len(c.request.Orders))
	for _, o := range c.request.Orders {
		units, err := c.checkOrder(o, stakes)
		if err != nil {
			return nil, err
		}
		fromTreasury = append(fromTreasury, o.Delivery.Amount-units)
		deliveries = append(deliveries, o.Delivery)
	}
	if len(stakes) > 0 {
		return nil, refuse(WrongUnits, "%d stakes are spent that no order names", len(stakes))
	}
	runeChange, satsChange := c.changeScripts()
	if err := vault.VerifyPayout(c.request.Tx, c.inputs, deliveries, runeChange, satsChange, c.allocate); err != nil {
		return nil, refuse(WrongRunes, "%v", err)
	}
	return c.treasuryCharge(fromTreasury), c.checkSpeed()
}

// checkPayments checks that each order spends its own payment, so that it cannot be delivered twice, and that no
// payment of an unlisted order is spent.
func (c *check) checkPayments(payments map[string]int) error {
	known := map[string]bool{}
	for _, o := range c.request.Orders {
		id := o.Delivery.OrderID
		if known[id] {
			return refuse(BadRequest, "order %s is delivered twice", id)
		}
		known[id] = true
		if payments[id] == 0 {
			return refuse(NoPayment, "order %s: none of its payments is spent", id)
		}
	}
	for id := range payments {
		if !known[id] {
			return refuse(NoPayment, "a payment of order %s is spent, which is not delivered", id)
		}
	}
	return nil
}

// checkUnverifiedRunes limits the damage of false rune balances in a request when the signer has no index. Edicts are
// applied in order, so an order with a false balance would consume the stakes of the next one; therefore only the first
// order may have stakes. Undeclared runes on a treasury output follow the pointer, which must be set; VerifyPayout
// checks that it targets the custody.
func (c *check) checkUnverifiedRunes() error {
	if c.config.Balances != nil {
		return nil
	}
	artifact := runes.Decipher(c.request.Tx)
	if c.spendsTreasury() && (artifact == nil || artifact.Runestone == nil || artifact.Runestone.Pointer == nil) {
		return refuse(UnsafeBatch, "treasury runes are spent without a pointer to our change")
	}
	for i, o := range c.request.Orders {
		if i > 0 && len(o.Units) > 0 {
			return refuse(UnsafeBatch, "order %s has stakes and is not the first", o.Delivery.OrderID)
		}
	}
	return nil
}

// checkOrder checks one order, removes its stakes from the map, and returns the base units on them.
func (c *check) checkOrder(o Order, stakes map[wire.OutPoint]vault.Coin) (units amount.Runes, err error) {
	d := o.Delivery
	if d.Rune != c.policy.Rune || d.Amount <= 0 {
		return 0, refuse(WrongRunes, "order %s delivers %s of rune %s", d.OrderID, d.Amount, d.Rune)
	}
	movable := d.Amount // by our key alone
	value := amount.Sats(vault.DustSats)
	for _, unit := range o.Units {
		coin := stakes[unit]
		value += amount.Sats(coin.Output.Value)
		n, err := coin.RuneAmount(c.policy.Rune)
		if err == nil {
			units, err = units.Add(n)
		}
		if err != nil {
			return 0, refuse(WrongRunes, "%v", err)
		}
		if coin.Self {
			movable -= n
		}
	}
	if c.policy.ColdAbove > 0 && movable > c.policy.ColdAbove {
		return 0, refuse(NeedsHand, "order %s delivers %s base units, more than %s", d.OrderID, movable, c.policy.ColdAbove)
	}
	if d.Value != value {
		return 0, refuse(WrongTarget, "order %s: output of %d sats, owed are %d", d.OrderID, d.Value, value)
	}
	if err := c.checkOverpayment(d); err != nil {
		return 0, err
	}
	switch {
	case o.Withdraw:
		owner, err := c.checkOrderProof(o, "WITHDRAW")
		if err != nil {
			return 0, err
		}
		if err := c.checkUnits(o, owner, stakes); err != nil {
			return 0, err
		}
	case len(o.Units) > 0:
		return 0, refuse(WrongUnits, "order %s is a claim and spends stakes", d.OrderID)
	default:
		if err := c.checkClaim(o); err != nil {
			return 0, err
		}
	}
	// A withdrawal of stakes alone pays exactly what they hold; treasury runes must not replace a missing stake.
	if units > d.Amount || (len(o.Units) == len(o.UnitIDs) && o.Withdraw && units != d.Amount) {
		return 0, refuse(WrongRunes, "order %s delivers %s, its stakes hold %s", d.OrderID, d.Amount, units)
	}
	return units, nil
}

// checkOverpayment checks that the kept overpayment of an order's payments goes to the order's own payment address,
// from which only a refund can take it.
func (c *check) checkOverpayment(d vault.Delivery) error {
	if d.Overpayment == 0 {
		return nil
	}
	address, _, err := c.account.PaymentAddress(d.OrderID)
	if err != nil || !bytes.Equal(d.KeptAt, address.Script) {
		return refuse(WrongTarget, "order %s: an overpayment is kept at an address that is not its own (%v)", d.OrderID, err)
	}
	return nil
}

// checkClaim checks a claim's proof. The limit bounds the sum of all claims; the proof binds a claim to the staker who
// paid for it.
func (c *check) checkClaim(o Order) error {
	if _, ok := chain.AddressFromScript(o.Delivery.To, c.config.Network); !ok {
		return refuse(WrongTarget, "order %s does not go to an address", o.Delivery.OrderID)
	}
	_, err := c.checkOrderProof(o, "CLAIM")
	return err
}

// treasuryCharge returns the base units per order that count against the limit. Without treasury runes among the inputs
// nothing can leave the treasury. With them, the charge is what the stakes do not cover if the signer has an index, and
// the whole delivery otherwise.
func (c *check) treasuryCharge(fromTreasury []amount.Runes) []amount.Runes {
	for i, o := range c.request.Orders {
		switch {
		case !c.spendsTreasury():
			fromTreasury[i] = 0
		case c.config.Balances == nil:
			fromTreasury[i] = o.Delivery.Amount
		}
	}
	return fromTreasury
}

func (c *check) spendsTreasury() bool {
	return slices.ContainsFunc(c.inputs, func(coin vault.Coin) bool { return coin.Kind == vault.TreasuryRunes })
}

// checkRefund allows payments of one order as inputs, and one output to the payment address in the message that opened
// the order. It sets refundOwner.
func (c *check) checkRefund() error {
	r := c.request.Refund
	for _, coin := range c.inputs {
		if coin.Kind != vault.Payment || coin.OrderID != r.OrderID {
			return refuse(NoPayment, "%s is not a payment of order %s", coin.OutPoint, r.OrderID)
		}
	}
	// CANCEL is not accepted, because anyone can sign one that names this order and their own address.
	intent, err := c.verifyProof(r.Proof, "CLAIM", "WITHDRAW")
	if err != nil {
		return err
	}
	if err := c.checkOrderID(r.OrderID, r.Proof.Text); err != nil {
		return err
	}
	payment, err := chain.ParseAddress(intent.Payment, c.config.Network)
	if err != nil {
		return refuse(BadProof, "payment address: %v", err)
	}
	outputs := c.request.Tx.TxOut
	if len(outputs) != 1 || !bytes.Equal(outputs[0].PkScript, payment.Script) {
		return refuse(WrongTarget, "the refund does not go to the payment address that was signed, alone")
	}
	owner, err := chain.ParseAddress(intent.Ordinals, c.config.Network)
	if err != nil {
		return refuse(BadProof, "ordinals address: %v", err)
	}
	c.refundOwner = owner.Text // the canonical spelling, so that upper case does not make another owner
	return nil
}
