package api

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestHosts(t *testing.T) {
	b := build(t, func(c *Config) { c.Hosts = []string{"stake.example"} })
	for host, want := range map[string]int{
		"127.0.0.1:8080": 200, "localhost:8080": 200, "lobo.localhost": 200, "LOBO.localhost:1": 200, "www.localhost": 200,
		"stake.example": 200, "[::1]:8080": 200, "[::1]": 200, "lobo.localhost.": 200, "stake.example.:8080": 200,
		"wolf.localhost": 200, "dummy.localhost": 200, // labels without a community: the landing page
		"evil.example": 421, "lobo.localhost.evil.example": 421, "a.lobo.localhost": 421, "-a.localhost": 421,
		"10.0.0.1": 421, "wolf.stake.example": 421,
	} {
		request, err := http.NewRequest("GET", b.URL+"/lobo/infoGlobals", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := b.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("host %s: HTTP %d, want %d", host, response.StatusCode, want)
		}
	}
}

func TestOrigins(t *testing.T) {
	b := build(t, func(c *Config) { c.Hosts = []string{"stake.example"} })
	for origin, want := range map[string]int{
		"": 200, "https://stake.example": 200, "https://STAKE.example": 200,
		"https://evil.example": 403, "https://stake.example.evil.example": 403, "https://stake.example:8443": 403,
		"null": 403, "stake.example": 403,
		"https://evil.example/@stake.example": 403,
	} {
		request, err := http.NewRequest("POST", b.URL+"/lobo/fetchClientPOs", strings.NewReader(wallets("")))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "stake.example"
		request.Header.Set("Content-Type", "application/json")
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		response, err := b.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("origin %s: HTTP %d, want %d", origin, response.StatusCode, want)
		}
	}
}

func TestPagesAndMounts(t *testing.T) {
	b := build(t, func(c *Config) {
		c.Mounts = map[string]http.Handler{"dev": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.URL.Path)
		})}
	})
	for path, want := range map[string]string{"/": "page", "/terms": "page", "/zzz": "page", "/assets/a.js": "page",
		"/dev/info": "/dev/info"} {
		response := b.do(t, "GET", path, "", nil)
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(body) != want {
			t.Errorf("%s: %s %v", path, body, err)
		}
		if policy := response.Header.Get("Content-Security-Policy"); want == "page" && policy != "default-src 'self'" {
			t.Errorf("Content-Security-Policy of a page: got %q, want its own", policy)
		}
	}
}

func TestReservedPrefixIsRefused(t *testing.T) {
	if _, err := New(Config{Sites: []Site{{Prefix: "dev"}}}); err == nil {
		t.Error("New accepted the reserved prefix dev")
	}
	if _, err := New(Config{Sites: []Site{{Prefix: "a"}, {Prefix: "a"}}}); err == nil {
		t.Error("New accepted the same prefix twice")
	}
}

