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

// verifyFlags are the script rules for a proof: all standard rules, as BIP-322 requires, and push-only signature
// scripts. With the two time lock flags off, the time lock opcodes are upgradable NOPs, which the engine rejects when
// it executes them.
const verifyFlags = (txscript.StandardVerifyFlags | txscript.ScriptVerifySigPushOnly) &^
	(txscript.ScriptVerifyCheckLockTimeVerify | txscript.ScriptVerifyCheckSequenceVerify)

// Hash returns BIP-322's message hash of text.
func Hash(text string) [32]byte {
	return *chainhash.TaggedHash(hashTag, []byte(text))
}

// toSpend returns BIP-322's virtual to_spend transaction. Its only output has the address's script; its input commits
// to the text.
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

// toSign returns the to_sign transaction that spends toSpend, in the form that simple signatures imply.
func toSign(spent chainhash.Hash) *wire.MsgTx {
	tx := wire.NewMsgTx(0)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: spent}})
	tx.AddTxOut(&wire.TxOut{PkScript: []byte{txscript.OP_RETURN}})
	return tx
}

// verifySimple verifies a signature that is the witness stack of to_sign.
func verifySimple(script []byte, text string, raw []byte) error {
	r := reader{rest: raw}
	witness := r.witness()
	if err := r.end(); err != nil {
		return err
	}
	tx := toSign(toSpend(script, text).TxHash())
	tx.TxIn[0].Witness = witness
	if txscript.IsPayToScriptHash(script) {
		// BIP-322 allows simple signatures only for native segwit, but wallets also use them for p2sh-p2wpkh. The
		// redeem script follows from the public key.
		if len(witness) != 2 {
			return fmt.Errorf("%w: this type of address needs the full variant", ErrSignature)
		}
		tx.TxIn[0].SignatureScript = append([]byte{txscript.OP_DATA_22}, keyProgram(witness[1])...)
	}
	return run(script, tx)
}

// verifyFull verifies a signature that is the whole to_sign transaction. The signer chooses its version, lock time and
// sequence, and the signature covers them. The input and the output are fixed by BIP-322.
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

// run executes tx's only input against script. It rejects signatures that do not commit to the whole transaction.
func run(script []byte, tx *wire.MsgTx) error {
	if err := checkSighash(script, tx.TxIn[0]); err != nil {
		return err
	}
	return execute(script, tx)
}

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

// checkSighash rejects a signature whose sighash type is neither ALL nor, by its absence, DEFAULT. It checks every item
// that can be a signature: under verifyFlags an ECDSA signature always has the outer shape of DER, and a Schnorr
// signature with an explicit type always has 65 bytes.
func checkSighash(script []byte, in *wire.TxIn) error {
	taproot := txscript.IsPayToTaproot(script)
	items := [][]byte(in.Witness)
	if taproot && len(items) > 1 {
		if last := items[len(items)-1]; len(last) > 0 && last[0] == txscript.TaprootAnnexTag {
			return fmt.Errorf("%w: it carries an annex", ErrSignature)
		}
		items = items[:len(items)-2] // drop leaf script and control block
	}
	pushes := txscript.MakeScriptTokenizer(0, in.SignatureScript)
	for pushes.Next() {
		items = append(items[:len(items):len(items)], pushes.Data())
	}
	for _, item := range items {
		typed := isDERShaped(item)
		if taproot {
			typed = len(item) == 65
		}
		if typed && item[len(item)-1] != byte(txscript.SigHashAll) {
			return fmt.Errorf("%w: its sighash type is not ALL", ErrSignature)
		}
	}
	return nil
}

// isDERShaped reports whether item has the shape of a DER signature followed by a sighash byte.
func isDERShaped(item []byte) bool {
	return len(item) >= 9 && len(item) <= 73 && item[0] == 0x30 && int(item[1]) == len(item)-3
}

// keyProgram returns the p2wpkh script of a compressed public key.
func keyProgram(key []byte) []byte {
	return append([]byte{txscript.OP_0, txscript.OP_DATA_20}, address.Hash160(key)...)
}
