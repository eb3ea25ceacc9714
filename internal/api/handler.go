package api

import (
	"bytes"
	"cmp"
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
	"slices"
	"strconv"
	"strings"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/community"
	"moonfund/internal/state"
)

// maxBody is the largest request body, in bytes, except of the calls in largeBodies.
const maxBody = 64 << 10

// largeBodies are the calls with larger bodies, in bytes. A recovery has at most 400,000 bytes, which nodes relay, in
// hex.
var largeBodies = map[string]int64{"sendRecovery": 832 << 10}

// callTime is the timeout of a call, except of an event stream.
const callTime = 15 * time.Second

// Config configures New.
type Config struct {
	Sites []Site // the communities, their prefixes unique
	// Site returns the current version of one of them; nil: they do not change.
	Site     func(prefix string) (Site, error)
	Services Services                // the services that the calls use
	Network  string                  // network in the paths of the mint and etch service
	Hub      *Hub                    // live events
	Pages    http.Handler            // nil: no pages
	Mounts   map[string]http.Handler // further handlers by first path segment, such as "dev"; without rate limits
	Domains  []string                // served hosts: each domain and every single label below it
	Hosts    []string                // further exact hosts, without port

	PerSource  Limit // calls of one source
	PerAddress Limit // calls of one source with one ordinals address
	Streams    int   // open event streams of one source; 0: 32
	AllStreams int   // open event streams of all sources; 0: 4,000
	Proxies    []netip.Prefix
	Log        *slog.Logger
	Clock      func() time.Time // clock of the rate limits; nil: time.Now
	Answered   func(Answered)   // called after each response; may be nil
	NewID      func() string    // returns the id of a request; nil: a random one
}

type handler struct {
	sites      map[string]Site
	current    func(prefix string) (Site, error)
	services   Services
	hub        *Hub
	pages      http.Handler
	mounts     map[string]http.Handler
	hosts      map[string]bool
	domains    []string
	perSource  *limiter
	perAddress *limiter
	newStakes  *limiter      // new stake addresses of one source; each is watched for 30 days, or forever if it is paid
	newIntents *limiter      // new messages to sign of one source; each is stored until a day after it expires
	heavy      chan struct{} // one element per running heavy call
	streams    *streamCount
	proxies    []netip.Prefix
	log        *slog.Logger
	document   document
	calls      calls
	orders     http.Handler // mint and etch service; nil if this server has none
	routes     http.Handler // generated, below the prefix
	page       []byte       // HTML of /openapi
	answered   func(Answered)
	newID      func() string
}

// New returns the handler of the whole server: the calls of every community, the OpenAPI document and its page, health
// checks, mounted handlers and pages. It returns an error if a prefix is reserved or used twice.
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
	if c.Answered == nil {
		c.Answered = func(Answered) {}
	}
	if c.NewID == nil {
		c.NewID = newRequestID
	}
	d := &handler{
		sites: map[string]Site{}, current: c.Site, services: c.Services, hub: c.Hub, pages: c.Pages, mounts: c.Mounts,
		answered: c.Answered, newID: c.NewID,
		hosts: hosts(c), domains: c.Domains,
		perSource: newLimiter(c.PerSource, c.Clock), perAddress: newLimiter(c.PerAddress, c.Clock),
		heavy:      make(chan struct{}, heavyAtOnce),
		newStakes:  newLimiter(Limit{PerSecond: c.PerSource.PerSecond / 1200, Burst: c.PerSource.Burst}, c.Clock),
		newIntents: newLimiter(Limit{PerSecond: c.PerSource.PerSecond / 20, Burst: c.PerSource.Burst}, c.Clock),
		streams:    newStreamCount(c.Streams, c.AllStreams), proxies: c.Proxies, log: c.Log, document: document, calls: calls,
		page: page,
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
	return d.watch(d), nil
}

