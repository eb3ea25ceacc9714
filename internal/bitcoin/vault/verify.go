package vault

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
)

// Allocate computes how a transaction allocates runes by the rules of the rune index: the balances of each output, the
// burned balances, and whether its runestone is a cenotaph. inputs returns the runes on the outputs that it spends.
type Allocate func(
	tx *wire.MsgTx, inputs func(wire.OutPoint) []runes.Balance,
) (outputs [][]runes.Balance, burned []runes.Balance, cenotaph bool, err error)

// AllocateBy returns the Allocate function of the given rules. A payout neither etches nor mints, so the function needs
// no rune entries and no height.
func AllocateBy(rules runes.Rules) Allocate {
	return func(tx *wire.MsgTx, inputs func(wire.OutPoint) []runes.Balance) ([][]runes.Balance, []runes.Balance, bool,
		error) {
		return rules.Allocate(tx, inputs, nil, math.MaxInt32)
	}
}

// VerifyPayout checks a payout independently of the code that built it: it allocates the runes by the index's rules and
// compares the result with the deliveries. It requires exactly the given inputs in order; output i with the script,
// value, rune and exact amount of deliveries[i]; then only rune change, the overpayments kept for deliveries, one
// runestone of plain edicts (none of 0) and at most one sats change; no burn, no cenotaph, and no rune on sats change
// or on a kept overpayment.
func VerifyPayout(
	tx *wire.MsgTx, inputs []Coin, deliveries []Delivery, runeChange, satsChange []byte, allocate Allocate,
) error {
	if err := checkInputs(tx, inputs); err != nil {
		return err
	}
	changeOutputs, err := checkLayout(tx, deliveries, runeChange, satsChange)
	if err != nil {
		return err
	}
	if err := checkRunestone(tx, deliveries, changeOutputs, satsChange); err != nil {
		return err
	}
	balances := map[wire.OutPoint][]runes.Balance{}
	for _, c := range inputs {
		balances[c.OutPoint] = c.Runes
	}
	outputs, burned, cenotaph, err := allocate(tx, func(o wire.OutPoint) []runes.Balance { return balances[o] })
	switch {
	case err != nil:
		return fmt.Errorf("payout: allocation: %w", err)
	case cenotaph:
		return errors.New("payout: the runestone is a cenotaph")
	case !isZero(burned):
		return errors.New("payout: runes would be burned")
	case len(outputs) > len(tx.TxOut):
		return errors.New("payout: allocation to outputs that do not exist")
	}
	return checkAllocation(outputs, deliveries, changeOutputs)
}

func checkInputs(tx *wire.MsgTx, inputs []Coin) error {
	if len(tx.TxIn) != len(inputs) {
		return fmt.Errorf("payout: %d inputs, want %d", len(tx.TxIn), len(inputs))
	}
	for i, in := range tx.TxIn {
		if in.PreviousOutPoint != inputs[i].OutPoint {
			return fmt.Errorf("payout: input %d spends %s, want %s", i, in.PreviousOutPoint, inputs[i].OutPoint)
		}
	}
	return checkDistinct(inputs)
}

// checkLayout checks scripts and values. It returns the number of rune change outputs after the deliveries.
func checkLayout(tx *wire.MsgTx, deliveries []Delivery, runeChange, satsChange []byte) (changeOutputs int, err error) {
	if len(tx.TxOut) < len(deliveries)+1 {
		return 0, fmt.Errorf("payout: %d outputs for %d deliveries", len(tx.TxOut), len(deliveries))
	}
	for i, d := range deliveries {
		out := tx.TxOut[i]
		if err := d.check(d.Rune); err != nil {
			return 0, fmt.Errorf("payout: order %s: %w", d.OrderID, err)
		}
		if !bytes.Equal(out.PkScript, d.To) || out.Value != int64(d.Value) {
			return 0, fmt.Errorf("payout: output %d is not the delivery of order %s", i, d.OrderID)
		}
	}
	rest := tx.TxOut[len(deliveries):]
	for len(rest) > 0 && len(runeChange) > 0 && bytes.Equal(rest[0].PkScript, runeChange) {
		if rest[0].Value != DustSats {
			return 0, fmt.Errorf("payout: rune change of %d sats, want %d", rest[0].Value, DustSats)
		}
		changeOutputs, rest = changeOutputs+1, rest[1:]
	}
	for _, out := range overpaymentOutputs(deliveries) {
		if len(rest) == 0 || rest[0].Value != out.Value || !bytes.Equal(rest[0].PkScript, out.PkScript) {
			return 0, fmt.Errorf("payout: an overpayment of %d sats is not kept", out.Value)
		}
		rest = rest[1:]
	}
	if len(rest) == 0 || rest[0].Value != 0 {
		return 0, errors.New("payout: no runestone after the deliveries and rune change")
	}
	if rest = rest[1:]; len(rest) == 0 {
		return changeOutputs, nil
	}
	if len(rest) > 1 || len(satsChange) == 0 || !bytes.Equal(rest[0].PkScript, satsChange) || rest[0].Value < DustSats {
		return 0, errors.New("payout: an output that is neither a delivery nor our change")
	}
	return changeOutputs, nil
}

