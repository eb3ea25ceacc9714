package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// signMessage signs a text as wallets do: with BIP-322 simple for native segwit and Taproot addresses, otherwise with a
// compact signature (BIP-137).
func (a account) signMessage(t testing.TB, text string) string {
	t.Helper()
	switch a.kind {
	case nested:
		return a.compact(text, 35)
	case legacy:
		return a.compact(text, 31)
	}
	// BIP-322: to_spend commits to the text, to_sign spends it.
	spend := wire.NewMsgTx(0)
	commitment := append([]byte{txscript.OP_0, txscript.OP_DATA_32}, tagged("BIP0322-signed-message", []byte(text))...)
	spend.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Index: 0xffffffff}, SignatureScript: commitment})
	spend.AddTxOut(wire.NewTxOut(0, a.script))
	sign := wire.NewMsgTx(0)
	sign.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: spend.TxHash()}})
	sign.AddTxOut(wire.NewTxOut(0, []byte{txscript.OP_RETURN}))
	a.signInput(t, sign, 0, []*wire.TxOut{spend.TxOut[0]})
	return base64.StdEncoding.EncodeToString(stack(t, sign.TxIn[0].Witness))
}

// compact returns a recoverable signature whose header byte is in the group that starts at first.
func (a account) compact(text string, first byte) string {
	var b bytes.Buffer
	wire.WriteVarString(&b, 0, "Bitcoin Signed Message:\n") // writing to a Buffer does not fail
	wire.WriteVarString(&b, 0, text)
	signature := ecdsa.SignCompact(a.key, chainhash.DoubleHashB(b.Bytes()), true)
	signature[0] = first + (signature[0]-27)%4
	return base64.StdEncoding.EncodeToString(signature)
}

// tagged returns the tagged hash of BIP-340.
func tagged(tag string, data []byte) []byte {
	name := sha256.Sum256([]byte(tag))
	hash := sha256.New()
	hash.Write(name[:])
	hash.Write(name[:])
	hash.Write(data)
	return hash.Sum(nil)
}

// stack serializes a witness: the number of items, and each item with its length.
func stack(t testing.TB, witness wire.TxWitness) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, wire.WriteVarInt(&b, 0, uint64(len(witness))))
	for _, item := range witness {
		must(t, wire.WriteVarBytes(&b, 0, item))
	}
	return b.Bytes()
}

// signInput signs one input of a transaction with the account's key. spent contains the outputs that the inputs spend,
// in the same order.
func (a account) signInput(t testing.TB, tx *wire.MsgTx, i int, spent []*wire.TxOut) {
	t.Helper()
	outputs := map[wire.OutPoint]*wire.TxOut{}
	for n, in := range tx.TxIn {
		outputs[in.PreviousOutPoint] = spent[n]
	}
	hashes := txscript.NewTxSigHashes(tx, txscript.NewMultiPrevOutFetcher(outputs))
	in, value := tx.TxIn[i], spent[i].Value
	var err error
	switch a.kind {
	case taproot:
		in.Witness, err = txscript.TaprootWitnessSignature(tx, hashes, i, value, a.script, txscript.SigHashDefault, a.key)
	case segwit:
		in.Witness, err = txscript.WitnessSignature(tx, hashes, i, value, a.script, txscript.SigHashAll, a.key, true)
	case nested:
		in.SignatureScript = append([]byte{byte(len(a.program))}, a.program...)
		in.Witness, err = txscript.WitnessSignature(tx, hashes, i, value, a.program, txscript.SigHashAll, a.key, true)
	case legacy:
		in.SignatureScript, err = txscript.SignatureScript(tx, i, a.script, txscript.SigHashAll, a.key, true)
	}
	must(t, err)
}
