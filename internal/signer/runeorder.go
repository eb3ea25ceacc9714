package signer

import (
	"bytes"
	"context"
	"fmt"

	"github.com/btcsuite/btcd/btcutil/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// RuneOrderPolicy configures signing for the mint and etch service.
type RuneOrderPolicy struct {
	FeeTo string // the only address that may receive a service fee; "" allows no fee
}

// maxOrderWeight is the maximum weight of a standard transaction. An etching may contain an inscription.
const maxOrderWeight = 400_000

// signRuneOrder signs a transaction of the mint and etch service. The keys are derived from the terms of the order, so
// a payment for other terms cannot be spent by this order. The 24 hour limits do not apply because none of the inputs
// belong to the operator.
func (s *Signer) signRuneOrder(ctx context.Context, r Request) (*wire.MsgTx, error) {
	policy := s.config.RuneOrders
	switch {
	case policy == nil || r.Account != vault.OrdersAccount:
		return nil, refuse(BadRequest, "rune orders are not signed for account %d", r.Account)
	case r.purposes() > 0:
		return nil, refuse(BadRequest, "a rune order can't be combined with another request")
	}
	keys, err := s.keys.accountKeys(vault.OrdersAccount, s.config.Network)
	if err != nil {
		return nil, err
	}
	plan, err := keys.addresses.PlanOrder(*r.RuneOrder)
	if err != nil {
		return nil, refuse(BadRequest, "%v", err)
	}
	o := &orderCheck{Signer: s, plan: plan, request: r, key: keys.private}
	for _, check := range []func() error{
		o.checkFrame, o.checkOwn, func() error { return o.checkRunes(ctx) }, o.checkOutputs, o.checkFee,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return o.sign()
}

// orderCheck is the state of verifying one transaction of an order.
type orderCheck struct {
	*Signer
	plan    *vault.OrderPlan
	request Request
	key     *hdkeychain.ExtendedKey
	inputs  []vault.Coin // as derived from the plan
	reveals bool         // the first input spends the commitment by its script
}

func (o *orderCheck) checkFrame() error {
	tx := o.request.Tx
	switch {
	case tx == nil || len(tx.TxIn) == 0 || len(tx.TxOut) == 0 || len(tx.TxIn) != len(o.request.Inputs):
		return refuse(BadRequest, "no transaction, or inputs that are not described")
	case tx.Version != 2 || tx.LockTime != 0:
		return refuse(BadRequest, "transaction version %d, lock time %d", tx.Version, tx.LockTime)
	case 4*o.plan.VBytes(tx, o.request.Inputs) > maxOrderWeight:
		return refuse(BadRequest, "the transaction is too large")
	}
	o.reveals = o.plan.Reveals(tx) && o.request.Inputs[0].Kind == vault.OrderCommit
	seen := map[wire.OutPoint]bool{}
	for i, in := range tx.TxIn {
		sequence := uint32(vault.Sequence)
		if i == 0 && o.reveals {
			sequence = vault.RevealSequence
		}
		switch {
		case in.PreviousOutPoint != o.request.Inputs[i].OutPoint || seen[in.PreviousOutPoint]:
			return refuse(BadRequest, "input %d is not the one described, or spent twice", i)
		case in.Sequence != sequence || len(in.SignatureScript) > 0 || len(in.Witness) > 0:
			return refuse(BadRequest, "input %d has sequence %#x, or is signed already", i, in.Sequence)
		}
		seen[in.PreviousOutPoint] = true
	}
	return nil
}

// checkOwn derives every input's script from the order and compares it.
func (o *orderCheck) checkOwn() error {
	for i, coin := range o.request.Inputs {
		own, err := o.plan.Coin(coin.Kind, coin.OutPoint, amount.Sats(coin.Output.Value))
		if err != nil {
			return refuse(NotOurs, "%v", err)
		}
		if !bytes.Equal(own.Output.PkScript, coin.Output.PkScript) {
			return refuse(NotOurs, "%s does not belong to this order", coin.OutPoint)
		}
		if coin.Kind == vault.OrderCommit && i > 0 && o.plan.Reveals(o.request.Tx) {
			return refuse(BadRequest, "a commitment is revealed by the first input only")
		}
		o.inputs = append(o.inputs, own)
	}
	return nil
}

// checkRunes rejects payments that hold runes, except in a refund. Outputs of the order's own transactions are not
// checked, because they hold the minted runes.
func (o *orderCheck) checkRunes(ctx context.Context) error {
	if o.config.Balances == nil || o.isRefund() {
		return nil
	}
	for _, coin := range o.inputs {
		if coin.Kind != vault.OrderFund {
			continue
		}
		held, err := o.config.Balances(ctx, coin.OutPoint)
		if err != nil {
			return fmt.Errorf("signer: runes on %s: %w", coin.OutPoint, err)
		}
		if len(held) > 0 {
			return refuse(WrongRunes, "%s holds runes and can only be refunded", coin.OutPoint)
		}
		if err := o.checkTracked(ctx, coin); err != nil {
			return err
		}
	}
	return nil
}

func (o *orderCheck) isRefund() bool {
	return len(o.request.Tx.TxOut) == 1 && o.is(0, o.plan.Order.Refund)
}

func (o *orderCheck) is(output int, text string) bool {
	address, err := chain.ParseAddress(text, o.config.Network)
	return err == nil && bytes.Equal(o.request.Tx.TxOut[output].PkScript, address.Script)
}

// checkOutputs allows four shapes of transaction: a refund, a commitment, a mint followed by another, and a delivery
// with exactly the fees of the order.
func (o *orderCheck) checkOutputs() error {
	outs := o.request.Tx.TxOut
	switch {
	case o.isRefund():
		return nil
	case len(outs) == 1 && o.plan.Commit != nil && bytes.Equal(outs[0].PkScript, o.plan.Commit):
		return nil
	case len(outs) < 2 || !bytes.Equal(outs[1].PkScript, o.plan.Stone) || outs[1].Value != 0:
		return refuse(WrongRunes, "the runestone is not the order's")
	case o.plan.Order.Etch != nil && !o.reveals:
		return refuse(WrongRunes, "an etching without its commitment")
	case len(outs) == 2 && o.plan.Order.Mint != nil && bytes.Equal(outs[0].PkScript, o.plan.Work):
		return nil
	case !o.is(0, o.plan.Order.Destination) || outs[0].Value < vault.DustSats:
		return refuse(WrongTarget, "the first output does not go to the order's destination")
	}
	if fee := o.plan.Order.ServiceFee; fee > 0 && o.plan.Order.ServiceFeeTo != o.config.RuneOrders.FeeTo {
		return refuse(WrongTarget, "the service fee does not go to the signer's --orders-fee-address")
	}
	rest := 2
	for _, fee := range []struct {
		sats amount.Sats
		to   string
	}{{o.plan.Order.AppFee, o.plan.Order.AppFeeTo}, {o.plan.Order.ServiceFee, o.plan.Order.ServiceFeeTo}} {
		if fee.sats == 0 {
			continue
		}
		if len(outs) <= rest || outs[rest].Value != int64(fee.sats) || !o.is(rest, fee.to) {
			return refuse(WrongTarget, "output %d is not the order's fee", rest)
		}
		rest++
	}
	if len(outs) > rest+1 || len(outs) == rest+1 && !o.is(rest, o.plan.Order.Refund) {
		return refuse(WrongTarget, "an output that is not the order's")
	}
	return nil
}

func (o *orderCheck) checkFee() error {
	var in, out int64
	for _, coin := range o.inputs {
		if coin.Output.Value < 0 || coin.Output.Value > btcutil.MaxSatoshi {
			return refuse(BadRequest, "output %s has an impossible value", coin.OutPoint)
		}
		in += coin.Output.Value
	}
	for _, output := range o.request.Tx.TxOut {
		if output.Value < 0 || output.Value > btcutil.MaxSatoshi {
			return refuse(BadRequest, "an output has an impossible value")
		}
		out += output.Value
	}
	// The fee per vbyte is not limited, because a last mint may pay for stuck parents.
	switch fee := amount.Sats(in - out); {
	case fee < 0:
		return refuse(BadRequest, "the outputs are worth more than the inputs")
	case fee > o.config.MaxFee:
		return refuse(FeeTooHigh, "%d sats, the cap is %d", fee, o.config.MaxFee)
	}
	return nil
}

// sign signs every input, by the key or, for an etching's commitment, by the script. It then runs checkScripts.
func (o *orderCheck) sign() (*wire.MsgTx, error) {
	tx := o.request.Tx.Copy()
	previous := map[wire.OutPoint]*wire.TxOut{}
	for _, coin := range o.inputs {
		previous[coin.OutPoint] = &coin.Output
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, coin := range o.inputs {
		key, err := private(o.key, coin.Path)
		if err != nil {
			return nil, err
		}
		var signature []byte
		byScript := i == 0 && o.reveals
		if byScript {
			signature, err = txscript.RawTxInTapscriptSignature(tx, hashes, i, coin.Output.Value,
				coin.Output.PkScript, o.plan.Leaf, txscript.SigHashDefault, key)
		} else {
			signature, err = txscript.RawTxInTaprootSignature(tx, hashes, i, coin.Output.Value,
				coin.Output.PkScript, coin.MerkleRoot, txscript.SigHashDefault, key)
		}
		key.Zero()
		if err != nil {
			return nil, fmt.Errorf("signer: input %d: %w", i, err)
		}
		tx.TxIn[i].Witness = wire.TxWitness{signature}
		if byScript {
			tx.TxIn[i].Witness = append(tx.TxIn[i].Witness, o.plan.Leaf.Script, o.plan.Control)
		}
	}
	if err := checkScripts(tx, o.inputs, hashes, fetcher); err != nil {
		return nil, err
	}
	return tx, nil
}
