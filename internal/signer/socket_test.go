package signer

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// socketAt returns a short path, because the path of a local socket is limited to 107 bytes.
func socketAt(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "signer.sock")
}

// overSocket serves the world's signer on a socket and returns a client of it.
func (w *world) overSocket() *Client {
	w.Helper()
	path := socketAt(w)
	listener, err := ListenSocket(path)
	must(w, err)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	s := w.signer()
	running.Go(func() { must(w, s.Serve(ctx, listener, slog.New(slog.DiscardHandler))) })
	w.Cleanup(func() { stop(); running.Wait() })
	return Dial(path)
}

func TestSignsOverTheSocket(t *testing.T) {
	w := newWorld(t)
	r := w.mixed()
	want, err := w.signer().Sign(t.Context(), r)
	must(t, err)
	client := w.overSocket()
	got, err := client.Sign(t.Context(), r)
	must(t, err)
	executeAll(t, got, r.Inputs)
	if !bytes.Equal(serialized(t, got), serialized(t, want)) {
		t.Error("the process signed other bytes than the signer in the server")
	}
	accounts, err := client.Accounts(t.Context())
	must(t, err)
	xpub, err := w.keys.AccountXpub(0, w.network)
	must(t, err)
	if accounts.Network != "regtest" || len(accounts.Xpubs) != 1 || accounts.Xpubs[0] != xpub {
		t.Errorf("Accounts: got %+v", accounts)
	}
}

func TestRefundAndReturnOverTheSocket(t *testing.T) {
	w := newWorld(t)
	r := w.returning()
	tx, err := w.overSocket().Sign(t.Context(), r)
	must(t, err)
	executeAll(t, tx, r.Inputs)
}

// TestServerTakenOver sends requests of every kind repeatedly, as a compromised server would, and checks that the
// outflow of 24 hours stays within the limit.
func TestServerTakenOver(t *testing.T) {
	w := newWorld(t)
	client := w.overSocket()
	var taken int
	for range 30 {
		r := w.claimOf(900)
		switch _, err := client.Sign(t.Context(), r); {
		case err == nil:
			taken += 900
		case !refusedFor(err, OverLimit):
			t.Fatal(err)
		}
	}
	if taken != 9_900 {
		t.Errorf("%d base units left the treasury, the limit is 10,000", taken)
	}
	w.now = w.now.Add(window)
	_, err := client.Sign(t.Context(), w.claimOf(900))
	must(t, err)
}

func TestPauseSwitch(t *testing.T) {
	w := newWorld(t)
	file := PauseFile(filepath.Join(t.TempDir(), "paused"))
	w.config.Paused = file.Why
	client := w.overSocket()
	must(t, file.Set("anna", "the laptop was stolen", w.now))
	_, err := client.Sign(t.Context(), w.mixed())
	if !refusedFor(err, Paused) || !strings.Contains(err.Error(), "anna: the laptop was stolen") {
		t.Errorf("Sign while paused: got error %v", err)
	}
	if was, err := file.Lift("bert", "it was found", w.now); was != "anna: the laptop was stolen" || err != nil {
		t.Errorf("Lift: got %q, %v", was, err)
	}
	if was, err := file.Lift("bert", "again", w.now); was != "" || err != nil {
		t.Errorf("Lift without a pause: got %q, %v", was, err)
	}
	_, err = client.Sign(t.Context(), w.mixed())
	must(t, err)
	must(t, os.WriteFile(string(file), nil, 0o600))
	if _, err := client.Sign(t.Context(), w.mixed()); !refusedFor(err, Paused) {
		t.Errorf("Sign with an empty pause file: got error %v", err)
	}
	must(t, os.Remove(string(file)))
	must(t, os.Mkdir(string(file), 0o700))
	if _, err := client.Sign(t.Context(), w.mixed()); err == nil {
		t.Error("signed although the pause switch can't be read")
	}
}

