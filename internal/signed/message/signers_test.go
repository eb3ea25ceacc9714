package message

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chaincfg/v2"
)

// The signers in this file implement BIP-143, BIP-341 and BIP-322 directly on bytes. They share no code with the
// verifier, so that they do not repeat its errors.

// key is a test key, derived from a name.
type key struct{ private *btcec.PrivateKey }

func keyNamed(name string) key {
	seed := sha256.Sum256([]byte(name))
	private, _ := btcec.PrivKeyFromBytes(seed[:])
	return key{private}
}

func (k key) compressed() []byte { return k.private.PubKey().SerializeCompressed() }

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func u32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func sha(parts ...[]byte) []byte { h := sha256.Sum256(join(parts...)); return h[:] }

func sha2(parts ...[]byte) []byte { return sha(sha(parts...)) }

func tagged(tag string, parts ...[]byte) []byte {
	return sha(sha([]byte(tag)), sha([]byte(tag)), join(parts...))
}

// sized prepends the length, which is less than 253.
func sized(b []byte) []byte { return join([]byte{byte(len(b))}, b) }

// kind is an address type: its script for a key, and its address.
type kind struct {
	name   string
	script func(key) []byte
}

var (
	p2pkh = kind{"p2pkh", func(k key) []byte {
		return join([]byte{0x76, 0xa9, 0x14}, address.Hash160(k.compressed()), []byte{0x88, 0xac})
	}}
	p2pkhUncompressed = kind{"p2pkh-uncompressed", func(k key) []byte {
		return join([]byte{0x76, 0xa9, 0x14}, address.Hash160(k.private.PubKey().SerializeUncompressed()), []byte{0x88, 0xac})
	}}
	p2wpkh = kind{"p2wpkh", func(k key) []byte {
		return join([]byte{0x00, 0x14}, address.Hash160(k.compressed()))
	}}
	nested = kind{"p2sh-p2wpkh", func(k key) []byte {
		return join([]byte{0xa9, 0x14}, address.Hash160(p2wpkh.script(k)), []byte{0x87})
	}}
	p2tr = kind{"p2tr", func(k key) []byte {
		return join([]byte{0x51, 0x20}, schnorr.SerializePubKey(k.tweaked().PubKey()))
	}}
	kinds = []kind{p2tr, p2wpkh, nested, p2pkh}
)

// tweaked returns the output key of BIP-86, which has no script path.
func (k key) tweaked() *btcec.PrivateKey {
	secret := k.private.Key
	if k.compressed()[0] == 3 {
		secret.Negate()
	}
	var tweak btcec.ModNScalar
	tweak.SetByteSlice(tagged("TapTweak", k.compressed()[1:]))
	secret.Add(&tweak)
	return &btcec.PrivateKey{Key: secret}
}

