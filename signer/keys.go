// Package signer holds a community's private keys and signs payouts and refunds
// with them; nothing else. It trusts nobody: whatever asks it for a signature,
// the server included, is checked as if it came from an attacker. A staker's
// output goes only where the staker's own signed message says, the treasury
// loses no more than its limit in any 24 hours, and no fee is absurd.
package signer

import (
	"encoding/binary"
	"fmt"
	"log/slog"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chaincfg/v2"

	"moonfund/chain"
	"moonfund/vault"
)

const (
	purpose  = 86 // BIP-86: single-key P2TR
	hardened = hdkeychain.HardenedKeyStart
	redacted = "[keys]"
)

var masterParams = &chaincfg.MainNetParams

// Keys are the private keys of every account of one seed. They are safe for
// concurrent use. They print as a placeholder, whatever the verb.
type Keys struct{ master *hdkeychain.ExtendedKey }

// String keeps the keys out of texts.
func (*Keys) String() string { return redacted }

// GoString keeps the keys out of %#v.
func (*Keys) GoString() string { return redacted }

// LogValue keeps the keys out of logs.
func (*Keys) LogValue() slog.Value { return slog.StringValue(redacted) }

// Format keeps the keys out of every other verb.
func (*Keys) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// AccountXpub returns the extended public key of m/86'/coin'/account' with the
// version bytes of the network: what a server derives its addresses from.
func (k *Keys) AccountXpub(account uint32, n chain.Network) (string, error) {
	private, err := k.account(account, n)
	if err != nil {
		return "", err
	}
	public, err := private.Neuter()
	if err != nil {
		return "", err
	}
	// Neuter knows mainnet's version bytes; those of the network are set here.
	public, err = public.CloneWithVersion(n.Params.HDPublicKeyID[:])
	if err != nil {
		return "", err
	}
	return public.String(), nil
}

// Fingerprint names the master key (BIP-32) as PSBTs do: the first four bytes of
// its key's HASH160, read little-endian.
func (k *Keys) Fingerprint() uint32 {
	public, err := k.master.ECPubKey()
	if err != nil {
		return 0 // newKeys derived it once already
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
