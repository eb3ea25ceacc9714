package signer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/btcsuite/btcd/wire/v2"
)

// rest is how long a signer that did not answer is left alone: a payout is signed
// within a transaction of the database, which must not wait for it again and again.
const rest = 15 * time.Second

// ErrUnreachable says that the signer's process could not be asked. Nothing was
// signed that anybody has seen; the same request may be made again.
var ErrUnreachable = errors.New("signer: its process can't be reached")

// Client asks a signer that is a process of its own. It is safe for concurrent use.
type Client struct {
	path   string
	client *http.Client

	mu    sync.Mutex
	until time.Time // before then it is not asked
	why   error
}

// Dial returns a client of the signer that listens on the local socket at path.
// It connects when first asked.
func Dial(path string) *Client {
	dialer := net.Dialer{Timeout: time.Second}
	return &Client{path: path, client: &http.Client{
		Timeout: callTimeout + time.Second,
		Transport: &http.Transport{
			DialContext:     func(ctx context.Context, _, _ string) (net.Conn, error) { return dialer.DialContext(ctx, "unix", path) },
			MaxIdleConns:    1,
			IdleConnTimeout: 30 * time.Second,
		},
	}}
}

// Accounts asks for the public keys that the signer signs for.
func (c *Client) Accounts(ctx context.Context) (all Accounts, err error) {
	status, body, err := c.call(ctx, http.MethodGet, accountsPath, nil)
	if err != nil {
		return all, err
	}
	if status != http.StatusOK {
		return all, fmt.Errorf("signer: answered %d: %s", status, body)
	}
	return all, json.Unmarshal(body, &all)
}

// Sign has the request's transaction signed. The error is a *Refusal for what the
// signer's rules forbid, wraps ErrUnreachable when it can't be asked, and says
// what the signer could not read otherwise. A transaction other than the
// requested one is an error: the signer adds signatures and nothing else.
func (c *Client) Sign(ctx context.Context, r Request) (*wire.MsgTx, error) {
	if err := c.resting(); err != nil {
		return nil, err
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	status, body, err := c.call(ctx, http.MethodPost, signPath, body)
	if err != nil {
		return nil, c.leaveAlone(ctx, err)
	}
	var said answer
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, fmt.Errorf("signer: answered %d with something that is no answer: %w", status, err)
	}
	switch {
	case said.Refusal != nil:
		return nil, said.Refusal
	case said.Tx == nil:
		return nil, fmt.Errorf("signer: not signed: %s", said.Failure)
	case r.Tx == nil || !whole(said.Tx) || said.Tx.TxHash() != r.Tx.TxHash():
		return nil, errors.New("signer: answered with another transaction than the one it was asked to sign")
	}
	return said.Tx, nil
}

func (c *Client) call(ctx context.Context, method, path string, body []byte) (status int, _ []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://signer"+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	response, err := c.client.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("%w on %s: %w", ErrUnreachable, c.path, err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxRequestBytes))
	if err != nil {
		return 0, nil, fmt.Errorf("%w on %s: %w", ErrUnreachable, c.path, err)
	}
	return response.StatusCode, body, nil
}

func (c *Client) resting() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.why
	}
	return nil
}

// leaveAlone remembers that the signer did not answer, unless it was the caller
// who went away.
func (c *Client) leaveAlone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.why = time.Now().Add(rest), err
	return err
}