// TestRateLimits checks a burst, then 429 with the seconds to wait, then further calls. It uses its own clock.
func TestRateLimits(t *testing.T) {
	var now atomic.Int64
	now.Store(still.UnixNano())
	b := build(t, func(c *Config) {
		c.PerSource, c.PerAddress = Limit{PerSecond: 1, Burst: 5}, Limit{PerSecond: 0.5, Burst: 2}
		c.Clock = func() time.Time { return time.Unix(0, now.Load()) }
		c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	ask := func(from, body string) (int, string) {
		request, err := http.NewRequest("POST", b.URL+"/lobo/postInfoWallet", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Forwarded-For", "6.6.6.6, "+from)
		response, err := b.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode, response.Header.Get("Retry-After")
	}
	other := strings.Replace(wallets(""), ordinalsAddr, strangerAddr, 1)
	for i, step := range []struct {
		from, body string
		status     int
		retry      string
	}{
		{"1.2.3.4", wallets(""), 200, ""}, {"1.2.3.4", wallets(""), 200, ""},
		{"1.2.3.4", wallets(""), 429, "2"}, // the limit of this source with this address
		{"5.6.7.8", wallets(""), 200, ""},  // another source with the same address
		{"1.2.3.4", other, 200, ""},        // this source with another address
		{"1.2.3.4", other, 200, ""},
		{"1.2.3.4", other, 429, "1"}, // the five calls of this source are used up
		{"2001:db8::1", other, 200, ""},
		{"2001:db8:0:ff::1", other, 200, ""}, // the same /56
		{"2001:db8::ffff", other, 429, "2"},
		{"2001:db8:0:100::1", other, 200, ""}, // a different /56
	} {
		if status, retry := ask(step.from, step.body); status != step.status || retry != step.retry {
			t.Errorf("step %d: HTTP %d Retry-After %q, want %d %q", i, status, retry, step.status, step.retry)
		}
	}
	now.Add(int64(4 * time.Second))
	if status, _ := ask("1.2.3.4", wallets("")); status != 200 {
		t.Errorf("after waiting: got HTTP %d, want 200", status)
	}
}

// TestNewStakesAreLimited checks the separate limit of stake addresses, each of which is watched for 30 days or longer.
func TestNewStakesAreLimited(t *testing.T) {
	var now atomic.Int64
	now.Store(still.UnixNano())
	b := build(t, func(c *Config) {
		c.PerSource, c.Clock = Limit{PerSecond: 20, Burst: 3}, func() time.Time { return time.Unix(0, now.Load()) }
	})
	key := strings.Repeat("02", 33)
	body := wallets(`,"w_wallet_code_pk":"` + key + `","w_wallet_code_ord_pk":"` + key + `","wa_amount":"5"`)
	for i, want := range []int{200, 200, 200, 429} {
		now.Add(int64(100 * time.Millisecond))
		if status, _ := b.call(t, "postDemoStake", body); status != want {
			t.Errorf("stake %d: HTTP %d, want %d", i, status, want)
		}
	}
}

// crowd counts the concurrent calls of Reserves.
type crowd struct {
	Proofs
	mu        sync.Mutex
	now, most int
}

func (c *crowd) Reserves(ctx context.Context, prefix string) (Reserves, error) {
	c.mu.Lock()
	c.now++
	c.most = max(c.most, c.now)
	c.mu.Unlock()
	runtime.Gosched()
	defer func() {
		c.mu.Lock()
		c.now--
		c.mu.Unlock()
	}()
	return c.Proofs.Reserves(ctx, prefix)
}

// TestHeavyCalls checks that calls whose cost grows with the ledger count more, and that few run at once.
func TestHeavyCalls(t *testing.T) {
	c := &crowd{}
	b := build(t, func(config *Config) { c.Proofs, config.Services.Proofs = config.Services.Proofs, c })
	var callers sync.WaitGroup
	for range 40 {
		callers.Go(func() {
			if status, _ := b.call(t, "reserves", ""); status != 200 {
				t.Errorf("got HTTP %d, want 200", status)
			}
		})
	}
	callers.Wait()
	if c.most > heavyAtOnce {
		t.Errorf("got %d concurrent heavy calls", c.most)
	}
	b = build(t, func(c *Config) {
		c.PerSource, c.Clock = Limit{PerSecond: 1, Burst: 2*heavyCost + 2}, func() time.Time { return still }
	})
	for i, want := range []int{200, 200, 429} {
		if status, _ := b.call(t, "reserves", ""); status != want {
			t.Errorf("call %d: HTTP %d, want %d", i, status, want)
		}
	}
	if status, _ := b.call(t, "status", ""); status != 200 {
		t.Errorf("another call: HTTP %d", status)
	}
}

func TestForwardedForIsNotTrustedFromStrangers(t *testing.T) {
	request := &http.Request{RemoteAddr: "9.9.9.9:1", Header: http.Header{"X-Forwarded-For": {"1.1.1.1"}}}
	if got := source(request, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}); got != "9.9.9.9" {
		t.Errorf("source: got %s, want the peer 9.9.9.9", got)
	}
	request = &http.Request{RemoteAddr: "10.0.0.1:1",
		Header: http.Header{"X-Forwarded-For": {"7.7.7.7, 1.1.1.1", "10.0.0.2"}}}
	if got := source(request, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}); got != "1.1.1.1" {
		t.Errorf("source: got %s, want the last address that is no proxy", got)
	}
	request.Header.Set("X-Forwarded-For", "nonsense")
	if got := source(request, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}); got != "10.0.0.1" {
		t.Errorf("source: got %s, want the proxy 10.0.0.1", got)
	}
}

