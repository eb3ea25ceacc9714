package signer

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
)

// Scheme determines how the BIP-32 master key is derived from the bytes in a key file.
type Scheme string

const (
	// SchemeSeed uses the bytes as the BIP-32 seed. Key files without a scheme use it.
	SchemeSeed Scheme = "seed"
	// SchemeBIP39 derives the BIP-32 seed from the words of the bytes as BIP-39 specifies, with an empty passphrase.
	// Any BIP-39 wallet derives the same keys from the words.
	SchemeBIP39 Scheme = "bip39"
)

// Schemes returns all schemes, in the order in which a restore tries them.
func Schemes() []Scheme { return []Scheme{SchemeSeed, SchemeBIP39} }

// ErrScheme means that a key has an unknown scheme.
var ErrScheme = errors.New("key: unknown scheme")

// BIP-39's parameters of PBKDF2.
const (
	stretchRounds = 2048
	stretchSalt   = "mnemonic" // followed by the BIP-39 passphrase, which is empty here
	stretchBytes  = 64
)

// Secret is the encrypted content of a key file: the bytes that its words encode, and their scheme. Every fmt verb
// prints a placeholder.
type Secret struct {
	Scheme Scheme
	Bytes  []byte
}

// NewSecret returns a random secret whose bytes are encoded as the given number of words. It returns an error unless
// the number is 12 or 24.
func NewSecret(scheme Scheme, words int) (Secret, error) {
	if words != 12 && words != 24 {
		return Secret{}, fmt.Errorf("a new key has 12 or 24 words, not %d", words)
	}
	s := Secret{scheme, make([]byte, words/3*4)}
	if _, err := rand.Read(s.Bytes); err != nil {
		return Secret{}, err
	}
	return s, s.check()
}

// Keys derives the master key (BIP-32) by the secret's scheme.
func (s Secret) Keys() (*Keys, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	seed := s.Bytes
	if s.Scheme == SchemeBIP39 {
		list, err := s.Words()
		if err != nil {
			return nil, err
		}
		if seed, err = stretch(list, ""); err != nil {
			return nil, err
		}
		defer clear(seed)
	}
	keys, err := newKeys(seed)
	if err != nil {
		return nil, err
	}
	keys.scheme = s.Scheme
	return keys, nil
}

// Words returns the words that encode the secret's bytes.
func (s Secret) Words() ([]string, error) { return Words(s.Bytes) }

// Clear overwrites the secret with zeros.
func (s Secret) Clear() { clear(s.Bytes) }

// Format prints a placeholder for every verb.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

func (s Secret) check() error {
	switch {
	case s.Scheme != SchemeSeed && s.Scheme != SchemeBIP39:
		return fmt.Errorf("%w %q", ErrScheme, string(s.Scheme))
	case s.Scheme == SchemeBIP39 && (len(s.Bytes) < 16 || len(s.Bytes) > 32 || len(s.Bytes)%4 != 0),
		len(s.Bytes) < hdkeychain.MinSeedBytes || len(s.Bytes) > hdkeychain.MaxSeedBytes:
		return fmt.Errorf("key: %d bytes are not a secret of the scheme %s", len(s.Bytes), s.Scheme)
	}
	return nil
}

// stretch returns the BIP-39 seed of words. The words are ASCII and need no Unicode normalization; a passphrase must be
// normalized (NFKD).
func stretch(list []string, passphrase string) ([]byte, error) {
	return pbkdf2.Key(sha512.New, strings.Join(list, " "), []byte(stretchSalt+passphrase), stretchRounds, stretchBytes)
}
