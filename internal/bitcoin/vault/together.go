package vault

import (
	"bytes"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// SignedByCommunity reports whether the valid witness of a stake has a signature of the community's key: it spends the
// key path or reveals the leaf Together, with or without an annex (BIP-341).
func SignedByCommunity(w wire.TxWitness) bool {
	if last := len(w) - 1; last > 0 && len(w[last]) > 0 && w[last][0] == txscript.TaprootAnnexTag {
		w = w[:last]
	}
	if len(w) < 2 {
		return len(w) == 1
	}
	const key = 1 + schnorr.PubKeyBytesLen // with its push
	leaf := w[len(w)-2]
	return len(leaf) == 2*(key+1) && leaf[key] == txscript.OP_CHECKSIGVERIFY && leaf[2*key+1] == txscript.OP_CHECKSIG
}

// togetherWitness returns the owner's signature through the leaf Together with the leaf and its control block: from the
// leaf's own field of a wallet's PSBT, or from a witness that the wallet finalized, which lacks the community's
// signature or has anything in its place. It returns a reason if there is none.
func togetherWitness(fields psbtMap, s StakeOutput) (wire.TxWitness, OneTxReason) {
	witness := func(signature []byte) wire.TxWitness {
		return wire.TxWitness{bytes.Clone(signature), s.Together.Script, s.Together.ControlBlock}
	}
	leaf := txscript.NewBaseTapLeaf(s.Together.Script).TapHash()
	for field, signature := range fields {
		if field[0] == psbtTapScriptSig && field[1:] == string(s.Leaf)+string(leaf[:]) {
			return witness(signature), ""
		}
	}
	final, has := fields.field(psbtFinalWitness)
	if !has {
		return nil, unsigned(fields, psbtTapScriptSig, psbtTapKeySig)
	}
	reader := byteReader(bytes.Clone(final))
	items, ok := reader.items()
	if !ok || len(items) < 3 || !isTogether(items[len(items)-2:], s) {
		return nil, OneTxWitness
	}
	for _, item := range items[:len(items)-2] {
		if len(item) >= schnorr.SignatureSize {
			return witness(item), ""
		}
	}
	return nil, OneTxUnsigned
}

func isTogether(items [][]byte, s StakeOutput) bool {
	return len(items) == 2 && bytes.Equal(items[0], s.Together.Script) && bytes.Equal(items[1], s.Together.ControlBlock)
}

// checkTogether returns a reason unless the witness of a stake in self-custody is its owner's signature of the whole
// transaction, the leaf Together and the control block. digest returns the hash that a signature signs.
func checkTogether(in *wire.TxIn, s StakeOutput, digest func(txscript.SigHashType) ([]byte, error)) OneTxReason {
	switch {
	case len(in.Witness) == 0:
		return OneTxUnsigned
	case len(in.Witness) != 3 || len(in.SignatureScript) > 0 || !isTogether(in.Witness[1:], s):
		return OneTxWitness
	}
	signature, hashType := in.Witness[0], txscript.SigHashDefault
	if len(signature) == schnorr.SignatureSize+1 {
		if hashType = txscript.SigHashType(signature[schnorr.SignatureSize]); hashType != txscript.SigHashAll {
			return OneTxSighash
		}
		signature = signature[:schnorr.SignatureSize]
	}
	hash, err := digest(hashType)
	if err != nil {
		return OneTxSignature
	}
	parsed, err := schnorr.ParseSignature(signature)
	if err != nil {
		return OneTxSignature
	}
	key, err := schnorr.ParsePubKey(s.Leaf)
	if err != nil || !parsed.Verify(hash, key) {
		return OneTxSignature
	}
	return ""
}
