// Package signer holds a community's private keys and signs payouts, refunds and returns with them, and transactions of
// the mint and etch service. It treats every request as hostile, including the server's. It pays a staker's output only
// to the destination in the staker's signed message, limits what leaves the treasury in any 24 hours, and limits every
// fee.
package signer

import (
	"encoding/binary"
	"fmt"
	"log/slog"
	"sync"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

const (
	purpose  = 86 // BIP-86: single-key P2TR
	hardened = hdkeychain.HardenedKeyStart
	redacted = "[keys]"
)

var masterParams = &chaincfg.MainNetParams

// Keys holds the master private key of one seed. It is safe for concurrent use. Every fmt verb prints a placeholder.
type Keys struct {
	master *hdkeychain.ExtendedKey
	scheme Scheme

	mu   sync.Mutex
	open map[openAccount]accountKeys
}

type openAccount struct {
	account uint32
	network string
}

// accountKeys is the private key of an account with the addresses derived from it.
type accountKeys struct {
	private   *hdkeychain.ExtendedKey
	addresses vault.Account
}

// String returns a placeholder instead of the keys.
func (*Keys) String() string { return redacted }

// GoString returns a placeholder for %#v.
func (*Keys) GoString() string { return redacted }

// LogValue returns a placeholder for logs.
func (*Keys) LogValue() slog.Value { return slog.StringValue(redacted) }

// Format prints a placeholder for every other verb.
func (*Keys) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// Scheme returns the scheme by which the master key was derived.
func (k *Keys) Scheme() Scheme { return k.scheme }

// AccountXpub returns the extended public key of m/86'/coin'/account' with the network's version bytes. A server
// derives its addresses from it. It returns an error if the account is not below 2^31.
func (k *Keys) AccountXpub(account uint32, n chain.Network) (string, error) {
	private, err := k.account(account, n)
	if err != nil {
		return "", err
	}
	public, err := private.Neuter()
	if err != nil {
		return "", err
	}
	// Neuter sets the version bytes of mainnet; replace them with the network's.
	public, err = public.CloneWithVersion(n.Params.HDPublicKeyID[:])
	if err != nil {
		return "", err
	}
	return public.String(), nil
}

// Fingerprint returns the fingerprint of the master key (BIP-32) as PSBTs encode it: the first four bytes of the public
// key's HASH160, read as little-endian.
func (k *Keys) Fingerprint() uint32 {
	public, err := k.master.ECPubKey()
	if err != nil {
		return 0 // unreachable: newKeys derived the public key
	}
	return binary.LittleEndian.Uint32(address.Hash160(public.SerializeCompressed()))
}

func (k *Keys) account(account uint32, n chain.Network) (*hdkeychain.ExtendedKey, error) {
	if account >= hardened {
		return nil, fmt.Errorf("account %d is out of range", account)
	}
	key := k.master
	for _, step := range []uint32{purpose, n.Params.HDCoinType, account} {
		next, err := key.Derive(hardened + step)
		if err != nil {
			return nil, fmt.Errorf("account %d: %w", account, err)
		}
		key = next
	}
	return key, nil
}

// accountKeys returns the keys of an account. They are derived once and cached, so that the cache of derived keys
// serves all requests.
func (k *Keys) accountKeys(account uint32, n chain.Network) (keys accountKeys, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	id := openAccount{account, n.Name}
	keys, known := k.open[id]
	if known {
		return keys, nil
	}
	if keys.private, err = k.account(account, n); err != nil {
		return accountKeys{}, err
	}
	xpub, err := k.AccountXpub(account, n)
	if err != nil {
		return accountKeys{}, err
	}
	if keys.addresses, err = vault.NewAccount(xpub, n); err != nil {
		return accountKeys{}, err
	}
	// The extended key sets its public key when it is first needed, which is not safe for concurrent use.
	if _, err = keys.private.ECPubKey(); err != nil {
		return accountKeys{}, err
	}
	if k.open == nil {
		k.open = map[openAccount]accountKeys{}
	}
	k.open[id] = keys
	return keys, nil
}

// private returns the untweaked private key at a path below an account.
func private(account *hdkeychain.ExtendedKey, path vault.KeyPath) (*btcec.PrivateKey, error) {
	key := account
	for _, step := range path {
		if step >= hardened {
			return nil, fmt.Errorf("key path %s: hardened step", path)
		}
		next, err := key.Derive(step)
		if err != nil {
			return nil, fmt.Errorf("key path %s: %w", path, err)
		}
		key = next
	}
	return key.ECPrivKey()
}
