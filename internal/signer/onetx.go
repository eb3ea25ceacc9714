package signer

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/signed/message"
)

// isOneTx reports whether the request is a withdrawal in one transaction.
func (r Request) isOneTx() bool {
	return slices.ContainsFunc(r.Inputs, func(c vault.Coin) bool { return c.Kind == vault.Own })
}

// vbytes returns the virtual size of the signed transaction.
func (r Request) vbytes() int64 {
	if r.isOneTx() {
		return vault.OneTxVBytes(r.Tx, r.Inputs)
	}
	return vault.SignedVBytes(r.Tx)
}

// checkOneTx checks a withdrawal in one transaction, for which the staker's own coins pay. The request has one
// withdrawal, whose units are all stakes. All sats except the fee go to the two addresses of the signed message, and
// the staker signed the whole transaction, so nothing counts against a limit. It returns the charge of the order, which
// is 0.
func (c *check) checkOneTx() ([]amount.Runes, error) {
	if len(c.request.Orders) != 1 || c.request.purposes() != 1 {
		return nil, refuse(BadRequest, "a staker's own coins pay for one withdrawal and nothing else")
	}
	o, stakes := c.request.Orders[0], map[wire.OutPoint]vault.Coin{}
	for _, coin := range c.inputs {
		switch coin.Kind {
		case vault.Stake:
			stakes[coin.OutPoint] = coin
		case vault.Own:
		default:
			return nil, refuse(BadRequest, "a %s output is spent besides a staker's own coins", coin.Kind)
		}
	}
	if !o.Withdraw || o.Raised || o.Delivery.Overpayment != 0 || len(o.Units) == 0 || len(o.Units) != len(o.UnitIDs) {
		return nil, refuse(BadRequest, "order %s is not a withdrawal of stakes alone at normal speed", o.Delivery.OrderID)
	}
	if _, err := c.checkOrder(o, stakes); err != nil {
		return nil, err
	}
	if len(stakes) > 0 {
		return nil, refuse(WrongUnits, "%d stakes are spent that the order does not name", len(stakes))
	}
	payment, err := c.checkOwnAddress(o)
	if err != nil {
		return nil, err
	}
	if err := vault.VerifyOneTx(c.request.Tx, c.inputs, o.Delivery, payment.Script, c.allocate); err != nil {
		return nil, refuse(WrongTarget, "%v", err)
	}
	if err := vault.VerifyOwnSignatures(c.request.Tx, c.inputs); err != nil {
		return nil, refuse(BadSignature, "%v", err)
	}
	return make([]amount.Runes, 1), nil
}

// checkOwnAddress returns the payment address in the verified message of an order, to which all own coins and the
// change belong. It refuses an order of economy delivery, and an address of the custody, because the signer could be
// asked to sign the outputs of such an address for another order.
func (c *check) checkOwnAddress(o Order) (chain.Address, error) {
	intent, err := message.Parse(o.Proof.Text)
	if err != nil {
		return chain.Address{}, refuse(BadProof, "%v", err)
	}
	if intent.Rate != 0 {
		return chain.Address{}, refuse(BadRequest, "order %s has economy delivery", o.Delivery.OrderID)
	}
	payment, err := chain.ParseAddress(intent.Payment, c.config.Network)
	if err != nil {
		return chain.Address{}, refuse(BadProof, "payment address: %v", err)
	}
	ours, _, err := c.account.PaymentAddress(o.Delivery.OrderID)
	if err != nil {
		return chain.Address{}, err
	}
	runeChange, satsChange := c.changeScripts()
	custody := [][]byte{runeChange, satsChange, ours.Script}
	for _, coin := range c.inputs {
		if coin.Kind == vault.Stake {
			custody = append(custody, coin.Output.PkScript)
		}
	}
	if slices.ContainsFunc(custody, func(script []byte) bool { return bytes.Equal(script, payment.Script) }) {
		return chain.Address{}, refuse(WrongTarget, "the payment address %s is one of the custody", payment.Text)
	}
	return payment, nil
}

// checkOwnCoin checks the rules that do not depend on the message: a coin has no key path and holds no rune that the
// index follows. A rune that the index does not follow goes to the staker with everything else.
func (c *check) checkOwnCoin(ctx context.Context, coin vault.Coin) error {
	if len(coin.Path) > 0 || coin.MerkleRoot != nil || len(coin.Leaf) > 0 || len(coin.Runes) > 0 {
		return refuse(BadRequest, "coin %s has a key path or runes", coin.OutPoint)
	}
	if c.config.Balances == nil {
		return nil
	}
	known, err := c.config.Balances(ctx, coin.OutPoint)
	if err != nil {
		return fmt.Errorf("signer: runes on %s: %w", coin.OutPoint, err)
	}
	if len(known) > 0 {
		return refuse(WrongRunes, "coin %s holds rune %s", coin.OutPoint, known[0].ID)
	}
	return nil
}
