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
	"moonfund/ledger"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/vault"
	"moonfund/web"
)

type devCommand struct {
	Port        int    `default:"8080" help:"Port of the pages and calls."`
	Data        string `default:"data" help:"Folder that keeps the chain, the ledger and the wallets." type:"path"`
	Epoch       string `default:"3m" help:"Length of an epoch, or 0 to end epochs by hand."`
	Block       string `default:"5s" help:"Time between blocks, or 0 to mine by hand."`
	Database    string `env:"MOONFUND_DATABASE" help:"sqlite:PATH or postgres://…; ledger.db in the data folder when not given."`
	Btcd        string `default:"btcd" help:"The embedded node's program."`
	Communities string `help:"Folder of manifests; the built-in LOBO and its test community when not given." type:"path"`
	Metrics     string `help:"Address of /metrics, such as 127.0.0.1:9464; nowhere when not given."`
	LearnMore   string `help:"Where 'Learn More' of the landing page leads."`
	Orders      bool   `default:"true" negatable:"" help:"Mint and etch runes for wallets that can't, under /orders/regtest/v1."`
	Verbose     bool   `help:"Log every step."`
	indexFlag
}

const (
	devSupply         = 21_000_000 * 100_000_000 // base units of a community's rune
	devTreasuryRunes  = 2_000_000 * 100_000_000  // of them to the treasury
	devTreasurySats   = amount.Sats(10_000_000)  //
	devOrderFee       = amount.Sats(1000)        // of a mint or etch order
	devTreasuryParts  = 8                        // outputs, so that payouts need not wait for each other
	devKeyFile        = "keys.json"
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
	if c.Port < 1 || c.Port > 65_535 {
		return fmt.Errorf("--port is %d; it must be from 1 to 65535", c.Port)
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
	release, err := store.Lock(ledgerFlags{d.Data, d.Database}.address())
	if err != nil {
		return err
	}
	defer release()
	h, product, err := d.open(ctx, network, manifests)
	if err != nil {
		return err
	}
	defer h.store.Close()
	defer h.guard.Close()
	if err := h.serveMetrics(ctx, d.Metrics); err != nil {
		return err
	}
	if err := writeRunning(d.Data, running{Network: "regtest", Node: network.ClientConfig()}); err != nil {
		return err
	}
	pages := web.Handler(h.site)
	handler, err := h.handler(pages, map[string]http.Handler{"dev": devMount(pages, network.Handler(product))},
		api.Limit{PerSecond: 500, Burst: 2000}, api.Limit{PerSecond: 200, Burst: 1000})
	if err != nil {
		return err
	}
	background, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan struct{}, 4)
	go func() { network.Run(background); done <- struct{}{} }()
	go func() { h.follow(background, devFollowInterval); done <- struct{}{} }()
	go func() { h.keepMark(background); done <- struct{}{} }()
	go func() { h.searchAdoptions(background); done <- struct{}{} }()
	d.announce(h)
	err = serve(ctx, listener, handler, h.hub)
	stop()
	for range cap(done) {
		<-done
	}
	say("Stopped. The same command goes on from here.")
	return err
}

// devMount serves the dev wallet and the transaction page beside the controls.
func devMount(pages, controls http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+web.DevWalletPath, web.DevWallet())
	mux.Handle("GET "+web.TransactionPath+"{txid}", pages)
	mux.Handle("/dev/", controls)
	return mux
}

func (d *devRun) announce(h *house) {
	say("")
	say("Ready. Open one of these:")
	say("  %-8s http://localhost:%d", "The fund", d.Port)
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
		builtIn, err := community.Dev()
		if err != nil {
			return nil, err
		}
		manifests = builtIn
	}
	for i := range manifests {
		manifests[i].EpochLength = d.epoch
		if manifests[i].ExplorerTx == "" {
			manifests[i].ExplorerTx = web.TransactionPath + "{txid}"
		}
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
	own, err := ownKeys(keys, regtest, manifests)
	if err != nil {
		return nil, control{}, err
	}
	own.keyFile = filepath.Join(d.Data, devKeyFile)
	say("Opening the ledger")
	marks := marksOf(filepath.Join(d.Data, "keys.json"), nil, regtest.Name)
	db, err := ledgerFlags{d.Data, d.Database}.begin(ctx, marks)
	if err != nil {
		return nil, control{}, err
	}
	node := chain.NewClient(network.ClientConfig())
	minting, err := d.minting(own, regtest)
	if err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	rules, err := d.indexFlag.rules(ctx, db, node, regtest, manifests, rebuildLedger)
	if err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	h, err := build(settings{
		minting: minting,
		network: regtest, data: d.Data, store: db, database: ledgerFlags{d.Data, d.Database}.address(), node: node, signing: own, manifests: manifests, domains: []string{"localhost"},
		hosts: []string{"127.0.0.1"}, port: strconv.Itoa(d.Port), scheme: "http", learnMore: d.LearnMore, rules: rules, dev: true, log: d.log, clock: &clock{lenient: true}, marks: marks,
		rates: &rates{node: node, policy: chain.FeePolicy{
			Fallback: amount.SatPerVB(2), Min: amount.SatPerVB(1), Max: amount.SatPerVB(500),
		}},
	})
	if err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	if err := h.compareMark(ctx); err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	product := control{h, network.Runes()}
	if err := d.begin(ctx, network, h, product); err != nil {
		return nil, control{}, errors.Join(err, db.Close())
	}
	return h, product, nil
}

