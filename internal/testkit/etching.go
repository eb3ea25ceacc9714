package testkit

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/server/wiring"
	"moonfund/internal/signer"
	"moonfund/internal/staking/etching"
	"moonfund/internal/store"
)

// EtchingFee is the service fee of a mint or etch order.
const EtchingFee = amount.Sats(1500)

// Etch restarts the services with the mint and etch service.
func (w *World) Etch() {
	w.Helper()
	w.etches = true
	w.Restart()
}

// etchingConfig returns the configuration of the mint and etch service, or nil if the world has none.
func (w *World) etchingConfig() *etching.Config {
	w.Helper()
	if !w.etches {
		return nil
	}
	xpub, err := w.keys().AccountXpub(vault.OrdersAccount, w.Network)
	Must(w, err)
	account, err := vault.NewAccount(xpub, w.Network)
	Must(w, err)
	fees, _ := account.TreasurySats()
	if w.RuneOrders == nil {
		w.RuneOrders = w.newOrderSigner(fees.Text)
	}
	var log slog.Handler = slog.DiscardHandler
	if w.EtchingLog != nil {
		log = w.EtchingLog
	}
	return &etching.Config{
		Account: account, ServiceFee: EtchingFee, ServiceFeeTo: fees.Text, Signer: orderSignerOf{w}, Now: w.Clock.Now,
		Ready: func(context.Context) error { return nil },
		Hint:  func(ctx context.Context) { _, _ = w.Follower.Step(ctx) },
		HasTx: func(ctx context.Context, id chainhash.Hash) (bool, error) {
			_, _, err := w.followed().Tx(ctx, id)
			if errors.Is(err, chain.ErrUnknown) {
				return false, nil
			}
			return err == nil, err
		},
		DescendantFees: w.Node.DescendantFees, MempoolMin: func() amount.FeeRate { return w.MempoolMin },
		Log: slog.New(log),
	}
}

// orderSignerOf is a signer that calls World.RuneOrders, so that a test can replace it after the services are wired.
type orderSignerOf struct{ *World }

func (s orderSignerOf) SignRuneOrder(ctx context.Context, o vault.RuneOrder, tx vault.OrderTx) (*wire.MsgTx, error) {
	outsideWrites("a call to the signer")
	return s.RuneOrders.SignRuneOrder(ctx, o, tx)
}

// newOrderSigner returns the product's signer for the mint and etch service, with access to an index.
func (w *World) newOrderSigner(feeTo string) etching.Signer {
	w.Helper()
	policy := chain.DefaultPolicy()
	keeper, err := signer.New(w.keys(), signer.Config{
		Network: w.Network,
		Policies: map[uint32]signer.Policy{0: {Community: Name, Rune: Rune, RunesPerDay: 1, SatsPerDay: 1,
			RefundSatsPerDay: 1, RefundSatsPerOwnerDay: 1}},
		MaxFee: policy.MaxFee, MaxFeeRate: policy.MaxFeeRate,
		Outflows: signer.OutflowFile(filepath.Join(w.TempDir(), "outflow.json")), Now: w.instant,
		Balances: func(ctx context.Context, out wire.OutPoint) (held []runes.Balance, err error) {
			err = w.Store.View(ctx, func(tx *store.Tx) error {
				held, err = runes.BalancesOf(tx.Runes(ctx), out)
				return err
			})
			return held, err
		},
		RuneOrders: &signer.RuneOrderPolicy{FeeTo: feeTo},
	})
	Must(w, err)
	return wiring.Signing{Signer: keeper}
}
