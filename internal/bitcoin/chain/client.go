package chain

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/chainhash/v2"
)

const (
	defaultTimeout = 30 * time.Second
	maxCalls       = 4        // concurrent calls; btcd serves 10 connections in total, shared with other clients
	maxResponse    = 64 << 20 // bytes; enough for the ids of 900,000 mempool transactions, or 7 blocks in hex
	busyWait       = 50 * time.Millisecond
	busyTries      = 6 // the delay doubles after each try, so the client gives up after about 1.5 s
)

// ClientConfig configures the connection to a node. URL is http://host:port or https://host:port. CertFile is the file
// with the only trusted certificates of https; without it, the system's certificates are trusted. The credentials are
// User and Password, in the fields or in the URL, or the content of CookieFile. The client reads the file again if the
// node rejects the credentials, because a restarted node creates a new cookie. Timeout limits one call with its
// retries; 0 means 30 seconds.
type ClientConfig struct {
	URL, User, Password, CookieFile string
	CertFile                        string
	Timeout                         time.Duration
}

// Client calls a node over JSON-RPC and keeps connections open. It is safe for concurrent use. Every error is one of
// this package's values, a *Refusal, or the error of a failed call. No error contains a credential. Every call can be
// repeated.
type Client struct {
	config    ClientConfig
	configErr error // configuration error, returned by every call
	escaped   bool  // the credentials in the URL contain a %
	http      *http.Client
	slots     chan struct{} // one element per running call
	answer    int64         // maximum size of a response, in bytes
	observer  atomic.Pointer[func(NodeCall)]
	restAfter atomic.Int64 // blocks are not asked for over REST before this Unix time, in nanoseconds

	mu         sync.Mutex
	cookie     string
	best       chainhash.Hash // the last best block; height is its height
	height     int64
	noSmartFee bool // the node has no estimatesmartfee
}

// NewClient returns a client for a node. It does not connect. If the configuration is invalid, every call returns the
// error.
func NewClient(config ClientConfig) *Client {
	c := &Client{config: config, slots: make(chan struct{}, maxCalls), answer: maxResponse}
	if c.config.Timeout <= 0 {
		c.config.Timeout = defaultTimeout
	}
	transport := &http.Transport{ // no Proxy: only the node may receive the credentials
		MaxIdleConns:        maxCalls,
		MaxIdleConnsPerHost: maxCalls,
		IdleConnTimeout:     20 * time.Second, // less than Core's 30 seconds
	}
	c.http = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	transport.TLSClientConfig, c.configErr = c.configure()
	return c
}

// configure moves the credentials out of the URL, so that errors can contain the URL, and loads the certificate.
func (c *Client) configure() (*tls.Config, error) {
	given := c.config.URL
	address, err := url.Parse(given)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") ||
		strings.Contains(address.Path+address.RawQuery+address.Fragment, "@") { // a part of the password
		c.config.URL = ""
		return nil, badURL(given)
	}
	if address.User != nil {
		if c.config.User == "" {
			c.config.User = address.User.Username()
			c.config.Password, _ = address.User.Password()
		}
		c.escaped = strings.Contains(given[:strings.LastIndexByte(given, '@')], "%")
		address.User = nil
		c.config.URL = address.String()
	}
	security := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.config.CertFile == "" {
		return security, nil
	}
	pem, err := os.ReadFile(c.config.CertFile)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	security.RootCAs = x509.NewCertPool()
	if !security.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate", c.config.CertFile)
	}
	return security, nil
}

// badURL returns the error for a URL that can't be parsed. It names a character that a password in a URL must not have.
func badURL(text string) error {
	password := text[:max(0, strings.LastIndexByte(text, '@'))]
	if _, after, found := strings.Cut(password, "://"); found && strings.ContainsAny(after, "#%/?") {
		return errors.New("the password in the URL must be encoded: # as %23, % as %25, / as %2F, ? as %3F; " +
			"or set the user and the password apart from the URL")
	}
	return errors.New("the URL must be http://host:port or https://host:port")
}

// CallError is the error of a call that the node did not answer as a node does: it can't be reached, refuses the
// credentials or the client's address, is starting, or the client's configuration is invalid. Other errors of a call
// are answers of the node.
type CallError struct {
	Method string
	Err    error
}

