package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// maxWalletPSBT is the maximum size in bytes of the text of a PSBT that a wallet returned.
const maxWalletPSBT = 100_000

// Key types of version 0 PSBTs (BIP-174, BIP-371) that are read from a wallet's PSBT.
const (
	psbtUnsignedTx   = 0x00 // global
	psbtVersion      = 0xfb // global
	psbtPartialSig   = 0x02
	psbtFinalSig     = 0x07
	psbtFinalWitness = 0x08
	psbtTapKeySig    = 0x13
	psbtTapScriptSig = 0x14
)

// psbtMap contains the fields of a global, input or output map of a PSBT by key, which is the type and the key data.
type psbtMap map[string][]byte

// field returns the value of the field whose key has no key data, and whether the map has it.
func (m psbtMap) field(keyType byte) ([]byte, bool) {
	value, has := m[string([]byte{keyType})]
	return value, has
}

// byteReader reads a serialization from memory that a stranger controls. It allocates nothing for a length that exceeds
// the rest.
type byteReader []byte

// compactSize returns the next number (CompactSize), or false if it is cut off.
func (r *byteReader) compactSize() (n uint64, ok bool) {
	prefix, ok := r.next(1)
	if !ok {
		return 0, false
	}
	size := map[byte]uint64{0xfd: 2, 0xfe: 4, 0xff: 8}[prefix[0]]
	if size == 0 {
		return uint64(prefix[0]), true
	}
	var number [8]byte
	digits, ok := r.next(size)
	copy(number[:], digits)
	return binary.LittleEndian.Uint64(number[:]), ok
}

// next returns the next n bytes, or false if there are fewer.
func (r *byteReader) next(n uint64) (value []byte, ok bool) {
	if n > uint64(len(*r)) {
		return nil, false
	}
	value, *r = (*r)[:n:n], (*r)[n:]
	return value, true
}

// bytes returns the next string of bytes, which its length precedes.
func (r *byteReader) bytes() (value []byte, ok bool) {
	n, ok := r.compactSize()
	if !ok {
		return nil, false
	}
	return r.next(n)
}

// fields returns the next map of a PSBT. It returns false if the map is cut off or has a key twice.
func (r *byteReader) fields() (m psbtMap, ok bool) {
	m = psbtMap{}
	for {
		key, ok := r.bytes()
		if !ok || len(key) == 0 {
			return m, ok
		}
		value, ok := r.bytes()
		if _, has := m[string(key)]; has || !ok {
			return nil, false
		}
		m[string(key)] = value
	}
}

// items returns a serialized witness, or false if it is not exactly one.
func (r *byteReader) items() (witness [][]byte, ok bool) {
	n, ok := r.compactSize()
	if !ok || n > uint64(len(*r)) { // an item has at least the byte of its length
		return nil, false
	}
	for range n {
		item, ok := r.bytes()
		if !ok {
			return nil, false
		}
		witness = append(witness, item)
	}
	return witness, len(*r) == 0
}

// decodePSBT returns the bytes after the magic of a PSBT in base64 or hex.
func decodePSBT(text string) (byteReader, bool) {
	text = strings.TrimSpace(text)
	raw, err := hex.DecodeString(text)
	if err != nil {
		if raw, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, false
		}
	}
	return bytes.CutPrefix(raw, []byte("psbt\xff"))
}
