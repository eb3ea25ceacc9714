package chain

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
)

// canary is the user and password of the clients in these tests. No error may contain it.
const canary = "canary-4711"

func badNode(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return NewClient(ClientConfig{URL: server.URL, User: canary, Password: canary})
}

func reply(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func TestBadAnswers(t *testing.T) {
	ctx := t.Context()
	for name, body := range map[string]string{
		"empty": "", "not JSON": "<html>", "null": `{"result":null,"error":null}`, "number": `{"result":5,"error":null}`,
		"short hash": `{"result":"00","error":null}`, "no hash": `{"result":"` + strings.Repeat("zz", 32) + `","error":null}`,
		"wrong block": `{"result":"00","error":null}`, "an error": `{"result":null,"error":{"code":-99,"message":"odd"}}`,
		"ids": `{"result":["xyz"],"error":null}`, "object": `{"result":{"hex":"zz","feerate":1e300},"error":null}`,
		"odd hex": `{"result":{"hex":"00","height":"x"},"error":null}`,
	} {
		for _, status := range []int{200, 302, 404, 500} {
			c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, status, body) })
			_, _, best := c.Best(ctx)
			_, genesis := c.GenesisHash(ctx)
			_, block := c.Block(ctx, chainhash.Hash{}, 0)
			_, mempool := c.Mempool(ctx)
			_, _, tx := c.Tx(ctx, chainhash.Hash{})
			_, fee := c.FeeRate(ctx, 6)
			errs := []error{best, genesis, block, tx, fee}
			if name != "null" { // null decodes as an empty list
				errs = append(errs, mempool)
			}
			for i, err := range errs {
				if err == nil || strings.Contains(err.Error(), canary) {
					t.Errorf("%s, status %d, call %d: %v", name, status, i, err)
				}
			}
		}
	}
}

// TestBlocksThatTheNodeLacks checks that Block returns ErrUnknown for a block that the node does not have, and another
// error for a block that a pruned node has deleted.
func TestBlocksThatTheNodeLacks(t *testing.T) {
	for _, c := range []struct {
		code    string
		message string
		absent  bool
	}{
		{"-5", "Block not found", true},
		{"-1", "Block not found on disk", true}, // Core, for a block outside the best chain
		{"-1", "Block not available (not fully downloaded)", true},
		{"-1", "Block not available (pruned data)", false},
		{"-99", "odd", false},
	} {
		node := badNode(t, func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 500, `{"result":null,"error":{"code":`+c.code+`,"message":"`+c.message+`"}}`)
		})
		if _, err := node.Block(t.Context(), chainhash.Hash{1}, 1); err == nil || errors.Is(err, ErrUnknown) != c.absent {
			t.Errorf("%s %s: %v", c.code, c.message, err)
		}
	}
}

func TestWrongTransaction(t *testing.T) {
	c := badNode(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, `{"result":{"hex":"`+bip143+`"},"error":null}`)
	})
	if _, _, err := c.Tx(t.Context(), chainhash.Hash{1}); err == nil {
		t.Error("Tx accepted a transaction with another id")
	}
	tx, err := DecodeTx(unhex(t, bip143))
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := c.Tx(t.Context(), tx.ID); err != nil || got.ID != tx.ID {
		t.Errorf("Tx with the id of the response: %v", err)
	}
}

func TestAnswerTooLong(t *testing.T) {
	c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, strings.Repeat(" ", 2000)) })
	c.answer = 1000
	if _, _, err := c.Best(t.Context()); err == nil || !strings.Contains(err.Error(), "longer than 1000 bytes") {
		t.Error(err)
	}
}

