package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"moonfund/amount"
	"moonfund/api"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/web"
)

type serveCommand struct {
	Network     string   `default:"mainnet" env:"MOONFUND_NETWORK" help:"mainnet, testnet, testnet4, signet or regtest; the node must be on it."`
	Communities string   `required:"" env:"MOONFUND_COMMUNITIES" help:"Folder with one manifest (.toml) per community." type:"path"`
	Data        string   `default:"data" env:"MOONFUND_DATA" help:"Folder of the ledger and the signer's limits." type:"path"`
	Database    string   `env:"MOONFUND_DATABASE" help:"sqlite:PATH or postgres://…; ledger.db in the data folder when not given."`
	Key         string   `env:"MOONFUND_KEY" help:"The key file, for a server that signs by itself; its passphrase comes from MOONFUND_PASSPHRASE or is asked for." type:"path"`
	Signer      string   `env:"MOONFUND_SIGNER" help:"The socket of 'moonfund signer run', instead of a key file: then this server holds no key." type:"path"`
	Listen      string   `default:"127.0.0.1:8080" env:"MOONFUND_LISTEN" help:"Address of the pages and calls."`
	Metrics     string   `env:"MOONFUND_METRICS" help:"Address of /metrics for the operator alone, such as 127.0.0.1:9464; nowhere when not given."`
	Domain      []string `required:"" env:"MOONFUND_DOMAIN" help:"Domain that serves; each community is a label below it."`
	LearnMore   string   `help:"Where 'Learn More' of the landing page leads; a community's learn_more when not given."`
	Proxy       []string `env:"MOONFUND_PROXY" help:"Network of a trusted proxy, such as 127.0.0.1/32."`
	Fallback    int64    `default:"20" env:"MOONFUND_FALLBACK" help:"Fee rate in sat/vB while the node has no estimate."`
	Floor       int64    `default:"1" env:"MOONFUND_FLOOR" help:"Least fee rate in sat/vB, whatever the node estimates."`
	indexFlag
	orderFlags
	backupFlags
	nodeFlags `prefix:"node-"`
}

type nodeFlags struct {
	URL      string `default:"http://127.0.0.1:8332" env:"MOONFUND_NODE_URL" help:"The node's JSON-RPC address."`
	User     string `env:"MOONFUND_NODE_USER" help:"The node's user."`
	Password string `env:"MOONFUND_NODE_PASSWORD" help:"The node's password, best from the environment."`
	Cookie   string `env:"MOONFUND_NODE_COOKIE" help:"The node's cookie file, instead of user and password." type:"path"`
	Cert     string `help:"Certificate of a node that speaks https." type:"path"`
}

func (n nodeFlags) client() *chain.Client {
	return chain.NewClient(chain.ClientConfig{
		URL: n.URL, User: n.User, Password: n.Password, CookieFile: n.Cookie, CertFile: n.Cert,
	})
}

const followInterval = time.Second

// AfterApply drops a key file that only the environment names where a signer is given: the operator's other commands
// take the key from the same settings, and a server with a signer opens no key.
func (c *serveCommand) AfterApply() error {
	if c.Signer != "" && c.Key == kong.ExpandPath(os.Getenv("MOONFUND_KEY")) {
		c.Key = ""
	}
	return nil
}

// Run is `moonfund serve`.
func (c serveCommand) Run(ctx context.Context) error {
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return err
	}
	manifests, err := community.LoadDir(c.Communities, network.Name)
	if err != nil {
		return err
	}
	minting, err := c.service(network)
	if err != nil {
		return err
	}
	if minting.on && c.followed() {
		return errors.New("--orders needs --index full: without every rune nobody can say whether a name is free or a mint open")
	}
	proxies, err := parseProxies(c.Proxy)
	if err != nil {
		return err
	}
	if err := errors.Join(c.checkNames(), c.checkRates(), c.backupFlags.check()); err != nil {
		return err
	}
	node := c.client()
	if err := checkNode(ctx, node, network); err != nil {
		return err
	}
	if err := runesFit(ctx, node, runes.RulesFor(network), manifests, log); err != nil {
		return err
	}
	if !c.ledger().onDisk() { // before anything is asked for or made in a folder that is the wrong one
		return c.ledger().missing()
	}
	signing, err := c.signing(ctx, network, manifests)
	if err != nil {
		return err
	}
	listener, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	db, release, err := c.ledger().serving(ctx)
	if err != nil {
		return err
	}
	defer release()
	defer db.Close()
	rules, err := c.indexFlag.rules(ctx, db, node, network, manifests, rebuildLedger)
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(c.Listen)
	scheme := "http"
	if network.Name != "regtest" {
		scheme, port = "https", "" // behind a proxy on the usual port
	}
	h, err := build(settings{
		minting: minting, network: network, data: c.Data, store: db, database: c.address(), node: node, signing: signing, manifests: manifests, domains: c.Domain, port: port,
		scheme: scheme, learnMore: c.LearnMore,
		rules: rules, proxies: proxies, log: log, clock: &clock{}, marks: marksOf(c.Key, signing.process, network.Name),
		rates: &rates{node: node, policy: chain.FeePolicy{
			Fallback: amount.SatPerVB(c.Fallback), Min: amount.SatPerVB(c.Floor), Max: amount.SatPerVB(highestRate),
		}},
	})
	if err != nil {
		return err
	}
	defer h.guard.Close()
	if err := h.bind(ctx); err != nil {
		return err
	}
	if err := h.compareMark(ctx); err != nil && !errors.Is(err, signer.ErrUnreachable) {
		return err
	}
	h.backups = c.backups(h)
	if err := h.serveMetrics(ctx, c.Metrics); err != nil {
		return err
	}
	if err := h.takeSeat(ctx); err != nil {
		return err
	}
	return c.answer(ctx, h, listener)
}

