package chain

import (
	"fmt"

	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
)

// PolicyLimits are the limits of CheckPolicy. See DefaultPolicy.
type PolicyLimits struct {
	DataCarrier int            // maximum size of an OP_RETURN script in bytes
	MinRelay    amount.FeeRate // minimum fee rate for relay
	MaxFeeRate  amount.FeeRate // maximum fee rate
	MaxFee      amount.Sats    // maximum fee of one transaction
}

// DefaultPolicy returns the limits of a node in its default configuration, and fee limits above any expected payout:
// 1,000 sat/vB and 0.05 BTC.
func DefaultPolicy() PolicyLimits {
	return PolicyLimits{
		DataCarrier: 83,
		MinRelay:    amount.SatPerVB(1),
		MaxFeeRate:  amount.SatPerVB(1000),
		MaxFee:      5_000_000,
	}
}

// Violation is the error of CheckPolicy: a sentence that describes which rule the transaction violates.
type Violation string

// Error implements error.
func (v Violation) Error() string { return string(v) }

func violation(format string, args ...any) error { return Violation(fmt.Sprintf(format, args...)) }

const (
	maxWeight      = 400_000      // of a standard transaction
	minStripped    = 65           // bytes without witnesses, of a standard transaction
	maxScriptSig   = 1650         // bytes
	maxV3VBytes    = 10_000       // BIP-431
	maxMoney       = 21_000_000e8 // sats
	dustRelayPerKB = 3000         // sats per 1000 vB: the default of Core's -dustrelayfee
)

// CheckPolicy checks that a transaction is standard, independently of the node, because not every node enforces the
// rules. It checks version 1 to 3, weight, output scripts and dust per type, at most one OP_RETURN within the size
// limit and without sats, known and distinct inputs, minimum relay fee, and absolute and per-vB fee limits. It returns
// nil or a Violation. An unsigned transaction must have placeholder witnesses, otherwise its size is underestimated.
func CheckPolicy(tx *wire.MsgTx, prevouts func(wire.OutPoint) (*wire.TxOut, bool), limits PolicyLimits) error {
	if err := checkShape(tx); err != nil {
		return err
	}
	paid, err := checkOutputs(tx, limits)
	if err != nil {
		return err
	}
	funds, err := checkInputs(tx, prevouts)
	if err != nil {
		return err
	}
	return checkFee(tx, funds, paid, limits)
}

// checkShape checks the version, the weight and the numbers of inputs and outputs.
func checkShape(tx *wire.MsgTx) error {
	weight := Weight(tx)
	switch {
	case tx.Version < 1 || tx.Version > 3:
		return violation("Transaction version %d is not standard; use 1, 2 or 3.", tx.Version)
	case len(tx.TxIn) == 0:
		return violation("The transaction has no input.")
	case len(tx.TxOut) == 0:
		return violation("The transaction has no output.")
	case weight > maxWeight:
		return violation("The transaction weighs %d; the limit is %d.", weight, maxWeight)
	case tx.SerializeSizeStripped() < minStripped:
		return violation("The transaction has fewer than %d bytes without its witnesses.", minStripped)
	case tx.Version == 3 && VSize(tx) > maxV3VBytes:
		return violation("A version 3 transaction may have at most %d vB; this one has %d.", maxV3VBytes, VSize(tx))
	}
	return nil
}

// checkOutputs returns the sum of the outputs in sats.
func checkOutputs(tx *wire.MsgTx, limits PolicyLimits) (sum int64, err error) {
	data := 0
	for i, out := range tx.TxOut {
		if out.Value < 0 || out.Value > maxMoney {
			return 0, violation("Output %d has the impossible value of %d sats.", i, out.Value)
		}
		if sum += out.Value; sum > maxMoney {
			return 0, violation("The outputs are worth more than all bitcoin.")
		}
		if len(out.PkScript) > 0 && out.PkScript[0] == txscript.OP_RETURN {
			data++
			if err := checkData(i, out, limits); err != nil {
				return 0, err
			}
			continue
		}
		if _, ok := AddressFromScript(out.PkScript, networks[0]); !ok {
			return 0, violation("Output %d pays to a script that is no standard address.", i)
		}
		if dust := int64(Dust(out.PkScript)); out.Value < dust {
			return 0, violation("Output %d holds %d sats, which is dust; it needs at least %d.", i, out.Value, dust)
		}
	}
	if data > 1 {
		return 0, violation("The transaction has %d OP_RETURN outputs; one is the limit.", data)
	}
	return sum, nil
}

