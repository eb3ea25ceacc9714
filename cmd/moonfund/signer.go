package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/follower"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/vault"
)

type signerCommands struct {
	Run     signerRun     `cmd:"" help:"Sign for a server over a local socket, with an index of the chain of its own."`
	Pause   signerPause   `cmd:"" help:"Sign nothing until 'moonfund signer resume'. Works at once, and without the server."`
	Resume  signerResume  `cmd:"" help:"End the signer's own pause."`
	Status  signerStatus  `cmd:"" help:"Whether the signer is paused, and who paused and resumed it, when and why."`
	Confirm signerConfirm `cmd:"" name:"confirm-limits" help:"Confirm that the record of what was signed in the last 24 hours is lost."`
	Sign    signerSign    `cmd:"" help:"Sign an exported payout by hand, on a machine without a network."`
}

type signerRun struct {
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest; the node must be on it."`
	Communities string `required:"" help:"Folder with the manifests, a copy of its own: the limits are taken from it." type:"path"`
	Data        string `default:"signer" help:"Folder of the signer's index, limits and pause switch; the server must not be able to write there." type:"path"`
	Key         string `required:"" help:"The key file; its passphrase comes from MOONFUND_PASSPHRASE or is asked for." type:"path"`
	Socket      string `required:"" help:"Where to make the socket that 'moonfund serve --signer' opens." type:"path"`
	nodeFlags   `prefix:"node-"`

	indexFlag
	OrdersFeeAddress string `help:"Where the fee of mint and etch orders may go; nowhere when not given." placeholder:"ADDRESS"`
}

