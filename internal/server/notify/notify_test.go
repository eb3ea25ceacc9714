package notify

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"moonfund/internal/staking/order"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

const (
	botToken  = "123456:bot-token-of-a-test"
	ntfyToken = "tk_token_of_a_test"
)

var webhookSecret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("a secret of a test, 32 bytes...."))

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// received is a request that a receiver got.
type received struct {
	path   string
	header http.Header
	body   []byte
}

// receiver is an HTTP server that records requests. answer, if not nil, answers them.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	all    []received
	answer http.HandlerFunc
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.all = append(r.all, received{q.URL.Path, q.Header, body})
		answer := r.answer
		r.mu.Unlock()
		if answer != nil {
			answer(w, q)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

func (r *receiver) use(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func secretFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(path, []byte(text+"\n"), 0o600))
	return path
}

// sinksAt returns the three sinks at one address.
func sinksAt(t *testing.T, address string) []Sink {
	t.Helper()
	sinks, err := Config{
		Webhook: address + "/hook?key=in-the-address", WebhookSecret: secretFile(t, webhookSecret),
		Ntfy: address + "/topic", NtfyToken: secretFile(t, ntfyToken),
		Telegram: "-1001", TelegramToken: secretFile(t, botToken), TelegramAPI: address,
	}.Sinks()
	must(t, err)
	return sinks
}

// fixture is a notifier on a new ledger, with a clock that only the tests advance.
type fixture struct {
	*testing.T
	*Notifier
	now time.Time
	log bytes.Buffer
}

func newFixture(t *testing.T, sinks ...Sink) *fixture {
	t.Helper()
	s, err := store.Open(t.Context(), engine.New(t, func(address string) error {
		s, err := store.Open(context.Background(), address)
		if err != nil {
			return err
		}
		return s.Close()
	}))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	f := &fixture{T: t, now: time.Now().Truncate(time.Second)}
	f.Notifier = &Notifier{Store: s, Sinks: sinks, Leads: func() bool { return true },
		Now: func() time.Time { return f.now }, Log: slog.New(slog.NewTextHandler(&f.log, nil)),
		client: newClient(time.Minute), jitter: func() float64 { return 0 }}
	for _, sink := range sinks { // a new sink gets later events only
		must(t, f.deliver(t.Context(), sink))
	}
	return f
}

func (f *fixture) begin(kind store.EventKind, subject string, data store.EventData) {
	f.Helper()
	must(f.T, f.Store.SetCondition(f.Context(), kind, subject, true, data))
}

// delivery returns the delivery of an event to the first sink.
func (f *fixture) delivery(number int64) (d store.Delivery) {
	f.Helper()
	must(f.T, f.Store.View(f.Context(), func(tx *store.Tx) error {
		all, err := tx.DeliveriesOf(f.Context(), number)
		if len(all) > 0 {
			d = all[0]
		}
		return err
	}))
	return d
}

// The library of the Standard Webhooks project verifies the signature, and the body contains the next step.
func TestWebhook(t *testing.T) {
	to := newReceiver(t)
	f := newFixture(t, sinksAt(t, to.URL)[0])
	f.begin(store.EventPause, "payouts", store.EventData{Reason: "olga: a drill"})
	must(t, f.deliver(t.Context(), f.Sinks[0]))
	must(t, f.deliver(t.Context(), f.Sinks[0]))
	all := to.got()
	if len(all) != 1 {
		t.Fatalf("%d requests, want 1", len(all))
	}
	verifier, err := standardwebhooks.NewWebhook(webhookSecret)
	must(t, err)
	must(t, verifier.Verify(all[0].body, all[0].header))
	if verifier.Verify(append([]byte(" "), all[0].body...), all[0].header) == nil {
		t.Error("a changed body was verified")
	}
	var body payload
	must(t, json.Unmarshal(all[0].body, &body))
	if body.Type != "ledger.paused.began" || body.Data.Subject != "payouts" || body.Data.Reason != "olga: a drill" ||
		!strings.Contains(body.Data.Text, "Next: moonfund help operations, then moonfund resume payouts") {
		t.Errorf("body: %+v", body)
	}
	if d := f.delivery(1); d.State != store.DeliveryDelivered || d.Attempts != 1 {
		t.Errorf("delivery: %+v", d)
	}
}

