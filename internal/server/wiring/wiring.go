// Package wiring connects the services on one ledger: units, orders, payouts, mint and etch orders, signed actions, and
// the follower that drives them with the chain. A server, a signer process and the tests all use it.
package wiring

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log/slog"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/etching"
	"moonfund/internal/staking/follower"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/staking/payout/dispatch"
	"moonfund/internal/staking/payout/onetx"
	"moonfund/internal/store"
)

// Config contains the dependencies of the services. Fields that may be nil are marked.
type Config struct {
	Network         chain.Network
	Genesis         *chainhash.Hash // the network's first block; nil: the node's network is not checked
	Rules           runes.Rules     // which runes are indexed
	Start           int64           // height of the first block to follow
	ProvenanceLimit int             // transactions to follow back for an input's origin; 0: the follower's default
	Terms           Terms
	Node            follower.Node
	MempoolChanges  chain.MempoolChanges // the node's notifications; nil: the mempool is listed in each step
	Log             *slog.Logger

	// Update and View run fn in a write transaction and in a read transaction of the store.
	Update func(ctx context.Context, fn func(*store.Tx) error) error
	View   func(ctx context.Context, fn func(*store.Tx) error) error

	Analyze func(ctx context.Context) error // as follower.Config.Analyze

	Moment  func() (ledger.Moment, error)            // the time; an error while the clock is in doubt
	Rate    func(ctx context.Context) amount.FeeRate // fee rate of new orders and payouts
	MinRate amount.FeeRate                           // lowest rate of economy orders
	Changed func(community, owner string)            // called after a commit; owner is "" for the community's figures
	Lead    func() (term int64, leads bool)          // nil: there is only this server

	Audit   func(ctx context.Context) error                              // called before payouts; nil: no audits
	Approve func(ctx context.Context, txid chainhash.Hash) (bool, error) // before a payout is sent; nil: all are approved
	Inspect func(ctx context.Context) (follower.Inspection, error)       // the node, before each step; nil: not inspected

	Signer   payout.Signer
	Export   func(payout.Unsigned) (string, error) // returns a PSBT for an external signer; nil: no exports
	RelaysV3 func() bool                           // nil: the node does not relay transactions of version 3

	MempoolMin func() amount.FeeRate // minimum fee rate of the node's mempool; nil: none is known

	Coins onetx.Finder // nil: no withdrawals in one transaction

	Ready  func() error                                                      // the reason for refusing actions now, or nil
	Hint   func(ctx context.Context, txid string)                            // makes the follower read the mempool
	Supply func(ctx context.Context, community string) (amount.Runes, error) // supply of the rune issued so far
	Random io.Reader                                                         // source of ids; nil: crypto/rand

	// Etching configures the mint and etch service, except for the fields that this Config has already; nil: no service.
	Etching *etching.Config
}

// Services are the connected services.
type Services struct {
	Ledger   *ledger.Service
	Orders   *order.Service
	Payouts  *dispatch.Service
	Etching  *etching.Service // nil without a mint and etch service
	Follower *follower.Follower
	Actions  *action.Service
	OneTx    *onetx.Service
}

// Connect connects the services. It does no I/O.
func Connect(c Config) Services {
	s := Services{Ledger: ledger.NewService(c.Terms.Ledger...), Orders: order.NewService(c.Network, c.Terms.Orders...)}
	s.Orders.Log = c.Log
	s.Payouts = dispatch.NewService(payout.NewBook(payout.Config{
		Network: c.Network, Signer: c.Signer, Ledger: s.Ledger, Orders: s.Orders, Policy: chain.DefaultPolicy(),
		Log: c.Log, NewID: c.newID, Terms: c.Terms.Payouts, RelaysV3: c.RelaysV3, Own: c.Coins,
		MempoolMin: c.MempoolMin,
	}), c.Export)
	s.OneTx = &onetx.Service{
		Network: c.Network, Payouts: s.Payouts.OneTx(), Orders: s.Orders, Coins: c.Coins,
		Transact: func(ctx context.Context, fn func(payout.Tx) error) error {
			return c.Update(ctx, func(tx *store.Tx) error { return fn(tx.PayoutTx()) })
		},
		View: func(ctx context.Context, fn func(payout.Tx) error) error {
			return c.View(ctx, func(tx *store.Tx) error { return fn(tx.PayoutTx()) })
		},
		Moment: c.Moment, Ready: c.Ready, Rate: c.Rate, Changed: c.Changed,
	}
	if c.Etching != nil {
		s.Etching = c.newEtching(*c.Etching)
	}
	s.Follower = follower.New(follower.Config{
		Node: c.Node, Rules: c.Rules, Start: c.Start, ProvenanceLimit: c.ProvenanceLimit, Genesis: c.Genesis,
		Ledger: s.Ledger, Orders: s.Orders, Payouts: s.Payouts, Etching: s.Etching,
		Transact: func(ctx context.Context, fn func(follower.Tx) error) error {
			return c.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		View: func(ctx context.Context, fn func(follower.Tx) error) error {
			return c.View(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		MempoolChanges: c.MempoolChanges, Lead: c.Lead, Moment: c.Moment, Rate: c.Rate, Changed: c.Changed,
		Inspect: c.Inspect, Audit: c.Audit, Approve: c.Approve, Log: c.Log, Analyze: c.Analyze,
	})
	s.Actions = &action.Service{
		Network: c.Network, Terms: c.Terms.Actions, Orders: s.Orders,
		Transact: func(ctx context.Context, fn func(action.Tx) error) error {
			return c.Update(ctx, func(tx *store.Tx) error { return fn(tx.ActionTx()) })
		},
		View: func(ctx context.Context, fn func(action.Tx) error) error {
			return c.View(ctx, func(tx *store.Tx) error { return fn(tx.ActionTx()) })
		},
		Moment: c.Moment, Ready: c.Ready, Rate: c.Rate, MinRate: c.MinRate, Supply: c.Supply, Hint: c.Hint,
		Changed: c.Changed, Random: c.Random,
	}
	return s
}

func (c Config) newEtching(e etching.Config) *etching.Service {
	e.Network, e.Rules, e.Policy, e.NewID = c.Network, c.Rules, chain.DefaultPolicy(), c.newID
	e.Transact = func(ctx context.Context, fn func(etching.Database) error) error {
		return c.Update(ctx, func(tx *store.Tx) error { return fn(tx) })
	}
	e.View = func(ctx context.Context, fn func(etching.Database) error) error {
		return c.View(ctx, func(tx *store.Tx) error { return fn(tx) })
	}
	return etching.NewService(e)
}

// newID returns 128 random bits in hex.
func (c Config) newID() (string, error) {
	source := c.Random
	if source == nil {
		source = rand.Reader
	}
	id := make([]byte, 16)
	_, err := io.ReadFull(source, id)
	return hex.EncodeToString(id), err
}