// Error implements error.
func (e *CallError) Error() string { return "node: " + e.Method + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// NodeCall describes a completed call.
type NodeCall struct {
	Method string
	Took   time.Duration // including the wait for other calls and the retries
	Err    error
}

// Observe sets the function that the client calls after each call. It replaces the previous function.
func (c *Client) Observe(fn func(NodeCall)) { c.observer.Store(&fn) }

// Close closes idle connections. The client remains usable.
func (c *Client) Close() { c.http.CloseIdleConnections() }

var (
	errBusy = errors.New("the node is busy")
	// ErrUnauthorized is the error of a node that refuses the credentials.
	ErrUnauthorized = errors.New("the node refuses the user, password or cookie")
	errForbidden    = errors.New("the node forbids the call (HTTP 403): its rpcallowip must contain the address of this " +
		"computer, and its rpcwhitelist, if it is set for the user, the method")
)

// call calls a method and decodes the response into result, unless result is nil. It returns a *btcjson.RPCError if the
// node responds with an error. It retries a few times while the node is busy.
func (c *Client) call(ctx context.Context, result any, method string, params ...any) error {
	began := time.Now()
	err := traced(ctx, method, func(ctx context.Context) error { return c.callOnce(ctx, result, method, params...) })
	if fn := c.observer.Load(); fn != nil {
		(*fn)(NodeCall{method, time.Since(began), err})
	}
	return err
}

// callOnce is call without the observer.
func (c *Client) callOnce(ctx context.Context, result any, method string, params ...any) error {
	if c.configErr != nil {
		return &CallError{method, c.configErr}
	}
	body, err := encodeCall(method, params)
	if err != nil {
		return fmt.Errorf("node: %s: %w", method, err)
	}
	read := readResponse
	if list, isList := result.(*idList); isList {
		read = list.readResponse
	}
	var answer *btcjson.Response
	if err := c.limited(ctx, func(ctx context.Context) (err error) {
		answer, err = c.ask(ctx, body, read)
		return err
	}); err != nil {
		if c.escaped && errors.Is(err, ErrUnauthorized) {
			err = fmt.Errorf("%w; a %% in the URL's password must be written as %%25", err)
		}
		return &CallError{method, err}
	}
	if answer.Error != nil && answer.Error.Code == codeWarmingUp {
		return &CallError{method, answer.Error}
	}
	if answer.Error != nil {
		return fmt.Errorf("node: %s: %w", method, answer.Error)
	}
	if result == nil {
		return nil
	}
	if err := decodeResult(answer.Result, result); err != nil {
		return fmt.Errorf("node: %s: the answer is not understood: %w", method, err)
	}
	return nil
}

// limited calls fn while fewer than maxCalls run. The wait and fn end after the timeout.
func (c *Client) limited(ctx context.Context, fn func(context.Context) error) error {
	late := fmt.Errorf("no answer within %s: %w", c.config.Timeout, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Timeout, late)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	err := fn(ctx)
	if err != nil && errors.Is(context.Cause(ctx), late) {
		return late
	}
	return err
}

// hexBytes is a result that is a string of hex digits.
type hexBytes []byte

// decodeResult decodes the result of a call. It decodes hex digits without encoding/json, because parsing blocks of
// megabytes a second time takes a tenth of the processor time of catching up.
func decodeResult(raw json.RawMessage, result any) (err error) {
	bytes, isHex := result.(*hexBytes)
	if !isHex {
		return json.Unmarshal(raw, result)
	}
	if len(raw) < 2 || raw[0] != '"' {
		return errors.New("not a string")
	}
	*bytes = make(hexBytes, hex.DecodedLen(len(raw)-2))
	_, err = hex.Decode(*bytes, raw[1:len(raw)-1])
	return err
}

// encodeCall returns the JSON of a request.
func encodeCall(method string, params []any) ([]byte, error) {
	request, err := btcjson.NewRequest(btcjson.RpcVersion1, 1, method, params)
	if err != nil {
		return nil, err
	}
	return json.Marshal(request)
}

// ask sends a request. It retries while the node is busy, and once with a fresh cookie if the node rejects the cached
// one.
func (c *Client) ask(ctx context.Context, body []byte, read responseReader) (*btcjson.Response, error) {
	renewed := false
	for try, wait := 1, busyWait; ; {
		user, password, err := c.credentials(renewed)
		if err != nil {
			return nil, err
		}
		request, err := c.request(ctx, body, user, password)
		if err != nil {
			return nil, err
		}
		answer, err := c.send(request, read)
		switch {
		case errors.Is(err, ErrUnauthorized) && c.config.CookieFile != "" && !renewed:
			renewed = true
			continue
		case errors.Is(err, errBusy) && try < busyTries:
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil, err
			}
			try, wait = try+1, wait*2
			continue
		}
		return answer, err
	}
}

