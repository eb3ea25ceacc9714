package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/action"
	"moonfund/api"
	"moonfund/chain"
	"moonfund/community"
	"moonfund/etching"
	"moonfund/fault"
	"moonfund/follower"
	"moonfund/ledger"
	"moonfund/order"
	"moonfund/payout"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/store"
	"moonfund/vault"
)

// settings are everything that a server is built from.
type settings struct {
	network   chain.Network
	data      string // folder of the signer's limits
	store     *store.Store
	database  string // the store's address, for the audit's own way in; "" for a server without a guard
	node      *chain.Client
	signing   signing
	manifests []community.Manifest
	domains   []string    // hosts that serve, one label per community below each
	hosts     []string    // further exact hosts
	port      string      // shown in signed messages when it is not the usual one
	scheme    string      // of the pages' addresses: http or https
	learnMore string      // where the landing page's 'Learn More' leads; empty: to a community's, or down the page
	rules     runes.Rules // which runes are indexed, and from which block on
	rates     *rates
	clock     *clock
	dev       bool
	minting   runeService    // the mint and etch service
	proxies   []netip.Prefix // whose X-Forwarded-For is believed
	log       *slog.Logger
	marks     signer.Marks // with the key; nil: none is compared
}

// house is a wired server: every room, with what it needs from the others.
type house struct {
	settings
	accounts map[string]vault.Account
	ids      map[string]runes.ID
	book     *ledger.Book
	orders   *order.Desk
	actions  *action.Desk
	etching  *etching.Desk
	follower *follower.Follower
	guard    *guard   // nil without a database's address
	backups  *backups // nil: none are made
	hub      *api.Hub
	seat     seat
	compared atomic.Bool // the ledger was compared with its key's mark
}