// generated returns the routes of the generated server. It writes every error as an envelope.
func (h *handler) generated() http.Handler {
	strict := NewStrictHandlerWithOptions(h, nil, StrictHTTPServerOptions{
		RequestErrorHandlerFunc: func(w http.ResponseWriter, r *http.Request, err error) {
			h.writeFault(w, r, fault.Reject(fault.NotJSON).Because(err))
		},
		ResponseErrorHandlerFunc: h.writeFault,
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", h.serveEvents)
	mux.HandleFunc("GET /activity.csv", h.serveActivityCSV)
	h.handleStatements(mux)
	mux.HandleFunc("GET "+receiptsPath, h.serveReceipts)
	return HandlerWithOptions(strict, StdHTTPServerOptions{BaseRouter: mux, ErrorHandlerFunc: h.parameterFault})
}

// parameterFault writes the fault for a missing or malformed query parameter.
func (h *handler) parameterFault(w http.ResponseWriter, r *http.Request, err error) {
	var missing *RequiredParamError
	var malformed *InvalidParamFormatError
	switch {
	case errors.As(err, &missing):
		err = fault.Reject(fault.MissingKey, missing.ParamName)
	case errors.As(err, &malformed):
		err = notInteger(malformed.ParamName, r.URL.Query().Get(malformed.ParamName)).Because(err)
	default:
		err = fault.Reject(fault.NotJSON).Because(err)
	}
	h.writeFault(w, r, err)
}

// notInteger returns the fault for a query value that is not an integer, or is out of the range of 64 bits.
func notInteger(name, text string) *fault.Error {
	if _, err := strconv.ParseInt(text, 10, 64); errors.Is(err, strconv.ErrRange) {
		return fault.Reject(fault.NumberOutOfRange, name, int64(math.MinInt64), int64(math.MaxInt64))
	}
	return fault.Reject(fault.WrongType, name, "a whole number")
}

// NewServer returns an HTTP server for the handler. Its timeouts close slow connections; event streams set their own
// deadlines. Shutdown closes the streams of the hub.
func NewServer(address string, handler http.Handler, hub *Hub) *http.Server {
	server := &http.Server{
		Addr: address, Handler: handler,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 60 * time.Second, MaxHeaderBytes: 16 << 10,
	}
	server.RegisterOnShutdown(hub.Close)
	return server
}

// hosts returns the hosts that the server serves exactly, in lower case.
func hosts(c Config) map[string]bool {
	served := map[string]bool{"127.0.0.1": true, "::1": true}
	for _, host := range slices.Concat(c.Hosts, c.Domains) {
		served[strings.ToLower(host)] = true
	}
	return served
}

// serves reports whether the server serves host: a configured host, or a label below a domain. For a label without a
// community it serves the landing page.
func (h *handler) serves(host string) bool {
	_, _, below := LabelBelow(host, h.domains)
	return below || h.hosts[host]
}

// ServeHTTP serves the health checks on every host. On a served host it serves mounts, security.txt, mint and etch
// orders, the document, calls and pages, in this order.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer h.recover(w, r)
	secure(w.Header())
	first, rest := split(r.URL.Path)
	if first == "healthz" || first == "readyz" {
		h.serveHealth(w, r, first)
		return
	}
	if !h.serves(hostOf(r)) {
		writeEnvelope(w, http.StatusMisdirectedRequest, failure(fault.New(fault.NotFound, fault.UnknownHost)))
		return
	}
	if mount, ok := h.mounts[first]; ok {
		mount.ServeHTTP(w, r)
		return
	}
	site, isSite := h.site(first)
	switch {
	case r.URL.Path == securityPath:
		h.serveSecurity(w, r)
	case first == "orders" && h.orders != nil:
		h.orders.ServeHTTP(w, r)
	case first == "openapi.json" || first == "openapi":
		h.serveDocument(w, r, first)
	case isSite && rest != "":
		h.serveCall(w, r, site, rest)
	case h.isCall(rest) || h.pages == nil:
		h.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchCommunity))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.methodNotAllowed(w, r, []string{http.MethodGet})
	default:
		h.pages.ServeHTTP(w, r)
	}
}

// site returns the current version of the community with a prefix, because a reload of the manifests may have changed
// its texts. It returns false if there is no such community.
func (h *handler) site(prefix string) (Site, bool) {
	site, known := h.sites[prefix]
	if !known || h.current == nil {
		return site, known
	}
	site, err := h.current(prefix)
	return site, err == nil
}

