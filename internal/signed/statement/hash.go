// Package statement defines the statement of a settled epoch: its canonical form, its id and signature, the Merkle-sum
// tree over the owners, and the archive of a community's statements. docs/statements.md specifies the formats.
package statement

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// The tags of the hashes. A tagged hash is SHA-256(SHA-256(tag) || SHA-256(tag) || message), as in BIP-340.
const (
	tagStatement = "moonfund/statement"
	tagDetails   = "moonfund/details"
	tagLeaf      = "moonfund/leaf"
	tagNode      = "moonfund/node"
	tagEmpty     = "moonfund/empty"
)

// Hash is a tagged hash. In JSON it is lower-case hex.
type Hash [sha256.Size]byte

// taggedHash returns the tagged hash of a message.
func taggedHash(tag string, message []byte) (hash Hash) {
	prefix := sha256.Sum256([]byte(tag))
	h := sha256.New()
	h.Write(prefix[:])
	h.Write(prefix[:])
	h.Write(message)
	h.Sum(hash[:0])
	return hash
}

// String returns the hash as lower-case hex.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It accepts 64 lower-case hex digits only.
func (h *Hash) UnmarshalText(text []byte) error { return readHex(h[:], text) }

// ParseHash parses 64 lower-case hex digits.
func ParseHash(text string) (h Hash, err error) {
	err = h.UnmarshalText([]byte(text))
	return h, err
}

// readHex decodes lower-case hex of exactly the length of into.
func readHex(into, text []byte) error {
	if len(text) != 2*len(into) {
		return fmt.Errorf("statement: %d hex digits, want %d", len(text), 2*len(into))
	}
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return fmt.Errorf("statement: %q is not lower-case hex", text)
		}
	}
	_, err := hex.Decode(into, text)
	return err
}

// appendSized appends a text with its length as 2 bytes, big-endian. No text of a document is longer.
func appendSized(message []byte, text string) []byte {
	message = binary.BigEndian.AppendUint16(message, uint16(len(text)))
	return append(message, text...)
}
