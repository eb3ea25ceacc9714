package vault

import (
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// StakeSpend is a stake output that the staker recovers.
type StakeSpend struct {
	Stake    StakeOutput
	OutPoint wire.OutPoint
	Value    amount.Sats
}

// FeeInput is an output that pays the fee of a recovery. The account does not own it.
type FeeInput struct {
	OutPoint wire.OutPoint
	Output   *wire.TxOut
}

// FundedRecovery is an unsigned transaction that recovers stake outputs. Output 0 receives all their sats and, as there
// is no runestone, all runes. Fee inputs pay the fee; output 1 is their change. The stakes are the first inputs.
type FundedRecovery struct {
	Tx     *wire.MsgTx
	Stakes []StakeSpend
	Fees   []FeeInput
	Fee    amount.Sats
}

// NewFundedRecovery builds a recovery whose fee inputs pay the given fee rate. It returns *ErrSatsShort if they are not
// worth enough.
func NewFundedRecovery(
	stakes []StakeSpend, fees []FeeInput, to, change []byte, rate amount.FeeRate,
) (FundedRecovery, error) {
	r := FundedRecovery{Tx: wire.NewMsgTx(2), Stakes: stakes, Fees: fees}
	var held, paid int64
	sized := wire.NewMsgTx(2)
	for _, s := range stakes {
		in := &wire.TxIn{PreviousOutPoint: s.OutPoint, Sequence: s.Stake.Delay}
		r.Tx.AddTxIn(in)
		sized.AddTxIn(&wire.TxIn{Sequence: in.Sequence, Witness: wire.TxWitness{make([]byte, 64), s.Stake.LeafScript,
			s.Stake.ControlBlock}})
		held += int64(s.Value)
	}
	for _, f := range fees {
		r.Tx.AddTxIn(&wire.TxIn{PreviousOutPoint: f.OutPoint, Sequence: Sequence})
		in, err := feeInputSize(f.Output.PkScript)
		if err != nil {
			return r, fmt.Errorf("%s: %w", f.OutPoint, err)
		}
		sized.AddTxIn(in)
		paid += f.Output.Value
	}
	r.Tx.AddTxOut(wire.NewTxOut(held, to))
	sized.AddTxOut(wire.NewTxOut(held, to))
	alone := rate.Fee(chain.VSize(sized))
	sized.AddTxOut(wire.NewTxOut(0, change))
	r.Fee = rate.Fee(chain.VSize(sized))
	if left := paid - int64(r.Fee); left >= int64(chain.Dust(change)) {
		r.Tx.AddTxOut(wire.NewTxOut(left, change))
		return r, nil
	}
	if short := int64(alone) - paid; short > 0 {
		return r, &ErrSatsShort{Missing: amount.Sats(short)}
	}
	r.Fee = amount.Sats(paid)
	return r, nil
}

// feeInputSize returns an input of the size that spending the script needs.
func feeInputSize(script []byte) (*wire.TxIn, error) {
	key := wire.TxWitness{make([]byte, 72), make([]byte, 33)}
	switch txscript.GetScriptClass(script) {
	case txscript.WitnessV1TaprootTy:
		return &wire.TxIn{Witness: wire.TxWitness{make([]byte, 65)}}, nil
	case txscript.WitnessV0PubKeyHashTy:
		return &wire.TxIn{Witness: key}, nil
	case txscript.ScriptHashTy: // of a P2WPKH
		return &wire.TxIn{SignatureScript: make([]byte, 23), Witness: key}, nil
	}
	return nil, errors.New("a fee input must be at a Taproot (bc1p…), SegWit (bc1q…) or nested SegWit (3…) " +
		"address of one key")
}

// Prevouts returns the outputs that the recovery spends.
func (r FundedRecovery) Prevouts() map[wire.OutPoint]*wire.TxOut {
	spent := map[wire.OutPoint]*wire.TxOut{}
	for _, s := range r.Stakes {
		spent[s.OutPoint] = wire.NewTxOut(int64(s.Value), s.Stake.Script)
	}
	for _, f := range r.Fees {
		spent[f.OutPoint] = f.Output
	}
	return spent
}

// PSBT returns the recovery as a PSBT for wallets: the wallet of the ordinals address signs the stakes, and the wallet
// of each fee input signs that input. All signatures cover all inputs and outputs.
func (r FundedRecovery) PSBT() (string, error) {
	packet, err := psbt.NewFromUnsignedTx(r.Tx)
	if err != nil {
		return "", fmt.Errorf("recovery: %w", err)
	}
	for i, s := range r.Stakes {
		describeStake(&packet.Inputs[i], s.Stake, s.Value, txscript.SigHashDefault)
	}
	for i, f := range r.Fees {
		packet.Inputs[len(r.Stakes)+i].WitnessUtxo = f.Output
	}
	return packet.B64Encode()
}
