package signer

import (
	"bytes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

var (
	// ErrKeyFileExists means that the file already exists. A key is never overwritten.
	ErrKeyFileExists = errors.New("key file: exists already and is not overwritten")
	// ErrPassphrase means that the passphrase is wrong or the file was altered; authenticated encryption cannot
	// distinguish the two.
	ErrPassphrase = errors.New("key file: wrong passphrase")
	// ErrKeyFile means that the file is not a key file that this version can read.
	ErrKeyFile = errors.New("key file: not readable")
)

const (
	keyFileFormat  = "moonfund-key"
	keyFileVersion = 1
	minPassphrase  = 8 // characters
)

// keyDerivation holds the parameters of Argon2id (RFC 9106, second recommended option). The file stores them so that a
// later version can raise them.
type keyDerivation struct {
	Name      string `json:"name"`
	Time      uint32 `json:"time"`
	MemoryKiB uint32 `json:"memory_kib"`
	Threads   uint8  `json:"threads"`
	Salt      []byte `json:"salt"`
}

// keyFileHeader is authenticated with the ciphertext.
type keyFileHeader struct {
	Format     string        `json:"format"`
	Version    int           `json:"version"`
	Scheme     Scheme        `json:"scheme"`
	Derivation keyDerivation `json:"kdf"`
	Cipher     string        `json:"cipher"`
	Nonce      []byte        `json:"nonce"`
}

type keyFile struct {
	keyFileHeader
	Ciphertext []byte `json:"ciphertext"`
}

// NewKeyFile generates a random secret of 24 words and stores it at path, encrypted with the passphrase (Argon2id,
// XChaCha20-Poly1305) and readable by its owner only. It returns ErrKeyFileExists if the file exists.
func NewKeyFile(path, passphrase string) (*Keys, error) {
	secret, err := NewSecret(SchemeSeed, 24)
	if err != nil {
		return nil, err
	}
	defer secret.Clear()
	return WriteKeyFile(path, passphrase, secret)
}

// KeyFileText returns the content of a secret's key file, for a caller that writes it together with other files. It
// returns an error if the passphrase is too short or the secret does not fit its scheme.
func KeyFileText(passphrase string, secret Secret) ([]byte, error) {
	if err := checkPassphrase(passphrase); err != nil {
		return nil, err
	}
	if err := secret.check(); err != nil {
		return nil, err
	}
	return seal(passphrase, secret)
}

func checkPassphrase(passphrase string) error {
	if utf8.RuneCountInString(passphrase) < minPassphrase {
		return fmt.Errorf("key file: a passphrase has at least %d characters", minPassphrase)
	}
	return nil
}

// CheckKeyFile returns the errors of OpenKeyFile that need no passphrase.
func CheckKeyFile(path string) error {
	data, err := readKeyFile(path)
	if err != nil {
		return err
	}
	_, err = parseKeyFile(data)
	return err
}

// WriteKeyFile is like NewKeyFile for an existing secret.
func WriteKeyFile(path, passphrase string, secret Secret) (*Keys, error) {
	data, err := KeyFileText(passphrase, secret)
	if err != nil {
		return nil, err
	}
	keys, err := secret.Keys()
	if err != nil {
		return nil, err
	}
	if err := writeNew(path, data); err != nil {
		return nil, err
	}
	return keys, nil
}

// OpenKeyFile reads and decrypts a key file. It rejects a file that other users can read. It returns ErrPassphrase,
// ErrKeyFile, or an error of the file system.
func OpenKeyFile(path, passphrase string) (*Keys, error) {
	secret, err := ReadSecret(path, passphrase)
	if err != nil {
		return nil, err
	}
	defer secret.Clear()
	return secret.Keys()
}

// Reencrypt rewrites a key file with another passphrase and a new salt. It keeps the old file at aside, which is path
// with ".old" appended, and returns an error without changes if aside exists. At every moment at least one of the two
// files is complete.
func Reencrypt(path, passphrase, next string) (aside string, err error) {
	aside = path + ".old"
	secret, err := ReadSecret(path, passphrase)
	if err != nil {
		return aside, err
	}
	defer secret.Clear()
	data, err := KeyFileText(next, secret)
	if err != nil {
		return aside, err
	}
	again, err := unseal(next, data)
	defer again.Clear()
	if err != nil || again.Scheme != secret.Scheme || !bytes.Equal(again.Bytes, secret.Bytes) {
		return aside, errors.New("key file: the encrypted seed does not decrypt: nothing was changed")
	}
	fresh, err := writeTemporary(path, data)
	if err != nil {
		return aside, err
	}
	defer os.Remove(fresh)
	if err := os.Link(path, aside); errors.Is(err, fs.ErrExist) {
		return aside, fmt.Errorf("%s: %w: confirm the last change first", aside, ErrKeyFileExists)
	} else if err != nil {
		return aside, fmt.Errorf("key file: %w", err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return aside, fmt.Errorf("key file: %w", errors.Join(err, os.Remove(aside)))
	}
	return aside, syncFolder(path)
}

// ReadSecret is like OpenKeyFile but returns the secret, which the caller clears after use.
func ReadSecret(path, passphrase string) (Secret, error) {
	data, err := readKeyFile(path)
	if err != nil {
		return Secret{}, err
	}
	return unseal(passphrase, data)
}

// readKeyFile returns the content of a key file that only its owner can read.
func readKeyFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("key file %s: others may read it (mode %04o); run chmod 600", path, info.Mode().Perm())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	return data, nil
}

func seal(passphrase string, secret Secret) ([]byte, error) {
	file := keyFile{keyFileHeader: keyFileHeader{
		Format: keyFileFormat, Version: keyFileVersion, Scheme: secret.Scheme, Cipher: "xchacha20poly1305",
		Derivation: keyDerivation{Name: "argon2id", Time: 3, MemoryKiB: 64 * 1024, Threads: 4, Salt: make([]byte, 16)},
		Nonce:      make([]byte, chacha20poly1305.NonceSizeX),
	}}
	for _, random := range [][]byte{file.Derivation.Salt, file.Nonce} {
		if _, err := rand.Read(random); err != nil {
			return nil, err
		}
	}
	box, header, err := file.open(passphrase)
	if err != nil {
		return nil, err
	}
	file.Ciphertext = box.Seal(nil, file.Nonce, secret.Bytes, header)
	data, err := json.MarshalIndent(file, "", "  ")
	return append(data, '\n'), err
}

func unseal(passphrase string, data []byte) (Secret, error) {
	file, err := parseKeyFile(data)
	if err != nil {
		return Secret{}, err
	}
	box, header, err := file.open(passphrase)
	if err != nil {
		return Secret{}, err
	}
	content, err := box.Open(nil, file.Nonce, file.Ciphertext, header)
	if err != nil {
		return Secret{}, ErrPassphrase
	}
	return Secret{file.Scheme, content}, nil
}

// parseKeyFile reads a key file with supported parameters. Upper bounds on the parameters prevent a crafted file from
// exhausting memory or time.
func parseKeyFile(data []byte) (file keyFile, err error) {
	if err := json.Unmarshal(data, &file); err != nil {
		return file, fmt.Errorf("%w: %v", ErrKeyFile, err)
	}
	d := file.Derivation
	known := file.Format == keyFileFormat && file.Version == keyFileVersion && slices.Contains(Schemes(), file.Scheme) &&
		file.Cipher == "xchacha20poly1305" && d.Name == "argon2id"
	sane := d.Time >= 1 && d.Time <= 64 && d.MemoryKiB >= 8*1024 && d.MemoryKiB <= 2*1024*1024 &&
		d.Threads >= 1 && len(d.Salt) >= 16 && len(file.Nonce) == chacha20poly1305.NonceSizeX
	if !known || !sane {
		return file, fmt.Errorf("%w: format %q version %d scheme %q with these parameters is not supported",
			ErrKeyFile, file.Format, file.Version, string(file.Scheme))
	}
	return file, nil
}

// open derives the file's cipher and returns the header bytes that it authenticates.
func (f keyFile) open(passphrase string) (cipher.AEAD, []byte, error) {
	d := f.Derivation
	key := argon2.IDKey([]byte(passphrase), d.Salt, d.Time, d.MemoryKiB, d.Threads, chacha20poly1305.KeySize)
	defer clear(key)
	box, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, nil, err
	}
	header, err := json.Marshal(f.keyFileHeader)
	return box, header, err
}

// newKeys derives the master key of a seed of 16 to 64 bytes (BIP-32). Its version bytes are irrelevant because
// AccountXpub sets them.
func newKeys(seed []byte) (*Keys, error) {
	master, err := hdkeychain.NewMaster(seed, masterParams)
	if err != nil {
		return nil, fmt.Errorf("key file: seed: %w", err)
	}
	// A private key computes and caches its public key at first use without a lock. Compute it here so that Keys is
	// safe for concurrent use.
	if _, err := master.ECPubKey(); err != nil {
		return nil, fmt.Errorf("key file: seed: %w", err)
	}
	return &Keys{master: master}, nil
}

// IsKeyFile reports whether a file looks like a key file. It reads the start of the file and needs no passphrase.
func IsKeyFile(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(file, head)
	return strings.Contains(string(head[:n]), `"moonfund-key"`)
}
