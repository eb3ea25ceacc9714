// Package server runs the server. It connects the ledger's services with the node, the signer, the audit, the clock and
// the lease, follows the chain, and serves the pages and the API.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/api"
	"moonfund/internal/audit"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/coins"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/fault"
	"moonfund/internal/server/auditor"
	"moonfund/internal/server/clock"
	"moonfund/internal/server/feerate"
	"moonfund/internal/server/nodecheck"
	"moonfund/internal/server/publisher"
	"moonfund/internal/server/push"
	"moonfund/internal/server/runeindex"
	"moonfund/internal/server/signing"
	"moonfund/internal/server/wiring"
	"moonfund/internal/server/zmq"
	"moonfund/internal/signer"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/community"
	"moonfund/internal/staking/ledger"
	"moonfund/internal/store"
	"moonfund/internal/store/backup"
	"moonfund/web"
)

// Config configures a Server.
type Config struct {
	Version     string // version of the program
	Commit      string // commit of the program's source; "": unknown
	Network     chain.Network
	Data        string // folder with the files of the signer's outflows and of the audit
	Store       *store.Store
	Database    string // address of Store, for the audit's own connections; "": no audits
	Node        *chain.Client
	Signing     signing.Source
	WithdrawTo  []string     // withdrawal addresses of a signer in this process
	Marks       signer.Marks // the key's high-water mark; nil: the ledger is not compared
	Communities []community.Manifest
	Pictures    map[string]map[string]community.Picture // by prefix and file name; a missing picture is not shown
	Rules       runes.Rules                             // which runes are indexed, and from which block
	Rates       *feerate.Source
	Esplora     string // URL of an Esplora server, for withdrawals in one transaction; "": they are off
	Clock       *clock.Clock
	RuneOrders  RuneOrders
	Backups     *backup.Schedule // nil: no backups
	Notified    []string         // names of the receivers of notifications
	Log         *slog.Logger
	// Tasks returns additional tasks of a running server, from packages that this one does not import. Each task ends
	// when its context is done.
	Tasks func(*Server) []func(context.Context)

	Domains    []string       // host names of the server; each community has one label below each
	Hosts      []string       // further exact host names
	Port       string         // included in signed messages if it is not the default port
	Scheme     string         // of the pages' addresses: http or https
	LearnMore  string         // target of the landing page's "Learn More"; empty: a community's
	Source     string         // address of the program's published source; empty: unknown
	Dev        bool           // offer the dev wallet
	Proxies    []netip.Prefix // trusted sources of X-Forwarded-For
	PerSource  api.Limit      // requests of one source
	PerAddress api.Limit      // requests of one source about one ordinals address
	Metrics    string         // address of /metrics; "": not served
	Interval   time.Duration  // maximum time between two steps of the follower
}

// Server is a server on one ledger. New creates it, Run runs it.
type Server struct {
	Config
	wiring.Services
	Accounts ledger.Communities[vault.Account]
	Coins    *coins.Finder // nil: withdrawals in one transaction are off

	shown    atomic.Pointer[presentation] // of the last Reload; nil: as in Config
	runeIDs  ledger.Communities[runes.ID]
	auditor  *auditor.Auditor // nil: no audits
	hub      *api.Hub
	lead     lead
	compared atomic.Bool // the ledger was compared with its key's high-water mark
	measures *measures

	statements *publisher.Publisher
	receipts   *publisher.Receipts
	nodeEvents *zmq.Subscriber // nil: without a node

	push *push.Service

	signs      interface{ Ready(context.Context) error } // the signer
	signerStop atomic.Pointer[string]                    // why it signs nothing, as of the last check; nil or "": it signs
}

