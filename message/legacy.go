package message

import (
	"bytes"
	"fmt"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// The header byte of a compact signature: four recovery numbers in each of four
// groups. Groups one and two are Bitcoin Core's, three and four are BIP-137's.
const (
	headerFirst      = 27 // p2pkh, uncompressed key
	headerCompressed = 31 // p2pkh, compressed key
	headerNested     = 35 // p2sh-p2wpkh; then 39 to 42 for p2wpkh
	headerLast       = 42
)

// legacyMagic stands before every text that is signed the old way.
const legacyMagic = "Bitcoin Signed Message:\n"

// legacyHash returns the double SHA-256 that a compact signature signs.
func legacyHash(text string) []byte {
	var b bytes.Buffer
	// Writing to a Buffer cannot fail.
	_ = wire.WriteVarString(&b, 0, legacyMagic)
	_ = wire.WriteVarString(&b, 0, text)
	return chainhash.DoubleHashB(b.Bytes())
}

// verifyLegacy recovers the key from a compact signature and compares the script
// that this key makes, in the address's own type, with the address's script.
// Wallets disagree on the header for segwit addresses, so for those only its
// recovery number counts; p2pkh takes 27 to 34. Taproot has no legacy form.
func verifyLegacy(script []byte, text string, raw []byte) error {
	compact := bytes.Clone(raw)
	compact[0] = headerCompressed + (raw[0]-headerFirst)%4
	key, _, err := ecdsa.RecoverCompact(compact, legacyHash(text))
	if err != nil {
		return fmt.Errorf("%w: no key can be recovered", ErrSignature)
	}
	made, err := keyScript(txscript.GetScriptClass(script), key, raw[0])
	if err != nil {
		return err
	}
	if !bytes.Equal(made, script) {
		return fmt.Errorf("%w: it was made by another key or for another text", ErrSignature)
	}
	return nil
}

// keyScript returns the script of the given class that key makes, or
// ErrSignature when that class has no compact signatures with this header.
func keyScript(class txscript.ScriptClass, key *btcec.PublicKey, header byte) ([]byte, error) {
	compressed := key.SerializeCompressed()
	switch {
	case class == txscript.WitnessV0PubKeyHashTy:
		return keyProgram(compressed), nil
	case class == txscript.ScriptHashTy:
		hash := address.Hash160(keyProgram(compressed))
		return append(append([]byte{txscript.OP_HASH160, txscript.OP_DATA_20}, hash...), txscript.OP_EQUAL), nil
	case class == txscript.PubKeyHashTy && header < headerNested:
		hash := address.Hash160(compressed)
		if header < headerCompressed {
			hash = address.Hash160(key.SerializeUncompressed())
		}
		start := []byte{txscript.OP_DUP, txscript.OP_HASH160, txscript.OP_DATA_20}
		return append(append(start, hash...), txscript.OP_EQUALVERIFY, txscript.OP_CHECKSIG), nil
	case class == txscript.PubKeyHashTy:
		return nil, fmt.Errorf("%w: header %d is not for this type of address", ErrSignature, header)
	default:
		return nil, fmt.Errorf("%w: this type of address needs a BIP-322 signature", ErrSignature)
	}
}
