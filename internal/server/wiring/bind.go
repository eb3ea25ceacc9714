package wiring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/state"
	"moonfund/internal/store"
)

// Check returns an error if manifests don't fit a ledger: a fixed value was changed, another community has the account
// or the rune, a new community's genesis has passed on the followed chain, or a community that owes something to its
// stakers has no manifest. It changes nothing, so that commands can say before a start what the start would refuse.
func Check(ctx context.Context, tx *store.Tx, manifests []community.Manifest) error {
	bound, err := tx.Bindings(ctx)
	if err != nil {
		return err
	}
	var errs []error
	served := map[string]bool{}
	for _, m := range manifests {
		served[m.Prefix] = true
		known, err := tx.CheckBinding(ctx, BindingOf(m))
		if err == nil && !known {
			err = checkNew(ctx, tx, m, bound)
		}
		errs = append(errs, err)
	}
	for _, b := range bound {
		if served[b.Prefix] {
			continue
		}
		owed, err := tx.OwedBy(ctx, b.Prefix)
		if err == nil && owed.Any() {
			err = fmt.Errorf("community %s has no manifest, but the ledger owes its stakers something (%s): put its "+
				"manifest back, as it is in every backup. To close a community, keep its manifest and run `moonfund "+
				"community retire %s`", b.Prefix, owed, b.Prefix)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// checkNew checks the manifest of a community that the ledger does not have. No followed block, also one before the tip
// with a later time, may be from after its genesis. A new ledger has no block and accepts any genesis.
func checkNew(ctx context.Context, tx *store.Tx, m community.Manifest, bound []store.Binding) error {
	for _, b := range bound {
		taken := ""
		switch {
		case b.Account == int64(m.Account):
			taken = fmt.Sprintf("account %d", m.Account)
		case b.RuneID == m.Rune.ID:
			taken = "rune " + m.Rune.ID
		default:
			continue
		}
		return fmt.Errorf("community %s: %s belongs to the community %s of this ledger. A prefix can't be changed: "+
			"give the manifest the prefix %s again, or a new community another account and rune", m.Prefix, taken,
			b.Prefix, b.Prefix)
	}
	first, err := tx.FirstHeaderFrom(ctx, chain.None, m.Genesis)
	if errors.Is(err, state.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("community %s: genesis %s has passed: block %d of the followed chain is from %s. Give the new "+
		"community a later genesis", m.Prefix, m.Genesis.UTC().Format(time.RFC3339), first.Height,
		first.Time.UTC().Format(time.RFC3339))
}

// BindingOf returns the values of a manifest that the ledger fixes.
func BindingOf(m community.Manifest) store.Binding {
	return store.Binding{
		Prefix: m.Prefix, RuneID: m.Rune.ID, Account: int64(m.Account), Network: m.Network, Calendar: m.Calendar(),
		Name: m.Name, MinimumStake: m.MinimumStake,
	}
}

// Bind records a community at its first start and watches its treasury. It returns an error if the manifest changed a
// fixed value, and ErrOtherKey if the keys do not belong to the ledger.
func Bind(ctx context.Context, tx *store.Tx, m community.Manifest, account vault.Account) error {
	if err := tx.Bind(ctx, BindingOf(m)); err != nil {
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