// build wires the rooms. It reads and writes nothing.
func build(s settings) (*house, error) {
	h := &house{settings: s, accounts: map[string]vault.Account{}, ids: map[string]runes.ID{}, hub: api.NewHub(time.Now())}
	h.seat.lease = s.store.Lease()
	s.rates.log = s.log
	told, err := h.tell()
	if err != nil {
		return nil, err
	}
	h.book = ledger.NewBook(told.book...)
	h.orders = order.NewDesk(s.network, told.prices...)
	ask, err := h.asking()
	if err != nil {
		return nil, err
	}
	cashier := payout.NewCashier(payout.Config{
		Network: s.network, Signer: ask, Book: h.book, Orders: h.orders, Policy: chain.DefaultPolicy(),
		Log: s.log, NewID: newID, Terms: told.deliveries, Export: h.exporter(ask),
		RelaysV3: s.rates.relaysV3,
	})
	if h.etching, err = h.newEtching(ask); err != nil {
		return nil, err
	}
	var look func(context.Context) error
	var vouch func(context.Context, chainhash.Hash) (bool, error)
	if s.database != "" {
		if h.guard, err = h.newGuard(s.database); err != nil {
			return nil, err
		}
		look, vouch = h.guard.Look, h.guard.Vouch
	}
	nodes := &nodeWatch{
		node: s.node, network: s.network, orders: h.etching.Account, limits: chain.DefaultPolicy(), log: s.log, now: s.clock.real,
	}
	h.follower = follower.New(follower.Config{
		Inspect: nodes.inspect,
		Node:    s.node, Rules: s.rules, Start: s.rules.Start(), Book: h.book, Orders: h.orders, Cashier: cashier, Etching: h.etching,
		Transact: func(ctx context.Context, fn func(follower.Tx) error) error {
			return s.store.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		View: func(ctx context.Context, fn func(follower.Tx) error) error {
			return s.store.View(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
		},
		Lead:   h.seat.lease.Term,
		Moment: s.clock.moment, Rate: s.rates.rate, Changed: h.changed, Guard: look, Vouch: vouch, Log: s.log, Genesis: s.network.Params.GenesisHash,
	})
	if h.guard != nil {
		h.guard.wake = h.follower.Wake
	}
	h.actions = &action.Desk{
		Network: s.network, Terms: told.intents, Orders: h.orders,
		Transact: func(ctx context.Context, fn func(action.Tx) error) error {
			return s.store.Update(ctx, func(tx *store.Tx) error { return fn(tx.ActionTx()) })
		},
		View: func(ctx context.Context, fn func(action.Tx) error) error {
			return s.store.View(ctx, func(tx *store.Tx) error { return fn(tx.ActionTx()) })
		},
		Moment: s.clock.moment, Ready: h.ready, Rate: s.rates.rate, Hint: h.hint, Changed: h.changed,
		Supply: views{h}.supply,
	}
	return h, nil
}

// terms are what the desks are told of the communities.
type terms struct {
	book       []ledger.Terms
	prices     []order.Terms
	deliveries []payout.Terms
	intents    map[string]action.Terms
}

// tell derives each community's account and sums up its manifest for the desks.
func (h *house) tell() (terms, error) {
	t := terms{intents: map[string]action.Terms{}}
	for _, m := range h.manifests {
		id, err := runes.ParseID(m.Rune.ID)
		if err != nil {
			return t, fmt.Errorf("community %s: rune_id: %w", m.Prefix, err)
		}
		if m.Account == vault.OrdersAccount {
			return t, fmt.Errorf("community %s: account %d is that of the mint and etch service", m.Prefix, m.Account)
		}
		xpub, err := h.signing.xpub(m.Account)
		if err != nil {
			return t, err
		}
		account, err := vault.NewAccount(xpub, h.network)
		if err != nil {
			return t, err
		}
		h.accounts[m.Prefix], h.ids[m.Prefix] = account, id
		t.book = append(t.book, ledger.Terms{Prefix: m.Prefix, Network: h.network, Rune: id, MinimumStake: m.MinimumStake, Budget: m.Budget})
		t.prices = append(t.prices, order.Terms{
			Prefix: m.Prefix, Rune: id, ServiceFee: m.ServiceFee, MaxUnits: m.Limits.MaxUnitsPerOrder, Account: account,
		})
		t.deliveries = append(t.deliveries, payout.Terms{
			Prefix: m.Prefix, Rune: id, Account: account, MaxRate: m.Limits.MaxFeeRate, MaxWait: m.Limits.PayoutMaxWait,
			MaxRunestone: m.Limits.MaxRunestone, FeeTopUp: m.Limits.FeeTopUp, ColdAbove: m.Limits.ColdAbove,
		})
		t.intents[m.Prefix] = action.Terms{
			Prefix: m.Prefix, Name: m.Name, Token: m.Token, Domain: h.domain(m), MinimumStake: m.MinimumStake,
			Delay: m.RecoveryDelay, MaxUnits: m.Limits.MaxUnitsPerOrder, Account: account,
		}
	}
	return t, nil
}

// domain is the host that a community's signed messages name.
func (h *house) domain(m community.Manifest) string { return h.withPort(m.Host + "." + h.domains[0]) }

// withPort adds the port to a host where browsers would not take it for granted.
func (h *house) withPort(host string) string {
	if h.port != "" && h.port != "80" && h.port != "443" {
		host = net.JoinHostPort(host, h.port)
	}
	return host
}

func newID() (string, error) {
	id := make([]byte, 16)
	_, err := rand.Read(id)
	return hex.EncodeToString(id), err
}

// bind records the communities at their first start, and refuses manifests that
// changed what can't be changed.
func (h *house) bind(ctx context.Context) error {
	return h.store.Update(ctx, func(tx *store.Tx) error {
		for _, m := range h.manifests {
			binding := store.Binding{
				Prefix: m.Prefix, RuneID: m.Rune.ID, Account: int64(m.Account), Network: m.Network, Calendar: m.Calendar(),
			}
			if err := tx.Bind(ctx, binding); err != nil {
				return err
			}
			if err := sameTreasury(ctx, tx, m.Prefix, h.accounts[m.Prefix]); err != nil {
				return err
			}
			if err := watchTreasury(ctx, tx, m.Prefix, h.accounts[m.Prefix]); err != nil {
				return err
			}
		}
		return h.clock.load(ctx, tx, h.manifests)
	})
}

// watchTreasury watches the two addresses of a community's treasury.
func watchTreasury(ctx context.Context, tx *store.Tx, prefix string, account vault.Account) error {
	runesAddress, _ := account.TreasuryRunes()
	satsAddress, _ := account.TreasurySats()
	for kind, address := range map[ledger.Kind]chain.Address{ledger.RunesKind: runesAddress, ledger.SatsKind: satsAddress} {
		watched := ledger.Watched{Script: address.Script, Community: prefix, Kind: kind, Ref: address.Text}
		if err := tx.WatchScript(ctx, watched); err != nil {
			return err
		}
	}
	return nil
}

// changed tells the pages, after a commit, what to fetch again.
func (h *house) changed(prefix, owner string) {
	h.seat.changed.Store(true)
	if prefix == "" {
		for _, m := range h.manifests {
			h.hub.Global(m.Prefix)
		}
		return
	}
	h.hub.Global(prefix)
	if owner != "" {
		h.hub.Wallet(prefix, owner)
	}
}

// hintWait bounds how long a hint may hold up its caller.
const hintWait = 3 * time.Second

// hint has the mempool looked at now.
func (h *house) hint(ctx context.Context, _ string) {
	ctx, cancel := context.WithTimeout(ctx, hintWait)
	defer cancel()
	h.look(ctx)
}

func (h *house) ready() error {
	if _, err := h.clock.moment(); err != nil {
		return fault.Refuse(fault.ClockUncertain).Because(err)
	}
	if err := h.markCompared(); err != nil {
		return fault.Refuse(fault.CatchingUp).Because(err)
	}
	if state := h.state(); !state.Synced {
		return fault.Refuse(fault.CatchingUp).Because(state.Err)
	}
	return nil
}

// now is what deadlines see.
func (h *house) now() time.Time { return h.clock.shown().Now }

// balances is the signer's own look at the rune index.
func (h *house) balances(ctx context.Context, out wire.OutPoint) (held []runes.Balance, err error) {
	err = h.store.View(ctx, func(tx *store.Tx) error {
		held, err = tx.Runes(ctx).RuneBalances(out)
		return err
	})
	return held, err
}

// handler is the server's whole HTTP surface.
func (h *house) handler(pages http.Handler, mounts map[string]http.Handler, perSource, perAddress api.Limit) (http.Handler, error) {
	return api.New(api.Config{
		Sites: h.manifests, Hub: h.hub, Pages: pages, Mounts: mounts, Domains: h.domains, Hosts: h.hosts,
		Network: h.network.Name, PerSource: perSource, PerAddress: perAddress, Proxies: h.proxies, Log: h.log,
		Services: api.Services{
			Ledger: views{h}, Actions: h.actions, Orders: views{h}, Proofs: proofs{h}, State: standing{h},
			Recoveries: proofs{h},
			Address: func(text string) (string, error) {
				address, err := action.ParseAddress(text, h.network)
				return address.Text, err
			},
			RuneOrders: h.etching,
			Now:        h.now,
		},
	})
}

// listen takes a port, or says in a sentence why it can't.
func listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("can't listen on %s: %w. Choose another port", address, reason(err))
	}
	return listener, nil
}

func reason(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// serve answers until ctx ends, and then lets running requests finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, hub *api.Hub) error {
	server := api.NewServer(listener.Addr().String(), handler, hub)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(api.Listener(listener)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(last)
}
