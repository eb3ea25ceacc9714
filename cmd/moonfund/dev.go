package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"moonfund/amount"
	"moonfund/api"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/devnet"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/web"
)

type devCommand struct {
	Port        int    `default:"8080" help:"Port of the pages and calls."`
	Data        string `default:"data" help:"Folder that keeps the chain, the ledger and the wallets." type:"path"`
	Epoch       string `default:"3m" help:"Length of an epoch, or 0 to end epochs by hand."`
	Block       string `default:"5s" help:"Time between blocks, or 0 to mine by hand."`
	Btcd        string `default:"btcd" help:"The embedded node's program."`
	Communities string `help:"Folder of manifests; the built-in LOBO when not given." type:"path"`
	Verbose     bool   `help:"Log every step."`
}

const (
	devSupply         = 21_000_000 * 100_000_000       // base units of a community's rune
	devTreasuryRunes  = 2_000_000 * 100_000_000        // of them to the treasury
	devTreasurySats   = amount.Sats(10_000_000)        //
	devTreasuryParts  = 8                              // outputs, so that payouts need not wait for each other
	devPassphrase     = "a dev network has no secrets" // its keys guard nothing of value
	devFollowInterval = 400 * time.Millisecond
)

// Run is `moonfund dev`.
func (c devCommand) Run(ctx context.Context) error {
	epochLength, err := parseLength("--epoch", c.Epoch)
	if err != nil {
		return err
	}
	interval, err := parseLength("--block", c.Block)
	if err != nil {
		return err
	}
	listener, err := listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		return err
	}
	defer listener.Close()
	level := slog.LevelWarn
	if c.Verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	d := &devRun{devCommand: c, epoch: epochLength, interval: interval, log: log}
	return d.run(ctx, listener)
}

// parseLength reads a duration in whole seconds; 0 means by hand.
func parseLength(name, text string) (time.Duration, error) {
	if text == "0" {
		return 0, nil
	}
	length, err := time.ParseDuration(text)
	if err != nil || length < time.Second || length%time.Second != 0 {
		return 0, fmt.Errorf("%s is %q; it must be whole seconds such as 5s or 3m, or 0 for by hand", name, text)
	}
	return length, nil
}

type devRun struct {
	devCommand
	epoch    time.Duration
	interval time.Duration
	log      *slog.Logger
}

func say(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }

func (d *devRun) run(ctx context.Context, listener net.Listener) error {
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder can't be made: %w", err)
	}
	manifests, err := d.manifests()
	if err != nil {
		return err
	}
	network, err := d.network(ctx, manifests)
	if err != nil {
		return err
	}
	defer network.Close()
	h, product, err := d.open(ctx, network, manifests)
	if err != nil {
		return err
	}
	defer h.store.Close()
	if err := writeRunning(d.Data, running{Network: "regtest", Node: network.ClientConfig()}); err != nil {
		return err
	}
	handler, err := h.handler(d.pages(h), map[string]http.Handler{"dev": devMount(network.Handler(product))},
		api.Limit{PerSecond: 500, Burst: 2000}, api.Limit{PerSecond: 200, Burst: 1000})
	if err != nil {
		return err
	}
	background, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{}, 2)
	go func() { network.Run(background); done <- struct{}{} }()
	go func() { h.follower.Run(background, devFollowInterval); done <- struct{}{} }()
	d.announce(h)
	err = serve(ctx, listener, handler, h.hub)
	stop()
	<-done
	<-done
	say("Stopped. The same command goes on from here.")
	return err
}

// devMount serves the dev wallet beside the controls.
func devMount(controls http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+web.DevWalletPath, web.DevWallet())
	mux.Handle("/dev/", controls)
	return mux
}

