package vault

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// VerifyOneTx checks a withdrawal that its owner signs, independently of the code that built it. It requires version 2,
// lock time 0 and the usual sequence; stakes, then payments of the order, then coins of the payment address, at most
// MaxOwnCoins, of which the owner signs at least one; the delivery, a runestone of one edict with a pointer, both to
// the delivery, the service fee if it is given, and at most one change output; and that by the index's rules the
// delivery gets exactly its amount, and no rune goes elsewhere or is burned. So everything except the fees goes to the
// staker. It checks neither the size of the fee nor signatures.
func VerifyOneTx(tx *wire.MsgTx, inputs []Coin, targets OneTxTargets, allocate Allocate) error {
	err := checkOneTxInputs(tx, inputs, targets)
	if err == nil {
		err = checkOneTxOutputs(tx, inputs, targets)
	}
	if err == nil {
		err = checkOneTxRunes(tx, inputs, targets.Delivery, allocate)
	}
	if err != nil {
		return fmt.Errorf("withdrawal in one transaction: %w", err)
	}
	return nil
}

func checkOneTxInputs(tx *wire.MsgTx, inputs []Coin, targets OneTxTargets) error {
	if err := checkInputs(tx, inputs); err != nil {
		return err
	}
	if tx.Version != oneTxVersion || tx.LockTime != 0 {
		return fmt.Errorf("version %d, lock time %d", tx.Version, tx.LockTime)
	}
	units := 0
	for units < len(inputs) && inputs[units].Kind == Stake {
		units++
	}
	if coins := len(inputs) - units; units == 0 || coins == 0 || countOwn(inputs) > MaxOwnCoins {
		return fmt.Errorf("%d units and %d other inputs", units, coins)
	}
	if !slices.ContainsFunc(inputs, Coin.OwnerSigns) {
		return errors.New("its owner signs no input")
	}
	for i, in := range tx.TxIn {
		if in.Sequence != Sequence {
			return fmt.Errorf("input %d has sequence %#x", i, in.Sequence)
		}
	}
	return checkOwnCoins(inputs[units:], targets)
}

func checkOneTxOutputs(tx *wire.MsgTx, inputs []Coin, o OneTxTargets) error {
	if err := o.Delivery.check(o.Delivery.Rune); err != nil {
		return err
	}
	outs := tx.TxOut
	switch {
	case o.Delivery.Overpayment != 0 || len(outs) < 2:
		return fmt.Errorf("%d outputs", len(outs))
	case outs[0].Value != int64(o.Delivery.Value) || !bytes.Equal(outs[0].PkScript, o.Delivery.To):
		return errors.New("output 0 is not the delivery")
	case outs[1].Value != 0:
		return errors.New("output 1 is not the runestone")
	}
	rest := outs[2:]
	if o.Service.Value > 0 {
		if len(rest) == 0 || rest[0].Value != o.Service.Value || !bytes.Equal(rest[0].PkScript, o.Service.PkScript) {
			return errors.New("output 2 is not the service fee")
		}
		rest = rest[1:]
	}
	switch {
	case len(rest) > 1 || len(rest) == 1 && !bytes.Equal(rest[0].PkScript, o.Change):
		return errors.New("an output that is neither the delivery nor change to the payment address")
	case len(rest) == 1 && rest[0].Value < max(DustSats, int64(chain.Dust(o.Change))):
		return fmt.Errorf("change of %d sats", rest[0].Value)
	}
	left, err := inputSats(inputs)
	if err != nil {
		return err
	}
	for _, out := range outs {
		if left, err = left.Sub(amount.Sats(out.Value)); err != nil {
			return err
		}
	}
	if left < 0 {
		return errors.New("the outputs are worth more than the inputs")
	}
	return nil
}

func checkOneTxRunes(tx *wire.MsgTx, inputs []Coin, d Delivery, allocate Allocate) error {
	artifact := runes.Decipher(tx)
	if artifact == nil || artifact.Runestone == nil {
		return errors.New("no valid runestone")
	}
	stone := artifact.Runestone
	switch {
	case stone.Etching != nil || stone.Mint != nil || len(stone.Edicts) != 1:
		return errors.New("the runestone is not one edict")
	case stone.Edicts[0] != runes.Edict{ID: d.Rune, Amount: uint128.From64(uint64(d.Amount)), Output: 0}:
		return errors.New("the edict is not the delivery")
	case stone.Pointer == nil || *stone.Pointer != 0:
		return errors.New("the pointer does not name the delivery")
	}
	if script, err := stone.Script(); err != nil || !bytes.Equal(script, tx.TxOut[1].PkScript) {
		return errors.New("the runestone is not in its plain form")
	}
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, c := range inputs {
		balances[c.OutPoint] = c.Runes
	}
	outputs, burned, cenotaph, err := allocate(tx, func(o wire.OutPoint) []runes.Balance { return balances[o] })
	if err != nil || cenotaph || !isZero(burned) || len(outputs) == 0 {
		return fmt.Errorf("runes would be burned (%v)", err)
	}
	for i, balances := range outputs[1:] {
		if !isZero(balances) {
			return fmt.Errorf("output %d would bear runes", i+1)
		}
	}
	return checkDelivered(outputs[0], d)
}
