package signer

import (
	"bytes"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// checkReturn checks that the inputs are one quarantined output and treasury sats for its fee, and that the output
// returns to its owner. It returns the base units that count against the limit. Runes count if only an order's message
// proves the owner. The sats of a payment and the sats that the treasury adds count against the limit of sats.
func (c *check) checkReturn() (amount.Runes, error) {
	owner, err := chain.ParseAddress(c.request.Return.Owner, c.config.Network)
	if err != nil {
		return 0, refuse(WrongTarget, "owner's address: %v", err)
	}
	charge, err := c.checkOwner(c.inputs[0], owner)
	if err != nil {
		return 0, err
	}
	_, satsChange := c.changeScripts()
	if err := vault.VerifyReturn(c.request.Tx, c.inputs, owner.Script, satsChange, c.allocate); err != nil {
		return 0, refuse(WrongTarget, "%v", err)
	}
	return charge, nil
}

// checkOwner checks that an output belongs to the owner. The leaf of a stake address holds the owner's key. A payment
// address is derived from its order's id, and the id from the message that names the owner. The runes of a payment
// count against the limit, because a compromised server can create its own orders.
func (c *check) checkOwner(coin vault.Coin, owner chain.Address) (amount.Runes, error) {
	switch coin.Kind {
	case vault.Stake:
		if !vault.OwnsLeaf(owner, coin.Leaf) {
			return 0, refuse(NotOwner, "%s does not belong to %s", coin.OutPoint, owner.Text)
		}
		return 0, nil
	case vault.Payment:
		intent, err := c.verifyProof(c.request.Return.Proof, "CLAIM", "WITHDRAW")
		if err != nil {
			return 0, err
		}
		if err := c.checkOrderID(coin.OrderID, c.request.Return.Proof.Text); err != nil {
			return 0, err
		}
		if intent.Ordinals != owner.Text {
			return 0, refuse(NotOwner, "the message that was signed names %s, not %s", intent.Ordinals, owner.Text)
		}
		charge, err := coin.RuneAmount(c.policy.Rune)
		if err != nil {
			return 0, refuse(WrongRunes, "%v", err)
		}
		return charge, nil
	}
	return 0, c.checkMoved(coin, owner)
}

// checkMoved checks that an output of the treasury has no runes and goes to the treasury's address for sats.
func (c *check) checkMoved(coin vault.Coin, to chain.Address) error {
	_, satsChange := c.changeScripts()
	if coin.Kind != vault.TreasuryRunes || len(coin.Runes) > 0 || !bytes.Equal(to.Script, satsChange) {
		return refuse(NotOwner, "a %s output has no owner", coin.Kind)
	}
	return nil
}
