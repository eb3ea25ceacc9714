// Package dev runs a server on a dev network: a regtest node, runes, funded treasuries, and controls for time, blocks
// and fees.
package dev

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

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/devnet"
	"moonfund/internal/server"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/server/signing"
	"moonfund/internal/signer"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/web"
)

const (
	supply         = 21_000_000 * 100_000_000 // base units of a community's rune
	treasuryRunes  = 2_000_000 * 100_000_000  // base units in a new treasury
	treasurySats   = amount.Sats(10_000_000)
	treasuryParts  = 8                 // outputs of a new treasury: payouts must not wait for each other
	orderFee       = amount.Sats(1000) // of a mint or etch order
	keyFile        = "keys.json"
	passphrase     = "a dev network has no secrets" // its keys protect nothing of value
	followInterval = 400 * time.Millisecond
)

// Config configures a dev network.
type Config struct {
	Version     string
	Commit      string
	Data        string // folder of the chain, the ledger and the wallets
	Database    string // address of the ledger
	Port        int
	Communities string        // folder of manifests; "": the built-in ones
	Epoch       time.Duration // length of an epoch; 0: epochs end on request
	Block       time.Duration // time between two blocks; 0: blocks are mined on request
	Btcd        string        // path of the node's program
	Index       string        // runeindex.Full or runeindex.Followed
	Orders      bool          // offer the mint and etch service
	Metrics     string        // address of /metrics; "": not served
	LearnMore   string
	Source      string
	Log         *slog.Logger
	Tasks       func(*server.Server) []func(context.Context) // as in server.Config
}

// network is a running dev network.
type network struct {
	Config
	regtest     chain.Network
	communities []community.Manifest
	chain       *devnet.Network
}

// say prints a line for the user.
func say(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }

// Run runs the network and serves the listener until ctx is done.
func Run(ctx context.Context, c Config, listener net.Listener) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the data folder can't be created: %w", err)
	}
	n := &network{Config: c}
	var err error
	if n.regtest, err = chain.NetworkByName("regtest"); err != nil {
		return err
	}
	if n.communities, err = n.manifests(); err != nil {
		return err
	}
	if err := n.startChain(ctx); err != nil {
		return err
	}
	defer n.chain.Close()
	release, err := store.Lock(c.Database)
	if err != nil {
		return err
	}
	defer release()
	s, err := n.open(ctx)
	if err != nil {
		return err
	}
	defer s.Store.Close()
	defer s.Close()
	if err := WriteNode(c.Data, Node{Network: "regtest", Node: n.chain.ClientConfig()}); err != nil {
		return err
	}
	return n.run(ctx, s, listener)
}

func (n *network) run(ctx context.Context, s *server.Server, listener net.Listener) error {
	background, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); n.chain.Run(background) }()
	n.announce()
	mounts := map[string]http.Handler{"dev": mount(s.Pages(), n.chain.Handler(n.control(s)))}
	err := s.Run(ctx, listener, mounts)
	stop()
	<-done
	say("Stopped. Run the same command again to continue.")
	return err
}

// mount serves the dev wallet and the transaction page beside the controls.
func mount(pages, controls http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+web.DevWalletPath, web.DevWallet())
	mux.Handle("GET "+web.TransactionPath+"{txid}", pages)
	mux.Handle("/dev/", controls)
	return mux
}

// announce prints the addresses of the pages.
func (n *network) announce() {
	say("")
	say("Ready. Open one of these:")
	say("  %-8s http://localhost:%d", "The fund", n.Port)
	for _, m := range n.communities {
		say("  %-8s http://%s.localhost:%d", m.Name, m.Host, n.Port)
	}
	say("  %-8s http://127.0.0.1:%d/openapi", "API", n.Port)
	blocks := "a block every " + n.Block.String()
	if n.Block == 0 {
		blocks = "blocks by hand: POST /dev/mine"
	}
	epochs := "epochs of " + n.Epoch.String()
	if n.Epoch == 0 {
		epochs = "epochs by hand: POST /dev/epoch/advance"
	}
	say("  (%s, %s; data in %s)", blocks, epochs, n.Data)
	say("Ctrl-C stops it.")
}

