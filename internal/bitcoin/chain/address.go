package chain

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/address/v2/base58"
	"github.com/btcsuite/btcd/address/v2/bech32"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"
)

// AddressType is the type of output script of an address.
type AddressType string

// The address types.
const (
	P2PKH  AddressType = "p2pkh"
	P2SH   AddressType = "p2sh"
	P2WPKH AddressType = "p2wpkh"
	P2WSH  AddressType = "p2wsh"
	P2TR   AddressType = "p2tr"
)

// Address is a parsed address. Text is its canonical form (bech32 in lower case), so two addresses of one network are
// equal if their Text is equal. Script is its output script (scriptPubKey).
type Address struct {
	Text   string
	Script []byte
	Type   AddressType
}

// maxAddressLength is the limit of BIP-173. Base58 addresses are shorter.
const maxAddressLength = 90

// ParseAddress parses an address of network n: base58check, bech32 (BIP-173) for witness version 0, or bech32m
// (BIP-350) for version 1.
//
// It returns ErrInvalidAddress if the text is not an address of any network (bad checksum, prefix, length, version
// byte, or a witness version that is not in use) and ErrWrongNetwork if it is valid on another network. The test
// networks share their prefixes, except for regtest's bech32, so ParseAddress does not distinguish them.
func ParseAddress(text string, n Network) (Address, error) {
	if text == "" || len(text) > maxAddressLength {
		return Address{}, ErrInvalidAddress
	}
	if prefix, _, found := strings.Cut(strings.ToLower(text), "1"); found && isSegwitPrefix(prefix) {
		return parseSegwit(text, n)
	}
	return parseBase58(text, n)
}

func isSegwitPrefix(prefix string) bool {
	for _, n := range networks {
		if n.Params.Bech32HRPSegwit == prefix {
			return true
		}
	}
	return false
}

func parseSegwit(text string, n Network) (Address, error) {
	prefix, data, encoding, err := bech32.DecodeGeneric(text)
	if err != nil || len(data) == 0 {
		return Address{}, ErrInvalidAddress
	}
	program, err := bech32.ConvertBits(data[1:], 5, 8, false)
	if err != nil {
		return Address{}, ErrInvalidAddress
	}
	a := Address{Text: strings.ToLower(text)}
	switch version := data[0]; {
	case version == 0 && encoding == bech32.Version0 && len(program) == 20:
		a.Type, a.Script = P2WPKH, script(txscript.OP_0, program)
	case version == 0 && encoding == bech32.Version0 && len(program) == 32:
		a.Type, a.Script = P2WSH, script(txscript.OP_0, program)
	case version == 1 && encoding == bech32.VersionM && len(program) == 32:
		a.Type, a.Script = P2TR, script(txscript.OP_1, program)
	default:
		return Address{}, ErrInvalidAddress
	}
	if prefix != n.Params.Bech32HRPSegwit {
		return Address{}, ErrWrongNetwork
	}
	return a, nil
}

func parseBase58(text string, n Network) (Address, error) {
	hash, version, err := base58.CheckDecode(text)
	if err != nil || len(hash) != 20 {
		return Address{}, ErrInvalidAddress
	}
	switch version {
	case n.Params.PubKeyHashAddrID:
		return Address{Text: text, Type: P2PKH, Script: scriptP2PKH(hash)}, nil
	case n.Params.ScriptHashAddrID:
		return Address{Text: text, Type: P2SH, Script: scriptP2SH(hash)}, nil
	}
	for _, other := range networks {
		if version == other.Params.PubKeyHashAddrID || version == other.Params.ScriptHashAddrID {
			return Address{}, ErrWrongNetwork
		}
	}
	return Address{}, ErrInvalidAddress
}

