package chain

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/chainhash/v2"
)

const (
	defaultTimeout = 30 * time.Second
	maxCalls       = 4        // at once: btcd serves 10 connections in all, and we are not alone
	maxAnswer      = 64 << 20 // bytes; the ids of 900,000 mempool transactions, or 7 blocks in hex
	busyWait       = 50 * time.Millisecond
	busyTries      = 6 // the wait doubles: about 1.5 s before a busy node is an error
)

// ClientConfig says how to reach a node. URL is http://host:port, or
// https://host:port with CertFile as the only certificate that is trusted (the
// system's when empty). User and Password, or CookieFile, which is read again
// when the node refuses it (a restarted node has a new one). Timeout bounds one
// call; 0 means 30 seconds.
type ClientConfig struct {
	URL, User, Password, CookieFile string
	CertFile                        string
	Timeout                         time.Duration
}

// Client calls one node over JSON-RPC and keeps its connections open. It is safe
// for concurrent use. Every method's error either is one of this package's
// values, a *Refusal, or says that the node could not be asked; none of them
// carries a credential. All calls can be repeated.
type Client struct {
	config ClientConfig
	broken error // the configuration's fault, told on every call
	http   *http.Client
	slots  chan struct{}
	answer int64 // the most bytes of one answer

	mu         sync.Mutex
	cookie     string
	best       chainhash.Hash // the last best block and its height
	height     int64
	noSmartFee bool // the node has no estimatesmartfee
}

// NewClient returns a client of a node. It does not connect: a wrong
// configuration is the error of every call.
func NewClient(config ClientConfig) *Client {
	c := &Client{config: config, slots: make(chan struct{}, maxCalls), answer: maxAnswer}
	if c.config.Timeout <= 0 {
		c.config.Timeout = defaultTimeout
	}
	transport := &http.Transport{ // no Proxy: the credentials are for the node alone
		MaxIdleConns:        maxCalls,
		MaxIdleConnsPerHost: maxCalls,
		IdleConnTimeout:     20 * time.Second, // before Core's 30 seconds
	}
	c.http = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	transport.TLSClientConfig, c.broken = c.configure()
	return c
}

// configure takes credentials out of the URL, so that it can be shown, and loads
// the certificate.
func (c *Client) configure() (*tls.Config, error) {
	address, err := url.Parse(c.config.URL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		c.config.URL = ""
		return nil, errors.New("node: the URL must be http://host:port or https://host:port")
	}
	if address.User != nil {
		if c.config.User == "" {
			c.config.User = address.User.Username()
			c.config.Password, _ = address.User.Password()
		}
		address.User = nil
		c.config.URL = address.String()
	}
	security := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.config.CertFile == "" {
		return security, nil
	}
	pem, err := os.ReadFile(c.config.CertFile)
	if err != nil {
		return nil, fmt.Errorf("node: certificate: %w", err)
	}
	security.RootCAs = x509.NewCertPool()
	if !security.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("node: %s holds no certificate", c.config.CertFile)
	}
	return security, nil
}

// Close drops the connections that are kept open. The client stays usable.
func (c *Client) Close() { c.http.CloseIdleConnections() }

var (
	errBusy         = errors.New("the node is busy")
	errUnauthorized = errors.New("the node refuses the user, password or cookie")
)

// call asks the node one question and decodes its answer into result (nil: the
// answer does not matter). It returns a *btcjson.RPCError when the node answers
// with an error. A busy node is asked again a few times.
func (c *Client) call(ctx context.Context, result any, method string, params ...any) error {
	if c.broken != nil {
		return c.broken
	}
	late := fmt.Errorf("no answer within %s: %w", c.config.Timeout, context.DeadlineExceeded)
	ctx, cancel := context.WithTimeoutCause(ctx, c.config.Timeout, late)
	defer cancel()
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return fmt.Errorf("node: %s: %w", method, ctx.Err())
	}
	body, err := encodeCall(method, params)
	if err != nil {
		return fmt.Errorf("node: %s: %w", method, err)
	}
	answer, err := c.ask(ctx, body)
	if err != nil && errors.Is(context.Cause(ctx), late) {
		err = late
	}
	if err != nil {
		return fmt.Errorf("node: %s: %w", method, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("node: %s: %w", method, answer.Error)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("node: %s: the answer is not understood: %w", method, err)
	}
	return nil
}

func encodeCall(method string, params []any) ([]byte, error) {
	request, err := btcjson.NewRequest(btcjson.RpcVersion1, 1, method, params)
	if err != nil {
		return nil, err
	}
	return json.Marshal(request)
}

// ask posts a question, again while the node is busy and once more with a fresh
// cookie when it refuses the old one.
func (c *Client) ask(ctx context.Context, body []byte) (*btcjson.Response, error) {
	renewed := false
	for try, wait := 1, busyWait; ; {
		user, password, err := c.credentials(renewed)
		if err != nil {
			return nil, err
		}
		answer, err := c.post(ctx, body, user, password)
		switch {
		case errors.Is(err, errUnauthorized) && c.config.CookieFile != "" && !renewed:
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

// credentials returns the user and password, from the cookie file if there is one.
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

func (c *Client) post(ctx context.Context, body []byte, user, password string) (*btcjson.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.config.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	// Set but empty, it is not sent; it lets net/http repeat the call when the node has
	// closed an idle connection meanwhile.
	request.Header["X-Idempotency-Key"] = []string{}
	if user != "" || password != "" {
		request.SetBasicAuth(user, password)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, c.answer+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > c.answer {
		return nil, fmt.Errorf("the answer is longer than %d bytes", c.answer)
	}
	return decodeAnswer(response.StatusCode, text)
}

// decodeAnswer reads the body of an answer. Core sends errors of the call with
// status 404 or 500 and a JSON body, btcd with 200; other statuses have none.
func decodeAnswer(status int, text []byte) (*btcjson.Response, error) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil, errUnauthorized
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		return nil, errBusy
	}
	answer := new(btcjson.Response)
	err := json.Unmarshal(text, answer)
	if err == nil && (answer.Error != nil || status == http.StatusOK) {
		return answer, nil
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("HTTP status %d", status)
	}
	return nil, errors.New("the answer is not JSON-RPC")
}
