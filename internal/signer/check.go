package signer

import (
	"context"
	"fmt"

	"github.com/btcsuite/btcd/btcutil/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
)

// check is the state of verifying one request.
type check struct {
	*Signer
	request Request
	policy  Policy
	key     *hdkeychain.ExtendedKey // private key of the account
	account vault.Account
	inputs  []vault.Coin // inputs of the request, verified, with their merkle roots

	refundOwner string // ordinals address of the refunded order's owner, verified; "" for other requests
}

// open selects the account and checks the transaction's structure.
func (s *Signer) open(r Request) (*check, error) {
	policy, ok := s.config.Policies[r.Account]
	if !ok {
		return nil, refuse(BadRequest, "account %d is not one to sign for", r.Account)
	}
	if err := checkFrame(r); err != nil {
		return nil, err
	}
	keys, err := s.keys.accountKeys(r.Account, s.config.Network)
	if err != nil {
		return nil, err
	}
	return &check{Signer: s, request: r, policy: policy, key: keys.private, account: keys.addresses}, nil
}

func checkFrame(r Request) error {
	tx := r.Tx
	switch {
	case tx == nil || len(tx.TxIn) == 0 || len(tx.TxOut) == 0:
		return refuse(BadRequest, "no transaction")
	case len(tx.TxIn) != len(r.Inputs):
		return refuse(BadRequest, "%d inputs, %d of them described", len(tx.TxIn), len(r.Inputs))
	case tx.Version != 2 && tx.Version != 3:
		return refuse(BadRequest, "transaction version %d", tx.Version)
	case tx.LockTime != 0:
		return refuse(BadRequest, "lock time %d", tx.LockTime)
	case r.vbytes() > vault.MaxPayoutVBytes:
		return refuse(BadRequest, "%d vB, at most %d are signed", r.vbytes(), vault.MaxPayoutVBytes)
	case r.purposes() > 1:
		return refuse(BadRequest, "a payout, a refund, a return and a withdrawal are separate requests")
	}
	seen := map[wire.OutPoint]bool{}
	for i, in := range tx.TxIn {
		switch {
		case in.PreviousOutPoint != r.Inputs[i].OutPoint:
			return refuse(BadRequest, "input %d is not the one described", i)
		case in.Sequence != vault.Sequence:
			return refuse(BadRequest, "input %d has sequence %#x", i, in.Sequence)
		case !r.Inputs[i].OwnerSigns() && (len(in.SignatureScript) > 0 || len(in.Witness) > 0):
			return refuse(BadRequest, "input %d is signed already", i)
		case seen[in.PreviousOutPoint]:
			return refuse(BadRequest, "input %d is spent twice", i)
		}
		seen[in.PreviousOutPoint] = true
	}
	return nil
}

// purposes returns the number of kinds of requests in a request; 0 if it rearranges the treasury.
func (r Request) purposes() (n int) {
	for _, has := range []bool{len(r.Orders) > 0, r.Refund != nil, r.Return != nil, r.Withdrawal != nil} {
		if has {
			n++
		}
	}
	return n
}

// checkInputs derives every input's script, and compares the request's rune balances with the signer's own index where
// the index has the output.
func (c *check) checkInputs(ctx context.Context) error {
	for _, coin := range c.request.Inputs {
		if coin.Kind == vault.Own { // checkOneTx compares its script with the signed message
			if err := c.checkOwnCoin(ctx, coin); err != nil {
				return err
			}
			c.inputs = append(c.inputs, coin)
			continue
		}
		output, err := c.account.CheckCoin(coin)
		if err != nil {
			return refuse(NotOurs, "%v", err)
		}
		coin.MerkleRoot = output.MerkleRoot
		if c.config.Balances != nil {
			known, err := c.config.Balances(ctx, coin.OutPoint)
			if err != nil {
				return fmt.Errorf("signer: runes on %s: %w", coin.OutPoint, err)
			}
			if !sameBalances(known, coin.Runes) {
				return refuse(WrongRunes, "the index has other runes on %s", coin.OutPoint)
			}
			coin.Runes = known
		}
		c.inputs = append(c.inputs, coin)
		if c.request.Return != nil && (coin.Kind == vault.Stake || coin.Kind == vault.Payment) {
			continue // everything on the output returns to its owner
		}
		needsRunes := coin.Kind == vault.Stake || coin.Kind == vault.TreasuryRunes && c.request.Return == nil
		if c.config.Balances != nil && len(coin.Runes) == 0 && needsRunes {
			return refuse(WrongRunes, "the index has no runes on the %s output %s: it is not in a block",
				coin.Kind, coin.OutPoint)
		}
		for _, b := range coin.Runes {
			if b.ID != c.policy.Rune || (coin.Kind != vault.Stake && coin.Kind != vault.TreasuryRunes) {
				return refuse(WrongRunes, "%s output %s holds rune %s", coin.Kind, coin.OutPoint, b.ID)
			}
		}
		if err := c.checkTracked(ctx, coin); err != nil {
			return err
		}
	}
	return nil
}