func (d *devRun) announce(h *house) {
	say("")
	say("Ready. Open one of these:")
	for _, m := range h.manifests {
		say("  %-8s http://%s.localhost:%d", m.Name, m.Host, d.Port)
	}
	say("  %-8s http://127.0.0.1:%d/openapi", "API", d.Port)
	how := "a block every " + d.interval.String()
	if d.interval == 0 {
		how = "blocks by hand: POST /dev/mine"
	}
	ends := "epochs of " + d.epoch.String()
	if d.epoch == 0 {
		ends = "epochs by hand: POST /dev/epoch/advance"
	}
	say("  (%s, %s; data in %s)", how, ends, d.Data)
	say("Ctrl-C stops it.")
}

// manifests are the built-in ones or those of the folder, with the epoch length asked for.
func (d *devRun) manifests() ([]community.Manifest, error) {
	var manifests []community.Manifest
	if d.Communities != "" {
		loaded, err := community.LoadDir(d.Communities, "regtest")
		if err != nil {
			return nil, err
		}
		manifests = loaded
	} else {
		text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
		if err != nil {
			return nil, err
		}
		m, err := community.Read("lobo.toml", text, "regtest")
		if err != nil {
			return nil, err
		}
		manifests = []community.Manifest{m}
	}
	for i := range manifests {
		manifests[i].EpochLength = d.epoch
	}
	return manifests, nil
}

// network starts the node and completes the manifests with the runes etched on it.
func (d *devRun) network(ctx context.Context, manifests []community.Manifest) (*devnet.Network, error) {
	var wanted []devnet.Rune
	for _, m := range manifests {
		wanted = append(wanted, devnet.Rune{
			Prefix: m.Prefix, Name: m.Rune.Name, Symbol: m.Rune.Symbol, Divisibility: uint8(m.Rune.Divisibility), Supply: devSupply,
		})
	}
	network, err := devnet.Open(ctx, devnet.Config{
		Dir: filepath.Join(d.Data, "chain"), Binary: d.Btcd, Interval: d.interval, Runes: wanted, Log: d.log,
		Progress: func(sentence string) { say("%s", sentence) },
	})
	if err != nil {
		return nil, err
	}
	for i, etched := range network.Runes() {
		manifests[i].Rune.ID = etched.ID.String()
	}
	return network, nil
}

// open builds the house on the network; the first time it funds the treasuries
// and lets epoch 0 begin right after.
func (d *devRun) open(ctx context.Context, network *devnet.Network, manifests []community.Manifest) (*house, control, error) {
	regtest, err := chain.NetworkByName("regtest")
	if err != nil {
		return nil, control{}, err
	}
	keys, err := d.keys()
	if err != nil {
		return nil, control{}, err
	}
	say("Opening the ledger")
	db, err := store.Open(ctx, "sqlite:"+filepath.Join(d.Data, "ledger.db"))
	if err != nil {
		return nil, control{}, err
	}
	node := chain.NewClient(network.ClientConfig())
	h, err := build(settings{
		network: regtest, data: d.Data, store: db, node: node, keys: keys, manifests: manifests, domains: []string{"localhost"},
		hosts: []string{"127.0.0.1"}, port: strconv.Itoa(d.Port), start: 1, dev: true, log: d.log, clock: &clock{},
		rates: &rates{node: node, policy: chain.FeePolicy{
			Fallback: amount.SatPerVB(2), Min: amount.SatPerVB(1), Max: amount.SatPerVB(500),
		}},
	})
	if err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	product := control{h, network.Runes()}
	if err := d.begin(ctx, network, h, product); err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	return h, product, nil
}

func (d *devRun) keys() (*signer.Keys, error) {
	path := filepath.Join(d.Data, "keys.json")
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return signer.NewKeyFile(path, devPassphrase)
	}
	return signer.OpenKeyFile(path, devPassphrase)
}

