package signing

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/store"
)

// Fingerprint returns the fingerprint of the master key as descriptors and hardware wallets show it: eight hex digits.
func Fingerprint(keys *signer.Keys) string {
	var raw [4]byte
	binary.LittleEndian.PutUint32(raw[:], keys.Fingerprint())
	return fmt.Sprintf("%x", raw)
}

// CheckKeys derives every issued address of a ledger from keys, without a node, and returns the number of addresses. It
// returns an error if an address differs, or if the ledger has no community.
func CheckKeys(ctx context.Context, tx *store.Tx, keys *signer.Keys) (addresses int, err error) {
	bindings, err := tx.Bindings(ctx)
	if err != nil {
		return 0, err
	}
	if len(bindings) == 0 {
		return 0, errors.New("this ledger has no community yet: there is nothing to compare the key with")
	}
	for _, b := range bindings {
		account, err := AccountOf(keys, b)
		if err != nil {
			return 0, err
		}
		n, err := checkAddresses(ctx, tx, b.Prefix, account)
		if err != nil {
			return 0, err
		}
		addresses += n
	}
	return addresses, nil
}

// AccountOf returns the account of a community in a ledger.
func AccountOf(keys *signer.Keys, b store.Binding) (vault.Account, error) {
	network, err := chain.NetworkByName(b.Network)
	if err != nil {
		return vault.Account{}, err
	}
	xpub, err := keys.AccountXpub(uint32(b.Account), network)
	if err != nil {
		return vault.Account{}, err
	}
	return vault.NewAccount(xpub, network)
}

// checkAddresses derives the addresses of one community.
func checkAddresses(ctx context.Context, tx *store.Tx, prefix string, account vault.Account) (n int, err error) {
	if err := wiring.CheckTreasury(ctx, tx, prefix, account); err != nil {
		return 0, err
	}
	stakes, err := tx.StakeDerivations(ctx, prefix)
	if err != nil {
		return 0, err
	}
	for _, s := range stakes {
		output, err := account.StakeOutput(s.Keys)
		if err != nil {
			return 0, err
		}
		if output.Address != s.Address {
			return 0, wiring.OtherKey(prefix)
		}
	}
	orders, err := tx.OrdersOfCommunity(ctx, prefix)
	if err != nil {
		return 0, err
	}
	for _, o := range orders {
		address, _, err := account.PaymentAddress(o.ID)
		if err != nil {
			return 0, err
		}
		if !bytes.Equal(address.Script, o.Script) {
			return 0, wiring.OtherKey(prefix)
		}
	}
	return 2 + len(stakes) + len(orders), nil
}
