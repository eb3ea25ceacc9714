package coins

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moonfund/internal/bitcoin/vault"
)

func TestCheckURL(t *testing.T) {
	for _, good := range []string{
		"https://esplora.example.org/api", "https://esplora.example.org", "https://192.0.2.1:8443/x/",
		"http://localhost:3000", "http://127.0.0.1:3002/api", "http://127.8.9.1", "http://[::1]:3000/",
	} {
		if _, err := CheckURL(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "esplora.example.org", "//esplora.example.org", "ftp://esplora.example.org", "https://", "https://:443/",
		"https:/api", "http://esplora.example.org", "http://192.168.1.5:3000", "http://localhost.example.org",
		"http://127.0.0.1.example.org", "http://0.0.0.0", "http://[::]", "https://user:secret@esplora.example.org",
		"https://esplora.example.org/api?x=1",
		"https://esplora.example.org/?", "https://esplora.example.org/#a", "file:///etc/passwd", "https://a b/", "\x00",
	} {
		if _, err := CheckURL(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the error contains the password: %v", bad, err)
		}
		if _, err := New(bad, nil, nil); err == nil {
			t.Errorf("New accepts %q", bad)
		}
	}
}

// TestFaultyServer checks answers of a server that fails or is hostile: Find returns vault.ErrCoinsUnavailable within
// its timeout, without the address in the error.
func TestFaultyServer(t *testing.T) {
	p := newPlace(t)
	coin := p.pay(script, 50_000)[0]
	p.mine(2)
	good := fmt.Sprintf(`{"txid":"%s","vout":0,"value":50000,"status":{"confirmed":true}}`, coin.OutPoint.Hash)
	text := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); _, _ = w.Write([]byte(body)) }
	}
	for what, answer := range map[string]http.HandlerFunc{
		"HTML":           text(http.StatusOK, "<!doctype html><title>Just a moment...</title>"),
		"nothing":        text(http.StatusOK, ""),
		"no array":       text(http.StatusOK, good),
		"null":           text(http.StatusOK, "null"),
		"text in array":  text(http.StatusOK, `["x"]`),
		"cut off":        text(http.StatusOK, "["+good),
		"cut off later":  text(http.StatusOK, "["+good+","),
		"bad id":         text(http.StatusOK, `[{"txid":"12","vout":0}]`),
		"no hex":         text(http.StatusOK, `[{"txid":"`+strings.Repeat("z", 64)+`","vout":0}]`),
		"negative index": text(http.StatusOK, `[{"vout":-1}]`),
		"index too big":  text(http.StatusOK, `[{"vout":4294967296}]`),
		"fraction":       text(http.StatusOK, `[{"value":0.5}]`),
		"deep":           text(http.StatusOK, strings.Repeat("[", 100_000)),
		"no content":     text(http.StatusNoContent, ""),
		"400":            text(http.StatusBadRequest, "Too many history entries"),
		"404":            text(http.StatusNotFound, "["+good+"]"),
		"500":            text(http.StatusInternalServerError, "["+good+"]"),
		"502":            text(http.StatusBadGateway, "<html>"),
		"too long":       text(http.StatusOK, "["+strings.Repeat(" ", maxAnswer)+good+"]"),
		"too many":       text(http.StatusOK, "["+strings.Repeat("{},", maxListed)+good+"]"),
		"bomb":           bomb,
		"headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 2*maxHeader))
		},
		"hang up": func(w http.ResponseWriter, _ *http.Request) {
			connection, _, _ := http.NewResponseController(w).Hijack()
			_ = connection.Close()
		},
	} {
		p.serve(answer)
		found, err := p.find()
		if !errors.Is(err, vault.ErrCoinsUnavailable) || strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v, %v; want vault.ErrCoinsUnavailable without the address", what, found, err)
		}
		if len(err.Error()) > 300 {
			t.Errorf("%s: the error has %d characters", what, len(err.Error()))
		}
	}
	p.serve(text(http.StatusOK, " [\n"+good+" ] trailing"))
	p.wantFound("after faults", coin)
}

// bomb answers with a compressed list that is a thousand times as long after decompression.
func bomb(w http.ResponseWriter, _ *http.Request) {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write([]byte("["))
	for range 2 * maxAnswer >> 20 {
		_, _ = writer.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	_ = writer.Close()
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(packed.Bytes())
}

// TestNoRedirects checks that the server can't make this program send requests elsewhere, neither by a redirect nor by
// a proxy of the environment.
func TestNoRedirects(t *testing.T) {
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = w.Write([]byte("[]"))
	}))
	defer inside.Close()
	t.Setenv("HTTP_PROXY", inside.URL)
	t.Setenv("http_proxy", inside.URL)
	p := newPlace(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{
			inside.URL, "/api/elsewhere", strings.TrimPrefix(inside.URL, "http:"), "file:///etc/passwd",
		} {
			var requests atomic.Int64
			p.serve(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				http.Redirect(w, r, to, status)
			})
			if found, err := p.find(); !errors.Is(err, vault.ErrCoinsUnavailable) || requests.Load() != 1 {
				t.Errorf("%d to %s: %v, %v after %d requests", status, to, found, err, requests.Load())
			}
		}
	}
	if reached.Load() != 0 {
		t.Errorf("%d requests reached another server", reached.Load())
	}
}

