package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"moonfund/community"
	"moonfund/fault"
)

// maxBody is the largest request body, in bytes.
const maxBody = 64 << 10

// callTime is how long a call may take before it is given up.
const callTime = 15 * time.Second

// Config is everything the door is made of.
type Config struct {
	Sites    []Site   // the communities, their prefixes unique
	Services Services // the house behind the door
	Network  string   // of the mint and etch service's paths
	Hub      *Hub     // live events
	Pages    http.Handler
	Mounts   map[string]http.Handler // further handlers by first path segment, such as "dev"; they do their own limits
	Domains  []string                // the hosts served are each of these, and below it one label per community and "www"
	Hosts    []string                // further exact hosts, without port

	PerSource  Limit // calls of one source
	PerAddress Limit // calls of one source with one ordinals address; never by address alone
	Streams    int   // open event streams of one source; 0: 32
	Proxies    []netip.Prefix
	Log        *slog.Logger
	Clock      func() time.Time // of the rate limits; nil: the machine's
}

type door struct {
	sites      map[string]Site
	services   Services
	hub        *Hub
	pages      http.Handler
	mounts     map[string]http.Handler
	hosts      map[string]bool
	perSource  *limiter
	perAddress *limiter
	newStakes  *limiter      // stake addresses of one source: each is watched for 30 days, or for life once it is paid
	newIntents *limiter      // messages that one source had made; each is stored until a day after it expired
	heavy      chan struct{} // has room for the heavy calls that are worked on at once
	streams    *streamCount
	proxies    []netip.Prefix
	log        *slog.Logger
	document   document
	calls      calls
	orders     http.Handler // of the mint and etch service; nil: this server has none
	routes     http.Handler // generated, below the prefix
	page       []byte
}

