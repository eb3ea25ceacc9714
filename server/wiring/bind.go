package wiring

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"moonfund/chain"
	"moonfund/community"
	"moonfund/ledger"
	"moonfund/store"
	"moonfund/vault"
)

// Bind records a community at its first start and watches its treasury. It returns an error if the manifest changed a
// fixed value, or if the keys are not the ledger's.
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

// CheckTreasury returns an error for keys whose treasury addresses are not those that the ledger watches.
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

// ErrOtherKey means that keys do not derive a community's addresses.
var ErrOtherKey = errors.New("this is another key")

// OtherKey returns ErrOtherKey for a community.
func OtherKey(prefix string) error {
	return fmt.Errorf("%w: the addresses of %s that this ledger issued are not derived from it", ErrOtherKey, prefix)
}

func treasury(account vault.Account) map[ledger.Kind]chain.Address {
	runesAddress, _ := account.TreasuryRunes()
	satsAddress, _ := account.TreasurySats()
	return map[ledger.Kind]chain.Address{ledger.RunesKind: runesAddress, ledger.SatsKind: satsAddress}
}