// ntfy and Telegram get the title, the text and their tokens in the places that they expect.
func TestNtfyAndTelegram(t *testing.T) {
	to := newReceiver(t)
	f := newFixture(t, sinksAt(t, to.URL)[1:]...)
	f.begin(store.EventRunway, "lobo", store.EventData{Community: "lobo", Epochs: 3})
	for _, sink := range f.Sinks {
		must(t, f.deliver(t.Context(), sink))
	}
	all := to.got()
	if len(all) != 2 {
		t.Fatalf("%d requests, want 2", len(all))
	}
	var ntfy struct {
		Topic, Title, Message string
		Priority              int
	}
	must(t, json.Unmarshal(all[0].body, &ntfy))
	if ntfy.Topic != "topic" || ntfy.Priority != 4 || !strings.Contains(ntfy.Message, "3 more epochs") ||
		all[0].header.Get("Authorization") != "Bearer "+ntfyToken || all[0].path != "/" {
		t.Errorf("ntfy: %s %+v", all[0].path, ntfy)
	}
	var telegram struct {
		Chat string `json:"chat_id"`
		Text string
	}
	must(t, json.Unmarshal(all[1].body, &telegram))
	if telegram.Chat != "-1001" || !strings.Contains(telegram.Text, "moonfund treasury show lobo") ||
		all[1].path != "/bot"+botToken+"/sendMessage" {
		t.Errorf("telegram: %s %+v", all[1].path, telegram)
	}
}