// New returns a server with its services connected. It calls neither the store nor the node. For a signer in this
// process with a key file it opens or creates the outflow file in Data.
func New(c Config) (*Server, error) {
	s := &Server{
		Config: c, hub: api.NewHub(time.Now()), measures: newMeasures(),
	}
	s.Store.Observe(s.measures.writer)
	if s.Node != nil {
		s.Node.Observe(s.measures.nodeCall)
		s.nodeEvents = zmq.New(s.Node.SequencePublisher, s.Log)
	}
	s.lead.lease = c.Store.Lease()
	if err := s.findCoins(); err != nil {
		return nil, err
	}
	terms, err := s.terms()
	if err != nil {
		return nil, err
	}
	sign, err := s.connectSigner()
	if err != nil {
		return nil, err
	}
	orders, err := s.Signing.Account(vault.OrdersAccount, s.Network)
	if err != nil {
		return nil, err
	}
	w := wiring.Config{
		Network: s.Network, Genesis: s.Network.Params.GenesisHash, Rules: s.Rules, Start: s.Rules.Start(), Terms: terms,
		Node: s.Node, Log: s.Log, Update: s.Store.Update, View: s.Store.View, Analyze: s.Store.Analyze,
		Moment: s.Clock.Moment, Rate: s.Rates.Rate, MinRate: s.Rates.Min(), Changed: s.changed, Lead: s.lead.lease.Term,
		Signer: sign, Export: sign.Exporter(s.Signing.Accounts.Fingerprint, s.Accounts), RelaysV3: s.Rates.RelaysV3,
		MempoolMin: s.Rates.MempoolMin,
		Ready:      s.ready, Hint: func(ctx context.Context, _ string) {
			s.Refresh(ctx)
		}, Supply: views{s}.supply, Etching: s.etchingConfig(orders, sign),
		Inspect: nodecheck.New(nodecheck.Config{
			Node: s.Node, Network: s.Network, RuneOrders: orders, Limits: chain.DefaultPolicy(), Log: s.Log, Now: s.Clock.Real,
			Refused: s.refusedForGood,
		}).Inspect,
	}
	if s.nodeEvents != nil {
		w.MempoolChanges = s.nodeEvents.Next
	}
	if s.Coins != nil {
		w.Coins = s.Coins
	}
	if s.Database != "" {
		if s.auditor, err = s.newAuditor(); err != nil {
			return nil, err
		}
		w.Audit, w.Approve = s.auditor.Audit, s.auditor.Approve
	}
	s.Services = wiring.Connect(w)
	if s.auditor != nil {
		s.auditor.OnLate(s.Follower.Wake)
	}
	s.Follower.Held = s.held
	s.openPush()
	return s, nil
}

// openPush opens the service for messages to stakers, and creates its key in Data.
func (s *Server) openPush() {
	s.push = push.New(push.Config{
		KeyFile: filepath.Join(s.Data, push.KeyFile), Contact: "https://" + s.Domains[0], Store: s.Store,
		CheckProven: s.Actions.CheckProven, Leads: s.Leads, Now: s.now, Log: s.Log,
	})
}

// held implements follower.Config.Held.
func (s *Server) held() map[string]string {
	if s.auditor == nil {
		return nil
	}
	return s.auditor.Held()
}

// Close stops the running audit. It does not close the store.
func (s *Server) Close() error {
	if s.auditor == nil {
		return nil
	}
	return s.auditor.Close()
}

// terms derives the communities' accounts and returns their terms for the services. It returns an error for an invalid
// rune id and for the account of the mint and etch service.
func (s *Server) terms() (terms wiring.Terms, err error) {
	for _, m := range s.Communities {
		id, err := m.RuneID()
		if err != nil {
			return terms, err
		}
		if m.Account == vault.OrdersAccount {
			return terms, fmt.Errorf("community %s: account %d belongs to the mint and etch service", m.Prefix, m.Account)
		}
		account, err := s.Signing.Account(m.Account, s.Network)
		if err != nil {
			return terms, err
		}
		s.Accounts.Add(m.Prefix, account)
		s.runeIDs.Add(m.Prefix, id)
		if err := terms.Add(m, s.Network, account, s.withPort(m.Host+"."+s.Domains[0])); err != nil {
			return terms, err
		}
	}
	return terms, nil
}

// connectSigner returns a client of the signer process, or a signer in this process with the manifests' limits.
func (s *Server) connectSigner() (wiring.Signing, error) {
	var sign wiring.Signing
	for _, m := range s.Communities {
		sign.Accounts.Add(m.Prefix, m.Account)
	}
	if s.Signing.Process != nil {
		sign.Signer, s.signs = s.Signing.Process, s.Signing.Process
		return sign, s.publish(s.Signing.Process)
	}
	var outflows signer.Outflows = signer.OutflowFile(filepath.Join(s.Data, signing.OutflowFile))
	if s.Signing.KeyFile != "" {
		own, err := signing.StartOutflows(s.Data, s.Signing.KeyFile, s.Network, s.Log)
		if err != nil {
			return sign, err
		}
		if outflows = own; s.Marks != nil && !s.Store.Shared() { // servers on one database share their record there
			s.Marks = signing.BeginOutflows(s.Marks, own)
		}
	}
	config := signer.Config{
		Now: s.Clock.Read, Balances: s.balances, Outflows: signing.SharedOutflows(outflows, s.Store),
		RuneOrders: &signer.RuneOrderPolicy{FeeTo: s.RuneOrders.FeeTo}, WithdrawTo: s.WithdrawTo,
		Heads: signing.SharedHeads(signing.StatementHeads(s.Data, s.Signing.KeyFile, s.Network), s.Store),
	}
	if s.Rules.Follow != nil {
		config.Untracked = func(ctx context.Context, out wire.OutPoint) (bool, error) {
			return runeindex.Untracked(ctx, s.Store, s.Node, s.Rules, out)
		}
	}
	own, err := signing.NewSigner(s.Signing.Keys, s.Network, s.Communities, s.Data, config)
	if err != nil {
		return sign, err
	}
	sign.Signer, s.signs = own, own
	return sign, s.publish(own)
}