// checkRunestone requires a runestone of plain edicts in the encoding of the reference implementation: no etching, no
// mint, no edict of 0 and no other data. The first edicts are the deliveries in order, so that no other edict takes
// precedence. The other edicts and the pointer name the treasury's change, so that unknown runes also go to the
// treasury.
func checkRunestone(tx *wire.MsgTx, deliveries []Delivery, changeOutputs int, satsChange []byte) error {
	artifact := runes.Decipher(tx)
	if artifact == nil || artifact.Runestone == nil {
		return errors.New("payout: no valid runestone")
	}
	stone := artifact.Runestone
	if stone.Etching != nil || stone.Mint != nil {
		return errors.New("payout: the runestone etches or mints")
	}
	if len(stone.Edicts) < len(deliveries) {
		return errors.New("payout: a delivery has no edict")
	}
	for i, e := range stone.Edicts {
		if i < len(deliveries) {
			d := deliveries[i]
			if e.ID != d.Rune || e.Output != uint32(i) || e.Amount != uint128.From64(uint64(d.Amount)) {
				return fmt.Errorf("payout: edict %d is not the delivery of order %s", i, d.OrderID)
			}
		}
		if e.Amount.IsZero() || int(e.Output) >= len(tx.TxOut) {
			return errors.New("payout: an edict of 0 or to every output")
		}
		if i >= len(deliveries) && !isRuneChange(e.Output, deliveries, changeOutputs) {
			return errors.New("payout: an edict that is neither a delivery nor to rune change")
		}
	}
	if p := stone.Pointer; p != nil && !isRuneChange(*p, deliveries, changeOutputs) &&
		(int(*p) != len(tx.TxOut)-1 || !bytes.Equal(tx.TxOut[*p].PkScript, satsChange)) {
		return errors.New("payout: the pointer does not name our change")
	}
	script, err := stone.Script()
	if err != nil {
		return fmt.Errorf("payout: runestone: %w", err)
	}
	found := 0
	for _, out := range tx.TxOut {
		if bytes.Equal(out.PkScript, script) {
			found++
		}
	}
	if found != 1 {
		return errors.New("payout: the runestone is not in its plain form")
	}
	return nil
}

func isRuneChange(output uint32, deliveries []Delivery, changeOutputs int) bool {
	return int(output) >= len(deliveries) && int(output) < len(deliveries)+changeOutputs
}

func checkAllocation(outputs [][]runes.Balance, deliveries []Delivery, changeOutputs int) error {
	for i, balances := range outputs {
		if i < len(deliveries) {
			if err := checkDelivered(balances, deliveries[i]); err != nil {
				return fmt.Errorf("payout: output %d: %w", i, err)
			}
			continue
		}
		if i >= len(deliveries)+changeOutputs && !isZero(balances) {
			return fmt.Errorf("payout: output %d would bear runes", i)
		}
	}
	if len(outputs) < len(deliveries) {
		return errors.New("payout: a delivery gets nothing")
	}
	return nil
}

func checkDelivered(balances []runes.Balance, d Delivery) error {
	var got amount.Runes
	for _, b := range balances {
		if b.Amount.IsZero() {
			continue
		}
		if b.ID != d.Rune {
			return fmt.Errorf("would bear rune %s", b.ID)
		}
		n, err := toRunes(b.Amount)
		if err == nil {
			got, err = got.Add(n)
		}
		if err != nil {
			return err
		}
	}
	if got != d.Amount {
		return fmt.Errorf("would get %s base units, owed are %s", got, d.Amount)
	}
	return nil
}

func isZero(balances []runes.Balance) bool {
	for _, b := range balances {
		if b.Amount != (uint128.Uint128{}) {
			return false
		}
	}
	return true
}