// manifests returns the built-in manifests or the manifests in the folder, with the epoch length of the configuration.
func (n *network) manifests() (manifests []community.Manifest, err error) {
	if n.Communities != "" {
		manifests, err = community.LoadDir(n.Communities, "regtest")
	} else {
		manifests, err = community.Dev()
	}
	for i := range manifests {
		manifests[i].EpochLength = n.Epoch
		if manifests[i].ExplorerTx == "" {
			manifests[i].ExplorerTx = web.TransactionPath + "{txid}"
		}
		if manifests[i].Texts.GetToken == "" {
			manifests[i].Texts.GetToken = "/dev/faucet"
		}
	}
	return manifests, err
}

// pictures reads the pictures beside the manifests. The built-in manifests have none.
func (n *network) pictures() map[string]map[string]community.Picture {
	if n.Communities == "" {
		return nil
	}
	return server.ReadPictures(n.Communities, n.communities, n.Log)
}

// startChain starts the node and completes the manifests with the runes etched on it.
func (n *network) startChain(ctx context.Context) (err error) {
	var wanted []devnet.Rune
	for _, m := range n.communities {
		wanted = append(wanted, devnet.Rune{
			Prefix: m.Prefix, Name: m.Rune.Name, Symbol: m.Rune.Symbol, Divisibility: uint8(m.Rune.Divisibility), Supply: supply,
		})
	}
	n.chain, err = devnet.Open(ctx, devnet.Config{
		Dir: filepath.Join(n.Data, "chain"), Binary: n.Btcd, Interval: n.Block, Runes: wanted, Log: n.Log,
		Progress: func(sentence string) { say("%s", sentence) },
	})
	if err != nil {
		return err
	}
	for i, etched := range n.chain.Runes() {
		n.communities[i].Rune.ID = etched.ID.String()
	}
	return nil
}

// open opens or creates the ledger and returns a server that has followed the chain to its tip. It funds the treasuries
// of new communities.
func (n *network) open(ctx context.Context) (*server.Server, error) {
	keys, err := n.keys()
	if err != nil {
		return nil, err
	}
	own, err := signing.Own(keys, filepath.Join(n.Data, keyFile), n.regtest, n.communities)
	if err != nil {
		return nil, err
	}
	for i, m := range n.communities {
		n.communities[i].StatementKey = own.Accounts.StatementKeys[m.Account].String()
	}
	say("Opening the ledger")
	db, err := openLedger(ctx, n.Database, own.Marks(n.regtest))
	if err != nil {
		return nil, err
	}
	s, err := n.newServer(ctx, db, own)
	if err == nil {
		err = s.CompareMark(ctx)
	}
	if err == nil {
		err = n.begin(ctx, s)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

func (n *network) newServer(ctx context.Context, db *store.Store, own signing.Source) (*server.Server, error) {
	node := chain.NewClient(n.chain.ClientConfig())
	choice := runeindex.Choice{Index: n.Index, Network: n.regtest, Communities: n.communities, Node: node}
	rules, err := choice.Rules(ctx, db, runeindex.RebuildLedger)
	if err != nil {
		return nil, err
	}
	account, err := own.Account(vault.OrdersAccount, n.regtest)
	if err != nil {
		return nil, err
	}
	feeTo, _ := account.TreasurySats()
	return server.New(server.Config{
		Version: n.Version, Commit: n.Commit, Network: n.regtest, Data: n.Data, Store: db, Database: n.Database, Node: node,
		Esplora: fmt.Sprintf("http://127.0.0.1:%d%s", n.Port, devnet.EsploraPath),
		Signing: own,
		Marks:   own.Marks(n.regtest), Communities: n.communities, Rules: rules, Clock: clock.NewLenient(), Log: n.Log,
		Rates: feerate.New(node, chain.FeePolicy{
			Fallback: amount.SatPerVB(2), Min: amount.SatPerVB(1), Max: amount.SatPerVB(500),
		}, n.Log),
		RuneOrders: server.RuneOrders{On: n.Orders && n.Index != runeindex.Followed, Fee: orderFee, FeeTo: feeTo.Text},
		Domains:    []string{"localhost"}, Hosts: []string{"127.0.0.1"}, Port: strconv.Itoa(n.Port), Scheme: "http",
		LearnMore: n.LearnMore, Source: n.Source, Pictures: n.pictures(), Dev: true, Metrics: n.Metrics,
		Interval: followInterval, Tasks: n.Tasks,
		PerSource: api.Limit{PerSecond: 500, Burst: 2000}, PerAddress: api.Limit{PerSecond: 200, Burst: 1000},
	})
}

// openLedger opens the ledger. At the network's first start it creates the ledger and writes its id into the key's
// mark.
func openLedger(ctx context.Context, address string, marks signer.Marks) (*store.Store, error) {
	db, err := store.OpenLedger(ctx, address, nil)
	if !errors.Is(err, store.ErrNoLedger) {
		return db, err
	}
	id, err := store.Create(ctx, address)
	if err != nil {
		return nil, err
	}
	kept, err := marks.Load(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := marks.Raise(ctx, signer.Mark{Ledger: id}, kept.Ledger); err != nil {
		return nil, err
	}
	return store.OpenLedger(ctx, address, nil)
}

// keys opens the key file, or creates it at the network's first start.
func (n *network) keys() (*signer.Keys, error) {
	path := filepath.Join(n.Data, keyFile)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return signer.NewKeyFile(path, passphrase)
	}
	return signer.OpenKeyFile(path, passphrase)
}

// begin binds the communities and follows the chain to its tip. It funds and books the treasury of a new community
// before the community's epoch 0 begins. A community can be added to an existing network.
func (n *network) begin(ctx context.Context, s *server.Server) error {
	if err := s.Seize(ctx); err != nil { // no other process uses this network's ledger
		return err
	}
	added, err := n.newCommunities(ctx, s.Store)
	if err != nil {
		return err
	}
	if err := n.fund(ctx, s, added); err != nil {
		return err
	}
	if err := s.Bind(ctx); err != nil {
		return err
	}
	say("Following the chain to block %d", n.chain.Height())
	if len(added) == 0 {
		_, err := s.Follower.Step(ctx)
		return err
	}
	if err := n.control(s).Settle(ctx); err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		for _, i := range added {
			prefix := n.communities[i].Prefix
			cause := ledger.Cause{Kind: "operator", ID: "a dev network begins", At: s.Clock.Real()}
			if _, err := tx.BookTreasury(ctx, prefix, cause); err != nil {
				return err
			}
			if err := tx.PutSetting(ctx, begunSetting+prefix, "yes"); err != nil {
				return err
			}
		}
		return nil
	})
}

