package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/operate/terminal"
	"moonfund/internal/server"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/server/stop"
	"moonfund/internal/staking/community"
	"moonfund/internal/store"
)

type rebuildCommand struct {
	changing
	FromChain   bool   `required:"" help:"Read from the chain; there is no other source."`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"${help_communities}" type:"path"`
	Key         string `env:"MOONFUND_KEY" help:"The key file, from which the addresses are derived." type:"path"`
	Signer      string `help:"${help_signer}" type:"path"`
	Index       string `enum:",full,followed" default:"" placeholder:"full|followed" help:"${help_rebuild_index}"`
	nodeFlags   `prefix:"node-"`
}

type rebuildView struct {
	Height    int64 `json:"height"`
	Blocks    int64 `json:"blocks"`
	Addresses int   `json:"addresses"`       // derived from the keys
	Unwatched int   `json:"addresses_added"` // addresses among them that were not watched any more
	Outputs   int   `json:"outputs"`
	Found     int   `json:"outputs_found"`
	Changed   int   `json:"outputs_changed"`
	Missing   int   `json:"outputs_missing"` // in no block of this chain
}

// unknowable lists what a rebuild can't restore.
const unknowable = "Not in the chain, and therefore unchanged: signed actions, orders and their prices, rewards and " +
	"claims of units,\n" +
	"and what operators booked, refunded or paused. If any of that is lost, only a backup has it. A stake address that " +
	"the ledger\nno longer contains can only be recovered by its staker."

// Run is `moonfund rebuild`.
func (c rebuildCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	s, unlock, err := c.server(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	defer s.Store.Close()
	if err := c.agree("Stop every server on this ledger first. Everything is paused, and everything that derives from " +
		"the chain is read again, from block\n" +
		fmt.Sprint(s.Rules.Start()) + " on" + runeindex.Describe(s.Rules) + "; `moonfund resume all` ends the pause.\n" +
		unknowable); err != nil {
		return err
	}
	shown := int64(-1)
	rebuilt, err := s.Rebuild(ctx, c.pause, func(height, best int64) {
		if part := 20 * height / max(1, best); part != shown {
			shown = part
			fmt.Fprintf(os.Stderr, "block %d of %d\n", height, best)
		}
	})
	if err != nil {
		return fmt.Errorf("the rebuild is not complete and starts again when you repeat the command: %w", err)
	}
	return c.print(rebuildView{
		Height: rebuilt.Tip.Height, Blocks: rebuilt.Blocks, Outputs: rebuilt.Outputs, Addresses: rebuilt.Addresses,
		Unwatched: rebuilt.Unwatched, Found: rebuilt.Found, Changed: rebuilt.Changed, Missing: rebuilt.Missing,
	})
}

// server returns a server on an existing ledger that serves no requests. release releases the ledger's lock.
func (c rebuildCommand) server(ctx context.Context) (s *server.Server, release func(), err error) {
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return nil, nil, err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return nil, nil, err
	}
	node := c.client()
	if err := nodecheck.Suitable(ctx, node, network); err != nil {
		return nil, nil, err
	}
	source, err := openSigning(ctx, keySource{c.Key, c.Signer, c.Data}, network, manifests)
	if err != nil {
		return nil, nil, err
	}
	if err := c.exists(); err != nil {
		return nil, nil, err
	}
	db, release, err := c.serving(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err = c.newServer(ctx, server.Config{
		Version: version, Network: network, Data: c.Data, Store: db, Node: node, Signing: source, Communities: manifests,
		Domains: []string{"localhost"}, Clock: clock.New(), Rates: feerate.Fixed(amount.SatPerVB(1)),
		Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		err = errors.Join(err, db.Close())
		release()
		return nil, nil, err
	}
	return s, release, nil
}

// newServer returns a server with the index for the rebuild, and binds its communities.
func (c rebuildCommand) newServer(ctx context.Context, config server.Config) (*server.Server, error) {
	choice := runeindex.Choice{
		Index: c.Index, Network: config.Network, Communities: config.Communities, Node: config.Node,
	}
	rules, narrower, err := choice.RebuildRules(ctx, config.Store)
	if err != nil {
		return nil, err
	}
	config.Rules = rules
	s, err := server.New(config)
	if err == nil && narrower {
		err = runeindex.CheckNarrower(ctx, config.Store, config.Node, rules)
	}
	if err == nil {
		err = s.CheckCommunities(ctx)
	}
	if err == nil {
		err = s.Bind(ctx)
	}
	return s, err
}

// pause records the command and pauses everything.
func (c rebuildCommand) pause(ctx context.Context, tx *store.Tx) error {
	at, err := decisions.Now(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.Log(ctx, c.author().Line(at, "rebuild", "the chain", "")); err != nil {
		return err
	}
	reason := fmt.Sprintf(stop.Rebuilt+"%s: %s; when the server has followed the chain, run `moonfund "+
		"audit`",
		strings.TrimSpace(c.By), strings.TrimSpace(c.Why))
	return tx.Pause(ctx, store.PauseAll, reason, at)
}

func (c rebuildCommand) print(v rebuildView) error {
	if c.JSON {
		return terminal.JSON(v)
	}
	fmt.Printf("Read %d blocks, up to %d. %d addresses were derived, %d of them were no longer watched.\n", v.Blocks,
		v.Height, v.Addresses, v.Unwatched)
	fmt.Printf("%d outputs: %d were missing, %d were in another block or spent by another transaction, "+
		"%d are in no block.\n",
		v.Outputs, v.Found, v.Changed, v.Missing)
	fmt.Println(unknowable)
	fmt.Println("Start the server, let it follow the chain to its tip, run `moonfund audit`, and then " +
		"`moonfund resume all`.")
	return nil
}