func TestBusyNode(t *testing.T) {
	var calls atomic.Int32
	c := badNode(t, func(w http.ResponseWriter, _ *http.Request) {
		if calls.Add(1) <= 2 {
			reply(w, http.StatusServiceUnavailable, "503 Too busy.  Try again later.")
			return
		}
		reply(w, 200, `{"result":"`+strings.Repeat("00", 32)+`","error":null}`)
	})
	if _, err := c.GenesisHash(t.Context()); err != nil || calls.Load() != 3 {
		t.Errorf("%d calls: %v", calls.Load(), err)
	}
	// The node stays busy. The retries use a fake clock.
	synctest.Test(t, func(t *testing.T) {
		c := NewClient(ClientConfig{URL: "http://node"})
		c.http.Transport = answers(func(*http.Request) *http.Response { return response(http.StatusServiceUnavailable, "") })
		began := time.Now()
		if _, err := c.GenesisHash(t.Context()); !errors.Is(err, errBusy) {
			t.Errorf("a node that stays busy: %v, want errBusy", err)
		}
		if waited := time.Since(began); waited < time.Second || waited > 3*time.Second {
			t.Errorf("waited %s, want between 1s and 3s", waited)
		}
		short, cancel := context.WithTimeout(t.Context(), 70*time.Millisecond)
		defer cancel()
		if _, err := c.GenesisHash(short); err == nil || time.Since(began) > 3*time.Second {
			t.Errorf("the caller's deadline did not end the retries: %v", err)
		}
	})
}

// answers is a transport without network connections, which the fake clock of synctest does not support.
type answers func(*http.Request) *http.Response

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

func response(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body))}
}

func TestTimeout(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	c := NewClient(ClientConfig{URL: server.URL, User: canary, Password: canary, Timeout: 20 * time.Millisecond})
	if err := c.Broadcast(t.Context(), unhex(t, bip143)); !errors.Is(err, context.DeadlineExceeded) ||
		strings.Contains(err.Error(), canary) {
		t.Errorf("Broadcast after a timeout: %v, want DeadlineExceeded without the credentials", err)
	}
}

func TestCookieIsReadAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".cookie")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var valid atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != valid.Load() {
			reply(w, http.StatusUnauthorized, "")
			return
		}
		reply(w, 200, `{"result":"`+strings.Repeat("00", 32)+`","error":null}`)
	}))
	defer server.Close()
	c := NewClient(ClientConfig{URL: server.URL, CookieFile: file})
	ask := func() error { _, err := c.GenesisHash(t.Context()); return err }
	if err := ask(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing cookie file: %v, want os.ErrNotExist", err)
	}
	write(canary)
	if err := ask(); err == nil || strings.Contains(err.Error(), canary) {
		t.Errorf("a cookie without a colon: %v", err)
	}
	c = NewClient(ClientConfig{URL: server.URL, CookieFile: file})
	for _, password := range []string{"first", "second"} { // the node restarts in between
		valid.Store(password)
		write("__cookie__:" + password + "\n")
		if err := ask(); err != nil {
			t.Errorf("%s: %v", password, err)
		}
	}
	valid.Store("third")
	if err := ask(); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("an outdated cookie file: %v, want ErrUnauthorized", err)
	}
}

// A % in the password of a URL can be the start of a valid escape. If the node refuses it, the error names it.
func TestEscapedPassword(t *testing.T) {
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusUnauthorized, "")
	}))
	defer node.Close()
	for password, want := range map[string]bool{"100%ab": true, "100": false} {
		url := strings.Replace(node.URL, "//", "//alice:"+password+"@", 1)
		_, _, err := NewClient(ClientConfig{URL: url}).Best(t.Context())
		if !errors.Is(err, ErrUnauthorized) || strings.Contains(err.Error(), "%25") != want {
			t.Errorf("password %s: %v", password, err)
		}
	}
}

// HTTP 403 is not a wrong password: the error names the settings of the node that can cause it.
func TestForbidden(t *testing.T) {
	c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusForbidden, "") })
	_, _, err := c.Best(t.Context())
	if !errors.Is(err, errForbidden) || errors.Is(err, ErrUnauthorized) || !errors.As(err, new(*CallError)) ||
		!strings.Contains(err.Error(), "rpcallowip") || !strings.Contains(err.Error(), "rpcwhitelist") {
		t.Errorf("HTTP 403: %v", err)
	}
}

