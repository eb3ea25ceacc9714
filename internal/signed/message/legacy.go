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

// The header byte of a compact signature encodes one of four recovery numbers in each of four groups. Bitcoin Core
// defines groups one and two, BIP-137 groups three and four.
const (
	headerFirst      = 27 // p2pkh, uncompressed key
	headerCompressed = 31 // p2pkh, compressed key
	headerNested     = 35 // p2sh-p2wpkh; 39 to 42 are p2wpkh
	headerLast       = 42
)

// legacyMagic precedes every text that a compact signature signs.
const legacyMagic = "Bitcoin Signed Message:\n"

// legacyHash returns the double SHA-256 hash that a compact signature signs.
func legacyHash(text string) []byte {
	var b bytes.Buffer
	// Writing to a Buffer cannot fail.
	_ = wire.WriteVarString(&b, 0, legacyMagic)
	_ = wire.WriteVarString(&b, 0, text)
	return chainhash.DoubleHashB(b.Bytes())
}

// verifyLegacy recovers the public key from a compact signature, derives that key's script of the address's type, and
// compares it with the address's script. Wallets use different headers for segwit addresses, so for segwit addresses
// only the recovery number is used; p2pkh accepts headers 27 to 34. Taproot has no compact signatures.
func verifyLegacy(script []byte, text string, raw []byte) error {
	compact := bytes.Clone(raw)
	compact[0] = headerCompressed + (raw[0]-headerFirst)%4
	key, _, err := ecdsa.RecoverCompact(compact, legacyHash(text))
	if err != nil {
		return fmt.Errorf("%w: no key can be recovered", ErrSignature)
	}
	derived, err := keyScript(txscript.GetScriptClass(script), key, raw[0])
	if err != nil {
		return err
	}
	if !bytes.Equal(derived, script) {
		return fmt.Errorf("%w: it was made by another key or for another text", ErrSignature)
	}
	return nil
}

// keyScript returns the script of the given class for key. It returns ErrSignature if compact signatures with this
// header do not exist for the class.
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