// credentials returns the user and the password, from the cookie file if one is configured. With renew it reads the
// file again.
func (c *Client) credentials(renew bool) (user, password string, err error) {
	if c.config.CookieFile == "" {
		return c.config.User, c.config.Password, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cookie == "" || renew {
		text, err := os.ReadFile(c.config.CookieFile)
		if err != nil {
			return "", "", fmt.Errorf("cookie: %w", err)
		}
		c.cookie = strings.TrimSpace(string(text))
	}
	user, password, found := strings.Cut(c.cookie, ":")
	if !found {
		return "", "", fmt.Errorf("cookie: %s does not hold user:password", c.config.CookieFile)
	}
	return user, password, nil
}

// request returns an HTTP request with a JSON-RPC request.
func (c *Client) request(ctx context.Context, body []byte, user, password string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	// With this header net/http retries the request if the node has closed the idle connection.
	// An empty value is not sent.
	request.Header["X-Idempotency-Key"] = []string{}
	if user != "" || password != "" {
		request.SetBasicAuth(user, password)
	}
	return request, nil
}

// send sends a request once. It returns ErrUnauthorized or errBusy for the statuses with this meaning.
func (c *Client) send(request *http.Request, read responseReader) (*btcjson.Response, error) {
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body := &io.LimitedReader{R: response.Body, N: c.answer + 1}
	answer, err := read(response.StatusCode, min(response.ContentLength, c.answer), body)
	if body.N <= 0 {
		return nil, fmt.Errorf("the answer is longer than %d bytes", c.answer)
	}
	return answer, err
}

// responseReader reads the body of a response with an HTTP status to its end. size is its length, or -1 if unknown.
type responseReader func(status int, size int64, body io.Reader) (*btcjson.Response, error)

// readResponse is the responseReader of every result that is decoded from its whole text.
func readResponse(status int, size int64, body io.Reader) (*btcjson.Response, error) {
	var text bytes.Buffer
	if size > 0 {
		text.Grow(int(size) + bytes.MinRead)
	}
	if _, err := text.ReadFrom(body); err != nil {
		return nil, err
	}
	return decodeResponse(status, text.Bytes())
}

// cutResult replaces a long string in the result of a JSON-RPC response by "", and returns it with its quotes.
// encoding/json would copy it and read it several times: a block is a string of millions of hex digits. It returns the
// unchanged text and nil if the result is short, is no string, or contains an escape sequence.
func cutResult(text []byte) (rest, result []byte) {
	const long, key = 10_000, `"result":"`
	if len(text) < long {
		return text, nil
	}
	from := bytes.Index(text[:64], []byte(key)) + len(key)
	if from < len(key) {
		return text, nil
	}
	end := bytes.IndexByte(text[from:], '"')
	if end < 0 || bytes.IndexByte(text[from:from+end], '\\') >= 0 {
		return text, nil
	}
	return slices.Concat(text[:from], text[from+end:]), text[from-1 : from+end+1]
}

// decodeResponse decodes the body of a response. The error of a call is in a JSON body, which Core sends with status
// 404 or 500 and btcd with status 200. Responses with other statuses have no JSON body.
func decodeResponse(status int, text []byte) (*btcjson.Response, error) {
	switch status {
	case http.StatusUnauthorized:
		return nil, ErrUnauthorized
	case http.StatusForbidden:
		return nil, errForbidden
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return nil, errBusy
	}
	answer := new(btcjson.Response)
	rest, result := cutResult(text)
	err := json.Unmarshal(rest, answer)
	if err == nil && string(answer.Result) == `""` && result != nil {
		answer.Result = result
	}
	if err == nil && (answer.Error != nil || status == http.StatusOK) {
		return answer, nil
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("HTTP status %d", status)
	}
	return nil, errors.New("the answer is not JSON-RPC")
}
