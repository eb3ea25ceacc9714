package vault

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/chain"
)

// OneTxReason is the way in which a PSBT from a wallet deviates from the transaction to sign.
type OneTxReason string

// The reasons. Index is the number of the input or output that the reason is about, if any.
const (
	OneTxTooLarge  OneTxReason = "too_large"    // the text is larger than the limit
	OneTxNotPSBT   OneTxReason = "not_psbt"     // not a version 0 PSBT in base64 or hex
	OneTxVersion   OneTxReason = "version"      // another transaction version
	OneTxLockTime  OneTxReason = "lock_time"    // another lock time
	OneTxInputs    OneTxReason = "inputs"       // another input at Index, or another number of inputs
	OneTxSequence  OneTxReason = "sequence"     // another sequence of input Index
	OneTxOutputs   OneTxReason = "outputs"      // another output at Index, or fewer outputs
	OneTxAdded     OneTxReason = "added_output" // an additional output at Index
	OneTxRunestone OneTxReason = "runestone"    // an additional runestone at output Index
	OneTxUnsigned  OneTxReason = "unsigned"     // input Index is not signed by the key of its address
	OneTxWitness   OneTxReason = "witness"      // input Index is signed in another form, for example by a script
	OneTxSighash   OneTxReason = "sighash"      // the signature of input Index does not cover all of the transaction
	OneTxSignature OneTxReason = "signature"    // the signature of input Index is invalid
)

// OneTxDeviation is the error of a PSBT that a wallet returned for a withdrawal in one transaction.
type OneTxDeviation struct {
	Reason OneTxReason
	Index  int // of the input or output, or -1
}

func (e *OneTxDeviation) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("the PSBT deviates: %s", e.Reason)
	}
	return fmt.Sprintf("the PSBT deviates: %s %d", e.Reason, e.Index)
}

// OneTxPSBT returns the unsigned transaction as a base64 PSBT (BIP-174, BIP-371) for the staker's wallet. It has the
// spent output of every input; for a stake in self-custody the leaf Together and no other, because wallets sign every
// leaf that they find; and for own coins the redeem script of a P2SH address, or the internal key of a P2TR address if
// key is given. It sets no signature hash type, because the defaults of wallets are allowed. key is the public key of
// the payment address, as for OwnScriptAllowed.
func (a Account) OneTxPSBT(tx *wire.MsgTx, inputs []Coin, key []byte) (string, error) {
	if err := checkInputs(tx, inputs); err != nil {
		return "", err
	}
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		return "", fmt.Errorf("withdrawal in one transaction: %w", err)
	}
	for i, coin := range inputs {
		in := &packet.Inputs[i]
		in.WitnessUtxo = wire.NewTxOut(coin.Output.Value, coin.Output.PkScript)
		if coin.Kind != Own {
			output, err := a.CheckCoin(coin)
			if err != nil {
				return "", err
			}
			if coin.Self {
				output.describe(in, output.Together.Script, output.Together.ControlBlock)
			}
			continue
		}
		if err := OwnScriptAllowed(coin.Output.PkScript, key); err != nil {
			return "", fmt.Errorf("coin %s: %w", coin.OutPoint, err)
		}
		switch ownType(coin.Output.PkScript) {
		case chain.P2SH:
			in.RedeemScript = keyHashScript(key)
		case chain.P2TR:
			if len(key) > 0 {
				in.TaprootInternalKey = bytes.Clone(key[len(key)-32:])
			}
		}
	}
	return packet.B64Encode()
}

// keyHashScript returns the P2WPKH script of a compressed public key.
func keyHashScript(key []byte) []byte {
	return append([]byte{txscript.OP_0, 20}, address.Hash160(key)...)
}

// ReadOneTxPSBT returns a copy of issued with the signatures of its owner from a wallet's PSBT. The PSBT is in base64
// or hex, finalized or not, and may lack fields that the wallet was given. ReadOneTxPSBT uses only its public keys and
// signatures, and builds the witnesses and the signature scripts of P2SH inputs from them. Each signature covers the
// whole transaction. The script of each own coin is executed by the consensus rules and the standardness rules. A stake
// in self-custody has its owner's signature, the leaf Together and the control block as its witness, which lacks the
// community's signature. Inputs of other kinds stay unsigned.
//
// inputs are the inputs of issued, with the outputs that they spend. It returns a *OneTxDeviation if the wallet's PSBT
// deviates, and another error if issued and inputs do not belong together. The signature scripts of P2SH inputs change
// the transaction's id.
func (a Account) ReadOneTxPSBT(text string, issued *wire.MsgTx, inputs []Coin) (*wire.MsgTx, error) {
	if err := checkInputs(issued, inputs); err != nil {
		return nil, err
	}
	if len(text) > maxWalletPSBT {
		return nil, &OneTxDeviation{OneTxTooLarge, -1}
	}
	fields, err := readWalletPSBT(text, issued)
	if err != nil {
		return nil, err
	}
	tx := issued.Copy()
	for i, coin := range inputs {
		var reason OneTxReason
		switch in := tx.TxIn[i]; {
		case coin.Self:
			output, err := a.CheckCoin(coin)
			if err != nil {
				return nil, err
			}
			in.Witness, reason = togetherWitness(fields[i], output)
		case coin.Kind == Own:
			in.Witness, in.SignatureScript, reason = ownWitness(fields[i], coin.Output.PkScript)
		}
		if reason != "" {
			return nil, &OneTxDeviation{reason, i}
		}
	}
	if err := a.VerifyOwnSignatures(tx, inputs); err != nil {
		return nil, err
	}
	return tx, nil
}

