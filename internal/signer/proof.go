package signer

import (
	"slices"
	"strconv"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// Proof is a message that a staker signed and the address whose key signed it. If that is the payment address, Link
// must prove that both addresses belong to one wallet.
type Proof struct {
	Text      string
	Signature string
	Signer    string
	Link      *Link
}

// Link is a message that names both addresses of a wallet and is signed by both.
type Link struct {
	Text              string
	OrdinalsSignature string
	PaymentSignature  string
}

// verifyProof checks the signature and the fields of a proof's message and returns its intent. It ignores the message's
// expiry, which limits when the message may be submitted, because a payout may be built much later.
func (c *check) verifyProof(p Proof, actions ...string) (message.Intent, error) {
	intent, err := c.readIntent(p.Text)
	if err != nil {
		return message.Intent{}, err
	}
	if !slices.Contains(actions, intent.Action) {
		return message.Intent{}, refuse(BadProof, "the message is for %s", intent.Action)
	}
	switch p.Signer {
	case intent.Ordinals:
	case intent.Payment:
		if err := c.verifyLink(p.Link, intent); err != nil {
			return message.Intent{}, err
		}
	default:
		return message.Intent{}, refuse(BadProof, "signed by an address that the message does not name")
	}
	return intent, c.verifySignature(p.Signer, p.Text, p.Signature)
}

func (c *check) readIntent(text string) (message.Intent, error) {
	intent, err := message.Parse(text)
	if err != nil {
		return intent, refuse(BadProof, "%v", err)
	}
	if intent.Network != c.config.Network.Name || intent.Community != c.policy.Community {
		return intent, refuse(BadProof, "the message is for %s on %s", intent.Community, intent.Network)
	}
	return intent, nil
}

func (c *check) verifyLink(link *Link, intent message.Intent) error {
	if link == nil {
		return refuse(BadProof, "signed by the payment address without a message signed by both addresses")
	}
	linked, err := c.readIntent(link.Text)
	if err != nil {
		return err
	}
	if linked.Ordinals != intent.Ordinals || linked.Payment != intent.Payment {
		return refuse(BadProof, "the message signed by both addresses names other addresses")
	}
	if err := c.verifySignature(linked.Ordinals, link.Text, link.OrdinalsSignature); err != nil {
		return err
	}
	return c.verifySignature(linked.Payment, link.Text, link.PaymentSignature)
}

func (c *check) verifySignature(address, text, signature string) error {
	if err := message.Verify(address, c.config.Network.Params, text, signature); err != nil {
		return refuse(BadProof, "%v", err)
	}
	return nil
}

// checkOrderID returns an error unless text opened the order. An order's id is derived from its message and its payment
// address from the id, so a payment can be spent only for the message that it paid for.
func (c *check) checkOrderID(orderID, text string) error {
	if opened := message.OrderID(text); opened != orderID {
		return refuse(OtherOrder, "the message belongs to order %s, not to order %s", opened, orderID)
	}
	return nil
}

// checkOrderProof compares the signed message with the order: the destination, the sum, and the exact units.
func (c *check) checkOrderProof(o Order, action string) (chain.Address, error) {
	intent, err := c.verifyProof(o.Proof, action)
	if err != nil {
		return chain.Address{}, err
	}
	if err := c.checkOrderID(o.Delivery.OrderID, o.Proof.Text); err != nil {
		return chain.Address{}, err
	}
	ordinals, err := chain.ParseAddress(intent.Ordinals, c.config.Network)
	if err != nil {
		return chain.Address{}, refuse(BadProof, "ordinals address: %v", err)
	}
	switch {
	case string(ordinals.Script) != string(o.Delivery.To):
		return ordinals, refuse(WrongTarget, "order %s does not go to the ordinals address that was signed",
			o.Delivery.OrderID)
	case intent.Sum != strconv.FormatInt(int64(o.Delivery.Amount), 10):
		return ordinals, refuse(WrongRunes, "order %s delivers %s, signed were %s",
			o.Delivery.OrderID, o.Delivery.Amount, intent.Sum)
	case intent.Count != len(o.UnitIDs) || intent.Digest != message.Digest(o.UnitIDs):
		return ordinals, refuse(WrongUnits, "order %s: the units differ from the signed ones", o.Delivery.OrderID)
	}
	return ordinals, nil
}

// checkUnits checks that the order's stakes are exactly the stakes in the signed list, and that each leaf holds the key
// of the address that signed.
func (c *check) checkUnits(o Order, owner chain.Address, stakes map[wire.OutPoint]vault.Coin) error {
	named := map[string]bool{}
	for _, id := range o.UnitIDs {
		if named[id] {
			return refuse(WrongUnits, "order %s names unit %s twice", o.Delivery.OrderID, id)
		}
		named[id] = true
	}
	for _, unit := range o.Units {
		coin, ours := stakes[unit]
		if !ours || !named[unit.String()] {
			return refuse(WrongUnits, "order %s: %s is not a stake of it that is spent here", o.Delivery.OrderID, unit)
		}
		delete(stakes, unit)
		delete(named, unit.String())
		if !vault.OwnsLeaf(owner, coin.Leaf) {
			return refuse(NotOwner, "stake %s does not belong to %s", unit, owner.Text)
		}
	}
	for id := range named {
		if _, err := wire.NewOutPointFromString(id); err == nil {
			return refuse(WrongUnits, "order %s: stake %s was signed and is not spent", o.Delivery.OrderID, id)
		}
	}
	return nil
}