// begin binds the communities and follows the chain to its end; at the first
// start the treasuries are funded and booked before epoch 0 begins.
func (d *devRun) begin(ctx context.Context, network *devnet.Network, h *house, product control) error {
	begun, err := d.begun(ctx, h)
	if err != nil {
		return err
	}
	if begun {
		if err := h.bind(ctx); err != nil {
			return err
		}
		say("Following the chain to block %d", network.Height())
		_, err := h.follower.Step(ctx)
		return err
	}
	say("Funding the treasury")
	for _, m := range h.manifests {
		runesAddress, _ := h.accounts[m.Prefix].TreasuryRunes()
		satsAddress, _ := h.accounts[m.Prefix].TreasurySats()
		if _, err := network.FundTreasury(ctx, devnet.Treasury{
			Prefix: m.Prefix, RunesAddress: runesAddress.Text, Runes: devTreasuryRunes, SatsAddress: satsAddress.Text,
			Sats: devTreasurySats, Outputs: devTreasuryParts,
		}); err != nil {
			return fmt.Errorf("funding the treasury: %w", err)
		}
	}
	genesis, err := afterTip(ctx, h.node)
	if err != nil {
		return err
	}
	for i := range h.manifests {
		h.manifests[i].Genesis = genesis
	}
	if err := h.bind(ctx); err != nil {
		return err
	}
	say("Following the chain to block %d", network.Height())
	if err := product.Settle(ctx); err != nil {
		return err
	}
	return h.store.Update(ctx, func(tx *store.Tx) error {
		for _, m := range h.manifests {
			if _, err := tx.BookTreasury(ctx, m.Prefix); err != nil {
				return err
			}
		}
		return tx.PutSetting(ctx, devBegun, "yes")
	})
}

// devBegun is set once the treasury is booked; a crash before only funds it again.
const devBegun = "dev_begun"

// begun reports whether the network was set up before, and takes the genesis from then.
func (d *devRun) begun(ctx context.Context, h *house) (begun bool, err error) {
	err = h.store.View(ctx, func(tx *store.Tx) error {
		done, err := tx.Setting(ctx, devBegun)
		if err != nil {
			return err
		}
		begun = done != ""
		for i, m := range h.manifests {
			calendar, err := tx.Calendar(ctx, m.Prefix)
			if err != nil || len(calendar.Anchors) == 0 {
				return nil // not bound yet
			}
			h.manifests[i].Genesis = calendar.Anchors[0].Start
		}
		return nil
	})
	return begun, err
}

// afterTip is an instant that no header of the chain has reached.
func afterTip(ctx context.Context, node *chain.Client) (time.Time, error) {
	hash, height, err := node.Best(ctx)
	if err != nil {
		return time.Time{}, err
	}
	block, err := node.Block(ctx, hash, height)
	if err != nil {
		return time.Time{}, err
	}
	now := time.Now().UTC().Truncate(time.Second)
	if !now.After(block.Time) {
		now = block.Time.UTC().Add(time.Second)
	}
	return now, nil
}

// pages shows each community's dashboard below its label, and the fund's page elsewhere.
func (d *devRun) pages(h *house) http.Handler { return web.Handler(h.site) }

func (h *house) site(host string) (web.Site, bool) {
	for _, domain := range h.domains {
		for _, m := range h.manifests {
			if host == m.Host+"."+domain {
				return web.Site{
					Variant: web.Community, Prefix: m.Prefix, Name: m.Name, Token: m.Token, RuneName: m.Rune.Name,
					Network: m.Network, Tagline: m.Texts.Tagline, Description: m.Texts.Description, DevWallet: h.dev,
				}, true
			}
		}
		if host == domain || host == "www."+domain {
			return h.landing(), true
		}
	}
	for _, known := range h.hosts {
		if host == known {
			return h.landing(), true
		}
	}
	return web.Site{}, false
}

func (h *house) landing() web.Site {
	site := web.Site{Variant: web.Generic, Network: h.network.Name}
	for _, m := range h.manifests {
		site.Communities = append(site.Communities, web.Card{
			Name: m.Name, Token: m.Token, Ordinals: m.Collection, Subdomain: m.Host, Image: m.Image,
		})
	}
	return site
}
