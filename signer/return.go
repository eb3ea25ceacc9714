package signer

import (
	"moonfund/chain"
	"moonfund/vault"
)

// checkReturn wants one deposit and treasury sats for its fee in, and the deposit
// out to the address that derives the key in its leaf: an output at a stake
// address goes nowhere else without its staker's message. What the treasury adds
// counts against the limit.
func (c *check) checkReturn() error {
	owner, err := chain.ParseAddress(c.request.Return.Owner, c.config.Network)
	if err != nil {
		return refuse(WrongTarget, "owner's address: %v", err)
	}
	deposit := c.inputs[0]
	if deposit.Kind != vault.Stake || !vault.OwnsLeaf(owner, deposit.Leaf) {
		return refuse(NotOwner, "%s does not belong to %s", deposit.OutPoint, owner.Text)
	}
	_, satsChange := c.changeScripts()
	if err := vault.VerifyReturn(c.request.Tx, c.inputs, owner.Script, satsChange, c.allocate); err != nil {
		return refuse(WrongTarget, "%v", err)
	}
	return nil
}
