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
	// ErrFormat says that an address or a signature cannot be read, or is of a
	// kind that is not supported.
	ErrFormat = errors.New("message: cannot be read")

	// ErrSignature says that a readable signature does not prove what it
	// should: another key, another text, another address, another sighash.
	ErrSignature = errors.New("message: the signature is not valid for this address and text")
)

// maxSignature is the longest signature text that is read, in characters. A
// Taproot signature has 88, a 3-of-3 multisig about 460.
const maxSignature = 8192

// legacySize is the size of a compact signature in bytes: header, r, s.
const legacySize = 65

// variant is how a signature is written (BIP-322, "Types of Signatures").
type variant int

const (
	legacy variant = iota // compact, recoverable ECDSA
	simple                // the witness stack of to_sign
	full                  // the whole of to_sign
)

// Verify returns nil when signature proves that the owner of address, on the
// network of params, signed exactly text.
//
// It takes, in base64: BIP-322 simple, bare or prefixed "smp"; BIP-322 full,
// prefixed "ful"; and, except for Taproot, compact signatures (65 bytes, header
// 27 to 42, as in Bitcoin Core and BIP-137). Every signature inside must commit
// to everything (SIGHASH_ALL, or SIGHASH_DEFAULT for Taproot).
//
// Besides p2tr, p2wpkh, p2sh-p2wpkh and p2pkh, script addresses such as
// multisig verify through the script engine, unless the script runs a time
// lock: such a proof holds only at some time, so it is refused. Proofs of funds
// ("pof") are refused.
//
// The error is ErrFormat or ErrSignature, with the reason.
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

// decode splits a signature text into its variant and its bytes. A bare text is
// a compact signature when it has that size and header, else BIP-322 simple.
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
	// Strict refuses stray trailing bits; Go's decoder still skips line breaks.
	raw, err := base64.StdEncoding.Strict().DecodeString(body)
	if err != nil || strings.ContainsAny(body, "\r\n") {
		return 0, nil, fmt.Errorf("%w: the signature is not base64", ErrFormat)
	}
	if bare && len(raw) == legacySize && raw[0] >= headerFirst && raw[0] <= headerLast {
		kind = legacy
	}
	return kind, raw, nil
}

// outputScript returns the script that address pays to on the network of
// params. The library's decoder is wider than what can own something here: it
// also takes bare public keys, pay-to-anchor (which anyone may spend), addresses
// of other networks, and version 1 programs of 20 bytes as if they were p2wpkh.
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