// begunSetting is the prefix of the setting that records that a community's treasury is booked. After a crash before it
// is stored, the treasury is funded again.
const begunSetting = "dev_begun_"

// newCommunities returns the indexes of the communities whose treasury is not booked yet. It sets the genesis of bound
// communities from the ledger, and the genesis of other communities to the zero time.
func (n *network) newCommunities(ctx context.Context, db *store.Store) (added []int, err error) {
	err = db.View(ctx, func(tx *store.Tx) error {
		for i, m := range n.communities {
			done, err := tx.Setting(ctx, begunSetting+m.Prefix)
			if err != nil {
				return err
			}
			if done == "" {
				added = append(added, i)
			}
			n.communities[i].Genesis = time.Time{}
			if calendar, err := tx.Calendar(ctx, m.Prefix); err == nil && len(calendar.Anchors) > 0 {
				n.communities[i].Genesis = calendar.Anchors[0].Start
			}
		}
		return nil
	})
	return added, err
}

// fund funds the treasuries of the added communities, and sets their genesis to a time after that.
func (n *network) fund(ctx context.Context, s *server.Server, added []int) error {
	for _, i := range added {
		m := n.communities[i]
		say("Funding the treasury of %s", m.Name)
		account, err := s.Accounts.Of(m.Prefix)
		if err != nil {
			return err
		}
		runesAddress, _ := account.TreasuryRunes()
		satsAddress, _ := account.TreasurySats()
		if _, err := n.chain.FundTreasury(ctx, devnet.Treasury{
			Prefix: m.Prefix, RunesAddress: runesAddress.Text, Runes: treasuryRunes, SatsAddress: satsAddress.Text,
			Sats: treasurySats, Outputs: treasuryParts,
		}); err != nil {
			return fmt.Errorf("funding the treasury of %s: %w", m.Name, err)
		}
	}
	if len(added) == 0 {
		return nil
	}
	genesis, err := afterTip(ctx, s.Node)
	for _, i := range added {
		if n.communities[i].Genesis.IsZero() {
			n.communities[i].Genesis = genesis
		}
	}
	return err
}

// afterTip returns a time after the times of all blocks of the chain.
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