func TestBadConfiguration(t *testing.T) {
	for _, url := range []string{"", "localhost:8332", "ftp://host", "http://", "http://alice:" + canary + "@ho st",
		"http://a:" + canary + "@host:port"} {
		_, _, err := NewClient(ClientConfig{URL: url}).Best(t.Context())
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, password := range []string{"12#" + canary, canary + "#", "100%z" + canary, "a/b" + canary, "12?" + canary} {
		_, _, err := NewClient(ClientConfig{URL: "http://alice:" + password + "@127.0.0.1:1"}).Best(t.Context())
		if err == nil || !strings.Contains(err.Error(), "must be encoded") || strings.Contains(err.Error(), canary) {
			t.Errorf("password %q: %v", password, err)
		}
	}
	refused := NewClient(ClientConfig{URL: "http://alice:" + canary + "@127.0.0.1:1"})
	if _, _, err := refused.Best(t.Context()); err == nil || strings.Contains(err.Error(), canary) ||
		strings.Contains(err.Error(), "alice") {
		t.Errorf("a closed port: %v, want an error without the credentials", err)
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	var reached atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer other.Close()
	c := badNode(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	if _, _, err := c.Best(t.Context()); err == nil || reached.Load() {
		t.Errorf("redirect followed: %v, %v; want false and an error", reached.Load(), err)
	}
}

// TestFeeEstimates reads the fee estimates of Core (estimatesmartfee) and btcd (estimatefee).
func TestFeeEstimates(t *testing.T) {
	core := badNode(t, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, `{"result":{"feerate":0.00012345,"blocks":6},"error":null}`)
	})
	if rate, err := core.FeeRate(t.Context(), 6); err != nil || rate != 12345 {
		t.Errorf("estimatesmartfee: %d, %v", rate, err)
	}
	for answer, want := range map[string]int64{`0.00001`: 1000, `0`: 0, `-1`: 0, `20000`: 0} {
		btcd := badNode(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), "estimatesmartfee") {
				reply(w, 200, `{"result":null,"error":{"code":-32601,"message":"Method not found"}}`)
				return
			}
			reply(w, 200, `{"result":`+answer+`,"error":null}`)
		})
		rate, err := btcd.FeeRate(t.Context(), 6)
		if int64(rate) != want || (err == nil) != (want > 0) {
			t.Errorf("estimatefee %s: %d, %v", answer, rate, err)
		}
	}
}

// TestRelaysV3 checks that RelaysV3 returns true only for versions of Core that are known to relay version 3
// transactions.
func TestRelaysV3(t *testing.T) {
	for body, want := range map[string]bool{
		`{"result":{"version":280000,"subversion":"/Satoshi:28.0.0/"},"error":null}`:                true,
		`{"result":{"version":300100,"subversion":"/Satoshi:30.1.0/"},"error":null}`:                true,
		`{"result":{"version":279900,"subversion":"/Satoshi:27.99.0/"},"error":null}`:               false,
		`{"result":{"version":290100,"subversion":"/Satoshi:29.1.0/Knots:20250903/"},"error":null}`: false,
		`{"result":{"version":290100,"subversion":"/other:29.1.0/"},"error":null}`:                  false,
		`{"result":null,"error":{"code":-32601,"message":"Method not found"}}`:                      false,
	} {
		c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, body) })
		if got, err := c.RelaysV3(t.Context()); err != nil || got != want {
			t.Errorf("%s: %t, %v; want %t", body, got, err, want)
		}
	}
	gone := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, 503, "") })
	if got, err := gone.RelaysV3(t.Context()); got || err == nil {
		t.Errorf("RelaysV3 of a busy node: %t, %v; want an error", got, err)
	}
}