// Run is `moonfund signer run`.
func (c signerRun) Run(ctx context.Context) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	minting, err := orderFlags{OrdersFeeAddress: c.OrdersFeeAddress}.service(network)
	if err != nil {
		return err
	}
	node := c.client()
	if err := checkNode(ctx, node, network); err != nil {
		return err
	}
	keys, err := openKeys(c.Key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the signer's folder can't be made: %w", err)
	}
	db, err := store.Open(ctx, "sqlite:"+filepath.Join(c.Data, "index.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	rules, err := c.indexFlag.rules(ctx, db, node, network, manifests, deleteIndex)
	if err != nil {
		return err
	}
	index := newRuneIndex(db, node, rules, log)
	clock, err := newSignerClock(c.Data, network, index.newest, log)
	if err != nil {
		return err
	}
	config := signer.Config{
		Now: clock.now, Balances: index.balances, Paused: pauseFile(c.Data).Why,
		RuneOrders: &signer.RuneOrderPolicy{FeeTo: minting.feeTo},
		Marks:      &signer.MarkFile{Path: filepath.Join(c.Data, "mark.json"), Network: network.Name},
	}
	if rules.Follow != nil {
		config.Stray = index.stray
		if err := index.watchTreasuries(ctx, keys, manifests); err != nil {
			return err
		}
	}
	if config.Outflows, err = startOutflows(c.Data, c.Key, network, log); err != nil {
		return err
	}
	keeper, err := newSigner(keys, network, manifests, c.Data, config)
	if err != nil {
		return err
	}
	listener, err := signer.ListenSocket(c.Socket)
	if err != nil {
		return err
	}
	return index.serve(ctx, keeper, listener, clock, log)
}

// runeIndex is the signer's own view of which outputs hold which runes: a
// follower without communities on a database of its own.
type runeIndex struct {
	store    *store.Store
	follower *follower.Follower
	node     *chain.Client
	rules    runes.Rules
}

func newRuneIndex(db *store.Store, node *chain.Client, rules runes.Rules, log *slog.Logger) *runeIndex {
	network := rules.Network
	book, orders := ledger.NewBook(), order.NewDesk(network)
	return &runeIndex{store: db, node: node, rules: rules, follower: follower.New(follower.Config{
		Node: node, Rules: rules, Start: rules.Start(), LookBack: signerLooks * runes.ProvenanceLimit, Book: book, Orders: orders,
		Cashier: payout.NewCashier(payout.Config{Network: network, Book: book, Orders: orders, Policy: chain.DefaultPolicy(), Log: log, NewID: newID}),
		Transact: func(ctx context.Context, fn func(follower.Tx) error) error {
			return db.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		View: func(ctx context.Context, fn func(follower.Tx) error) error {
			return db.View(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		Moment: func() (ledger.Moment, error) {
			now := time.Now().UTC()
			return ledger.Moment{Now: now, Chain: now}, nil
		},
		Rate:    func(context.Context) amount.FeeRate { return amount.SatPerVB(1) },
		Changed: func(string, string) {}, Log: log,
	})}
}

// balances answers for the signer. An index that is behind knows nothing for
// sure, so that nothing is signed then.
func (x *runeIndex) balances(ctx context.Context, out wire.OutPoint) (held []runes.Balance, err error) {
	if state := x.follower.State(); !state.Synced {
		return nil, fmt.Errorf("the signer's index is not at the tip: %w", state.Err)
	}
	err = x.store.View(ctx, func(tx *store.Tx) error {
		held, err = tx.Runes(ctx).RuneBalances(out)
		return err
	})
	return held, err
}

// watchTreasuries lets the index judge what reaches the treasuries, in the order
// of the blocks: payouts build on each other there without end, and none can be
// judged from its transactions alone.
func (x *runeIndex) watchTreasuries(ctx context.Context, keys *signer.Keys, manifests []community.Manifest) error {
	return x.store.Update(ctx, func(tx *store.Tx) error {
		for _, m := range manifests {
			xpub, err := keys.AccountXpub(m.Account, x.rules.Network)
			if err != nil {
				return err
			}
			account, err := vault.NewAccount(xpub, x.rules.Network)
			if err != nil {
				return err
			}
			if err := watchTreasury(ctx, tx, m.Prefix, account); err != nil {
				return err
			}
		}
		return nil
	})
}

// stray answers for the signer, like balances.
func (x *runeIndex) stray(ctx context.Context, out wire.OutPoint) (stray bool, err error) {
	err = x.store.View(ctx, func(tx *store.Tx) error {
		stray, err = provenance(tx, x.node, x.rules).Stray(ctx, out)
		return err
	})
	return stray, err
}

// newest is the header time of the last block that was followed, if there is one.
func (x *runeIndex) newest() (at time.Time, known bool) {
	tip := x.follower.State().Tip
	return tip.Time, tip.Height != ledger.None
}

// serve answers, and follows the chain and watches the clock meanwhile, until ctx ends.
func (x *runeIndex) serve(ctx context.Context, keeper *signer.Signer, listener net.Listener, clock *signerClock, log *slog.Logger) error {
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { x.follower.Run(background, followInterval) })
	running.Go(func() { clock.watch(background) })
	defer running.Wait()
	defer stop()
	log.Info("signing", "socket", listener.Addr().String())
	return keeper.Serve(ctx, listener, log)
}

// knownAccounts asks the signer for its public keys and keeps them in a file, and
// reads that file when the signer can't be asked. Keys other than the kept ones
// are refused: a server must not begin to hand out somebody else's addresses.
func knownAccounts(ctx context.Context, client *signer.Client, path string) (signer.Accounts, error) {
	var kept signer.Accounts
	data, err := os.ReadFile(path)
	first := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil && !first {
		return kept, fmt.Errorf("the kept public keys can't be read: %w", err)
	}
	asked, err := client.Accounts(ctx)
	switch {
	case err != nil && first:
		return asked, fmt.Errorf("%w. Start it first: moonfund signer run", err)
	case err != nil:
		return kept, nil
	}
	for account, xpub := range kept.Xpubs {
		if asked.Xpubs[account] != xpub {
			return kept, fmt.Errorf("the signer's key of account %d is not the one in %s: it was started with another key file", account, path)
		}
	}
	if data, err = json.MarshalIndent(asked, "", "  "); err != nil {
		return kept, err
	}
	return asked, os.WriteFile(path, append(data, '\n'), 0o600)
}