// A failed attempt is repeated after growing delays with one id, is given up after three days, and a replay sends the
// event again.
func TestRetriesAndReplay(t *testing.T) {
	to := newReceiver(t)
	to.use(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	f := newFixture(t, sinksAt(t, to.URL)[0])
	f.begin(store.EventBackup, store.SubjectBackups, store.EventData{})
	start := f.now
	var delays []time.Duration
	for range 100 {
		must(t, f.deliver(t.Context(), f.Sinks[0]))
		must(t, f.deliver(t.Context(), f.Sinks[0])) // it is not due
		d := f.delivery(1)
		if d.State == store.DeliveryFailed {
			break
		}
		delays = append(delays, d.Due.Sub(f.now))
		f.now = d.Due
	}
	if got := fmt.Sprint(delays[:4]); got != "[10s 20s 40s 1m20s]" || slices.Max(delays) != maxDelay {
		t.Errorf("delays %v", delays)
	}
	d := f.delivery(1)
	if d.State != store.DeliveryFailed || f.now.Sub(start) < giveUpAfter || !strings.Contains(d.Error, "HTTP 500") {
		t.Errorf("after %v: %+v", f.now.Sub(start), d)
	}
	ids := map[string]bool{}
	for _, r := range to.got() {
		ids[r.header.Get("webhook-id")] = true
	}
	if len(ids) != 1 || len(to.got()) != len(delays)+1 {
		t.Errorf("%d requests with the ids %v, want %d", len(to.got()), ids, len(delays)+1)
	}
	to.use(nil)
	must(t, f.Store.Update(t.Context(), func(tx *store.Tx) error {
		events, sinks, err := Replay(t.Context(), tx, 1, f.now, 0)
		if events != 1 || sinks != 1 {
			t.Errorf("replayed %d events to %d sinks", events, sinks)
		}
		return err
	}))
	must(t, f.deliver(t.Context(), f.Sinks[0]))
	if d := f.delivery(1); d.State != store.DeliveryDelivered {
		t.Errorf("after the replay: %+v", d)
	}
	must(t, f.Store.Update(t.Context(), func(tx *store.Tx) error {
		events, _, err := Replay(t.Context(), tx, 0, f.now, 30*24*time.Hour)
		if events != 1 {
			t.Errorf("replayed %d events", events)
		}
		if _, _, err := Replay(t.Context(), tx, 99, f.now, 0); err == nil {
			t.Error("an unknown event was replayed")
		}
		return err
	}))
}

// The random part shortens a delay by at most a half.
func TestDelay(t *testing.T) {
	n := Notifier{}
	for failed := range int64(100) {
		n.jitter = func() float64 { return 0 }
		longest := n.delay(failed)
		n.jitter = nil
		if got := n.delay(failed); got > longest || got < longest/2 || longest > maxDelay || longest < firstDelay {
			t.Errorf("after %d failures: %v of %v", failed, got, longest)
		}
	}
}

// A server that takes over sends the events that the first server did not send, or sent without storing the result.
func TestTakeover(t *testing.T) {
	to := newReceiver(t)
	first := newFixture(t, sinksAt(t, to.URL)[0])
	second := &fixture{T: t, Notifier: &Notifier{}, now: first.now}
	*second.Notifier = *first.Notifier
	first.begin(store.EventBackup, store.SubjectBackups, store.EventData{})
	to.use(func(http.ResponseWriter, *http.Request) { first.Leads = func() bool { return false } })
	first.begin(store.EventRunway, "lobo", store.EventData{})
	must(t, first.deliver(t.Context(), first.Sinks[0])) // the first event; afterwards the server no longer leads
	must(t, second.deliver(t.Context(), second.Sinks[0]))
	if n := len(to.got()); n != 2 {
		t.Fatalf("%d requests, want 2", n)
	}
	// The first server stops between the request and its result.
	ctx, stop := context.WithCancel(t.Context())
	first.Leads = func() bool { return true }
	to.use(func(http.ResponseWriter, *http.Request) { stop() })
	first.begin(store.EventPause, "all", store.EventData{})
	if err := first.deliver(ctx, first.Sinks[0]); err == nil {
		t.Error("the stopped server stored a result")
	}
	to.use(nil)
	must(t, second.deliver(t.Context(), second.Sinks[0]))
	all := to.got()
	if len(all) != 4 || all[2].header.Get("webhook-id") != all[3].header.Get("webhook-id") {
		t.Errorf("%d requests, want 4, the last two with one id", len(all))
	}
}

// With hostile receivers, a redirect is not followed, a response is read up to a limit, and a request without a
// response ends at the timeout.
func TestHostileReceivers(t *testing.T) {
	const timedOut = "did not answer within"
	other := newReceiver(t)
	for _, row := range []struct {
		name, want string
		answer     http.HandlerFunc
	}{
		{"a redirect to another host", "redirect (HTTP 307)", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}},
		{"no answer", timedOut, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"an endless body", "", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}},
		{"a body that stops", timedOut, func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}},
		{"large headers", "connection", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 10*maxAnswer))
		}},
		{"a refusal that repeats the token", "HTTP 403", func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.URL.String()+botToken, http.StatusForbidden)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			to := newReceiver(t)
			f := newFixture(t, sinksAt(t, to.URL)[2])
			if row.want == timedOut {
				f.client = newClient(300 * time.Millisecond)
			}
			to.use(row.answer)
			f.begin(store.EventBackup, store.SubjectBackups, store.EventData{})
			must(t, f.deliver(t.Context(), f.Sinks[0]))
			d := f.delivery(1)
			if !strings.Contains(d.Error, row.want) || (d.State == store.DeliveryPending) != (row.want != "") {
				t.Errorf("got %+v, want %q", d, row.want)
			}
			wantNoSecret(t, f.log.String()+f.delivery(1).Error, to.URL)
		})
	}
	if n := len(other.got()); n > 0 {
		t.Errorf("%d requests followed a redirect", n)
	}
}

