package devnet

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
)

const (
	maxBody      = 64 << 10
	controlLimit = 5 * time.Minute // for a call that mines and settles thousands of blocks
)

// controls serves /dev/*: JSON in and out, errors as {"message"}.
type controls struct {
	*Network
	product Product
}

// Handler returns the handler of the dev network controls, to be mounted at /dev/. It serves clients on this machine
// only and rejects pages of other sites.
func (n *Network) Handler(product Product) http.Handler {
	c := controls{n, product}
	mux := http.NewServeMux()
	for route, handle := range map[string]call{
		"GET /dev/info":           c.info,
		"POST /dev/faucet":        c.faucet,
		"POST /dev/mine":          c.mine,
		"POST /dev/epoch/advance": c.advanceEpoch,
		"POST /dev/clock/advance": c.advanceClock,
		"POST /dev/feerate":       c.feeRate,
		"POST /dev/reorg":         c.reorg,
		"GET /dev/utxos":          c.utxos,
		"GET /dev/tx":             c.tx,
		"GET /dev/transaction":    c.transaction,
		"GET /dev/block":          c.block,
		"POST /dev/broadcast":     c.broadcast,
	} {
		mux.Handle(route, handle)
	}
	c.esploraRoutes(mux)
	return loopbackOnly(ownPages(plainErrors(mux)))
}

// loopbackOnly rejects clients on other machines, for any listen address of the server.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
			write(w, http.StatusForbidden, message{"the dev network answers only on this machine"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ownPages rejects requests that a page of another site makes from the developer's browser, which also runs on this
// machine. A browser sends the page's origin with every request that can change state. The host is checked because
// another site can resolve its own name to this machine. Programs send no Origin.
func ownPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !localHost(r.Host) {
			write(w, http.StatusMisdirectedRequest,
				message{"the dev network answers under localhost and 127.0.0.1, not under " + strconv.Quote(r.Host)})
			return
		}
		origin := r.Header.Get("Origin")
		if from, err := url.Parse(origin); origin != "" && (err != nil || !strings.EqualFold(from.Host, r.Host)) {
			write(w, http.StatusForbidden, message{"a page of another site (" + strconv.Quote(origin) +
				") may not use the dev network; open the page under " + r.Host})
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" {
			write(w, http.StatusForbidden, message{"a page of another site may not use the dev network; open it under " +
				r.Host})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// localHost reports whether a Host header names this machine.
func localHost(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = strings.Trim(hostPort, "[]")
	}
	host = strings.ToLower(host)
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// plainErrors replaces the mux's 404 and 405 responses by JSON errors.
func plainErrors(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		other := r.Clone(r.Context())
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "" {
				w.Header().Set("Allow", method)
				write(w, http.StatusMethodNotAllowed, message{"this control takes " + method})
				return
			}
		}
		write(w, http.StatusNotFound, message{"no such control"})
	})
}

// call handles one control.
type call func(context.Context, *http.Request) (any, error)

type message struct {
	Message string `json:"message"`
}

// ServeHTTP sets a deadline that does not depend on the client's connection, so a disconnect does not leave a partly
// completed operation.
func (handle call) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), controlLimit)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	result, err := handle(ctx, r)
	var refused *Refused
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		write(w, http.StatusOK, result)
	case errors.As(err, &tooLarge):
		write(w, http.StatusRequestEntityTooLarge, message{"the body is larger than 64 KiB"})
	case errors.Is(err, errUnknown):
		write(w, http.StatusNotFound, message{err.Error()})
	case errors.As(err, &refused):
		write(w, http.StatusBadRequest, message{refused.Reason})
	default:
		write(w, http.StatusInternalServerError, message{"the dev network failed: " + err.Error()})
	}
}

// errUnknown matches the errors for a transaction or block that does not exist.
var errUnknown = errors.New("not known")

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) // fails only if the caller has disconnected
}

// read decodes a JSON object into from the body. It rejects unknown fields and trailing data.
func read(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil && decoder.Decode(&struct{}{}) != io.EOF {
		return refuse("the body must be one JSON object")
	}
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) {
		return err
	}
	return refuse("the body is not what this control takes: %v", err)
}

// readOptional is like read for controls whose body is optional.
func readOptional(r *http.Request, into any) error {
	if r.ContentLength == 0 {
		return nil
	}
	return read(r, into)
}

func parameter(query url.Values, name string) (string, error) {
	if len(query) != 1 || len(query[name]) != 1 || query.Get(name) == "" {
		return "", refuse("give exactly one parameter: %s", name)
	}
	return query.Get(name), nil
}

func txidParameter(query url.Values) (chainhash.Hash, error) {
	text, err := parameter(query, "txid")
	if err != nil {
		return chainhash.Hash{}, err
	}
	ids, err := parseTxIDs([]string{text})
	if err != nil {
		return chainhash.Hash{}, err
	}
	return ids[0], nil
}

func parseTxIDs(texts []string) ([]chainhash.Hash, error) {
	var ids []chainhash.Hash
	for _, text := range texts {
		id, err := chainhash.NewHashFromStr(text)
		if err != nil || len(text) != 2*chainhash.HashSize {
			return nil, refuse("%q is not a transaction id", text)
		}
		ids = append(ids, *id)
	}
	return ids, nil
}

// unknownError names a transaction or block that does not exist.
type unknownError string

func unknown(what string) error             { return unknownError(what) }
func (e unknownError) Error() string        { return string(e) + " is not known" }
func (e unknownError) Is(target error) bool { return target == errUnknown }