// TestEndlessAnswer checks that the timeout ends an answer that is sent byte by byte without end.
func TestEndlessAnswer(t *testing.T) {
	p := newPlace(t)
	p.serve(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("["))
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(" ")); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	p.finder.timeout = 200 * time.Millisecond
	began := time.Now()
	if found, err := p.find(); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("got %v, %v; want vault.ErrCoinsUnavailable", found, err)
	}
	if took := time.Since(began); took > esploraTimeout/2 {
		t.Errorf("it took %s", took)
	}
}

// TestPause checks that a server that refuses requests for some time receives no requests in this time.
func TestPause(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": defaultPause, "soon": defaultPause, "-5": defaultPause, "0": defaultPause, "7": 7 * time.Second,
		"9999999": maxPause, "99999999999999999999": defaultPause,
	} {
		if got := pause(header); got != want {
			t.Errorf("Retry-After %q: %s, want %s", header, got, want)
		}
	}
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		p := newPlace(t)
		var requests atomic.Int64
		p.serve(func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			w.WriteHeader(status)
		})
		for range 3 {
			if _, err := p.finder.Find(t.Context(), address, script); !errors.Is(err, vault.ErrCoinsUnavailable) {
				t.Errorf("%d: %v, want vault.ErrCoinsUnavailable", status, err)
			}
		}
		if requests.Load() != 1 {
			t.Errorf("%d: %d requests, want 1", status, requests.Load())
		}
		p.serve(p.honest)
		_, err := p.finder.FindFor(t.Context(), "another source", address, script)
		if others := errors.Is(err, vault.ErrCoinsUnavailable); others != (status == http.StatusServiceUnavailable) {
			t.Errorf("%d: another source gets %v", status, err)
		}
		p.finder.esplora.pauseUntil.Store(time.Now().UnixNano())
		clear(p.finder.esplora.pauses)
		if _, err := p.finder.Find(t.Context(), address, script); err != nil {
			t.Errorf("%d: after the pause: %v", status, err)
		}
	}
}

// TestAnswerUsedAgain checks that a second lookup soon after the first sends no request, but asks the node again.
func TestAnswerUsedAgain(t *testing.T) {
	p := newPlace(t)
	coins := p.pay(script, 50_000, 40_000)
	p.mine(2)
	var requests atomic.Int64
	p.serve(func(w http.ResponseWriter, r *http.Request) { requests.Add(1); p.honest(w, r) })
	find := func(want int) {
		t.Helper()
		found, err := p.finder.Find(t.Context(), address, script)
		if err != nil || len(found) != want || requests.Load() != 1 {
			t.Errorf("found %v, %v with %d requests; want %d outputs and 1 request", found, err, requests.Load(), want)
		}
	}
	find(2)
	p.spend(1_000, coins[0])
	find(1)
	for i := range 2 * maxAnswers {
		if _, err := p.finder.Find(t.Context(), fmt.Sprint("other", i), script); !errors.Is(err, vault.ErrCoinsUnavailable) {
			t.Fatalf("another address: %v", err) // 404 of the test's server
		}
	}
	p.serve(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("[]")) })
	for i := range 2 * maxAnswers {
		if _, err := p.finder.Find(t.Context(), fmt.Sprint("other", i), script); err != nil {
			t.Fatal(err)
		}
	}
	if kept := len(p.finder.esplora.answers); kept > maxAnswers {
		t.Errorf("%d answers are kept, want at most %d", kept, maxAnswers)
	}
}

// TestCertificate checks that a server with a certificate of an unknown authority is not asked.
func TestCertificate(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of the refused handshake
	server.StartTLS()
	defer server.Close()
	p := newPlace(t)
	finder, err := New(server.URL, p, p.index)
	if err != nil {
		t.Fatal(err)
	}
	_, err = finder.Find(t.Context(), address, script)
	if !errors.Is(err, vault.ErrCoinsUnavailable) || requests.Load() != 0 {
		t.Errorf("got %v after %d requests", err, requests.Load())
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + listener.Addr().String()
	_ = listener.Close()
	if finder, err = New(closed, p, p.index); err != nil {
		t.Fatal(err)
	}
	if _, err := finder.Find(t.Context(), address, script); !errors.Is(err, vault.ErrCoinsUnavailable) ||
		strings.Contains(err.Error(), address) {
		t.Errorf("nothing listens: %v", err)
	}
}
