package wiring

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// Bind records a community at its first start and watches its treasury. It returns an error if the manifest changed a
// fixed value, and ErrOtherKey if the keys do not belong to the ledger.
func Bind(ctx context.Context, tx *store.Tx, m community.Manifest, account vault.Account) error {
	binding := store.Binding{
		Prefix: m.Prefix, RuneID: m.Rune.ID, Account: int64(m.Account), Network: m.Network, Calendar: m.Calendar(),
	}
	if err := tx.Bind(ctx, binding); err != nil {
		return err
	}
	if err := CheckTreasury(ctx, tx, m.Prefix, account); err != nil {
		return err
	}
	return WatchTreasury(ctx, tx, m.Prefix, account)
}

// WatchTreasury watches the two addresses of a community's treasury.
func WatchTreasury(ctx context.Context, tx *store.Tx, prefix string, account vault.Account) error {
	for kind, address := range treasury(account) {
		watched := ledger.Watched{Script: address.Script, Community: prefix, Kind: kind, Ref: address.Text}
		if err := tx.WatchScript(ctx, watched); err != nil {
			return err
		}
	}
	return nil
}

// CheckTreasury returns ErrOtherKey if the account's treasury addresses differ from the ones that the ledger watches.
func CheckTreasury(ctx context.Context, tx *store.Tx, prefix string, account vault.Account) error {
	watched, err := tx.TreasuryWatched(ctx, prefix)
	if err != nil {
		return err
	}
	own := treasury(account)
	for _, w := range watched {
		if !bytes.Equal(w.Script, own[w.Kind].Script) {
			return OtherKey(prefix)
		}
	}
	return nil
}

// ErrOtherKey is returned for keys from which a community's addresses are not derived.
var ErrOtherKey = errors.New("this is another key")

// OtherKey returns an ErrOtherKey that names a community.
func OtherKey(prefix string) error {
	return fmt.Errorf("%w: the addresses of %s that this ledger issued are not derived from it", ErrOtherKey, prefix)
}

// treasury returns the treasury addresses of an account by the kind of output.
func treasury(account vault.Account) map[ledger.Kind]chain.Address {
	runesAddress, _ := account.TreasuryRunes()
	satsAddress, _ := account.TreasurySats()
	return map[ledger.Kind]chain.Address{ledger.RunesKind: runesAddress, ledger.SatsKind: satsAddress}
}
