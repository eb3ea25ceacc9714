package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/vault"
)

// fingerprint names a key as descriptors and hardware wallets do: eight hex digits.
func fingerprint(keys *signer.Keys) string {
	var raw [4]byte
	binary.LittleEndian.PutUint32(raw[:], keys.Fingerprint())
	return fmt.Sprintf("%x", raw)
}

// fits derives every address that a ledger handed out from a key, and refuses one
// that gives another. It needs no node. It returns how many addresses there were.
func fits(ctx context.Context, keys *signer.Keys, f ledgerFlags) (addresses int, err error) {
	db, err := f.existing(ctx)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.View(ctx, func(tx *store.Tx) error {
		bindings, err := tx.Bindings(ctx)
		if err != nil {
			return err
		}
		if len(bindings) == 0 {
			return errors.New("this ledger has no community yet: there is nothing to hold the key against")
		}
		for _, b := range bindings {
			account, err := accountOf(keys, b)
			if err != nil {
				return err
			}
			n, err := compare(ctx, tx, b.Prefix, account)
			if err != nil {
				return err
			}
			addresses += n
		}
		return nil
	})
	return addresses, err
}

func accountOf(keys *signer.Keys, b store.Binding) (vault.Account, error) {
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

// compare derives the addresses of one community.
func compare(ctx context.Context, tx *store.Tx, prefix string, account vault.Account) (n int, err error) {
	if err := sameTreasury(ctx, tx, prefix, account); err != nil {
		return 0, err
	}
	stakes, err := tx.HandedOut(ctx, prefix)
	if err != nil {
		return 0, err
	}
	for _, s := range stakes {
		output, err := account.StakeOutput(s.Keys.Position, s.Keys.Leaf, s.Keys.Delay)
		if err != nil {
			return 0, err
		}
		if output.Address != s.Address {
			return 0, notThisLedgers(prefix)
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
			return 0, notThisLedgers(prefix)
		}
	}
	return 2 + len(stakes) + len(orders), nil
}

func notThisLedgers(prefix string) error {
	return fmt.Errorf("this is another key: the addresses of %s that this ledger handed out are not derived from it", prefix)
}

// sameTreasury refuses keys whose treasury addresses are not those that the ledger watches.
func sameTreasury(ctx context.Context, tx *store.Tx, prefix string, account vault.Account) error {
	watched, err := tx.TreasuryWatched(ctx, prefix)
	if err != nil {
		return err
	}
	runesAddress, _ := account.TreasuryRunes()
	satsAddress, _ := account.TreasurySats()
	of := map[ledger.Kind]chain.Address{ledger.RunesKind: runesAddress, ledger.SatsKind: satsAddress}
	for _, w := range watched {
		if !bytes.Equal(w.Script, of[w.Kind].Script) {
			return notThisLedgers(prefix)
		}
	}
	return nil
}
