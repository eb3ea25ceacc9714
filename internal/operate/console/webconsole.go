// Package console shows the ledger to the operator in a browser. It only reads: it answers GET requests from one
// snapshot of the ledger, and shows the commands of moonfund that change something.
package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/operate/decisions"
	"moonfund/internal/store"
)

// Config configures a Console.
type Config struct {
	// View runs fn on one snapshot of the ledger. fn can't write.
	View func(ctx context.Context, fn func(tx *store.Tx) error) error
	// Budgets returns the budgets of a community by its manifest, or nil if they are unknown. It may be nil.
	Budgets func(ctx context.Context, tx *store.Tx, community string) decisions.Budgets
	// Server reads the state of the running server.
	Server Server
	// Options are the flags that name the ledger in the shown commands, such as --data DIR.
	Options []string
	// Settings is the settings file of the shown commands, or "".
	Settings string
	// Complete is set if the settings suffice for commands that need all of them.
	Complete bool

	Now      func() time.Time // the time for links, sessions and the date of a page
	Log      *slog.Logger
	ReadTime time.Duration // maximum time for reading a page; 0: defaultReadTime
}

// Limits of reads, so that the console does not slow down the server, which shares the machine and the ledger.
const (
	maxReads        = 2 // pages that are read at the same time
	queueing        = 5 * time.Second
	defaultReadTime = 10 * time.Second
)

// Console is the operator's console.
type Console struct {
	Config
	access access
	reads  chan struct{} // holds one element per page that is being read
	routes []route
}

// New returns a console without a link.
func New(c Config) *Console {
	if c.ReadTime == 0 {
		c.ReadTime = defaultReadTime
	}
	console := &Console{Config: c, access: access{now: c.Now}, reads: make(chan struct{}, maxReads)}
	console.routes = console.pages()
	return console
}

// CheckListen returns an error unless an address has a loopback IP address, which other machines can't reach.
func CheckListen(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().IsLoopback() {
		return fmt.Errorf("--listen is %q; it must be an address of this machine only, such as 127.0.0.1:9465: "+
			"from elsewhere, open the console through an SSH tunnel", address)
	}
	return nil
}

// Link makes a new one-time link, which replaces the previous one, and returns its URL at a listen address.
func (c *Console) Link(address net.Addr) string {
	return "http://" + address.String() + enterPath + "?token=" + c.access.newLink()
}

// Serve serves the console until ctx is done.
func (c *Console) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: c.Handler(listener.Addr()), ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler returns the handler of the console at a listen address.
func (c *Console) Handler(address net.Addr) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+enterPath, c.enter)
	mux.HandleFunc("GET /style.css", serveStyle)
	mux.HandleFunc("GET /fonts/{name}", serveFont)
	for _, route := range c.routes {
		mux.HandleFunc("GET "+route.pattern, func(w http.ResponseWriter, r *http.Request) { c.show(w, r, route) })
	}
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { c.fail(w, r, errNoPage) })
	return guard(address, mux)
}

// runesText formats an amount of a community's rune.
func runesText(n amount.Runes) string { return grouped(n.Whole()) }

// satsText formats an amount of sats.
func satsText(n amount.Sats) string { return grouped(fmt.Sprint(int64(n))) }
