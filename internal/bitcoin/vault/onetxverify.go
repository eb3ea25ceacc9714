package vault

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// VerifyOneTx checks a withdrawal in one transaction independently of the code that built it. It requires version 2,
// lock time 0 and the usual sequence; stakes and then 1 to MaxOwnCoins coins of the payment address, whose script is
// change; the delivery, a runestone of one edict with a pointer, both to the delivery, and at most one change output;
// and that by the index's rules the delivery gets exactly its amount, and no rune goes elsewhere or is burned. So
// everything except the fee goes to the staker. It checks neither the size of the fee nor signatures.
func VerifyOneTx(tx *wire.MsgTx, inputs []Coin, d Delivery, change []byte, allocate Allocate) error {
	err := checkOneTxInputs(tx, inputs, d, change)
	if err == nil {
		err = checkOneTxOutputs(tx, inputs, d, change)
	}
	if err == nil {
		err = checkOneTxRunes(tx, inputs, d, allocate)
	}
	if err != nil {
		return fmt.Errorf("withdrawal in one transaction: %w", err)
	}
	return nil
}

func checkOneTxInputs(tx *wire.MsgTx, inputs []Coin, d Delivery, change []byte) error {
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
	if coins := len(inputs) - units; units == 0 || coins == 0 || coins > MaxOwnCoins {
		return fmt.Errorf("%d units and %d other inputs", units, coins)
	}
	for i, in := range tx.TxIn {
		if in.Sequence != Sequence {
			return fmt.Errorf("input %d has sequence %#x", i, in.Sequence)
		}
	}
	return checkOwnCoins(inputs[units:], change, d.To)
}

func checkOneTxOutputs(tx *wire.MsgTx, inputs []Coin, d Delivery, change []byte) error {
	if err := d.check(d.Rune); err != nil {
		return err
	}
	outs := tx.TxOut
	switch {
	case d.Overpayment != 0 || len(outs) < 2 || len(outs) > 3:
		return fmt.Errorf("%d outputs", len(outs))
	case outs[0].Value != int64(d.Value) || !bytes.Equal(outs[0].PkScript, d.To):
		return errors.New("output 0 is not the delivery")
	case outs[1].Value != 0:
		return errors.New("output 1 is not the runestone")
	case len(outs) == 3 && !bytes.Equal(outs[2].PkScript, change):
		return errors.New("an output that is neither the delivery nor change to the payment address")
	case len(outs) == 3 && outs[2].Value < max(DustSats, int64(chain.Dust(change))):
		return fmt.Errorf("change of %d sats", outs[2].Value)
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