// AddressFromScript returns the address of an output script on network n, or false if the script has no address (bare
// keys, OP_RETURN, unknown witness versions).
func AddressFromScript(pkScript []byte, n Network) (Address, bool) {
	var (
		encoded address.Address
		kind    AddressType
		err     error
	)
	switch {
	case txscript.IsPayToPubKeyHash(pkScript):
		kind = P2PKH
		encoded, err = address.NewAddressPubKeyHash(pkScript[3:23], n.Params)
	case txscript.IsPayToScriptHash(pkScript):
		kind = P2SH
		encoded, err = address.NewAddressScriptHashFromHash(pkScript[2:22], n.Params)
	case txscript.IsPayToWitnessPubKeyHash(pkScript):
		kind = P2WPKH
		encoded, err = address.NewAddressWitnessPubKeyHash(pkScript[2:], n.Params)
	case txscript.IsPayToWitnessScriptHash(pkScript):
		kind = P2WSH
		encoded, err = address.NewAddressWitnessScriptHash(pkScript[2:], n.Params)
	case txscript.IsPayToTaproot(pkScript):
		kind = P2TR
		encoded, err = address.NewAddressTaproot(pkScript[2:], n.Params)
	default:
		return Address{}, false
	}
	if err != nil {
		return Address{}, false
	}
	return Address{Text: encoded.EncodeAddress(), Script: bytes.Clone(pkScript), Type: kind}, true
}

// DerivesFrom reports whether a is the standard single-key address of the public key: BIP-86 for p2tr (the key tweaked
// without a script), BIP-84 for p2wpkh, BIP-49 for p2sh, BIP-44 for p2pkh. The key is 33 bytes compressed, for p2tr
// also 32 bytes x-only. A p2wsh address never derives from a single key.
func (a Address) DerivesFrom(pubkey []byte) bool {
	if a.Type == P2TR {
		xonly, err := XOnly(pubkey)
		if err != nil {
			return false
		}
		internal, err := schnorr.ParsePubKey(xonly)
		if err != nil {
			return false
		}
		output := schnorr.SerializePubKey(txscript.ComputeTaprootKeyNoScript(internal))
		return bytes.Equal(a.Script, script(txscript.OP_1, output))
	}
	if len(pubkey) != btcec.PubKeyBytesLenCompressed {
		return false
	}
	if _, err := btcec.ParsePubKey(pubkey); err != nil {
		return false
	}
	hash := address.Hash160(pubkey)
	switch a.Type {
	case P2WPKH:
		return bytes.Equal(a.Script, script(txscript.OP_0, hash))
	case P2SH:
		return bytes.Equal(a.Script, scriptP2SH(address.Hash160(script(txscript.OP_0, hash))))
	case P2PKH:
		return bytes.Equal(a.Script, scriptP2PKH(hash))
	}
	return false
}

// XOnly returns the 32-byte x-only form (BIP-340) of a public key given as 33 bytes compressed or 32 bytes x-only. It
// returns an error for another length and for a key that is not a point on the curve.
func XOnly(pubkey []byte) ([]byte, error) {
	switch len(pubkey) {
	case schnorr.PubKeyBytesLen:
		key, err := schnorr.ParsePubKey(pubkey)
		if err != nil {
			return nil, fmt.Errorf("public key: %w", err)
		}
		return schnorr.SerializePubKey(key), nil
	case btcec.PubKeyBytesLenCompressed:
		key, err := btcec.ParsePubKey(pubkey)
		if err != nil {
			return nil, fmt.Errorf("public key: %w", err)
		}
		return schnorr.SerializePubKey(key), nil
	}
	return nil, errors.New("public key: must be 33 bytes compressed or 32 bytes x-only")
}

// script returns a witness output script: the version and one push of the program.
func script(version byte, program []byte) []byte {
	return append([]byte{version, byte(len(program))}, program...)
}

func scriptP2PKH(hash []byte) []byte {
	s := append([]byte{txscript.OP_DUP, txscript.OP_HASH160, txscript.OP_DATA_20}, hash...)
	return append(s, txscript.OP_EQUALVERIFY, txscript.OP_CHECKSIG)
}

func scriptP2SH(hash []byte) []byte {
	return append(append([]byte{txscript.OP_HASH160, txscript.OP_DATA_20}, hash...), txscript.OP_EQUAL)
}