func TestNotModified(t *testing.T) {
	b := build(t, nil)
	first := b.do(t, "GET", "/lobo/infoGlobals", "", nil)
	first.Body.Close()
	request, err := http.NewRequest("GET", b.URL+"/lobo/infoGlobals", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("If-None-Match", first.Header.Get("ETag"))
	second, err := b.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	second.Body.Close()
	if first.Header.Get("ETag") == "" || second.StatusCode != http.StatusNotModified {
		t.Errorf("ETag %q, then HTTP %d", first.Header.Get("ETag"), second.StatusCode)
	}
	private := b.do(t, "GET", "/lobo/status", "", nil)
	private.Body.Close()
	if private.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control %q", private.Header.Get("Cache-Control"))
	}
}

func TestDocument(t *testing.T) {
	b := build(t, nil)
	raw := b.do(t, "GET", "/openapi.json", "", nil)
	defer raw.Body.Close()
	var doc map[string]any
	if err := json.NewDecoder(raw.Body).Decode(&doc); err != nil || doc["openapi"] != "3.1.0" {
		t.Errorf("openapi version: got %v, %v", doc["openapi"], err)
	}
	page := b.do(t, "GET", "/openapi", "", nil)
	defer page.Body.Close()
	body, err := io.ReadAll(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, calls, err := readDocument(documentJSON)
	if err != nil {
		t.Fatal(err)
	}
	for path := range calls {
		if !strings.Contains(string(body), " "+path+"</code>") {
			t.Errorf("the page does not list %s", path)
		}
	}
	for _, foreign := range []string{"<script", "src=", "http://", "style=", "undefined", "%!"} {
		if strings.Contains(string(body), foreign) {
			t.Errorf("the page contains %q", foreign)
		}
	}
	if policy := page.Header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") ||
		!strings.Contains(policy, "style-src 'sha256-") {
		t.Errorf("Content-Security-Policy of the page: got %q", policy)
	}
}

func TestActivityCSV(t *testing.T) {
	b := build(t, nil)
	response := b.do(t, "GET", "/lobo/activity.csv?w_wallet_code="+paymentAddr+"&w_wallet_code_ord="+ordinalsAddr, "", nil)
	defer response.Body.Close()
	rows, err := csv.NewReader(response.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 5 || strings.Join(rows[0], ",") != "id,date,kind,amount,sats,txid,order_id,epoch,text" {
		t.Fatalf("rows of the CSV file: got %v", rows)
	}
	if got := strings.Join(rows[2], ","); got != "3,2026-12-09T11:00:00Z,REWARDED,730000000,,,,47,7.3 LOBO: rewarded, "+
		"now CLAIMABLE." {
		t.Errorf("third row: got %q", got)
	}
	if response.Header.Get("Content-Disposition") != `attachment; filename="lobo-activity.csv"` {
		t.Errorf("got the headers %v, want a Content-Disposition", response.Header)
	}
}

// listen opens an event stream and returns a channel of its events.
func (b *built) listen(t *testing.T, query, lastID string) (<-chan Changed, *http.Response) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, "GET", b.URL+"/lobo/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	if lastID != "" {
		request.Header.Set("Last-Event-ID", lastID)
	}
	response, err := b.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if kind := response.Header.Get("Content-Type"); response.StatusCode == 200 && kind != "text/event-stream" {
		t.Fatalf("Content-Type %q", kind)
	}
	changes := make(chan Changed, 64)
	go func() {
		defer close(changes)
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && data != "{}" { // no alive events
				var change Changed
				if err := json.Unmarshal([]byte(data), &change); err != nil {
					t.Errorf("event %q: %v", data, err)
				}
				changes <- change
			}
		}
	}()
	return changes, response
}

