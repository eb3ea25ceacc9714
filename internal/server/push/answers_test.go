package push

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/action"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
	"moonfund/internal/testkit/engine"
)

func TestMain(m *testing.M) { engine.OnBoth(m) }

// Each answer of a push service has its result: told, ended, given up, or tried again after a delay.
func TestAnswers(t *testing.T) {
	f := newFixture(t, testkit.NewWorld(t))
	r := f.newBrowser().request(action.Wallet{})
	for _, row := range []struct {
		name     string
		answer   http.HandlerFunc
		attempts int64 // that failed before
		want     result
		delay    time.Duration // until the next message or attempt
	}{
		{name: "201", want: result{told: 9}, delay: quiet},
		{name: "202, the second time", answer: status(202), attempts: 1, want: result{told: 9}, delay: quiet},
		{name: "404", answer: status(404), want: result{told: 9, ended: true}, delay: firstDelay},
		{name: "410", answer: status(410), want: result{told: 9, ended: true}, delay: firstDelay},
		{name: "400", answer: status(400), want: result{told: 9}, delay: firstDelay},
		{name: "a redirect", answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, want: result{told: 9}, delay: firstDelay},
		{name: "429", answer: status(429), want: result{told: 7, attempts: 1}, delay: firstDelay},
		{name: "429 with Retry-After", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(429)
		}, want: result{told: 7, attempts: 1}, delay: 2 * time.Minute},
		{name: "Retry-After of a year", answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(429)
		}, want: result{told: 7, attempts: 1}, delay: maxDelay},
		{name: "500", answer: status(500), want: result{told: 7, attempts: 1}, delay: firstDelay},
		{name: "500, the fourth time", answer: status(500), attempts: 3, want: result{told: 7, attempts: 4},
			delay: 8 * firstDelay},
		{name: "500, the last time", answer: status(500), attempts: maxAttempts - 1, want: result{told: 9},
			delay: maxDelay},
		{name: "no answer", answer: func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}, want: result{told: 7, attempts: 1}, delay: firstDelay},
	} {
		t.Run(row.name, func(t *testing.T) {
			f.use(row.answer)
			row.want.due = f.Now().Add(row.delay)
			got := f.attempt(t.Context(), message{
				to:       store.PushSubscription{Endpoint: r.Endpoint, Key: r.Key, Auth: r.Auth},
				attempts: row.attempts, told: 7, through: 9, news: map[string]string{"order": "1"},
			})
			if got != row.want {
				t.Errorf("got %+v, want %+v", got, row.want)
			}
			if got := f.take(); len(got) != 1 && row.name != "no answer" { // net/http may repeat a lost request
				t.Errorf("%d requests", len(got))
			}
		})
	}
}

// withNews returns a fixture with a browser of Anna's and a message that is due.
func withNews(t *testing.T) (*fixture, browser) {
	t.Helper()
	w := testkit.NewWorld(t)
	f := newFixture(t, w)
	id := w.Staked(w.Anna, 5000)
	proof, signature := f.act(w.Anna, action.Unstake, id)
	to := f.subscribed(w.Anna, proof, signature)
	w.NextEpoch()
	w.NextEpoch()
	return f, to
}

// A failed message is sent again later, and one that the server's stop interrupted at once.
func TestSentAgain(t *testing.T) {
	f, to := withNews(t)
	f.use(status(500))
	if got := f.send(to); len(got) != 1 {
		t.Fatalf("messages: %q", got)
	}
	f.use(nil)
	f.want(f.send(to))
	f.w.Clock.Advance(firstDelay)
	ctx, stop := context.WithCancel(t.Context())
	f.use(func(_ http.ResponseWriter, r *http.Request) { stop(); <-r.Context().Done() })
	if err := f.deliver(ctx); err != nil || len(f.take()) != 1 {
		t.Errorf("the stopped server: %v", err)
	}
	f.use(nil)
	if got := f.send(to); len(got) != 1 {
		t.Errorf("after the server stopped: %q", got)
	}
	f.want(f.send(to))
}

// afterAnswer calls fn after each answer.
type afterAnswer struct {
	http.RoundTripper
	fn func()
}

