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

// isOneTx reports whether the request is a withdrawal that its owner signs, too.
func (r Request) isOneTx() bool { return slices.ContainsFunc(r.Inputs, vault.Coin.OwnerSigns) }

// vbytes returns the virtual size of the signed transaction.
func (r Request) vbytes() int64 {
	if r.isOneTx() {
		return vault.OneTxVBytes(r.Tx, r.Inputs)
	}
	return vault.SignedVBytes(r.Tx)
}

// checkOneTx checks a withdrawal that its owner signs: the staker's own coins pay for it, or payments of its order do,
// and it may spend stakes in self-custody. The request has one withdrawal, whose units are all stakes. All sats except
// the fees go to the two addresses of the signed message, and the staker signed the whole transaction, so nothing
// counts against a limit. It returns the charge of the order, which is 0.
func (c *check) checkOneTx() ([]amount.Runes, error) {
	if len(c.request.Orders) != 1 || c.request.purposes() != 1 {
		return nil, refuse(BadRequest, "the transaction that a staker signs is one withdrawal and nothing else")
	}
	o, stakes, isPaid := c.request.Orders[0], map[wire.OutPoint]vault.Coin{}, false
	for _, coin := range c.inputs {
		switch coin.Kind {
		case vault.Stake:
			stakes[coin.OutPoint] = coin
		case vault.Own:
		case vault.Payment:
			isPaid = true
		default:
			return nil, refuse(BadRequest, "a %s output is spent in a transaction that a staker signs", coin.Kind)
		}
	}
	if o.Raised && !isPaid {
		return nil, refuse(BadRequest, "the difference that order %s owes is not paid", o.Delivery.OrderID)
	}
	if !o.Withdraw || o.Delivery.Overpayment != 0 || len(o.Units) == 0 || len(o.Units) != len(o.UnitIDs) {
		return nil, refuse(BadRequest, "order %s is not a withdrawal of stakes alone", o.Delivery.OrderID)
	}
	if _, err := c.checkOrder(o, stakes); err != nil {
		return nil, err
	}
	if len(stakes) > 0 {
		return nil, refuse(WrongUnits, "%d stakes are spent that the order does not name", len(stakes))
	}
	payment, err := c.checkOwnAddress(o, isPaid)
	if err != nil {
		return nil, err
	}
	targets := vault.OneTxTargets{Delivery: o.Delivery, Service: c.serviceOutput(), Change: payment.Script}
	if err := vault.VerifyOneTx(c.request.Tx, c.inputs, targets, c.allocate); err != nil {
		return nil, refuse(WrongTarget, "%v", err)
	}
	if err := c.account.VerifyOwnSignatures(c.request.Tx, c.inputs); err != nil {
		return nil, refuse(BadSignature, "%v", err)
	}
	return make([]amount.Runes, 1), nil
}

// serviceOutput returns the output that pays the service fee to the treasury, or a zero one. The staker signed its
// value.
func (c *check) serviceOutput() wire.TxOut {
	_, treasury := c.changeScripts()
	if outs := c.request.Tx.TxOut; len(outs) > 2 && bytes.Equal(outs[2].PkScript, treasury) {
		return *outs[2]
	}
	return wire.TxOut{}
}

// checkOwnAddress returns the payment address in the verified message of an order, to which all own coins and the
// change belong. It refuses an order of economy delivery that no payment pays, and an address of the custody, because
// the signer could be asked to sign the outputs of such an address for another order.
func (c *check) checkOwnAddress(o Order, isPaid bool) (chain.Address, error) {
	intent, err := message.Parse(o.Proof.Text)
	if err != nil {
		return chain.Address{}, refuse(BadProof, "%v", err)
	}
	if intent.Rate != 0 && !isPaid {
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
