// Package vault derives a community's custody addresses and builds the transactions that spend them. It uses only the
// account public key of the community and never a private key. Package signer signs the transactions after checking
// them independently.
package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"

	"moonfund/internal/bitcoin/chain"
)

// The branches below a community's account key. Every purpose has its own branch, so that the script of an output
// determines its use: outputs of rune branches never pay fees.
const (
	BranchStake         = 0
	BranchPayment       = 1
	BranchTreasuryRunes = 2
	BranchTreasurySats  = 3
)

// accountDepth is the depth of m/86'/coin'/account' (BIP-86).
const accountDepth = 3

var (
	treasuryRunesPath = KeyPath{BranchTreasuryRunes, 0}
	treasurySatsPath  = KeyPath{BranchTreasurySats, 0}
)

// KeyPath is a non-hardened derivation path below the account key, for example {0, 17}.
type KeyPath []uint32

// String returns the path as "0/17".
func (p KeyPath) String() string {
	parts := make([]string, len(p))
	for i, n := range p {
		parts[i] = strconv.FormatUint(uint64(n), 10)
	}
	return strings.Join(parts, "/")
}

// Account derives a community's addresses from its account public key.
type Account struct {
	network     chain.Network
	key         *hdkeychain.ExtendedKey
	runes, sats chain.Address // of the treasury
	derived     *derivedKeys
}

// NewAccount parses the extended public key of m/86'/coin'/account' (BIP-32, BIP-86). It returns an error for a private
// key and for a key of another network or depth.
func NewAccount(xpub string, n chain.Network) (Account, error) {
	key, err := hdkeychain.NewKeyFromString(strings.TrimSpace(xpub))
	if err != nil {
		return Account{}, fmt.Errorf("account key: not an extended public key: %w", err)
	}
	if key.IsPrivate() {
		return Account{}, errors.New("account key: this is a private key; give the account's public key")
	}
	if !bytes.Equal(key.Version(), n.Params.HDPublicKeyID[:]) {
		return Account{}, fmt.Errorf("account key: not a key of network %s", n.Name)
	}
	if key.Depth() != accountDepth {
		return Account{}, fmt.Errorf("account key: depth %d, want %d (m/86'/coin'/account')", key.Depth(), accountDepth)
	}
	a := Account{network: n, key: key, derived: &derivedKeys{
		branches: map[uint32]*hdkeychain.ExtendedKey{}, keys: map[string]derivedKey{},
	}}
	if a.runes, err = a.address(treasuryRunesPath); err != nil {
		return Account{}, err
	}
	a.sats, err = a.address(treasurySatsPath)
	return a, err
}

// Network returns the network of the account's addresses.
func (a Account) Network() chain.Network { return a.network }

// InternalKey returns the taproot internal public key at path. A hardened step is an error, because it cannot be
// derived from a public key.
func (a Account) InternalKey(path KeyPath) (*btcec.PublicKey, error) {
	key, err := a.derived.at(a.key, path, false)
	return key.internal, err
}

// PaymentPath returns the key path of an order's payment address: branch 1 and four 31-bit pieces of SHA-256 of the
// order's random id (at least 128 bits of entropy). The path depends on the id and not on a counter, so that a server
// restored from a backup never reuses an address.
func (a Account) PaymentPath(orderID string) KeyPath {
	sum := sha256.Sum256([]byte(orderID))
	path := KeyPath{BranchPayment}
	for i := range 4 {
		path = append(path, binary.BigEndian.Uint32(sum[4*i:])&(hdkeychain.HardenedKeyStart-1))
	}
	return path
}

// PaymentAddress returns the P2TR address (BIP-86) that receives an order's sats, and its key path.
func (a Account) PaymentAddress(orderID string) (chain.Address, KeyPath, error) {
	path := a.PaymentPath(orderID)
	address, err := a.address(path)
	return address, path, err
}

// TreasuryRunes returns the fixed P2TR address that holds the operator's runes.
func (a Account) TreasuryRunes() (chain.Address, KeyPath) { return a.runes, treasuryRunesPath }

// TreasurySats returns the fixed P2TR address that holds the operator's sats.
func (a Account) TreasurySats() (chain.Address, KeyPath) { return a.sats, treasurySatsPath }

// address returns the key-path-only P2TR address at path (BIP-86).
func (a Account) address(path KeyPath) (chain.Address, error) {
	script, err := a.keyScript(path)
	if err != nil {
		return chain.Address{}, err
	}
	address, ok := chain.AddressFromScript(script, a.network)
	if !ok {
		return chain.Address{}, fmt.Errorf("key path %s: no address on %s", path, a.network.Name)
	}
	return address, nil
}

// keyScript returns the pkScript of the BIP-86 output at path. The caller may change it.
func (a Account) keyScript(path KeyPath) ([]byte, error) {
	key, err := a.derived.at(a.key, path, true)
	return bytes.Clone(key.script), err
}