func next(t *testing.T, changes <-chan Changed) Changed {
	t.Helper()
	select {
	case change, open := <-changes:
		if !open {
			t.Fatal("the stream ended")
		}
		return change
	case <-time.After(10 * time.Second):
		t.Fatal("no event within 10 s")
	}
	return Changed{}
}

func TestEvents(t *testing.T) {
	b := build(t, nil)
	mine, _ := b.listen(t, "?w_wallet_code="+paymentAddr+"&w_wallet_code_ord="+ordinalsAddr, "")
	all, _ := b.listen(t, "", fmt.Sprint(b.hub.Version()))
	if first, second := next(t, mine), next(t, mine); first.Scope != ChangedScopeGlobal ||
		second.Scope != ChangedScopeWallet {
		t.Errorf("first events of a new stream: got %v %v, want one of each scope", first, second)
	}
	before := b.hub.Version()
	b.hub.Wallet("lobo", strangerAddr)
	b.hub.Wallet("wolf", ordinalsAddr)
	b.hub.Wallet("lobo", ordinalsAddr)
	if change := next(t, mine); change.Scope != ChangedScopeWallet || change.Version != before+3 {
		t.Errorf("event of the wallet's stream: got %v, want its own change", change)
	}
	b.hub.Global("lobo")
	if change := next(t, mine); change.Scope != ChangedScopeGlobal || change.Version != b.hub.Version() {
		t.Errorf("event of the wallet's stream: got %v, want the newest global change", change)
	}
	if change := next(t, all); change.Scope != ChangedScopeGlobal || change.Version != b.hub.Version() {
		t.Errorf("first event of a stream that is up to date: got %v, want the next global change", change)
	}
	b.hub.Close()
	for range mine {
	}
	for range all {
	}
}

// TestStreamBeginsAlive checks that a stream begins with the event by which the client sees that events reach it.
func TestStreamBeginsAlive(t *testing.T) {
	b := build(t, nil)
	response := b.do(t, "GET", "/lobo/events", "", nil)
	defer response.Body.Close()
	want := "retry: 2000\nevent: alive\ndata: {}\n\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(response.Body, got); err != nil || string(got) != want {
		t.Errorf("start of a stream: got %q, %v, want %q", got, err, want)
	}
}

// TestLimitKeysAreBounded checks that long keys use no more memory than short ones.
func TestLimitKeysAreBounded(t *testing.T) {
	l := newLimiter(Limit{PerSecond: 1, Burst: 1}, func() time.Time { return still })
	before := heapInUse()
	for i := range 15_000 {
		l.wait(strconv.Itoa(i) + strings.Repeat("x", 16_000))
	}
	if grown := heapInUse() - before; grown > 16<<20 {
		t.Errorf("15,000 long keys take %d MB", grown>>20)
	}
	if wait := l.wait("0" + strings.Repeat("x", 16_000)); wait == 0 {
		t.Error("the second call with a long key was not limited")
	}
	if wait := l.wait("0" + strings.Repeat("x", 15_999)); wait != 0 {
		t.Error("two keys share a bucket")
	}
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestIntentsAreLimited checks the limit of messages to sign by source, cancels included. Each takes at most 1 KB of
// the database.
func TestIntentsAreLimited(t *testing.T) {
	var now atomic.Int64
	now.Store(still.UnixNano())
	b := build(t, func(c *Config) {
		c.PerSource, c.Clock = Limit{PerSecond: 20, Burst: 4}, func() time.Time { return time.Unix(0, now.Load()) }
	})
	action := wallets(`,"utxos":["` + strings.Repeat("a", 64) + `:0"],"wa_action_type":"UNSTAKE"`)
	cancel := wallets(`,"order_id":"order-1"`)
	for i, step := range []struct {
		call, body string
		want       int
	}{
		{"postAction", action, 200}, {"cancelPO", cancel, 200}, {"postAction", action, 200}, {"cancelPO", cancel, 200},
		{"cancelPO", cancel, 429}, {"postAction", action, 429},
	} {
		now.Add(int64(100 * time.Millisecond))
		if status, answer := b.call(t, step.call, step.body); status != step.want {
			t.Errorf("step %d, %s: HTTP %d, want %d: %s", i, step.call, status, step.want, answer)
		}
	}
}