// checkTracked returns a *Refusal unless the index follows every rune that the output may hold.
func (s *Signer) checkTracked(ctx context.Context, coin vault.Coin) error {
	if s.config.Untracked == nil {
		return nil
	}
	isUntracked, err := s.config.Untracked(ctx, coin.OutPoint)
	if err != nil {
		return fmt.Errorf("signer: the origin of %s: %w", coin.OutPoint, err)
	}
	if isUntracked {
		return refuse(WrongRunes, "%s output %s may hold runes that this signer does not follow", coin.Kind, coin.OutPoint)
	}
	return nil
}

func sameBalances(a, b []runes.Balance) bool {
	sums := func(list []runes.Balance) map[runes.ID]uint128.Uint128 {
		m := map[runes.ID]uint128.Uint128{}
		for _, x := range list {
			if !x.Amount.IsZero() {
				m[x.ID] = m[x.ID].AddWrap(x.Amount)
			}
		}
		return m
	}
	x, y := sums(a), sums(b)
	for id, n := range x {
		if y[id] != n {
			return false
		}
	}
	return len(x) == len(y)
}

// checkSats checks the fee and returns the sats that leave the custody: the sum of the inputs, minus the sats of
// stakes, which return to their owners with the delivery, and minus change to the treasury. They are 0 of a transaction
// that its owner signed, because all but the fee goes to the owner and the treasury.
func (c *check) checkSats() (amount.Sats, error) {
	var in, out, ours int64
	own := c.ownScripts()
	for _, coin := range c.inputs {
		if coin.Output.Value < 0 || coin.Output.Value > btcutil.MaxSatoshi {
			return 0, refuse(BadRequest, "output %s has an impossible value", coin.OutPoint)
		}
		in += coin.Output.Value
		if coin.Kind == vault.Stake {
			ours += coin.Output.Value
		}
	}
	for _, o := range c.request.Tx.TxOut {
		if o.Value < 0 || o.Value > btcutil.MaxSatoshi {
			return 0, refuse(BadRequest, "an output has an impossible value")
		}
		out += o.Value
		if own[string(o.PkScript)] {
			ours += o.Value
		}
	}
	fee, size := amount.Sats(in-out), c.request.vbytes()
	switch {
	case fee < 0:
		return 0, refuse(BadRequest, "the outputs are worth more than the inputs")
	case fee > c.config.MaxFee:
		return 0, refuse(FeeTooHigh, "%d sats, the cap is %d", fee, c.config.MaxFee)
	case fee > c.config.MaxFeeRate.Fee(size):
		return 0, refuse(FeeTooHigh, "%d sats for %d vB, the cap is %s sat/vB", fee, size, c.config.MaxFeeRate)
	}
	if c.request.isOneTx() {
		return 0, nil
	}
	return amount.Sats(max(0, in-ours)), nil
}

// ownScripts returns the scripts that belong to the custody: change, and the address that receives the overpayment of
// an order's payments.
func (c *check) ownScripts() map[string]bool {
	runeChange, satsChange := c.changeScripts()
	own := map[string]bool{string(runeChange): true, string(satsChange): true}
	for _, o := range c.request.Orders {
		if o.Delivery.Overpayment > 0 {
			own[string(o.Delivery.KeptAt)] = true // verified to be the order's payment address
		}
	}
	return own
}

// changeScripts returns the treasury addresses that may receive change.
func (c *check) changeScripts() (runeChange, satsChange []byte) {
	runesAddress, _ := c.account.TreasuryRunes()
	satsAddress, _ := c.account.TreasurySats()
	return runesAddress.Script, satsAddress.Script
}
