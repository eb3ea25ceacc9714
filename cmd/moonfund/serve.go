package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/coins"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/operate/setup"
	"moonfund/internal/server"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/server/signing"
	"moonfund/internal/server/tracing"
	"moonfund/internal/staking/community"
)

type serveCommand struct {
	Network     string   `default:"mainnet" env:"MOONFUND_NETWORK" help:"${help_node_network}"`
	Communities string   `required:"" env:"MOONFUND_COMMUNITIES" help:"${help_communities}" type:"path"`
	Data        string   `default:"data" env:"MOONFUND_DATA" help:"Folder of the ledger and the limits." type:"path"`
	Database    string   `env:"MOONFUND_DATABASE" help:"${help_database}"`
	Key         string   `env:"MOONFUND_KEY" help:"${help_serve_key}" type:"path"`
	Signer      string   `env:"MOONFUND_SIGNER" help:"${help_serve_signer}" type:"path"`
	Listen      string   `default:"127.0.0.1:8080" env:"MOONFUND_LISTEN" help:"Listen address of pages and API."`
	Metrics     string   `env:"MOONFUND_METRICS" help:"${help_metrics}"`
	LogLevel    string   `enum:"debug,info,warn,error" default:"info" env:"MOONFUND_LOG_LEVEL" help:"${help_log_level}"`
	Domain      []string `required:"" env:"MOONFUND_DOMAIN" help:"Domain of the server; each community is a subdomain."`
	Source      string   `env:"MOONFUND_SOURCE" help:"Where the source code is published. Every page links to it."`
	LearnMore   string   `help:"Link 'Learn More' of the landing page. Default: learn_more of a community."`
	Proxy       []string `env:"MOONFUND_PROXY" help:"Network of a trusted proxy, such as 127.0.0.1/32."`
	Esplora     string   `env:"MOONFUND_ESPLORA" help:"${help_serve_esplora}" placeholder:"URL"`
	Withdraw    []string `name:"withdraw-address" help:"${help_serve_withdraw_address}" placeholder:"ADDRESS"`
	Fallback    int64    `default:"20" env:"MOONFUND_FALLBACK" help:"Fee rate in sat/vB while the node has no estimate."`
	Floor       int64    `default:"1" env:"MOONFUND_FLOOR" help:"Lowest fee rate in sat/vB, whatever the node estimates."`
	indexFlag
	orderFlags
	backupFlags
	nodeFlags   `prefix:"node-"`
	notifyFlags `prefix:"notify-"`
}

type nodeFlags struct {
	URL      string `default:"http://127.0.0.1:8332" env:"MOONFUND_NODE_URL" help:"The node's JSON-RPC address."`
	User     string `env:"MOONFUND_NODE_USER" help:"The node's user."`
	Password string `env:"MOONFUND_NODE_PASSWORD" help:"${help_node_password}"`
	Cookie   string `env:"MOONFUND_NODE_COOKIE" help:"The node's cookie file, instead of user and password." type:"path"`
	Cert     string `help:"Certificate of a node with HTTPS." type:"path"`
}

func (n nodeFlags) client() *chain.Client {
	return chain.NewClient(chain.ClientConfig{
		URL: n.URL, User: n.User, Password: n.Password, CookieFile: n.Cookie, CertFile: n.Cert,
	})
}

// indexFlag chooses which runes an index follows.
type indexFlag struct {
	Index string `enum:"full,followed" default:"full" env:"MOONFUND_INDEX" help:"${help_index}"`
}

// newLog returns a logger that writes JSON lines of the named level and above. kong has validated the name.
func newLog(w io.Writer, name string) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(name)) // kong allows only slog's names
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}

const followInterval = time.Second

// AfterApply drops a key file that only the environment names beside a signer.
func (c *serveCommand) AfterApply() error { return preferSigner(&c.Key, c.Signer) }

// preferSigner clears the key file if a signer is given and the key file comes from the environment. The settings may
// name a key file for the commands that need it, but a command with a signer opens none.
func preferSigner(key *string, signer string) error {
	if signer != "" && *key == kong.ExpandPath(os.Getenv("MOONFUND_KEY")) {
		*key = ""
	}
	return nil
}

// Run is `moonfund serve`.
func (c serveCommand) Run(ctx context.Context) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // SIGHUP no longer ends the process
	config, err := c.config()
	if err != nil {
		return err
	}
	if err := c.addTasks(ctx, &config); err != nil {
		return err
	}
	if err := c.checkNode(ctx, config); err != nil {
		return err
	}
	err = runeindex.CheckManifests(ctx, config.Node, runes.RulesFor(config.Network), config.Communities, config.Log)
	if err != nil {
		return err
	}
	if !c.ledger().onDisk() { // check before prompting, and before creating a file in a wrong folder
		return c.ledger().missing()
	}
	if config.Signing, err = openSigning(ctx, c.keySource(), config.Network, config.Communities); err != nil {
		return err
	}
	config.Marks = config.Signing.Marks(config.Network)
	listener, err := server.Listen(c.Listen)
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
	config.Store, config.Backups = db, c.schedule(db, config.Log)
	choice := runeindex.Choice{
		Index: c.Index, Network: config.Network, Communities: config.Communities, Node: config.Node,
	}
	if config.Rules, err = choice.Rules(ctx, db, runeindex.RebuildLedger); err != nil {
		return err
	}
	config.Rates = feerate.New(config.Node, chain.FeePolicy{
		Fallback: amount.SatPerVB(c.Fallback), Min: amount.SatPerVB(c.Floor), Max: amount.SatPerVB(highestRate),
	}, config.Log)
	s, err := server.New(config)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Start(ctx); err != nil {
		return err
	}
	go s.ReloadOn(ctx, hangups, c.Communities)
	return s.Run(ctx, listener, nil)
}