// readWalletPSBT returns the input maps of a PSBT whose unsigned transaction is issued, or a *OneTxDeviation.
func readWalletPSBT(text string, issued *wire.MsgTx) ([]psbtMap, error) {
	notPSBT := &OneTxDeviation{OneTxNotPSBT, -1}
	rest, ok := decodePSBT(text)
	if !ok {
		return nil, notPSBT
	}
	global, ok := rest.fields()
	if !ok {
		return nil, notPSBT
	}
	version, hasVersion := global.field(psbtVersion)
	unsigned, has := global.field(psbtUnsignedTx)
	if !has || hasVersion && !bytes.Equal(version, make([]byte, 4)) {
		return nil, notPSBT
	}
	if !bytes.Equal(unsigned, chain.NewTx(issued).Bytes()) {
		return nil, describeOther(unsigned, issued)
	}
	maps := make([]psbtMap, len(issued.TxIn)+len(issued.TxOut))
	for i := range maps {
		if maps[i], ok = rest.fields(); !ok {
			return nil, notPSBT
		}
	}
	if len(rest) > 0 {
		return nil, notPSBT
	}
	return maps[:len(issued.TxIn)], nil
}

// describeOther returns how the unsigned transaction of a PSBT differs from the issued one.
func describeOther(unsigned []byte, issued *wire.MsgTx) error {
	decoded, err := chain.DecodeTx(unsigned)
	if err != nil {
		return &OneTxDeviation{OneTxNotPSBT, -1}
	}
	other := decoded.Msg
	switch {
	case other.Version != issued.Version:
		return &OneTxDeviation{OneTxVersion, -1}
	case other.LockTime != issued.LockTime:
		return &OneTxDeviation{OneTxLockTime, -1}
	case len(other.TxIn) != len(issued.TxIn):
		return &OneTxDeviation{OneTxInputs, -1}
	}
	for i, in := range other.TxIn {
		if in.PreviousOutPoint != issued.TxIn[i].PreviousOutPoint {
			return &OneTxDeviation{OneTxInputs, i}
		}
		if in.Sequence != issued.TxIn[i].Sequence {
			return &OneTxDeviation{OneTxSequence, i}
		}
	}
	same := func(a, b *wire.TxOut) bool { return a.Value == b.Value && bytes.Equal(a.PkScript, b.PkScript) }
	for i, out := range other.TxOut {
		switch {
		case i < len(issued.TxOut) && same(out, issued.TxOut[i]):
		case len(other.TxOut) <= len(issued.TxOut):
			return &OneTxDeviation{OneTxOutputs, i}
		case isRunestone(out.PkScript):
			return &OneTxDeviation{OneTxRunestone, i}
		default:
			return &OneTxDeviation{OneTxAdded, i}
		}
	}
	if len(other.TxOut) < len(issued.TxOut) {
		return &OneTxDeviation{OneTxOutputs, len(other.TxOut)}
	}
	return &OneTxDeviation{OneTxNotPSBT, -1} // with signatures, or in another serialization
}

// isRunestone reports whether a script begins like a runestone.
func isRunestone(script []byte) bool {
	return bytes.HasPrefix(script, []byte{txscript.OP_RETURN, txscript.OP_13})
}