func (a afterAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	defer a.fn()
	return a.RoundTripper.RoundTrip(r)
}

// An accepted message is not sent again because the server stops before its result is stored.
func TestAcceptedBeforeStop(t *testing.T) {
	f, to := withNews(t)
	ctx, stop := context.WithCancel(t.Context())
	f.client.Transport = afterAnswer{f.client.Transport, stop}
	testkit.Must(t, f.deliver(ctx))
	if got := f.take(); len(got) != 1 {
		t.Fatalf("%d requests", len(got))
	}
	f.w.Clock.Advance(quiet)
	f.want(f.send(to))
}

// While the database stores nothing, nothing is sent. A message whose result can't be stored is not sent again for a
// while.
func TestNothingStored(t *testing.T) {
	f, to := withNews(t)
	var full atomic.Bool
	ctx := store.InjectFaults(t.Context(), func(_ string, writes bool) error {
		if writes && full.Load() {
			return errors.New("the disk is full")
		}
		return nil
	})
	full.Store(true)
	if err := f.deliver(ctx); err == nil || len(f.take()) != 0 {
		t.Errorf("a full disk: %v", err)
	}
	full.Store(false)
	f.client.Transport = afterAnswer{f.client.Transport, func() { full.Store(true) }}
	if err := f.deliver(ctx); err == nil || len(f.take()) != 1 {
		t.Errorf("the disk is full after the message: %v", err)
	}
	f.want(f.send(to))
	f.w.Clock.Advance(quiet)
	if got := f.send(to); len(got) != 1 {
		t.Errorf("later: %q", got)
	}
}

// After 410 the subscription is deleted.
func TestGone(t *testing.T) {
	f, to := withNews(t)
	f.use(status(410))
	if got := f.send(to); len(got) != 1 {
		t.Fatalf("messages: %q", got)
	}
	if known, err := f.IsSubscribed(t.Context(), testkit.Prefix, f.w.Anna.Pair(), to.endpoint); known || err != nil {
		t.Errorf("still subscribed: %v, %v", known, err)
	}
}

// Run sends what is due until it is stopped, and only on the leader.
func TestRun(t *testing.T) {
	f, _ := withNews(t)
	arrived := make(chan struct{}, 10)
	f.use(func(http.ResponseWriter, *http.Request) { arrived <- struct{}{} })
	run := func() (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { f.Run(ctx); close(done) }()
		return func() { cancel(); <-done }
	}
	asked := make(chan struct{}, 10)
	f.Leads = func() bool { asked <- struct{}{}; return false }
	stop := run()
	<-asked
	stop()
	if len(arrived) > 0 {
		t.Error("a server that does not lead sent a message")
	}
	f.Leads = func() bool { return true }
	stop = run()
	<-arrived
	stop()
}

// Only the owner of a wallet subscribes a browser, with a signature of the last half hour that no statement publishes.
func TestSubscribe(t *testing.T) {
	w := testkit.NewWorld(t)
	f := newFixture(t, w)
	unit := w.Staked(w.Anna, 5000)
	w.Staked(w.Bert, 5000)
	instruction, published := f.act(w.Anna, action.AutoCompound)
	id, signature := f.act(w.Anna, action.Unstake, unit)
	refused := func(want fault.Sentence, of *testkit.Wallet, actionID, signature string) {
		t.Helper()
		r := f.newBrowser().request(of.Pair())
		r.ActionID, r.Signature = actionID, signature
		var got *fault.Error
		if err := f.Subscribe(t.Context(), testkit.Prefix, r); !errors.As(err, &got) || got.Code != want.Code {
			t.Errorf("got %v, want %s", err, want.Code)
		}
	}
	refused(fault.PushProof, w.Bert, id, signature)
	refused(fault.PushProof, w.Anna, id, w.Anna.Sign("something else"))
	refused(fault.PushProof, w.Anna, id, "")
	refused(fault.PushProof, w.Anna, "nothing", signature)
	refused(fault.PushProof, w.Anna, instruction, published)
	unsigned, err := w.Ask(w.Anna, action.EndAutoCompound)
	testkit.Must(t, err)
	refused(fault.PushProof, w.Anna, unsigned.ActionID, "")

	var all []browser
	for range perOwner + 1 {
		w.Clock.Advance(time.Second)
		all = append(all, f.subscribed(w.Anna, id, signature))
	}
	for i, b := range all {
		known, err := f.IsSubscribed(t.Context(), testkit.Prefix, w.Anna.Pair(), b.endpoint)
		if err != nil || known != (i > 0) {
			t.Errorf("browser %d: subscribed %v, %v", i, known, err)
		}
	}
	err = w.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.PutPushSubscription(t.Context(), store.PushSubscription{Endpoint: "x"}, perOwner, perOwner, f.Now())
	})
	if !errors.Is(err, store.ErrPushFull) {
		t.Errorf("above the limit in total: %v", err)
	}
	w.Clock.Advance(time.Hour)
	refused(fault.PushProof, w.Anna, id, signature)
}