func TestHostileCalls(t *testing.T) {
	w := newWorld(t)
	client := w.overSocket()
	for name, row := range map[string]struct {
		method, path, body string
		status             int
	}{
		"nothing":          {http.MethodPost, signPath, "", http.StatusBadRequest},
		"not JSON":         {http.MethodPost, signPath, "sign!", http.StatusBadRequest},
		"null":             {http.MethodPost, signPath, "null", http.StatusUnprocessableEntity},
		"empty":            {http.MethodPost, signPath, "{}", http.StatusUnprocessableEntity},
		"unknown field":    {http.MethodPost, signPath, `{"Force":true}`, http.StatusBadRequest},
		"two requests":     {http.MethodPost, signPath, "{}{}", http.StatusBadRequest},
		"a null input":     {http.MethodPost, signPath, `{"Tx":{"TxIn":[null]}}`, http.StatusBadRequest},
		"a null output":    {http.MethodPost, signPath, `{"Tx":{"TxOut":[null]}}`, http.StatusBadRequest},
		"negative account": {http.MethodPost, signPath, `{"Account":-1}`, http.StatusBadRequest},
		"too large": {http.MethodPost, signPath, `{"Tx":"` + strings.Repeat("a", maxRequestBytes) + `"}`,
			http.StatusBadRequest},
		"another method": {http.MethodGet, signPath, "", http.StatusMethodNotAllowed},
		"another path":   {http.MethodPost, "/key", "{}", http.StatusNotFound},
		"inputs, no outputs": {http.MethodPost, signPath, `{"Tx":{"Version":2,"TxIn":[{}]},"Inputs":[{}]}`,
			http.StatusUnprocessableEntity},
	} {
		t.Run(name, func(t *testing.T) {
			status, body, err := client.call(t.Context(), row.method, row.path, []byte(row.body))
			if err != nil || status != row.status {
				t.Errorf("status %d, error %v, want %d: %s", status, err, row.status, body)
			}
		})
	}
	_, err := client.Sign(t.Context(), w.mixed())
	must(t, err) // the signer still works
}

// lying returns a client of a server that answers every call with the same bytes.
func lying(t testing.TB, body string) *Client {
	t.Helper()
	path := socketAt(t)
	listener, err := net.Listen("unix", path)
	must(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(body))
	})}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return Dial(path)
}

func TestClientRejectsInvalidAnswers(t *testing.T) {
	w := newWorld(t)
	r := w.mixed()
	for _, body := range []string{"", "{}", "null", `{"tx":null}`,
		`{"tx":{"Version":2,"TxIn":[],"TxOut":[],"LockTime":0}}`, `{"failure":"no"}`} {
		if tx, err := lying(t, body).Sign(t.Context(), r); tx != nil || err == nil {
			t.Errorf("Sign with answer %q: got %v, want an error", body, tx)
		}
	}
}

// TestClientPausesAfterUnreachableSigner checks that the client contacts an unreachable signer once and then fails fast
// for a while.
func TestClientPausesAfterUnreachableSigner(t *testing.T) {
	w := newWorld(t)
	r := w.mixed()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(os.TempDir(), "nobody-listens-here.sock")
		client := Dial(path)
		if _, err := client.Sign(t.Context(), r); !errors.Is(err, ErrUnreachable) {
			t.Fatalf("Sign: got %v, want ErrUnreachable", err)
		}
		client.path = "second path"
		if _, err := client.Sign(t.Context(), r); !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), path) {
			t.Errorf("Sign within retryDelay: got %v, want the first error", err)
		}
		<-time.After(time.Until(client.until))
		if _, err := client.Sign(t.Context(), r); !errors.Is(err, ErrUnreachable) ||
			!strings.Contains(err.Error(), "second path") {
			t.Errorf("Sign after retryDelay: got %v, want an error of a new call", err)
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		<-time.After(time.Until(client.until))
		if _, err := client.Sign(stopped, r); !errors.Is(err, context.Canceled) {
			t.Errorf("Sign with a canceled context: got %v, want context.Canceled", err)
		}
		if client.suspended() != nil {
			t.Error("a canceled caller suspended the signer")
		}
	})
}

func TestListenSocket(t *testing.T) {
	path := socketAt(t)
	first, err := ListenSocket(path)
	must(t, err)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("the socket has the mode %v, error %v", info.Mode(), err)
	}
	if _, err := ListenSocket(path); err == nil {
		t.Error("ListenSocket allowed two signers on one socket")
	}
	first.(*net.UnixListener).SetUnlinkOnClose(false) // as after kill -9
	first.Close()
	again, err := ListenSocket(path)
	must(t, err)
	again.Close()
	must(t, os.WriteFile(path, []byte("mine"), 0o600))
	if _, err := ListenSocket(path); err == nil {
		t.Error("a file was replaced by a socket")
	}
}