// New returns the server's whole HTTP surface: the calls of every community, the OpenAPI document and page, health,
// mounted handlers and the pages.
func New(c Config) (http.Handler, error) {
	document, calls, err := readDocument(documentJSON)
	if err != nil {
		return nil, err
	}
	page, err := documentPage(documentJSON)
	if err != nil {
		return nil, err
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Services.Now == nil {
		c.Services.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	d := &door{
		sites: map[string]Site{}, services: c.Services, hub: c.Hub, pages: c.Pages, mounts: c.Mounts,
		hosts: hosts(c), perSource: newLimiter(c.PerSource, c.Clock), perAddress: newLimiter(c.PerAddress, c.Clock),
		heavy:      make(chan struct{}, heavyAtOnce),
		newStakes:  newLimiter(Limit{PerSecond: c.PerSource.PerSecond / 1200, Burst: c.PerSource.Burst}, c.Clock),
		newIntents: newLimiter(Limit{PerSecond: c.PerSource.PerSecond / 20, Burst: c.PerSource.Burst}, c.Clock),
		streams:    newStreamCount(c.Streams), proxies: c.Proxies, log: c.Log, document: document, calls: calls, page: page,
	}
	for _, site := range c.Sites {
		if _, twice := d.sites[site.Prefix]; twice || slices.Contains(community.ReservedPrefixes, site.Prefix) {
			return nil, fmt.Errorf("api: the prefix %q is reserved or used twice", site.Prefix)
		}
		d.sites[site.Prefix] = site
	}
	d.routes = d.generated()
	if c.Services.RuneOrders != nil {
		d.orders = d.newRuneOrders(c.Network, Limit{PerSecond: c.PerSource.PerSecond / 200, Burst: c.PerSource.Burst / 4})
	}
	return d, nil
}

// generated returns the routes of the generated server, with every error answered by the envelope.
func (d *door) generated() http.Handler {
	strict := NewStrictHandlerWithOptions(d, nil, StrictHTTPServerOptions{
		RequestErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			d.writeFault(w, r, fault.Reject(fault.NotJSON).Because(err))
		},
		ResponseErrorHandlerFunc: d.writeFault,
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", d.serveEvents)
	mux.HandleFunc("GET /activity.csv", d.serveActivityCSV)
	return HandlerWithOptions(strict, StdHTTPServerOptions{BaseRouter: mux, ErrorHandlerFunc: d.parameterFault})
}

func (d *door) parameterFault(w http.ResponseWriter, r *http.Request, err error) {
	var missing *RequiredParamError
	var malformed *InvalidParamFormatError
	switch {
	case errors.As(err, &missing):
		err = fault.Reject(fault.MissingKey, missing.ParamName)
	case errors.As(err, &malformed):
		err = notWhole(malformed.ParamName, r.URL.Query().Get(malformed.ParamName)).Because(err)
	default:
		err = fault.Reject(fault.NotJSON).Because(err)
	}
	d.writeFault(w, r, err)
}

// notWhole says what is wrong with a text that is no whole number of 64 bits: that it is none, or that it is too large.
func notWhole(name, text string) *fault.Error {
	if _, err := strconv.ParseInt(text, 10, 64); errors.Is(err, strconv.ErrRange) {
		return fault.Reject(fault.NumberOutOfRange, name, int64(math.MinInt64), int64(math.MaxInt64))
	}
	return fault.Reject(fault.WrongType, name, "a whole number")
}

// NewServer returns an HTTP server for the handler, with timeouts that slow clients can't outlast; event streams move
// their own deadlines. Its Shutdown ends the hub's streams.
func NewServer(address string, handler http.Handler, hub *Hub) *http.Server {
	server := &http.Server{
		Addr: address, Handler: handler,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 60 * time.Second, MaxHeaderBytes: 16 << 10,
	}
	server.RegisterOnShutdown(hub.Close)
	return server
}

func hosts(c Config) map[string]bool {
	served := map[string]bool{"127.0.0.1": true, "::1": true}
	for _, host := range c.Hosts {
		served[strings.ToLower(host)] = true
	}
	for _, domain := range c.Domains {
		domain = strings.ToLower(domain)
		served[domain], served["www."+domain] = true, true
		for _, site := range c.Sites {
			served[site.Host+"."+domain] = true
		}
	}
	return served
}

// ServeHTTP checks the host, then answers health, document, mounts, calls and pages, in this order.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer d.recover(w, r)
	secure(w.Header())
	first, rest := split(r.URL.Path)
	if first == "healthz" || first == "readyz" {
		d.serveHealth(w, r, first)
		return
	}
	if !d.hosts[hostOf(r)] {
		writeEnvelope(w, http.StatusMisdirectedRequest, failure(fault.New(fault.NotFound, fault.UnknownHost)))
		return
	}
	if mount, ok := d.mounts[first]; ok {
		mount.ServeHTTP(w, r)
		return
	}
	site, isSite := d.sites[first]
	switch {
	case first == "orders" && d.orders != nil:
		d.orders.ServeHTTP(w, r)
	case first == "openapi.json" || first == "openapi":
		d.serveDocument(w, r, first)
	case isSite && rest != "":
		d.serveCall(w, r, site, rest)
	case d.isCall(rest) || d.pages == nil:
		d.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchCommunity))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		d.methodNotAllowed(w, r, []string{http.MethodGet})
	default:
		d.pages.ServeHTTP(w, r)
	}
}

// serveCall checks everything about a call that does not depend on the house, then hands it to the generated routes.
func (d *door) serveCall(w http.ResponseWriter, r *http.Request, site Site, path string) {
	from := source(r, d.proxies)
	if wait := d.perSource.wait(from); wait > 0 {
		d.tooMany(w, wait)
		return
	}
	methods := d.find(path)
	if methods == nil {
		d.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchCall))
		return
	}
	op, ok := methods[method(r)]
	if !ok {
		allowed := make([]string, 0, len(methods))
		for m := range methods {
			allowed = append(allowed, m)
		}
		slices.Sort(allowed)
		d.methodNotAllowed(w, r, allowed)
		return
	}
	if !ownOrigin(r) {
		d.writeFault(w, r, fault.New(fault.Forbidden, fault.ForeignOrigin))
		return
	}
	wallet, err := d.readBody(w, r, op)
	if err != nil {
		d.writeFault(w, r, err)
		return
	}
	if wallet == "" {
		wallet = r.URL.Query().Get("w_wallet_code_ord")
	}
	if wallet != "" {
		if wait := d.perAddress.wait(from + " " + wallet); wait > 0 {
			d.tooMany(w, wait)
			return
		}
	}
	ctx := context.WithValue(r.Context(), visitKey{}, visit{site: site, source: from})
	if op.ID != "events" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTime)
		defer cancel()
	}
	w.Header().Set("Cache-Control", "no-store")
	inner := r.Clone(ctx)
	inner.URL.Path, inner.URL.RawPath = path, ""
	if cacheable[op.ID] {
		d.serveTagged(w, inner)
		return
	}
	if whole, counts := heavy[op.ID]; counts {
		d.serveHeavy(w, inner, from, whole)
		return
	}
	d.routes.ServeHTTP(w, inner)
}

