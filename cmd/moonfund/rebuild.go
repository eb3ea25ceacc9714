package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/console"
	"moonfund/follower"
	"moonfund/ledger"
	"moonfund/operator"
	"moonfund/store"
)

type rebuildCommand struct {
	changing
	FromChain   bool   `required:"" help:"Read from the chain what the chain knows; there is no other source."`
	Network     string `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest."`
	Communities string `required:"" env:"MOONFUND_COMMUNITIES" help:"Folder with one manifest (.toml) per community." type:"path"`
	Key         string `env:"MOONFUND_KEY" help:"The key file, from which the addresses are derived." type:"path"`
	Signer      string `help:"The socket of 'moonfund signer run', instead of a key file." type:"path"`
	Index       string `enum:",full,followed" default:"" placeholder:"full|followed" help:"Index every rune, or only those of the communities; as it was when not given. The way to change it, and to take in a new community's rune."`
	nodeFlags   `prefix:"node-"`
}

type rebuildView struct {
	Height    int64 `json:"height"`
	Blocks    int64 `json:"blocks"`
	Addresses int   `json:"addresses"`       // derived from the keys
	Unwatched int   `json:"addresses_added"` // of them nobody watched any more
	Outputs   int   `json:"outputs"`
	Found     int   `json:"outputs_found"`
	Changed   int   `json:"outputs_changed"`
	Missing   int   `json:"outputs_missing"` // in no block of this chain
}

// unknowable is what no chain can tell.
const unknowable = "The chain does not know, and this left as it was: who signed what, orders and their prices, rewards and claims of units,\n" +
	"what operators booked, refunded or paused. What of that is lost comes from a backup only; an address that is in no row any more is found by its staker alone."

// Run is `moonfund rebuild`.
func (c rebuildCommand) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	h, unlock, err := c.house(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	defer h.store.Close()
	if err := c.agree("Stop every server on this ledger first. Everything is paused, and what the chain knows is read from it anew, from block\n" +
		fmt.Sprint(h.rules.Start()) + " on" + indexWords(h.rules) + "; `moonfund resume all` ends the pause.\n" + unknowable); err != nil {
		return err
	}
	if err := h.seat.lease.Seize(ctx); err != nil {
		return err
	}
	keeping, release := context.WithCancel(ctx)
	var kept sync.WaitGroup
	kept.Go(func() { h.keepLease(keeping) })
	view, err := c.rebuild(ctx, h)
	release()
	kept.Wait()
	if err != nil {
		return fmt.Errorf("it is not done, and begins anew when you run it again: %w", err)
	}
	return c.print(view)
}

// house wires what a server has, on an existing ledger and without serving anybody.
// release gives the ledger's lock back.
func (c rebuildCommand) house(ctx context.Context) (h *house, release func(), err error) {
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return nil, nil, err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return nil, nil, err
	}
	node := c.client()
	if err := checkNode(ctx, node, network); err != nil {
		return nil, nil, err
	}
	signing, err := serveCommand{Key: c.Key, Signer: c.Signer, Data: c.Data}.signing(ctx, network, manifests)
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
	defer func() {
		if err != nil {
			release()
		}
	}()
	rules, narrower, err := c.rules(ctx, db, node, network, manifests)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	h, err = build(settings{
		network: network, data: c.Data, store: db, node: node, signing: signing, manifests: manifests, domains: []string{"localhost"},
		rules: rules, log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		clock: &clock{}, rates: &rates{node: node, policy: chain.FeePolicy{Fallback: amount.SatPerVB(1), Min: amount.SatPerVB(1), Max: amount.SatPerVB(1)}},
	})
	if err == nil && narrower {
		err = provable(ctx, db, node, h.rules)
	}
	if err == nil {
		err = h.bind(ctx)
	}
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return h, release, nil
}