func (c serveCommand) answer(ctx context.Context, h *house, listener net.Listener) error {
	handler, err := h.handler(web.Handler(h.site), nil, api.Limit{PerSecond: 20, Burst: 100}, api.Limit{PerSecond: 5, Burst: 40})
	if err != nil {
		return err
	}
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { h.follow(background, followInterval) })
	running.Go(func() { h.watchClock(background) })
	running.Go(func() { h.keepMark(background) })
	running.Go(func() { h.searchAdoptions(background) })
	running.Go(func() { h.backups.keep(background, h.store) })
	h.log.Info("serving", "address", listener.Addr().String(), "network", h.network.Name, "communities", len(h.manifests))
	err = serve(ctx, listener, handler, h.hub)
	stop()
	running.Wait()
	return err
}

// domainName is a host name as browsers send it: lower case, without scheme, port, path or a dot at its end.
var domainName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// checkNames refuses domains that no browser could ask for. The first is in every message that a wallet signs.
func (c serveCommand) checkNames() error {
	domains := c.Domain
	if len(domains) == 0 {
		domains = []string{""}
	}
	for _, domain := range domains {
		if _, err := netip.ParseAddr(domain); err == nil || len(domain) > 200 || !domainName.MatchString(domain) {
			return fmt.Errorf("--domain is %q; it must be a host name such as example.org: in lower case, without https://, port or spaces", domain)
		}
	}
	if page, err := url.Parse(c.LearnMore); c.LearnMore != "" && (err != nil || page.Host == "" || (page.Scheme != "https" && page.Scheme != "http")) {
		return fmt.Errorf("--learn-more is %q; it must be an address such as https://example.org/about", c.LearnMore)
	}
	return nil
}

// highestRate is the most in sat/vB that is believed of any network.
const highestRate = 1000

func (c serveCommand) checkRates() error {
	for name, rate := range map[string]int64{"--floor": c.Floor, "--fallback": c.Fallback} {
		if rate < 1 || rate > highestRate {
			return fmt.Errorf("%s is %d; it must be from 1 to %d sat/vB", name, rate, highestRate)
		}
	}
	return nil
}

// sameNetwork refuses a node that does not answer, or that is on another chain.
func sameNetwork(ctx context.Context, node *chain.Client, network chain.Network) error {
	genesis, err := node.GenesisHash(ctx)
	if err != nil {
		return fmt.Errorf("the node can't be reached: %w", err)
	}
	if want := *network.Params.GenesisHash; genesis != want {
		return fmt.Errorf("the node is on another network: its genesis block is %s, %s has %s", genesis, network.Name, want)
	}
	return nil
}

// checkNode refuses a node on another chain, one that throws old blocks away, or one without a transaction index.
func checkNode(ctx context.Context, node *chain.Client, network chain.Network) error {
	if err := sameNetwork(ctx, node, network); err != nil {
		return err
	}
	pruned, err := node.Pruned(ctx)
	if err != nil {
		return fmt.Errorf("the node can't be asked about its blocks: %w", err)
	}
	if pruned {
		return errors.New("the node is pruned: it throws old blocks away, and every block is needed. Start it with prune=0 and txindex=1; it then fetches the whole chain again")
	}
	indexed, err := node.HasTxIndex(ctx)
	if err != nil {
		return fmt.Errorf("the node can't be asked for transactions: %w", err)
	}
	if !indexed {
		return errors.New("the node has no transaction index: start it with txindex=1")
	}
	return nil
}

// signing opens the key file, or finds the signer that has it. The public keys of
// such a signer are kept, so that the server can start and answer while the
// signer is down; payouts wait then.
func (c serveCommand) signing(ctx context.Context, network chain.Network, manifests []community.Manifest) (signing, error) {
	switch {
	case c.Key == "" && c.Signer == "":
		return signing{}, errors.New("one of --key FILE and --signer SOCKET is needed: the key file here, or a signer process that has it")
	case c.Key != "" && c.Signer != "":
		return signing{}, errors.New("--key and --signer are both given: a server with a signer holds no key; drop one of them")
	case c.Key != "":
		keys, err := openKeys(c.Key)
		if err != nil {
			return signing{}, err
		}
		own, err := ownKeys(keys, network, manifests)
		own.keyFile = c.Key
		return own, err
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return signing{}, fmt.Errorf("the data folder can't be made: %w", err)
	}
	client := signer.Dial(c.Signer)
	accounts, err := knownAccounts(ctx, client, filepath.Join(c.Data, "accounts.json"))
	if err != nil {
		return signing{}, err
	}
	if accounts.Network != network.Name {
		return signing{}, fmt.Errorf("the signer on %s signs for %s, this server is on %s", c.Signer, accounts.Network, network.Name)
	}
	return signing{accounts: accounts, process: client}, nil
}

func (c serveCommand) ledger() ledgerFlags { return ledgerFlags{c.Data, c.Database} }

// address is where the database is.
func (c serveCommand) address() string { return c.ledger().address() }

func parseProxies(texts []string) (all []netip.Prefix, err error) {
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("--proxy is %q; it must be a network such as 127.0.0.1/32", text)
		}
		all = append(all, prefix)
	}
	return all, nil
}