// visit is what a call carries inside: its community and who asks.
type visit struct {
	site   Site
	source string
}

type visitKey struct{}

func visitOf(ctx context.Context) visit { return ctx.Value(visitKey{}).(visit) }

// readBody reads, checks and replaces the body of a call that has one; it returns the ordinals address in it, if any.
func (d *door) readBody(w http.ResponseWriter, r *http.Request, op operation) (string, error) {
	if r.Method != http.MethodPost {
		return "", nil
	}
	if op.body != nil {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			return "", fault.New(fault.MediaType, fault.NotJSONType)
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return "", fault.New(fault.TooLarge, fault.BodyTooLarge)
	case err != nil:
		return "", fault.Reject(fault.NotJSON).Because(err)
	case op.body == nil:
		return "", nil
	}
	object, err := parseObject(body)
	if err != nil {
		return "", err
	}
	known, err := d.document.check(object, op.body, "The request")
	if err != nil {
		return "", err
	}
	clean, err := json.Marshal(known)
	if err != nil {
		return "", err
	}
	r.Body = io.NopCloser(bytes.NewReader(clean))
	wallet, _ := known.(map[string]any)["w_wallet_code_ord"].(string)
	return wallet, nil
}

// ownOrigin refuses what the page of another site asks for in a visitor's browser. Programs send no Origin, and a page
// may read what everybody may.
func ownOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || method(r) == http.MethodGet {
		return true
	}
	from, err := url.Parse(origin)
	return err == nil && from.Host != "" && strings.EqualFold(from.Host, r.Host)
}

// find returns the methods of a path below a prefix, or nil.
func (d *door) find(path string) map[string]operation {
	if methods, ok := d.calls[path]; ok {
		return methods
	}
	if number, ok := strings.CutPrefix(path, "/epochs/"); ok && number != "" && !strings.Contains(number, "/") {
		return d.calls["/epochs/{epoch}"]
	}
	return nil
}

func (d *door) isCall(path string) bool { return path != "" && d.find(path) != nil }

func (d *door) methodNotAllowed(w http.ResponseWriter, r *http.Request, allowed []string) {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	d.writeFault(w, r, fault.New(fault.Method, fault.MethodNotAllowed, strings.Join(allowed, " or ")))
}

func (d *door) serveHealth(w http.ResponseWriter, r *http.Request, name string) {
	if name == "readyz" {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		if err := d.services.State.Ready(ctx); err != nil {
			d.log.WarnContext(ctx, "not ready", "error", err)
			if unfit := new(fault.Error); !errors.As(err, &unfit) {
				err = fault.New(fault.Unavailable, fault.NotAnswering)
			}
			d.writeFault(w, r, err)
			return
		}
	}
	writeEnvelope(w, http.StatusOK, Envelope{Success: true})
}

// recover answers a panic like any error of ours; the stack goes to the log.
func (d *door) recover(w http.ResponseWriter, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(p)
	}
	d.log.ErrorContext(r.Context(), "panic", "call", callName(r), "stack", string(debug.Stack()))
	d.writeFault(w, r, fmt.Errorf("panic: %v", p))
}

// secure sets the headers of every answer; pages bring a Content-Security-Policy of their own.
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
}

// split returns the first path segment and the rest with its slash.
func split(path string) (first, rest string) {
	path = strings.TrimPrefix(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

func hostOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	return strings.ToLower(host)
}

// method is the request's, with HEAD answered like GET.
func method(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}

// callName is the path's last segment, for logs: it holds nothing of anybody.
func callName(r *http.Request) string {
	return shorten(last("/" + strings.TrimPrefix(r.URL.Path, "/")))
}