func (c kind) address(t testing.TB, k key, params *chaincfg.Params) string {
	t.Helper()
	script := c.script(k)
	var a address.Address
	var err error
	switch script[0] {
	case 0x76:
		a, err = address.NewAddressPubKeyHash(script[3:23], params)
	case 0xa9:
		a, err = address.NewAddressScriptHashFromHash(script[2:22], params)
	case 0x00:
		a, err = address.NewAddressWitnessPubKeyHash(script[2:], params)
	default:
		a, err = address.NewAddressTaproot(script[2:], params)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a.EncodeAddress()
}

// draft is a to_sign transaction before it is signed.
type draft struct {
	script                      []byte // of the address
	version, sequence, lockTime uint32
	outpoint, output            []byte
}

func newDraft(script []byte, text string) draft {
	spend := sha2(make([]byte, 4), []byte{1}, make([]byte, 32), []byte{0xff, 0xff, 0xff, 0xff},
		sized(join([]byte{0x00, 0x20}, tagged("BIP0322-signed-message", []byte(text)))), make([]byte, 4),
		[]byte{1}, make([]byte, 8), sized(script), make([]byte, 4))
	return draft{script: script, outpoint: join(spend, make([]byte, 4)), output: join(make([]byte, 8), []byte{1, 0x6a})}
}

// bytes returns the serialized transaction. A nil witness selects the encoding without witnesses.
func (d draft) bytes(scriptSig []byte, witness [][]byte) []byte {
	input := join([]byte{1}, d.outpoint, sized(scriptSig), u32(d.sequence))
	if witness == nil {
		return join(u32(d.version), input, []byte{1}, d.output, u32(d.lockTime))
	}
	return join(u32(d.version), []byte{0, 1}, input, []byte{1}, d.output, stack(witness), u32(d.lockTime))
}

func stack(items [][]byte) []byte {
	raw := []byte{byte(len(items))}
	for _, item := range items {
		raw = join(raw, sized(item))
	}
	return raw
}

// ecdsaV0 returns the BIP-143 signature for a p2wpkh program.
func (d draft) ecdsaV0(k key, sighash byte) []byte {
	zero := make([]byte, 32)
	prevouts, sequences, outputs := sha2(d.outpoint), sha2(u32(d.sequence)), sha2(d.output)
	if sighash&0x80 != 0 {
		prevouts = zero
	}
	if sighash != 1 {
		sequences = zero
	}
	if sighash&0x1f == 2 {
		outputs = zero
	}
	code := sized(join([]byte{0x76, 0xa9, 0x14}, address.Hash160(k.compressed()), []byte{0x88, 0xac}))
	hash := sha2(u32(d.version), prevouts, sequences, d.outpoint, code, make([]byte, 8), u32(d.sequence),
		outputs, u32(d.lockTime), u32(uint32(sighash)))
	return join(ecdsa.Sign(k.private, hash).Serialize(), []byte{sighash})
}

// ecdsaLegacy returns the p2pkh signature with SIGHASH_ALL.
func (d draft) ecdsaLegacy(k key) []byte {
	hash := sha2(d.bytes(d.script, nil), u32(1))
	return join(ecdsa.Sign(k.private, hash).Serialize(), []byte{1})
}

// schnorr returns the BIP-341 signature of a key path spend.
func (d draft) schnorr(t testing.TB, k key, sighash byte) []byte {
	t.Helper()
	amount, index := make([]byte, 8), make([]byte, 4)
	all := join([]byte{0, sighash}, u32(d.version), u32(d.lockTime))
	if sighash&0x80 == 0 {
		all = join(all, sha(d.outpoint), sha(amount), sha(sized(d.script)), sha(u32(d.sequence)))
	}
	if base := sighash & 3; base != 2 && base != 3 {
		all = join(all, sha(d.output))
	}
	if sighash&0x80 != 0 {
		all = join(all, []byte{0}, d.outpoint, amount, sized(d.script), u32(d.sequence))
	} else {
		all = join(all, []byte{0}, index)
	}
	if sighash&3 == 3 {
		all = join(all, sha(d.output))
	}
	signature, err := schnorr.Sign(k.tweaked(), tagged("TapSighash", all))
	if err != nil {
		t.Fatal(err)
	}
	if sighash == 0 {
		return signature.Serialize()
	}
	return join(signature.Serialize(), []byte{sighash})
}

func encode(prefix string, raw []byte) string {
	return prefix + base64.StdEncoding.EncodeToString(raw)
}

// witness signs d for a segwit address of type c, which may belong to another key than k.
func (d draft) witness(t testing.TB, c kind, k key) [][]byte {
	if c.name == p2tr.name {
		return [][]byte{d.schnorr(t, k, 0)}
	}
	return [][]byte{d.ecdsaV0(k, 1), k.compressed()}
}

// proofs signs text with k in every form that an address of type c accepts. The caller passes the address's script,
// because an attacker signs for another owner's address.
func proofs(t testing.TB, c kind, k key, script []byte, text string) map[string]string {
	t.Helper()
	d := newDraft(script, text)
	signed := map[string]string{}
	switch c.name {
	case p2pkh.name:
		signature := join(sized(d.ecdsaLegacy(k)), sized(k.compressed()))
		signed["full"] = encode("ful", d.bytes(signature, nil))
	case nested.name:
		witness := d.witness(t, c, k)
		signed["simple"] = encode("smp", stack(witness))
		signed["full"] = encode("ful", d.bytes(sized(p2wpkh.script(k)), witness))
	default:
		witness := d.witness(t, c, k)
		signed["simple"] = encode("smp", stack(witness))
		signed["bare"] = encode("", stack(witness))
		signed["full"] = encode("ful", d.bytes(nil, witness))
	}
	if c.name != p2tr.name {
		signed["legacy"] = compact(k, text, 31)
	}
	return signed
}

// compact returns a compact signature whose header is in the group that starts at first.
func compact(k key, text string, first byte) string {
	length := []byte{byte(len(text))}
	if len(text) >= 0xfd {
		length = []byte{0xfd, byte(len(text)), byte(len(text) >> 8)}
	}
	hash := sha2([]byte("\x18Bitcoin Signed Message:\n"), length, []byte(text))
	raw := ecdsa.SignCompact(k.private, hash, true)
	raw[0] = raw[0] - 31 + first
	return encode("", raw)
}
