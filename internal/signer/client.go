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

// retryDelay is the time for which the client does not contact a signer that did not answer. One step of the follower
// requests several signatures, and must not wait for the timeout of each.
const retryDelay = 15 * time.Second

// ErrUnreachable means that the signer's process did not answer. No signature was returned, and the caller may repeat
// the request.
var ErrUnreachable = errors.New("signer: its process can't be reached")

// Client calls a signer that runs in its own process. It is safe for concurrent use.
type Client struct {
	path   string
	client *http.Client

	mu    sync.Mutex
	until time.Time // time until which calls fail without contacting the signer
	why   error
}

// Dial returns a client of the signer that listens on the local socket at path. It connects at the first call.
func Dial(path string) *Client {
	dialer := net.Dialer{Timeout: time.Second}
	return &Client{path: path, client: &http.Client{
		Timeout: callTimeout + time.Second,
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, "unix", path)
			},
			MaxIdleConns:    1,
			IdleConnTimeout: 30 * time.Second,
		},
	}}
}

// Accounts returns the public keys of the accounts that the signer signs for. It returns an error that wraps
// ErrUnreachable if the signer does not answer.
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

// Ready returns an error if the signer signs nothing now. The error wraps ErrUnreachable if it does not answer.
func (c *Client) Ready(ctx context.Context) error {
	_, body, err := c.call(ctx, http.MethodGet, readyPath, nil)
	if err != nil {
		return err
	}
	var said answer
	if err := json.Unmarshal(body, &said); err != nil {
		return fmt.Errorf("signer: the answer can't be parsed: %w", err)
	}
	if said.Failure != "" {
		return errors.New(said.Failure)
	}
	return nil
}

// Sign requests signatures for the transaction of r. It returns a *Refusal if a rule of the signer rejects the request,
// and an error that wraps ErrUnreachable if the signer does not answer. It returns an error if the signer could not
// read the request, or if the answer changes anything but the signatures.
func (c *Client) Sign(ctx context.Context, r Request) (*wire.MsgTx, error) {
	if err := c.suspended(); err != nil {
		return nil, err
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	status, body, err := c.call(ctx, http.MethodPost, signPath, body)
	if err != nil {
		return nil, c.suspend(ctx, err)
	}
	var said answer
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, fmt.Errorf("signer: invalid answer with status %d: %w", status, err)
	}
	switch {
	case said.Refusal != nil:
		return nil, said.Refusal
	case said.Tx == nil:
		return nil, fmt.Errorf("signer: not signed: %s", said.Failure)
	case r.Tx == nil || !hasNoNulls(said.Tx) || said.Tx.TxHash() != r.Tx.TxHash():
		return nil, errors.New("signer: signed another transaction than the requested one")
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

func (c *Client) suspended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.why
	}
	return nil
}

// suspend suspends calls to a signer that did not answer, unless the caller's ctx ended.
func (c *Client) suspend(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.why = time.Now().Add(retryDelay), err
	return err
}