// addTasks adds the tasks of packages that the server does not import.
func (c serveCommand) addTasks(ctx context.Context, config *server.Config) error {
	notifier, receivers, err := c.notifier()
	if err != nil {
		return err
	}
	traces, err := tracing.New(ctx, version, config.Log)
	config.Notified = receivers
	config.Tasks = func(s *server.Server) []func(context.Context) {
		tasks := []func(context.Context){searchDeposits(s), notifier(s)}
		if traces != nil {
			tasks = append(tasks, traces)
		}
		return tasks
	}
	return err
}

// config returns the server's configuration from the flags and manifests.
func (c serveCommand) config() (config server.Config, err error) {
	network, err := chain.NetworkByName(c.Network)
	if err != nil {
		return config, err
	}
	config = server.Config{
		Version: version, Commit: revision(), Network: network, Data: c.Data, Database: c.ledger().address(),
		Node: c.client(), Clock: clock.New(),
		Log:     newLog(os.Stderr, c.LogLevel),
		Domains: c.Domain, LearnMore: c.LearnMore, Metrics: c.Metrics, Interval: followInterval,
		PerSource: api.Limit{PerSecond: 20, Burst: 100}, PerAddress: api.Limit{PerSecond: 5,
			Burst: 40},
	}
	if config.Communities, err = community.LoadDir(c.Communities, network.Name); err != nil {
		return config, err
	}
	config.WithdrawTo, config.Esplora = c.Withdraw, c.Esplora
	config.Source, config.Pictures = c.Source, server.ReadPictures(c.Communities, config.Communities, config.Log)
	if missing := community.MissingTerms(config.Communities); len(missing) > 0 {
		config.Log.Warn("no terms are published: add [terms] to the manifest", "communities", missing)
	}
	if config.RuneOrders, err = c.runeOrders(network); err != nil {
		return config, err
	}
	if config.RuneOrders.On && c.Index == runeindex.Followed {
		return config, errors.New("--orders needs --index full: an index of some runes can't show if a name is free " +
			"or a mint open")
	}
	if config.Proxies, err = parseProxies(c.Proxy); err != nil {
		return config, err
	}
	config.Scheme = "https" // behind a proxy on the usual port
	if network.Name == "regtest" {
		config.Scheme = "http"
		_, config.Port, _ = net.SplitHostPort(c.Listen)
	}
	return config, errors.Join(c.checkNames(), c.checkRates(), c.checkEsplora(), c.backupFlags.check())
}

// checkEsplora returns an error for an invalid --esplora.
func (c serveCommand) checkEsplora() error {
	if c.Esplora == "" {
		return nil
	}
	if _, err := coins.CheckURL(c.Esplora); err != nil {
		return fmt.Errorf("--esplora: %w", err)
	}
	return nil
}

// checkNode returns an error if the node does not suit the configuration. For --esplora it must be able to report the
// transactions in its mempool that spend an output.
func (c serveCommand) checkNode(ctx context.Context, config server.Config) error {
	if err := nodecheck.Suitable(ctx, config.Node, config.Network); err != nil || c.Esplora == "" {
		return err
	}
	if _, err := config.Node.Spenders(ctx, wire.OutPoint{}); err != nil {
		return fmt.Errorf("--esplora needs a node with gettxspendingprevout, such as Bitcoin Core 24.0 or later: %w", err)
	}
	return nil
}

// checkNames returns an error for invalid domains. The first domain is part of every message that owners sign.
func (c serveCommand) checkNames() error {
	domains := c.Domain
	if len(domains) == 0 {
		domains = []string{""}
	}
	for _, domain := range domains {
		if err := setup.CheckDomain(domain); err != nil {
			return fmt.Errorf("--domain is %w", err)
		}
	}
	for flag, address := range map[string]string{"--learn-more": c.LearnMore, "--source": c.Source} {
		if page, err := url.Parse(address); address != "" &&
			(err != nil || page.Host == "" || (page.Scheme != "https" && page.Scheme != "http")) {
			return fmt.Errorf("%s is %q; it must be an address such as https://example.org/about", flag, address)
		}
	}
	return nil
}

// highestRate is the maximum fee rate that the server uses, in sat/vB.
const highestRate = 1000

func (c serveCommand) checkRates() error {
	for name, rate := range map[string]int64{"--floor": c.Floor, "--fallback": c.Fallback} {
		if rate < 1 || rate > highestRate {
			return fmt.Errorf("%s is %d; it must be from 1 to %d sat/vB", name, rate, highestRate)
		}
	}
	return nil
}

// keySource is the key file or the socket of a signer process.
type keySource struct{ key, signer, data string }

func (c serveCommand) keySource() keySource { return keySource{c.Key, c.Signer, c.Data} }

// openSigning opens the key file or connects to the signer process.
func openSigning(
	ctx context.Context, from keySource, network chain.Network, manifests []community.Manifest,
) (signing.Source, error) {
	switch {
	case from.key == "" && from.signer == "":
		return signing.Source{}, errors.New("one of --key FILE and --signer SOCKET is needed: the key file here, or a " +
			"signer process that has it")
	case from.key != "" && from.signer != "":
		return signing.Source{}, errors.New("--key and --signer are both given: a server with a signer holds no key; drop " +
			"one of them")
	case from.key != "":
		keys, err := openKeys(from.key)
		if err != nil {
			return signing.Source{}, err
		}
		return signing.Own(keys, from.key, network, manifests)
	}
	return signing.Remote(ctx, from.signer, from.data, network)
}

func (c serveCommand) ledger() ledgerFlags { return ledgerFlags{c.Data, c.Database} }

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
