package message

import (
	"fmt"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// hashTag is the tag of BIP-322's message hash (BIP-340 tagged hash).
var hashTag = []byte("BIP0322-signed-message")

// verifyFlags are the rules for running a proof: everything that is standard,
// as BIP-322 requires, with push-only signature scripts. Without their two flags
// the time lock opcodes are upgradable NOPs, which are refused when they run.
const verifyFlags = (txscript.StandardVerifyFlags | txscript.ScriptVerifySigPushOnly) &^
	(txscript.ScriptVerifyCheckLockTimeVerify | txscript.ScriptVerifyCheckSequenceVerify)

// Hash returns BIP-322's message hash of text.
func Hash(text string) [32]byte {
	return *chainhash.TaggedHash(hashTag, []byte(text))
}

// toSpend is BIP-322's virtual transaction: its only output is locked by the
// address's script, its input commits to the text.
func toSpend(script []byte, text string) *wire.MsgTx {
	hash := Hash(text)
	tx := wire.NewMsgTx(0)
	tx.AddTxIn(&wire.TxIn{
		PreviousOutPoint: wire.OutPoint{Index: wire.MaxPrevOutIndex},
		SignatureScript:  append([]byte{txscript.OP_0, txscript.OP_DATA_32}, hash[:]...),
	})
	tx.AddTxOut(&wire.TxOut{PkScript: script})
	return tx
}

// toSign is the transaction that spends toSpend, as simple signatures imply it.
func toSign(spent chainhash.Hash) *wire.MsgTx {
	tx := wire.NewMsgTx(0)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: spent}})
	tx.AddTxOut(&wire.TxOut{PkScript: []byte{txscript.OP_RETURN}})
	return tx
}

// verifySimple checks a signature that is the witness stack of toSign.
func verifySimple(script []byte, text string, raw []byte) error {
	r := reader{rest: raw}
	witness := r.witness()
	if err := r.end(); err != nil {
		return err
	}
	tx := toSign(toSpend(script, text).TxHash())
	tx.TxIn[0].Witness = witness
	if txscript.IsPayToScriptHash(script) {
		// BIP-322 keeps simple for native segwit, but wallets use it for
		// p2sh-p2wpkh too: the redeem script follows from the public key.
		if len(witness) != 2 {
			return fmt.Errorf("%w: this type of address needs the full variant", ErrSignature)
		}
		tx.TxIn[0].SignatureScript = append([]byte{txscript.OP_DATA_22}, keyProgram(witness[1])...)
	}
	return run(script, tx)
}

// verifyFull checks a signature that is the whole toSign transaction. Version,
// lock time and sequence are the signer's choice and are signed; what it spends
// and where it pays are not.
func verifyFull(script []byte, text string, raw []byte) error {
	tx, err := readToSign(raw)
	if err != nil {
		return err
	}
	want := wire.OutPoint{Hash: toSpend(script, text).TxHash()}
	if tx.TxIn[0].PreviousOutPoint != want {
		return fmt.Errorf("%w: it was made for another text or address", ErrSignature)
	}
	if tx.Version != 0 && tx.Version != 2 {
		return fmt.Errorf("%w: to_sign has version %d", ErrSignature, tx.Version)
	}
	out := tx.TxOut[0]
	if out.Value != 0 || len(out.PkScript) != 1 || out.PkScript[0] != txscript.OP_RETURN {
		return fmt.Errorf("%w: to_sign pays to something else than OP_RETURN", ErrSignature)
	}
	return run(script, tx)
}

// run checks tx's only input against script, and that nothing in it commits to
// less than the whole transaction.
func run(script []byte, tx *wire.MsgTx) error {
	if err := checkSighash(script, tx.TxIn[0]); err != nil {
		return err
	}
	return execute(script, tx)
}

// execute runs the script engine.
func execute(script []byte, tx *wire.MsgTx) error {
	fetcher := txscript.NewCannedPrevOutputFetcher(script, 0)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	engine, err := txscript.NewEngine(script, tx, 0, verifyFlags, nil, hashes, 0, fetcher)
	if err == nil {
		err = engine.Execute()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSignature, err)
	}
	return nil
}

// checkSighash refuses a signature with a sighash type other than ALL (or, by
// its absence, DEFAULT). It looks at everything that may be a signature: under
// the strict rules of verifyFlags an ECDSA signature always has DER's outer
// shape, and a Schnorr signature with an explicit type always has 65 bytes.
func checkSighash(script []byte, in *wire.TxIn) error {
	taproot := txscript.IsPayToTaproot(script)
	items := [][]byte(in.Witness)
	if taproot && len(items) > 1 {
		if last := items[len(items)-1]; len(last) > 0 && last[0] == txscript.TaprootAnnexTag {
			return fmt.Errorf("%w: it carries an annex", ErrSignature)
		}
		items = items[:len(items)-2] // without leaf script and control block
	}
	pushes := txscript.MakeScriptTokenizer(0, in.SignatureScript)
	for pushes.Next() {
		items = append(items[:len(items):len(items)], pushes.Data())
	}
	for _, item := range items {
		typed := derShaped(item)
		if taproot {
			typed = len(item) == 65
		}
		if typed && item[len(item)-1] != byte(txscript.SigHashAll) {
			return fmt.Errorf("%w: its sighash type is not ALL", ErrSignature)
		}
	}
	return nil
}

// derShaped says whether item looks like a DER signature and one sighash byte.
func derShaped(item []byte) bool {
	return len(item) >= 9 && len(item) <= 73 && item[0] == 0x30 && int(item[1]) == len(item)-3
}

// keyProgram returns the p2wpkh script of a compressed public key.
func keyProgram(key []byte) []byte {
	return append([]byte{txscript.OP_0, txscript.OP_DATA_20}, address.Hash160(key)...)
}