// minting is the mint and etch service, whose fees go to an address of its own account.
func (d *devRun) minting(own signing, network chain.Network) (runeService, error) {
	account, err := vault.NewAccount(own.accounts.Xpubs[vault.OrdersAccount], network)
	if err != nil {
		return runeService{}, err
	}
	to, _ := account.TreasurySats()
	return runeService{on: d.Orders && !d.followed(), fee: devOrderFee, feeTo: to.Text}, nil
}

func (d *devRun) keys() (*signer.Keys, error) {
	path := filepath.Join(d.Data, devKeyFile)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return signer.NewKeyFile(path, devPassphrase)
	}
	return signer.OpenKeyFile(path, devPassphrase)
}

// begin binds the communities and follows the chain to its end. A community
// that is new to the network gets its treasury funded and booked before its
// epoch 0 begins; one can join a network that runs already.
func (d *devRun) begin(ctx context.Context, network *devnet.Network, h *house, product control) error {
	// The network is this process's alone, and so is the lead.
	if err := h.seat.lease.Seize(ctx); err != nil {
		return err
	}
	newcomers, err := d.newcomers(ctx, h)
	if err != nil {
		return err
	}
	if err := d.fund(ctx, network, h, newcomers); err != nil {
		return err
	}
	if err := h.bind(ctx); err != nil {
		return err
	}
	say("Following the chain to block %d", network.Height())
	if len(newcomers) == 0 {
		_, err := h.follower.Step(ctx)
		return err
	}
	if err := product.Settle(ctx); err != nil {
		return err
	}
	return h.store.Update(ctx, func(tx *store.Tx) error {
		for _, i := range newcomers {
			prefix := h.manifests[i].Prefix
			cause := ledger.Cause{Kind: "operator", ID: "a dev network begins", At: h.clock.real()}
			if _, err := tx.BookTreasury(ctx, prefix, cause); err != nil {
				return err
			}
			if err := tx.PutSetting(ctx, devBegun+prefix, "yes"); err != nil {
				return err
			}
		}
		return nil
	})
}

// devBegun and a prefix is set once that treasury is booked; a crash before only
// funds it again.
const devBegun = "dev_begun_"

// newcomers are the places of the manifests that did not begin yet. What is
// bound already takes its genesis from there; the rest has none yet.
func (d *devRun) newcomers(ctx context.Context, h *house) (places []int, err error) {
	err = h.store.View(ctx, func(tx *store.Tx) error {
		for i, m := range h.manifests {
			done, err := tx.Setting(ctx, devBegun+m.Prefix)
			if err != nil {
				return err
			}
			if done == "" {
				places = append(places, i)
			}
			h.manifests[i].Genesis = time.Time{}
			if calendar, err := tx.Calendar(ctx, m.Prefix); err == nil && len(calendar.Anchors) > 0 {
				h.manifests[i].Genesis = calendar.Anchors[0].Start
			}
		}
		return nil
	})
	return places, err
}

// fund fills the newcomers' treasuries and lets their epoch 0 begin after that.
func (d *devRun) fund(ctx context.Context, network *devnet.Network, h *house, newcomers []int) error {
	for _, i := range newcomers {
		m := h.manifests[i]
		say("Funding the treasury of %s", m.Name)
		runesAddress, _ := h.accounts[m.Prefix].TreasuryRunes()
		satsAddress, _ := h.accounts[m.Prefix].TreasurySats()
		if _, err := network.FundTreasury(ctx, devnet.Treasury{
			Prefix: m.Prefix, RunesAddress: runesAddress.Text, Runes: devTreasuryRunes, SatsAddress: satsAddress.Text,
			Sats: devTreasurySats, Outputs: devTreasuryParts,
		}); err != nil {
			return fmt.Errorf("funding the treasury of %s: %w", m.Name, err)
		}
	}
	if len(newcomers) == 0 {
		return nil
	}
	genesis, err := afterTip(ctx, h.node)
	for _, i := range newcomers {
		if h.manifests[i].Genesis.IsZero() {
			h.manifests[i].Genesis = genesis
		}
	}
	return err
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