// ownWitness returns the witness and the signature script of a coin: the final ones in the PSBT, or ones built from a
// partial signature by the key of the coin's address. It returns a reason if there are none. VerifyOwnSignatures checks
// that a final witness has the standard form.
func ownWitness(fields psbtMap, script []byte) (wire.TxWitness, []byte, OneTxReason) {
	final, isFinal := fields.field(psbtFinalWitness)
	if signatureScript, has := fields.field(psbtFinalSig); isFinal || has && len(signatureScript) > 0 {
		reader := byteReader(bytes.Clone(final))
		items, ok := reader.items()
		if !ok {
			return nil, nil, OneTxWitness
		}
		return items, bytes.Clone(signatureScript), ""
	}
	if ownType(script) == chain.P2TR {
		signature, has := fields.field(psbtTapKeySig)
		if !has {
			return nil, nil, unsigned(fields, psbtTapScriptSig)
		}
		return wire.TxWitness{bytes.Clone(signature)}, nil, ""
	}
	for field, signature := range fields {
		if key := []byte(field[1:]); field[0] == psbtPartialSig && isKeyOf(key, script) {
			witness := wire.TxWitness{bytes.Clone(signature), key}
			return witness, nestedScript(key, script), ""
		}
	}
	return nil, nil, OneTxUnsigned
}

// unsigned returns the reason for an input without the signature of its key. The input may be signed in another form,
// whose fields have one of the given types.
func unsigned(fields psbtMap, otherForms ...byte) OneTxReason {
	for field := range fields {
		if slices.Contains(otherForms, field[0]) {
			return OneTxWitness
		}
	}
	return OneTxUnsigned
}

// isKeyOf reports whether a script is the P2WPKH or P2SH-P2WPKH script of a compressed public key.
func isKeyOf(key, script []byte) bool {
	return len(key) == btcec.PubKeyBytesLenCompressed &&
		chain.Address{Type: ownType(script), Script: script}.DerivesFrom(key)
}

// nestedScript returns the signature script of a P2SH coin of the key, which pushes the P2WPKH script, and nil for a
// coin of another type.
func nestedScript(key, script []byte) []byte {
	if ownType(script) != chain.P2SH {
		return nil
	}
	redeem := keyHashScript(key)
	return append([]byte{byte(len(redeem))}, redeem...)
}

// VerifyOwnSignatures checks that exactly the inputs that their owner signs are signed, with signatures of the whole
// transaction: own coins through their key alone, so that their scripts execute by the consensus rules and the
// standardness rules, and stakes in self-custody as ReadOneTxPSBT returns them. It returns a *OneTxDeviation otherwise.
func (a Account) VerifyOwnSignatures(tx *wire.MsgTx, inputs []Coin) error {
	if err := checkInputs(tx, inputs); err != nil {
		return err
	}
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i := range inputs {
		previous[inputs[i].OutPoint] = &inputs[i].Output
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, coin := range inputs {
		in := tx.TxIn[i]
		if coin.Self {
			output, err := a.CheckCoin(coin)
			if err != nil {
				return err
			}
			digest := func(hashType txscript.SigHashType) ([]byte, error) {
				return txscript.CalcTapscriptSignaturehash(hashes, hashType, tx, i, fetcher,
					txscript.NewBaseTapLeaf(output.Together.Script))
			}
			if reason := checkTogether(in, output, digest); reason != "" {
				return &OneTxDeviation{reason, i}
			}
			continue
		}
		if coin.Kind != Own {
			if len(in.Witness) > 0 || len(in.SignatureScript) > 0 {
				return &OneTxDeviation{OneTxWitness, i}
			}
			continue
		}
		if reason := checkOwnWitness(in, coin.Output.PkScript); reason != "" {
			return &OneTxDeviation{reason, i}
		}
		engine, err := txscript.NewEngine(coin.Output.PkScript, tx, i, txscript.StandardVerifyFlags, nil, hashes,
			coin.Output.Value, fetcher)
		if err == nil {
			err = engine.Execute()
		}
		if err != nil {
			return &OneTxDeviation{OneTxSignature, i}
		}
	}
	return nil
}

// checkOwnWitness returns a reason unless the input of a coin has the standard form of its script, and a signature hash
// type that covers all inputs and outputs.
func checkOwnWitness(in *wire.TxIn, script []byte) OneTxReason {
	if len(in.Witness) == 0 {
		return OneTxUnsigned
	}
	kind, signature := ownType(script), in.Witness[0]
	if kind == chain.P2TR {
		switch {
		case len(in.Witness) != 1 || len(in.SignatureScript) > 0:
			return OneTxWitness
		case len(signature) == 65 && signature[64] != byte(txscript.SigHashAll):
			return OneTxSighash
		case len(signature) != 64 && len(signature) != 65:
			return OneTxSignature
		}
		return ""
	}
	if kind == "" || len(in.Witness) != 2 || !isKeyOf(in.Witness[1], script) {
		return OneTxWitness
	}
	switch {
	case !bytes.Equal(in.SignatureScript, nestedScript(in.Witness[1], script)):
		return OneTxWitness
	case len(signature) == 0:
		return OneTxUnsigned
	case len(signature) > 72:
		return OneTxSignature
	case signature[len(signature)-1] != byte(txscript.SigHashAll):
		return OneTxSighash
	}
	return ""
}
