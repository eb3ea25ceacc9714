package signer

import (
	"bytes"
	"fmt"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// Withdrawal takes an amount out of the treasury for the operator: Sats, or base units of the account's rune. To must
// be one of the addresses in Config.WithdrawTo.
type Withdrawal struct {
	Community string // prefix, by which commands name the treasury; only its characters are verified
	To        string
	Sats      amount.Sats
	Runes     amount.Runes
}

// prefixCharacters are the characters of a community's prefix.
const prefixCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// parseWithdrawTo returns the scripts of the configured addresses.
func parseWithdrawTo(addresses []string, n chain.Network) ([][]byte, error) {
	var scripts [][]byte
	for _, text := range addresses {
		address, err := chain.ParseAddress(text, n)
		if err != nil {
			return nil, fmt.Errorf("signer: withdrawal address %q: %w", text, err)
		}
		scripts = append(scripts, address.Script)
	}
	return scripts, nil
}

// checkWithdrawal checks that only the treasury's outputs are spent, that exactly the amount goes to a configured
// address, and that everything else stays in the treasury. It returns the base units that count against the limit;
// checkSats counts the sats.
func (c *check) checkWithdrawal() (amount.Runes, error) {
	w := c.request.Withdrawal
	to, err := chain.ParseAddress(w.To, c.config.Network)
	if err != nil {
		return 0, refuse(WrongTarget, "withdrawal address: %v", err)
	}
	if strings.Trim(w.Community, prefixCharacters) != "" { // Subject is part of a command that an operator copies
		return 0, refuse(BadRequest, "%q is no prefix of a community", w.Community)
	}
	listed := c.config.AnyWithdrawal
	for _, script := range c.withdrawTo {
		listed = listed || bytes.Equal(script, to.Script)
	}
	if !listed {
		return 0, refuse(Unlisted, "%s is not one of the withdrawal addresses of this signer", to.Text)
	}
	runeChange, satsChange := c.changeScripts()
	if bytes.Equal(to.Script, runeChange) || bytes.Equal(to.Script, satsChange) {
		return 0, refuse(WrongTarget, "%s is the treasury's own address", to.Text)
	}
	if (w.Sats > 0) == (w.Runes > 0) || w.Sats < 0 || w.Runes < 0 {
		return 0, refuse(BadRequest, "a withdrawal of %d sats and %s base units", w.Sats, w.Runes)
	}
	for _, coin := range c.inputs {
		if coin.Kind != vault.TreasuryRunes && coin.Kind != vault.TreasurySats {
			return 0, refuse(NotOurs, "%s is a %s output: a withdrawal spends only the treasury", coin.OutPoint, coin.Kind)
		}
	}
	if w.Sats > 0 {
		err = vault.VerifySatsWithdrawal(c.request.Tx, c.inputs, to.Script, w.Sats, satsChange)
		if err != nil {
			return 0, refuse(WrongTarget, "%v", err)
		}
		return 0, nil
	}
	return w.Runes, c.checkRuneWithdrawal(to)
}

func (c *check) checkRuneWithdrawal(to chain.Address) error {
	n := c.request.Withdrawal.Runes
	if c.policy.ColdAbove > 0 && n > c.policy.ColdAbove {
		return refuse(NeedsHand, "a withdrawal of %s base units, more than %s", n, c.policy.ColdAbove)
	}
	if err := c.checkUnverifiedRunes(); err != nil {
		return err
	}
	runeChange, satsChange := c.changeScripts()
	payment := vault.WithdrawalOf(c.policy.Rune, n, to.Script)
	if err := vault.VerifyPayout(c.request.Tx, c.inputs, []vault.Delivery{payment}, runeChange, satsChange,
		c.allocate); err != nil {
		return refuse(WrongRunes, "%v", err)
	}
	return nil
}