// rebuild pauses everything, watches every address that the rows and the keys
// give, and reads the chain.
func (c rebuildCommand) rebuild(ctx context.Context, h *house) (view rebuildView, err error) {
	if err := h.store.Update(ctx, func(tx *store.Tx) error {
		at, err := operator.Now(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := tx.Log(ctx, c.author().Line(at, "rebuild", "the chain", "")); err != nil {
			return err
		}
		reason := fmt.Sprintf("rebuilt from the chain by %s: %s; when the server has followed the chain, look at `moonfund audit`", strings.TrimSpace(c.By), strings.TrimSpace(c.Why))
		if err := tx.Pause(ctx, store.PauseAll, reason, at); err != nil {
			return err
		}
		return h.watchAgain(ctx, tx, &view)
	}); err != nil {
		return view, err
	}
	shown := int64(-1)
	rebuilt, err := h.follower.Rebuild(ctx, func(tx follower.Tx) error {
		return tx.Rebuild.PutFollowed(ctx, slices.Collect(maps.Keys(h.rules.Follow)))
	}, func(height, best int64) {
		if part := 20 * height / max(1, best); part != shown {
			shown = part
			fmt.Fprintf(os.Stderr, "block %d of %d\n", height, best)
		}
	})
	view.take(rebuilt)
	return view, err
}

func (v *rebuildView) take(r follower.Rebuilt) {
	v.Height, v.Blocks, v.Outputs = r.Tip.Height, r.Blocks, r.Outputs
	v.Found, v.Changed, v.Missing = r.Found, r.Changed, r.Missing
}

// watchAgain derives every address that was handed out, and refuses keys that
// give another one: they are not this ledger's.
func (h *house) watchAgain(ctx context.Context, tx *store.Tx, view *rebuildView) error {
	watched, err := tx.WatchedAfter(ctx, 0)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, w := range watched {
		known[string(w.Script)] = true
	}
	watch := func(w ledger.Watched) error {
		view.Addresses++
		if known[string(w.Script)] {
			return nil
		}
		view.Unwatched++
		return tx.WatchScript(ctx, w)
	}
	for prefix, account := range h.accounts {
		stakes, err := tx.HandedOut(ctx, prefix)
		if err != nil {
			return err
		}
		for _, s := range stakes {
			output, err := account.StakeOutput(s.Keys.Position, s.Keys.Leaf, s.Keys.Delay)
			if err != nil {
				return err
			}
			if output.Address != s.Address {
				return fmt.Errorf("the keys of %s are not this ledger's: they give %s where %s was handed out", prefix, output.Address, s.Address)
			}
			if err := watch(ledger.Watched{Script: output.Script, Community: prefix, Kind: ledger.StakeKind, Ref: s.Address, Owner: s.Owner}); err != nil {
				return err
			}
		}
		orders, err := tx.OrdersOfCommunity(ctx, prefix)
		if err != nil {
			return err
		}
		for _, o := range orders {
			address, _, err := account.PaymentAddress(o.ID)
			if err != nil {
				return err
			}
			if !bytes.Equal(address.Script, o.Script) {
				return fmt.Errorf("the keys of %s are not this ledger's: order %s has another address", prefix, o.ID)
			}
			if err := watch(ledger.Watched{Script: o.Script, Community: prefix, Kind: ledger.PaymentKind, Ref: o.ID, Owner: o.Owner}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c rebuildCommand) print(v rebuildView) error {
	if c.JSON {
		return console.JSON(v)
	}
	fmt.Printf("Read %d blocks, up to %d. %d addresses were derived, %d of them were not watched any more.\n", v.Blocks, v.Height, v.Addresses, v.Unwatched)
	fmt.Printf("%d outputs: %d were not known, %d were in another block or spent otherwise, %d are in no block.\n", v.Outputs, v.Found, v.Changed, v.Missing)
	fmt.Println(unknowable)
	fmt.Println("Start the server, let it follow the chain to its end, run `moonfund audit`, and then `moonfund resume all`.")
	return nil
}
