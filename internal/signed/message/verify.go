package message

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/txscript/v2"
)

var (
	// ErrFormat is returned for an address or signature that cannot be parsed, or whose type is not supported.
	ErrFormat = errors.New("message: cannot be read")

	// ErrSignature is returned for a well-formed signature that is not valid for the address and text: it is of another
	// key, text or address, or has another sighash type.
	ErrSignature = errors.New("message: the signature is not valid for this address and text")
)

// maxSignature is the maximum length of a signature text in characters. A Taproot signature has 88, a 3-of-3 multisig
// about 460.
const maxSignature = 8192

// legacySize is the size of a compact signature in bytes: header, r, s.
const legacySize = 65

// variant is the format of a signature (BIP-322, "Types of Signatures").
type variant int

const (
	legacy variant = iota // compact, recoverable ECDSA
	simple                // the witness stack of to_sign
	full                  // the whole to_sign transaction
)

// Verify returns nil if signature proves that the owner of address, on the network of params, signed exactly text.
//
// It accepts these base64 formats: BIP-322 simple, bare or prefixed "smp"; BIP-322 full, prefixed "ful"; and, except
// for Taproot, compact signatures (65 bytes, header 27 to 42, as in Bitcoin Core and BIP-137). Every signature in it
// must commit to the whole transaction (SIGHASH_ALL, or SIGHASH_DEFAULT for Taproot).
//
// It supports p2tr, p2wpkh, p2sh-p2wpkh and p2pkh, and runs other script addresses, such as multisig, through the
// script engine. It rejects scripts that execute a time lock, because such a proof is valid only at some times, and
// proofs of funds ("pof").
//
// The error is ErrFormat or ErrSignature, wrapped with the reason.
func Verify(address string, params *chaincfg.Params, text, signature string) error {
	script, err := outputScript(address, params)
	if err != nil {
		return err
	}
	kind, raw, err := decode(signature)
	if err != nil {
		return err
	}
	switch kind {
	case legacy:
		return verifyLegacy(script, text, raw)
	case full:
		return verifyFull(script, text, raw)
	default:
		return verifySimple(script, text, raw)
	}
}

// decode returns the variant and the bytes of a signature text. A text without a prefix is a compact signature if it
// has the size and header of one, otherwise BIP-322 simple.
func decode(signature string) (variant, []byte, error) {
	if len(signature) > maxSignature {
		return 0, nil, fmt.Errorf("%w: the signature is longer than %d characters", ErrFormat, maxSignature)
	}
	kind, body, bare := simple, signature, false
	switch {
	case strings.HasPrefix(signature, "smp"):
		body = signature[3:]
	case strings.HasPrefix(signature, "ful"):
		kind, body = full, signature[3:]
	case strings.HasPrefix(signature, "pof"):
		return 0, nil, fmt.Errorf("%w: a proof of funds is not a message signature", ErrFormat)
	default:
		bare = true
	}
	if body == "" {
		return 0, nil, fmt.Errorf("%w: the signature is empty", ErrFormat)
	}
	// Strict rejects non-zero trailing bits, but Go's decoder still skips line breaks.
	raw, err := base64.StdEncoding.Strict().DecodeString(body)
	if err != nil || strings.ContainsAny(body, "\r\n") {
		return 0, nil, fmt.Errorf("%w: the signature is not base64", ErrFormat)
	}
	if bare && len(raw) == legacySize && raw[0] >= headerFirst && raw[0] <= headerLast {
		kind = legacy
	}
	return kind, raw, nil
}

// outputScript returns the script that address pays to on the network of params. It rejects addresses that the
// library's decoder accepts but that cannot own anything here: bare public keys, pay-to-anchor (spendable by anyone),
// addresses of other networks, and version 1 programs of 20 bytes, which the decoder treats as p2wpkh.
func outputScript(text string, params *chaincfg.Params) ([]byte, error) {
	if params == nil {
		return nil, fmt.Errorf("%w: no network given", ErrFormat)
	}
	decoded, err := address.DecodeAddress(text, params)
	if err != nil {
		return nil, fmt.Errorf("%w: the address is not valid", ErrFormat)
	}
	canonical := text
	switch decoded.(type) {
	case *address.AddressPubKeyHash, *address.AddressScriptHash:
	case *address.AddressWitnessPubKeyHash, *address.AddressWitnessScriptHash, *address.AddressTaproot:
		canonical = strings.ToLower(text) // BIP-173 allows all upper case
	default:
		return nil, fmt.Errorf("%w: this type of address is not supported", ErrFormat)
	}
	if !decoded.IsForNet(params) {
		return nil, fmt.Errorf("%w: the address is of another network", ErrFormat)
	}
	if decoded.EncodeAddress() != canonical {
		return nil, fmt.Errorf("%w: this type of address is not supported", ErrFormat)
	}
	script, err := txscript.PayToAddrScript(decoded)
	if err != nil {
		return nil, fmt.Errorf("%w: the address is not valid", ErrFormat)
	}
	return script, nil
}
