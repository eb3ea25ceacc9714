package document

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Hash is a hash or an x-only key, or a block's hash in the order in which explorers show it.
type Hash [32]byte

// ParseHash reads 64 lower-case hex digits.
func ParseHash(text string) (Hash, error) {
	r := reader{text: `"` + text + `"`}
	h := r.hash()
	if r.end(); r.err != nil {
		return Hash{}, fmt.Errorf("%q is not 64 lower-case hex digits", text)
	}
	return h, nil
}

// mustHash decodes 64 hex digits.
func mustHash(text string) (h Hash) {
	if _, err := hex.Decode(h[:], []byte(text)); err != nil {
		panic(err)
	}
	return h
}

// String returns the hash as lower-case hex.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Tagged returns SHA-256(SHA-256(tag) || SHA-256(tag) || message), the tagged hash of BIP-340.
func Tagged[M string | []byte](tag string, message M) (hash Hash) {
	start := sha256.Sum256([]byte(tag))
	h := sha256.New()
	h.Write(start[:])
	h.Write(start[:])
	h.Write([]byte(message))
	h.Sum(hash[:0])
	return hash
}
