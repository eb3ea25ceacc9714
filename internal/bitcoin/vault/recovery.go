package vault

import (
	"fmt"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// RecoveryPSBTs returns two base64 PSBTs (BIP-174, BIP-371) with which a staker recovers an output of a stake address
// without the server. Both are version 2 transactions with nSequence = the recovery delay (BIP-68) and output 0 to
// destScript (the ordinals address). Neither has a runestone, so all runes go to the first output.
//
// ownFee pays a fee at the given rate from the output's value; it is nil if the rest would be dust. anyoneCanPay has no
// fee and is signed SIGHASH_ALL|ANYONECANPAY: inputs that pay the fee can be added later, but no outputs. With SINGLE,
// any third party that sees the signature could add a runestone and steal the runes.
func RecoveryPSBTs(
	s StakeOutput, outpoint wire.OutPoint, value amount.Sats, destScript []byte, rate amount.FeeRate,
) (ownFee *string, anyoneCanPay string, err error) {
	template := recoveryTx(s, outpoint, value, destScript)
	anyoneCanPay, err = recoveryPSBT(s, template, value, txscript.SigHashAll|txscript.SigHashAnyOneCanPay)
	if err != nil {
		return nil, "", err
	}
	left := value - rate.Fee(recoveryVBytes(s, template))
	if rate <= 0 || left < chain.Dust(destScript) {
		return nil, anyoneCanPay, nil
	}
	text, err := recoveryPSBT(s, recoveryTx(s, outpoint, left, destScript), value, txscript.SigHashDefault)
	if err != nil {
		return nil, "", err
	}
	return &text, anyoneCanPay, nil
}

func recoveryTx(s StakeOutput, outpoint wire.OutPoint, value amount.Sats, destScript []byte) *wire.MsgTx {
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: outpoint, Sequence: s.Delay})
	tx.AddTxOut(wire.NewTxOut(int64(value), destScript))
	return tx
}

// recoveryVBytes returns the virtual size of the signed recovery: signature, leaf, control block.
func recoveryVBytes(s StakeOutput, template *wire.MsgTx) int64 {
	signed := template.Copy()
	signed.TxIn[0].Witness = wire.TxWitness{make([]byte, 64), s.LeafScript, s.ControlBlock}
	weight := 3*signed.SerializeSizeStripped() + signed.SerializeSize()
	return int64(weight+3) / 4
}

func recoveryPSBT(s StakeOutput, tx *wire.MsgTx, value amount.Sats, sighash txscript.SigHashType) (string, error) {
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		return "", fmt.Errorf("recovery: %w", err)
	}
	describeStake(&packet.Inputs[0], s, value, sighash)
	text, err := packet.B64Encode()
	if err != nil {
		return "", fmt.Errorf("recovery: %w", err)
	}
	return text, nil
}

// describeStake adds the fields that a wallet needs to sign a stake output through its leaf.
func describeStake(in *psbt.PInput, s StakeOutput, value amount.Sats, sighash txscript.SigHashType) {
	in.WitnessUtxo = wire.NewTxOut(int64(value), s.Script)
	in.SighashType = sighash
	s.describe(in, s.LeafScript, s.ControlBlock)
}

// describe adds the internal key, the merkle root and one leaf.
func (s StakeOutput) describe(in *psbt.PInput, leaf, control []byte) {
	in.TaprootInternalKey = s.InternalKey
	in.TaprootMerkleRoot = s.MerkleRoot
	in.TaprootLeafScript = []*psbt.TaprootTapLeafScript{{
		ControlBlock: control, Script: leaf, LeafVersion: txscript.BaseLeafVersion,
	}}
}