func checkData(i int, out *wire.TxOut, limits PolicyLimits) error {
	switch {
	case len(out.PkScript) > limits.DataCarrier:
		return violation("The OP_RETURN of output %d has %d bytes; the limit is %d.", i, len(out.PkScript),
			limits.DataCarrier)
	case !txscript.IsPushOnlyScript(out.PkScript[1:]):
		return violation("The OP_RETURN of output %d does not only push data.", i)
	case out.Value != 0:
		return violation("The OP_RETURN of output %d would burn %d sats.", i, out.Value)
	}
	return nil
}

// checkInputs returns the sum of the spent outputs in sats.
func checkInputs(tx *wire.MsgTx, prevouts func(wire.OutPoint) (*wire.TxOut, bool)) (sum int64, err error) {
	seen := make(map[wire.OutPoint]bool, len(tx.TxIn))
	for i, in := range tx.TxIn {
		if seen[in.PreviousOutPoint] {
			return 0, violation("Input %d spends %s, which another input spends already.", i, in.PreviousOutPoint)
		}
		seen[in.PreviousOutPoint] = true
		if len(in.SignatureScript) > maxScriptSig || !txscript.IsPushOnlyScript(in.SignatureScript) {
			return 0, violation("The signature script of input %d is not standard.", i)
		}
		prev, ok := prevouts(in.PreviousOutPoint)
		if !ok || prev == nil {
			return 0, violation("Input %d spends %s, which is not known.", i, in.PreviousOutPoint)
		}
		if prev.Value < 0 || prev.Value > maxMoney {
			return 0, violation("Input %d has the impossible value of %d sats.", i, prev.Value)
		}
		if sum += prev.Value; sum > maxMoney {
			return 0, violation("The inputs are worth more than all bitcoin.")
		}
	}
	return sum, nil
}

func checkFee(tx *wire.MsgTx, funds, paid int64, limits PolicyLimits) error {
	vbytes, fee := VSize(tx), amount.Sats(funds-paid)
	switch {
	case fee < 0:
		return violation("The outputs are worth %d sats more than the inputs.", -fee)
	case fee < limits.MinRelay.Fee(vbytes):
		return violation("The fee of %d sats is below the %d sats that %d vB need to be relayed.", fee,
			limits.MinRelay.Fee(vbytes), vbytes)
	case fee > limits.MaxFee:
		return violation("The fee of %d sats is above the limit of %d sats for one transaction.", fee, limits.MaxFee)
	case fee > limits.MaxFeeRate.Fee(vbytes):
		return violation("The fee of %d sats for %d vB is above the limit of %s sat/vB.", fee, vbytes, limits.MaxFeeRate)
	}
	return nil
}

// Dust returns the minimum value in sats for an output with this script to be relayed: the cost of creating and
// spending it at 3 sat/vB. This is 546 for p2pkh, 540 for p2sh, 330 for p2wsh and p2tr, 294 for p2wpkh and 0 for
// OP_RETURN.
func Dust(pkScript []byte) amount.Sats {
	const spendLegacy, spendWitness = 32 + 4 + 1 + 107 + 4, 32 + 4 + 1 + 107/4 + 4
	if txscript.IsUnspendable(pkScript) {
		return 0
	}
	vbytes := 8 + wire.VarIntSerializeSize(uint64(len(pkScript))) + len(pkScript)
	if txscript.IsWitnessProgram(pkScript) {
		vbytes += spendWitness
	} else {
		vbytes += spendLegacy
	}
	return amount.Sats(int64(vbytes) * dustRelayPerKB / 1000)
}