// A subscription must be one of a browser, at a public https address.
func TestEndpoints(t *testing.T) {
	f := &fixture{t: t}
	good := f.newBrowser().request(action.Wallet{})
	testkit.Must(t, checkSubscription(good))
	for _, endpoint := range []string{
		"", "http://push.example.com/1", "https://push.example.com:8443/1", "https://user@push.example.com/1",
		"https://localhost/1", "https://127.0.0.1/1", "https://8.8.8.8/1", "https://[2606:4700::1]/1", "https:///1",
		"ftp://push.example.com/1", "https://push.example.com/" + strings.Repeat("x", maxEndpoint), "::",
	} {
		r := good
		r.Endpoint = endpoint
		if checkSubscription(r) == nil {
			t.Errorf("%q was accepted", endpoint)
		}
	}
	for _, keys := range [][2]string{
		{"", good.Auth}, {"?", good.Auth}, {encode(make([]byte, 65)), good.Auth}, {good.Key, ""}, {good.Key, "?"},
		{good.Key, encode(make([]byte, 15))},
	} {
		r := good
		r.Key, r.Auth = keys[0], keys[1]
		if checkSubscription(r) == nil {
			t.Errorf("keys %q were accepted", keys)
		}
	}
}

// The client connects to no address that is not public, whatever name leads to it.
func TestPrivateAddresses(t *testing.T) {
	for _, text := range []string{
		"127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "192.0.0.8",
		"198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
		"::ffff:10.0.0.1", "64:ff9b::7f00:1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1", "2001::1",
		"2001:db8::1", "2002:7f00:1::",
	} {
		if isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s counts as public", text)
		}
	}
	for _, text := range []string{"8.8.8.8", "142.250.1.1", "::ffff:8.8.8.8", "2606:4700::1", "2a00:1450:4001::1"} {
		if !isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s does not count as public", text)
		}
	}
	server := httptest.NewTLSServer(status(http.StatusCreated))
	defer server.Close()
	for _, address := range []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)} {
		answer, err := newClient().Get(address)
		if err == nil {
			answer.Body.Close()
		}
		if !errors.Is(err, errPrivateAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// The key is created once, for its owner only. With a damaged file the messages are off, and the log says so.
func TestKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), KeyFile)
	var log bytes.Buffer
	open := func() *Service { return New(Config{KeyFile: path, Log: slog.New(slog.NewTextHandler(&log, nil))}) }
	first, again := open(), open()
	if first.PushKey() != again.PushKey() || len(first.PushKey()) != 87 || log.Len() > 0 {
		t.Errorf("keys %q, %q; log %s", first.PushKey(), again.PushKey(), &log)
	}
	info, err := os.Stat(path)
	testkit.Must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	for _, text := range []string{"", "?", encode(make([]byte, 32))} {
		testkit.Must(t, os.WriteFile(path, []byte(text), 0o600))
		log.Reset()
		s := open()
		s.Run(t.Context())
		r := (&fixture{t: t}).newBrowser().request(action.Wallet{})
		if err := s.Subscribe(t.Context(), testkit.Prefix, r); err == nil || s.PushKey() != "" ||
			!strings.Contains(log.String(), path) {
			t.Errorf("file %q: key %q, error %v, log %s", text, s.PushKey(), err, &log)
		}
	}
}