// balances implements signer.Config.Balances with the server's rune index.
func (s *Server) balances(ctx context.Context, out wire.OutPoint) (held []runes.Balance, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		held, err = runes.BalancesOf(tx.Runes(ctx), out)
		return err
	})
	return held, err
}

// walkFile is the file in Config.Data in which the audit stores the chain that it walked.
const walkFile = "audit.db"

// newAuditor returns an auditor of the ledger at Config.Database.
func (s *Server) newAuditor() (*auditor.Auditor, error) {
	minimum := map[string]amount.Runes{}
	for _, m := range s.Communities {
		minimum[m.Prefix] = m.MinimumStake
	}
	return auditor.New(auditor.Config{
		Address: s.Database, Node: s.Node, Store: s.Store, Log: s.Log,
		Rules: audit.Config{
			Rules: s.Rules, Start: s.Rules.Start(), MinimumStake: minimum, WalkFile: filepath.Join(s.Data, walkFile),
		},
		Now: s.Clock.Real, Deadline: s.now,
	})
}

// withPort appends the port to a host unless it is the default port of the scheme.
func (s *Server) withPort(host string) string {
	if s.Port != "" && s.Port != "80" && s.Port != "443" {
		host = net.JoinHostPort(host, s.Port)
	}
	return host
}

// CheckCommunities returns an error if the manifests don't fit the ledger.
func (s *Server) CheckCommunities(ctx context.Context) error {
	return s.Store.View(ctx, func(tx *store.Tx) error { return wiring.Check(ctx, tx, s.Communities) })
}

// Bind records the communities at their first start. It returns an error if a manifest changed a fixed value, or if the
// keys are not the ledger's.
func (s *Server) Bind(ctx context.Context) error {
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		for _, m := range s.Communities {
			account, err := s.Accounts.Of(m.Prefix)
			if err != nil {
				return err
			}
			if err := wiring.Bind(ctx, tx, m, account); err != nil {
				return err
			}
		}
		return s.Clock.Load(ctx, tx, s.Communities)
	})
}

// changed notifies the pages, after a commit, of the data to fetch again. An empty prefix means every community, an
// empty owner only the community's figures.
func (s *Server) changed(prefix, owner string) {
	s.lead.changed.Store(true)
	if prefix == "" {
		for _, m := range s.Communities {
			s.hub.Global(m.Prefix)
		}
		return
	}
	s.hub.Global(prefix)
	if owner != "" {
		s.hub.Wallet(prefix, owner)
	}
}

// refreshTimeout is the maximum duration of Refresh.
const refreshTimeout = 3 * time.Second

// Refresh makes the leader read the chain and the mempool now, and waits for it at most refreshTimeout.
func (s *Server) Refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	s.waitForRefresh(ctx)
}

// ready returns a *fault.Error with the reason for refusing actions now, or nil.
func (s *Server) ready() error {
	if _, err := s.Clock.Moment(); err != nil {
		return fault.Refuse(fault.ClockUncertain).Because(err)
	}
	if err := s.markCompared(); err != nil {
		return fault.Refuse(fault.CatchingUp).Because(err)
	}
	if state := s.state(); !state.Synced {
		return fault.Refuse(fault.CatchingUp).Because(state.Err)
	}
	return nil
}

// now returns the time that deadlines use.
func (s *Server) now() time.Time { return s.Clock.Shown().Now }

// Pages serves the web pages of every configured host.
func (s *Server) Pages() http.Handler { return web.Handler(s.site) }

// handler serves all HTTP requests. mounts are additional handlers by their first path segment.
func (s *Server) handler(mounts map[string]http.Handler) (http.Handler, error) {
	return api.New(s.apiConfig(mounts))
}

func (s *Server) apiConfig(mounts map[string]http.Handler) api.Config {
	return api.Config{
		Sites: s.Communities, Site: s.manifest, Hub: s.hub, Pages: s.Pages(),
		Mounts: mounts, Domains: s.Domains, Hosts: s.Hosts,
		Network: s.Network.Name, PerSource: s.PerSource, PerAddress: s.PerAddress, Proxies: s.Proxies, Log: s.Log,
		Answered: s.measures.request,
		Services: api.Services{
			Ledger: views{s}, Actions: s.Actions, Orders: views{s}, Proofs: proofs{s}, State: status{s},
			Statements: s.statements, Receipts: s.receipts,
			Recoveries: proofs{s},
			Address: func(text string) (string, error) {
				address, err := action.ParseAddress(text, s.Network)
				return address.Text, err
			},
			Push:       s.push,
			OneTx:      s.OneTx,
			OwnCoins:   s.Coins != nil,
			RuneOrders: s.Etching,
			Now:        s.now,
		},
	}
}