// serveCall makes the checks of a call that do not need the services, then passes the call to the generated routes.
func (h *handler) serveCall(w http.ResponseWriter, r *http.Request, site Site, path string) {
	from := source(r, h.proxies)
	if wait := h.perSource.wait(from); wait > 0 {
		h.tooMany(w, wait)
		return
	}
	methods := h.find(path)
	if methods == nil {
		h.writeFault(w, r, fault.New(fault.NotFound, fault.NoSuchCall))
		return
	}
	op, ok := methods[method(r)]
	if !ok {
		allowed := make([]string, 0, len(methods))
		for m := range methods {
			allowed = append(allowed, m)
		}
		slices.Sort(allowed)
		h.methodNotAllowed(w, r, allowed)
		return
	}
	if !ownOrigin(r) {
		h.writeFault(w, r, fault.New(fault.Forbidden, fault.ForeignOrigin))
		return
	}
	wallet, err := h.readBody(w, r, op)
	if err != nil {
		h.writeFault(w, r, err)
		return
	}
	if wallet == "" {
		wallet = r.URL.Query().Get("w_wallet_code_ord")
	}
	if wallet != "" {
		if wait := h.perAddress.wait(from + " " + wallet); wait > 0 {
			h.tooMany(w, wait)
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
	h.serveChecked(w, inner, op, from)
}

// serveChecked passes a call to the generated routes. It adds the ETag of cacheable calls and applies the limits of
// heavy calls.
func (h *handler) serveChecked(w http.ResponseWriter, inner *http.Request, op operation, from string) {
	if public[op.ID] {
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	if cacheable[op.ID] {
		h.serveTagged(w, inner)
		return
	}
	if whole, counts := heavy[op.ID]; counts {
		h.serveHeavy(w, inner, from, whole)
		return
	}
	h.routes.ServeHTTP(w, inner)
}

// public are the calls whose responses pages of every origin may read: the calls about a whole community, and the
// signed documents, which the verifier of another server fetches. Pages of other origins may not read other calls about
// a wallet.
var public = map[string]bool{
	"infoGlobals": true, "community": true, "status": true, "feeRates": true, "epochs": true, "epoch": true,
	"reserves": true, "statementHead": true, "statement": true, "statementDetails": true, "statementProof": true,
	"receipts": true,
}

// visit is the context value of a call: its community and its source.
type visit struct {
	site   Site
	source string
}

type visitKey struct{}

func visitOf(ctx context.Context) visit { return ctx.Value(visitKey{}).(visit) }

// readBody reads the body of a call that has one, checks it, and replaces it by the known fields. It returns the
// ordinals address in the body, or "".
func (h *handler) readBody(w http.ResponseWriter, r *http.Request, op operation) (string, error) {
	if r.Method != http.MethodPost {
		return "", nil
	}
	if op.body != nil {
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			return "", fault.New(fault.MediaType, fault.NotJSONType)
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, cmp.Or(largeBodies[op.ID], maxBody)))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return "", fault.New(fault.TooLarge, fault.BodyTooLarge, tooLarge.Limit>>10)
	case err != nil:
		return "", fault.Reject(fault.NotJSON).Because(err)
	case op.body == nil:
		return "", nil
	}
	object, err := parseObject(body)
	if err != nil {
		return "", err
	}
	known, err := h.document.check(object, op.body, "The request")
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

// ownOrigin reports whether a request may change state: it does not come from a page of another origin. Requests
// without an Origin come from programs. GET requests change nothing, so they may come from any page.
func ownOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || method(r) == http.MethodGet {
		return true
	}
	from, err := url.Parse(origin)
	return err == nil && from.Host != "" && strings.EqualFold(from.Host, r.Host)
}

// find returns the methods of a path below a prefix, or nil.
func (h *handler) find(path string) map[string]operation {
	if methods, ok := h.calls[path]; ok {
		return methods
	}
	if path := findStatement(path); path != "" {
		return h.calls[path]
	}
	if owner, ok := strings.CutPrefix(path, "/receipts/"); ok && owner != "" && !strings.Contains(owner, "/") {
		return h.calls[receiptsPath]
	}
	if number, ok := strings.CutPrefix(path, "/epochs/"); ok && number != "" && !strings.Contains(number, "/") {
		return h.calls["/epochs/{epoch}"]
	}
	return nil
}

// isCall reports whether a path below a prefix is the path of a call.
func (h *handler) isCall(path string) bool { return path != "" && h.find(path) != nil }

func (h *handler) methodNotAllowed(w http.ResponseWriter, r *http.Request, allowed []string) {
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	h.writeFault(w, r, fault.New(fault.Method, fault.MethodNotAllowed, strings.Join(allowed, " or ")))
}

func (h *handler) serveHealth(w http.ResponseWriter, r *http.Request, name string) {
	if name == "readyz" {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		if err := h.services.State.Ready(ctx); err != nil {
			h.log.WarnContext(ctx, "not ready", "error", err)
			if unfit := new(fault.Error); !errors.As(err, &unfit) {
				err = fault.New(fault.Unavailable, fault.NotAnswering)
			}
			h.writeFault(w, r, err)
			return
		}
	}
	writeEnvelope(w, http.StatusOK, Envelope{Success: true})
}

// recover writes 500 after a panic and logs the stack.
func (h *handler) recover(w http.ResponseWriter, r *http.Request) {
	value := recover()
	if value == nil {
		return
	}
	p := state.NewPanic(value)
	if errors.Is(p, http.ErrAbortHandler) {
		panic(value)
	}
	h.log.ErrorContext(r.Context(), "panic", "request_id", requestID(w), "call", callName(r), "stack",
		string(p.Stack))
	h.writeFault(w, r, p)
}

// secure sets the security headers of every response. Pages set their own Content-Security-Policy.
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

// hostOf returns the host of a request in lower case, without its port and the dot of an absolute name.
func hostOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// method returns the method of a request, and GET for HEAD, which is served like GET.
func method(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}

// callName returns the last path segment for logging. It contains no user data.
func callName(r *http.Request) string {
	return shorten(last("/" + strings.TrimPrefix(r.URL.Path, "/")))
}
