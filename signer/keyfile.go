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
	"path/filepath"
	"strings"

	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

var (
	// ErrKeyFileExists says that there is a file already: a key is never overwritten.
	ErrKeyFileExists = errors.New("key file: exists already and is not overwritten")
	// ErrPassphrase says that the passphrase is wrong (or the file was altered:
	// authenticated encryption cannot tell the two apart).
	ErrPassphrase = errors.New("key file: wrong passphrase")
	// ErrKeyFile says that the file is not a key file this version can read.
	ErrKeyFile = errors.New("key file: not readable")
)

const (
	keyFileFormat  = "moonfund-key"
	keyFileVersion = 1
	minPassphrase  = 8 // bytes
)

// keyDerivation are the parameters of Argon2id (RFC 9106, second recommended
// option). They stand in the file so that a later version can raise them.
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
	Derivation keyDerivation `json:"kdf"`
	Cipher     string        `json:"cipher"`
	Nonce      []byte        `json:"nonce"`
}

type keyFile struct {
	keyFileHeader
	Ciphertext []byte `json:"ciphertext"`
}

// NewKeyFile makes a random BIP-32 seed of 32 bytes and stores it at path,
// encrypted with the passphrase (Argon2id, XChaCha20-Poly1305), readable by its
// owner only. It returns ErrKeyFileExists rather than overwrite anything.
func NewKeyFile(path, passphrase string) (*Keys, error) {
	seed := make([]byte, seedBytes)
	if _, err := rand.Read(seed); err != nil {
		return nil, err
	}
	return RestoreKeyFile(path, passphrase, seed)
}

// RestoreKeyFile is NewKeyFile for a seed (16 to 64 bytes) that exists already.
func RestoreKeyFile(path, passphrase string, seed []byte) (*Keys, error) {
	if len(passphrase) < minPassphrase {
		return nil, fmt.Errorf("key file: a passphrase has at least %d characters", minPassphrase)
	}
	keys, err := newKeys(seed)
	if err != nil {
		return nil, err
	}
	data, err := seal(passphrase, seed)
	if err != nil {
		return nil, err
	}
	if err := writeNew(path, data); err != nil {
		return nil, err
	}
	return keys, nil
}

// OpenKeyFile reads and decrypts a key file. It refuses a file that others may
// read. The errors are ErrPassphrase, ErrKeyFile, or the file system's.
func OpenKeyFile(path, passphrase string) (*Keys, error) {
	seed, err := ReadSeed(path, passphrase)
	if err != nil {
		return nil, err
	}
	defer clear(seed)
	return newKeys(seed)
}

// Reencrypt writes a key file anew with another passphrase and another salt, and
// keeps the old one at the path that it returns until somebody removes it: path
// with ".old" behind it. Where that is taken, nothing is done. At every moment
// one of the two is whole at its path.
func Reencrypt(path, passphrase, next string) (aside string, err error) {
	aside = path + ".old"
	seed, err := ReadSeed(path, passphrase)
	if err != nil {
		return aside, err
	}
	defer clear(seed)
	if len(next) < minPassphrase {
		return aside, fmt.Errorf("key file: a passphrase has at least %d characters", minPassphrase)
	}
	data, err := seal(next, seed)
	if err != nil {
		return aside, err
	}
	if again, err := unseal(next, data); err != nil || !bytes.Equal(again, seed) {
		return aside, errors.New("key file: what was encrypted does not decrypt: nothing was changed")
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

// ReadSeed is OpenKeyFile for the seed itself, which the caller clears after use.
func ReadSeed(path, passphrase string) ([]byte, error) {
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
	return unseal(passphrase, data)
}

func seal(passphrase string, seed []byte) ([]byte, error) {
	file := keyFile{keyFileHeader: keyFileHeader{
		Format: keyFileFormat, Version: keyFileVersion, Cipher: "xchacha20poly1305",
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
	file.Ciphertext = box.Seal(nil, file.Nonce, seed, header)
	data, err := json.MarshalIndent(file, "", "  ")
	return append(data, '\n'), err
}

func unseal(passphrase string, data []byte) ([]byte, error) {
	file, err := parseKeyFile(data)
	if err != nil {
		return nil, err
	}
	box, header, err := file.open(passphrase)
	if err != nil {
		return nil, err
	}
	seed, err := box.Open(nil, file.Nonce, file.Ciphertext, header)
	if err != nil {
		return nil, ErrPassphrase
	}
	return seed, nil
}

// parseKeyFile reads a key file of parameters that are known here. Their upper bounds keep a doctored file from taking all
// memory or time.
func parseKeyFile(data []byte) (file keyFile, err error) {
	if err := json.Unmarshal(data, &file); err != nil {
		return file, fmt.Errorf("%w: %v", ErrKeyFile, err)
	}
	d := file.Derivation
	known := file.Format == keyFileFormat && file.Version == keyFileVersion && file.Cipher == "xchacha20poly1305" && d.Name == "argon2id"
	sane := d.Time >= 1 && d.Time <= 64 && d.MemoryKiB >= 8*1024 && d.MemoryKiB <= 2*1024*1024 &&
		d.Threads >= 1 && len(d.Salt) >= 16 && len(file.Nonce) == chacha20poly1305.NonceSizeX
	if !known || !sane {
		return file, fmt.Errorf("%w: format %q version %d with these parameters is not known here", ErrKeyFile, file.Format, file.Version)
	}
	return file, nil
}

// open derives the file's cipher, and returns the header bytes that it authenticates.
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

// writeNew writes a file that must not exist yet, all of it or nothing: a hard
// link to a finished temporary file fails where the name is taken.
func writeNew(path string, data []byte) error {
	temporary, err := writeTemporary(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(temporary)
	if err := os.Link(temporary, path); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", path, ErrKeyFileExists)
	} else if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	return syncFolder(path)
}

// writeTemporary writes and syncs a file of mode 0600 beside path.
func writeTemporary(path string, data []byte) (name string, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// syncFolder makes a new name in path's folder durable.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// KeysOf are the keys of a seed of 16 to 64 bytes, which are in no file.
func KeysOf(seed []byte) (*Keys, error) { return newKeys(seed) }

// newKeys derives the master key (BIP-32). Which network's version bytes it
// carries does not matter: AccountXpub sets them.
func newKeys(seed []byte) (*Keys, error) {
	master, err := hdkeychain.NewMaster(seed, masterParams)
	if err != nil {
		return nil, fmt.Errorf("key file: seed: %w", err)
	}
	// A private key works its public key out when first asked, and remembers it
	// without a lock: asked here, Keys can be shared.
	if _, err := master.ECPubKey(); err != nil {
		return nil, fmt.Errorf("key file: seed: %w", err)
	}
	return &Keys{master: master}, nil
}

// IsKeyFile reports whether a file looks like a key file. It reads the beginning and needs no passphrase.
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
