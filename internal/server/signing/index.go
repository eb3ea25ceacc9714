package signing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
)

// index is a signer process's own index of the runes on outputs: a follower without communities, with its own database.
type index struct {
	store    *store.Store
	follower *follower.Follower
	node     *chain.Client
	rules    runes.Rules
}

func newIndex(db *store.Store, node *chain.Client, rules runes.Rules, log *slog.Logger) *index {
	services := wiring.Connect(wiring.Config{
		Network: rules.Network, Rules: rules, Start: rules.Start(), ProvenanceLimit: runeindex.SignerProvenanceLimit,
		Node: node, Log: log, Update: db.Update, View: db.View,
		Moment: func() (ledger.Moment, error) {
			now := time.Now().UTC()
			return ledger.Moment{Now: now, Chain: now}, nil
		},
		Rate:    func(context.Context) amount.FeeRate { return amount.SatPerVB(1) },
		Changed: func(string, string) {},
	})
	return &index{store: db, node: node, rules: rules, follower: services.Follower}
}

// balances implements signer.Config.Balances. It returns an error while the index is behind the chain, so that nothing
// is signed.
func (x *index) balances(ctx context.Context, out wire.OutPoint) (held []runes.Balance, err error) {
	if err := x.ready(); err != nil {
		return nil, err
	}
	err = x.store.View(ctx, func(tx *store.Tx) error {
		held, err = runes.BalancesOf(tx.Runes(ctx), out)
		return err
	})
	return held, err
}

// ready returns an error while the index is behind the chain.
func (x *index) ready() error {
	if state := x.follower.State(); !state.Synced {
		return fmt.Errorf("the signer's index is not at the tip: %w", cmp.Or(state.Err, errCatchingUp))
	}
	return nil
}

var errCatchingUp = errors.New("it follows the chain")

// watchTreasuries makes the index prove the outputs of the treasuries block by block. Payouts spend outputs of earlier
// payouts in a chain without a maximum length, so an output can't be proved from its transactions alone.
func (x *index) watchTreasuries(ctx context.Context, keys *signer.Keys, communities []community.Manifest) error {
	return x.store.Update(ctx, func(tx *store.Tx) error {
		for _, m := range communities {
			xpub, err := keys.AccountXpub(m.Account, x.rules.Network)
			if err != nil {
				return err
			}
			account, err := vault.NewAccount(xpub, x.rules.Network)
			if err != nil {
				return err
			}
			if err := wiring.WatchTreasury(ctx, tx, m.Prefix, account); err != nil {
				return err
			}
		}
		return nil
	})
}

// untracked implements signer.Config.Untracked. It uses the proofs of the treasuries' outputs.
func (x *index) untracked(ctx context.Context, out wire.OutPoint) (bool, error) {
	return runeindex.Untracked(ctx, x.store, x.node, x.rules, out)
}

// newest returns the time of the last followed block, if there is one.
func (x *index) newest() (at time.Time, known bool) {
	tip := x.follower.State().Tip
	return tip.Time, tip.Height != chain.None
}