func wantNoSecret(t *testing.T, text, address string) {
	t.Helper()
	_, key, _ := strings.Cut(webhookSecret, "_")
	for _, secret := range []string{botToken, ntfyToken, key, "in-the-address", strings.TrimPrefix(address, "http://")} {
		if strings.Contains(text, secret) {
			t.Errorf("%q contains %q", text, secret)
		}
	}
}

// No error, log line or stored row contains a secret or the address of a receiver that is down or wrong.
func TestErrorsHaveNoSecrets(t *testing.T) {
	to := newReceiver(t)
	sinks := sinksAt(t, to.URL)
	to.Close()
	f := newFixture(t, sinks...)
	f.begin(store.EventBackup, store.SubjectBackups, store.EventData{})
	text := ""
	for _, s := range f.Sinks {
		must(t, f.deliver(t.Context(), s))
		text += fmt.Sprint(f.send(t.Context(), s, TestEvent(f.now)))
	}
	text += f.log.String() + f.delivery(1).Error
	if !strings.Contains(text, "refused the connection") {
		t.Errorf("errors: %s", text)
	}
	wantNoSecret(t, text, to.URL)
	short := secretFile(t, "whsec_c2hvcnQ=")
	for _, c := range []Config{
		{Webhook: "ftp://in-the-address"}, {Webhook: "https://x.example/in-the-address"},
		{Webhook: "https://x.example/in-the-address", WebhookSecret: short},
		{Webhook: "https://x.example/in-the-address", WebhookSecret: secretFile(t, botToken)},
		{Webhook: "https://x.example/in-the-address", WebhookSecret: secretFile(t, strings.Repeat(botToken, 500))},
		{WebhookSecret: short}, {Ntfy: "https://in-the-address"}, {Ntfy: ":in-the-address"}, {NtfyToken: short},
		{Telegram: "1"}, {Telegram: "1", TelegramToken: secretFile(t, botToken+"\n"+botToken)}, {TelegramToken: short},
		{Telegram: "1", TelegramToken: short, TelegramAPI: "in-the-address"},
	} {
		_, err := c.Sinks()
		if err == nil || !strings.Contains(err.Error(), "--notify-") {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		wantNoSecret(t, err.Error(), to.URL)
	}
}

// Every kind has different texts for its beginning and its end, without formatting verbs.
func TestTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range []store.EventKind{store.EventOrder, store.EventBroadcast, store.EventPause,
		store.EventViolation, store.EventRunway, store.EventBackup, "later.kind"} {
		for _, ended := range []bool{false, true} {
			for _, status := range []order.Status{order.Audit, order.Canceled} {
				m := newMessage(store.Event{Kind: kind, Subject: "subject", Ended: ended, Data: store.EventData{
					Community: "lobo", Status: string(status), Sats: 7, Epochs: 3, Count: 2}})
				if strings.Contains(m.title+m.text, "%") || m.text == "" || m.urgent == ended {
					t.Errorf("%s, ended %v: %+v", kind, ended, m)
				}
				if !ended && !strings.Contains(m.text, "Next: ") {
					t.Errorf("%s has no next step: %s", kind, m.text)
				}
				seen[m.title] = true
			}
		}
	}
	if len(seen) != 14 {
		t.Errorf("%d titles, want 14", len(seen))
	}
}

// Run sends an event of a running server, and ends with its context.
func TestRun(t *testing.T) {
	to := newReceiver(t)
	arrived := make(chan struct{}, 10)
	f := newFixture(t, sinksAt(t, to.URL)[0])
	to.use(func(http.ResponseWriter, *http.Request) { arrived <- struct{}{} })
	f.begin(store.EventBackup, store.SubjectBackups, store.EventData{})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { f.Notifier.Run(ctx); close(done) }()
	<-arrived
	stop()
	<-done
}
