package console_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moonfund/internal/amount"
	"moonfund/internal/operate/console"
	"moonfund/internal/staking/action"
	"moonfund/internal/store"
	"moonfund/internal/testkit"
)

// screen is a console of a world, with a browser.
type screen struct {
	testing.TB
	clock   *testkit.Clock
	console *console.Console
	address net.Addr
	base    string
	client  *http.Client
}

func open(t testing.TB, config console.Config) *screen {
	t.Helper()
	clock := testkit.NewClock(testkit.Genesis)
	config.Now, config.Log = clock.Now, slog.New(slog.DiscardHandler)
	s := &screen{TB: t, clock: clock, console: console.New(config)}
	server := httptest.NewUnstartedServer(nil)
	s.address = server.Listener.Addr()
	server.Config.Handler = s.console.Handler(s.address)
	server.Start()
	t.Cleanup(server.Close)
	s.base, s.client = server.URL, server.Client()
	jar, err := cookiejar.New(nil)
	testkit.Must(t, err)
	s.client.Jar = jar
	return s
}

func of(w *testkit.World) console.Config { return console.Config{View: w.Store.View} }

// entered is a console that is opened with its link.
func entered(t testing.TB, config console.Config) *screen {
	t.Helper()
	s := open(t, config)
	if response, text := s.get(s.link()); response.StatusCode != 200 || !strings.Contains(text, "<h1>Overview</h1>") {
		t.Fatalf("the link leads to %s:\n%s", response.Status, text)
	}
	return s
}

// link returns the path and query of a new link.
func (s *screen) link() string {
	s.Helper()
	link, found := strings.CutPrefix(s.console.Link(s.address), s.base)
	if !found {
		s.Fatalf("the link is %s, not below %s", link, s.base)
	}
	return link
}

// request sends a request that change may alter.
func (s *screen) request(method, path string, change func(*http.Request)) (*http.Response, string) {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.base+path, nil)
	testkit.Must(s, err)
	if change != nil {
		change(request)
	}
	response, err := s.client.Do(request)
	testkit.Must(s, err)
	text, err := io.ReadAll(response.Body)
	testkit.Must(s, err)
	testkit.Must(s, response.Body.Close())
	return response, string(text)
}

func (s *screen) get(path string) (*http.Response, string) {
	s.Helper()
	return s.request("GET", path, nil)
}

// want requests a path and checks the status of the response.
func (s *screen) want(status int, path string) string {
	s.Helper()
	response, text := s.get(path)
	if response.StatusCode != status {
		s.Errorf("%s: %s, want %d\n%s", path, response.Status, status, text)
	}
	return text
}

// TestLinkWorksOnce checks that a link works once and for five minutes, and a newer one replaces it.
func TestLinkWorksOnce(t *testing.T) {
	w := testkit.NewWorld(t)
	s := open(t, of(w))
	first := s.link()
	link := s.link()
	s.want(http.StatusForbidden, first)
	s.want(http.StatusForbidden, "/enter?token=")
	s.want(http.StatusForbidden, "/enter")
	s.want(http.StatusUnauthorized, "/orders")
	if response, _ := s.request("HEAD", link, nil); response.StatusCode != http.StatusNoContent {
		t.Errorf("HEAD of a link: status %s", response.Status)
	}
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, _ := s.get(link)
	if response.StatusCode != http.StatusSeeOther || response.Header.Get("Location") != "/" {
		t.Errorf("the link leads to %s %s", response.Status, response.Header.Get("Location"))
	}
	cookie := response.Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Domain != "" ||
		cookie.MaxAge != 12*3600 || len(cookie.Value) < 26 {
		t.Errorf("the session's cookie is %+v", cookie)
	}
	s.want(http.StatusOK, "/orders")
	s.want(http.StatusForbidden, link)
	s.want(http.StatusOK, "/orders")
	late := s.link()
	s.clock.Advance(console.LinkTime)
	s.want(http.StatusForbidden, late)
}

// TestSessionEnds checks that a session ends an hour after its last request and twelve hours after its beginning, and
// that the use of another link replaces it.
func TestSessionEnds(t *testing.T) {
	w := testkit.NewWorld(t)
	s := entered(t, of(w))
	for range 12 {
		s.clock.Advance(console.IdleTime - time.Minute)
		s.want(http.StatusOK, "/epochs")
	}
	s.clock.Advance(12 * time.Minute)
	s.want(http.StatusUnauthorized, "/epochs")
	s.want(http.StatusOK, s.link())
	s.clock.Advance(console.IdleTime)
	s.want(http.StatusUnauthorized, "/epochs")
	s.want(http.StatusOK, s.link())
	other := &screen{TB: t, clock: s.clock, console: s.console, address: s.address, base: s.base, client: &http.Client{}}
	other.client.Jar, _ = cookiejar.New(nil)
	other.want(http.StatusOK, other.link())
	s.want(http.StatusUnauthorized, "/epochs")
}

// TestForeignRequestsAreRefused checks that requests for another host name, from pages of other origins, and with
// methods that could change something are refused, even with the session, and that a refused request does not use up
// the link.
func TestForeignRequestsAreRefused(t *testing.T) {
	w := testkit.NewWorld(t)
	s := entered(t, of(w))
	port := s.base[strings.LastIndex(s.base, ":"):]
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	link := s.link()
	for _, row := range []struct {
		status int
		method string
		change func(*http.Request)
	}{
		{http.StatusMisdirectedRequest, "GET", host("evil.example" + port)},
		{http.StatusMisdirectedRequest, "GET", host("127.0.0.1")},
		{http.StatusMisdirectedRequest, "GET", host("127.0.0.1:1")},
		{http.StatusMisdirectedRequest, "GET", host("localhost.evil.example" + port)},
		{http.StatusForbidden, "GET", header("Origin", "http://evil.example")},
		{http.StatusForbidden, "GET", header("Origin", "null")},
		{http.StatusForbidden, "GET", header("Origin", "https://"+s.address.String())},
		{http.StatusForbidden, "GET", header("Origin", "http://127.0.0.1:8080")},
		{http.StatusForbidden, "GET", header("Sec-Fetch-Site", "cross-site")},
		{http.StatusForbidden, "GET", header("Sec-Fetch-Site", "same-site")},
		{http.StatusMethodNotAllowed, "POST", nil},
		{http.StatusMethodNotAllowed, "PUT", nil},
		{http.StatusMethodNotAllowed, "DELETE", nil},
		{http.StatusMethodNotAllowed, "OPTIONS", nil},
		{http.StatusMethodNotAllowed, "POST", header("Origin", s.base)},
	} {
		for _, path := range []string{"/", "/orders", "/style.css", link} {
			response, text := s.request(row.method, path, row.change)
			if response.StatusCode != row.status || strings.Contains(text, "<html") {
				t.Errorf("%s %s of row %v: status %s", row.method, path, row, response.Status)
			}
			if response.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("the response to %s can be read by %s", path, response.Header.Get("Access-Control-Allow-Origin"))
			}
		}
	}
	s.want(http.StatusOK, link)
	for _, change := range []func(*http.Request){
		host("localhost" + port), header("Sec-Fetch-Site", "none"), header("Sec-Fetch-Site", "same-origin"),
		header("Origin", s.base),
	} {
		if response, _ := s.request("GET", "/orders", change); response.StatusCode == http.StatusForbidden ||
			response.StatusCode == http.StatusMisdirectedRequest {
			t.Errorf("request of the console's own page: status %s", response.Status)
		}
	}
}

// TestHeaders checks that every response forbids scripts, frames, caches and other origins.
func TestHeaders(t *testing.T) {
	w := testkit.NewWorld(t)
	s := entered(t, of(w))
	for _, path := range []string{"/", "/nothing", "/style.css", "/fonts/figtree.woff2", "/fonts/..%2f..%2fmain.tsx"} {
		response, _ := s.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self'; " +
				"base-uri 'none'; frame-ancestors 'none'",
			"Cache-Control": "no-store", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("response to %s: header %s is %q, want %q", path, name, got, want)
			}
		}
	}
	s.want(http.StatusOK, "/fonts/figtree.woff2")
	s.want(http.StatusNotFound, "/fonts/..%2f..%2fmain.tsx")
	s.want(http.StatusNotFound, "/nothing")
	s.want(http.StatusNotFound, "/orders/"+strings.Repeat("0", 32))
	s.want(http.StatusNotFound, "/payouts/x")
	s.want(http.StatusNotFound, "/epochs/wolf/1")
	s.want(http.StatusNotFound, "/epochs/lobo/999")
	s.want(http.StatusNotFound, "/rune-orders/x")
	s.want(http.StatusNotFound, "/orders?status=LOST")
	for _, path := range []string{"/orders/%00", "/payouts/%ff", "/rune-orders/%00", "/epochs/%00/1", "/payouts/%0a"} {
		s.want(http.StatusNotFound, path)
	}
}

var localLink = regexp.MustCompile(`href="(/[^"]*|\?[^"]*)"`)

// crawl visits every page that is reachable by links and returns the pages by path.
func (s *screen) crawl() map[string]string {
	s.Helper()
	pages, waiting := map[string]string{}, []string{"/"}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		if _, seen := pages[path]; seen || path == "/style.css" {
			continue
		}
		pages[path] = s.want(http.StatusOK, path)
		for _, link := range localLink.FindAllStringSubmatch(pages[path], -1) {
			next := strings.ReplaceAll(link[1], "&amp;", "&")
			if strings.HasPrefix(next, "?") {
				before, _, _ := strings.Cut(path, "?")
				next = before + next
			}
			waiting = append(waiting, next)
		}
	}
	return pages
}

// TestPages checks that every page of a new ledger and of a ledger with tasks for the operator is shown, and that no
// text of an operator, the node or a query becomes markup.
func TestPages(t *testing.T) {
	quiet := testkit.NewWorld(t)
	pages := entered(t, of(quiet)).crawl()
	if len(pages) < 30 || !strings.Contains(pages["/orders"], "No order needs a decision.") ||
		!strings.Contains(pages["/quarantine"], "Nothing is in quarantine.") ||
		!strings.Contains(pages["/"], "The server does not answer") {
		t.Errorf("%d pages of a new ledger are reachable, the first is\n%s", len(pages), pages["/"])
	}
	w := testkit.NewWorld(t)
	b := w.Busy()
	s := entered(t, of(w))
	pages = s.crawl()
	for path, wants := range map[string][]string{
		"/": {"Payouts are paused", "moonfund resume payouts --why", "3 orders are in AUDIT"[1:], "treasury credit lobo",
			"moonfund treasury explain " + b.Unexplained, "1 refund waits for you", "in quarantine can be returned"},
		"/orders": {"moonfund order refund " + b.Audited.ID, "moonfund order resolve " + b.Audited.ID,
			"is recorded and not carried out yet", "In AUDIT because", "an operator wants to review it"},
		"/orders?status=AUDIT":        {"an operator wants to review it"},
		"/orders/" + b.Audited.ID:     {"In AUDIT because", "Changes of its status", "taken into review by the operator"},
		"/refunds":                    {b.Refundable.ID[:8], "your decision"},
		"/quarantine":                 {"moonfund quarantine return " + b.Quarantined},
		"/payouts":                    {b.Sent.PayoutID[:8]},
		"/payouts/" + b.Sent.PayoutID: {"moonfund payout bump " + b.Sent.PayoutID},
		"/orders/" + b.Sent.ID:        {"not accepted by the node", b.Sent.PayoutTx},
		"/treasury":                   {"moonfund treasury credit lobo", "Unexplained spend"},
		"/epochs/lobo/0":              {"moonfund epoch verify 0 --community lobo"},
		"/incidents":                  {"Operator log"},
	} {
		for _, want := range wants {
			if !strings.Contains(pages[path], want) {
				t.Errorf("page %s does not contain %q:\n%s", path, want, pages[path])
			}
		}
	}
	pages["/search"] = s.want(http.StatusOK, "/search?q="+url.QueryEscape(testkit.Markup))
	pages["/none"] = s.want(http.StatusNotFound, "/orders/"+url.PathEscape(testkit.Markup))
	for path, text := range pages {
		if strings.Contains(text, "<script") || strings.Contains(text, "<img") {
			t.Errorf("page %s contains unescaped text:\n%s", path, text)
		}
	}
	for _, path := range []string{"/", "/incidents", "/search", "/none"} {
		if !strings.Contains(pages[path], "&lt;script&gt;") {
			t.Errorf("page %s does not contain the escaped text:\n%s", path, pages[path])
		}
	}
}

// TestSearch checks that a search shows the output of `moonfund find`.
func TestSearch(t *testing.T) {
	w := testkit.NewWorld(t)
	o, _ := w.OrderInAudit()
	s := entered(t, of(w))
	for _, query := range []string{o.ID, " " + w.Anna.Ordinals.Text, w.Anna.Payment.Text} {
		text := s.want(http.StatusOK, "/search?q="+url.QueryEscape(query))
		if !strings.Contains(text, o.ID) || !strings.Contains(text, "moonfund find "+strings.TrimSpace(query)) {
			t.Errorf("%s:\n%s", query, text)
		}
	}
	if text := s.want(http.StatusOK, "/search?q=nothing"); !strings.Contains(text, "Not known to this server") ||
		strings.Contains(text, "moonfund find") {
		t.Errorf("page of a search without results:\n%s", text)
	}
	s.want(http.StatusOK, "/search")
	s.want(http.StatusOK, "/search?q="+strings.Repeat("a", 300))
	s.want(http.StatusOK, "/search?q=%00%ff")
}

// TestEconomyOrder checks that the list and the page of an economy order, and a search for it, show its rate, its limit
// and the condition that it waits for.
func TestEconomyOrder(t *testing.T) {
	w := testkit.NewWorld(t)
	w.SetRecoveryDelay(26_280)
	w.Rate = amount.SatPerVB(10)
	o := w.Economy(w.Anna, action.Withdraw, amount.FeeRate(2500), w.Unlocked(w.Anna, 5000))
	s := entered(t, of(w))
	speed := "economy: waits for the network&#39;s fee rate to fall to 2.5 sat/vB"
	limits := "limit " + o.Economy.Until.UTC().Format("2006-01-02 15:04") + " UTC, ends "
	for _, want := range []string{"economy: at 2.5 sat/vB", limits} {
		if text := s.want(http.StatusOK, "/orders/"+o.ID); !strings.Contains(text, want) {
			t.Errorf("the page of an order that is not paid does not contain %q:\n%s", want, text)
		}
	}
	w.Pay(w.Anna, o, o.Due())
	w.Settle(1)
	for path, wants := range map[string][]string{
		"/orders?status=PAID": {speed},
		"/orders/" + o.ID:     {speed, limits},
		"/search?q=" + o.ID:   {"waits until the network&#39;s fee rate is at most 2.5 sat/vB", "Its limit is "},
	} {
		text := s.want(http.StatusOK, path)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("page %s does not contain %q:\n%s", path, want, text)
			}
		}
	}
}

// TestConsoleCannotWrite checks that the connection of the console can't write.
func TestConsoleCannotWrite(t *testing.T) {
	w := testkit.NewWorld(t)
	opened, err := store.OpenWithoutMigration(t.Context(), w.URL())
	testkit.Must(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	before := w.Dump()
	for name, write := range map[string]func(*store.Tx) error{
		"a pause":   func(tx *store.Tx) error { return tx.Pause(t.Context(), store.PauseAll, "x", testkit.Genesis) },
		"a setting": func(tx *store.Tx) error { return tx.PutSetting(t.Context(), "x", "y") },
		"a line": func(tx *store.Tx) error {
			_, err := tx.Log(t.Context(), store.OperatorLine{Command: "pause"})
			return err
		},
	} {
		if err := opened.View(t.Context(), write); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	entered(t, console.Config{View: opened.View}).crawl()
	if w.Dump() != before {
		t.Error("the ledger changed")
	}
}

// TestReadsAreLimited checks that a third page waits while two pages are read, and that a read that takes too long is
// ended.
func TestReadsAreLimited(t *testing.T) {
	w := testkit.NewWorld(t)
	var mu sync.Mutex
	running, most := 0, 0
	slow := false
	view := func(ctx context.Context, fn func(*store.Tx) error) error {
		mu.Lock()
		running++
		most = max(most, running)
		wait := slow
		mu.Unlock()
		defer func() {
			mu.Lock()
			running--
			mu.Unlock()
		}()
		if wait {
			<-ctx.Done()
			return ctx.Err()
		}
		return w.Store.View(ctx, fn)
	}
	s := entered(t, console.Config{View: view, ReadTime: 2 * time.Second})
	var pages sync.WaitGroup
	for range 8 {
		pages.Go(func() { s.want(http.StatusOK, "/epochs") })
	}
	pages.Wait()
	if most > 2 {
		t.Errorf("%d pages were read at once", most)
	}
	mu.Lock()
	slow = true
	mu.Unlock()
	if text := s.want(http.StatusServiceUnavailable, "/epochs"); !strings.Contains(text, "The console is busy") {
		t.Errorf("response to a slow read:\n%s", text)
	}
}

// TestLedgerFails checks that an error of the ledger is shown, and does not end the console.
func TestLedgerFails(t *testing.T) {
	w := testkit.NewWorld(t)
	fails := false
	s := entered(t, console.Config{View: func(ctx context.Context, fn func(*store.Tx) error) error {
		if fails {
			return errors.New("the disk is full")
		}
		return w.Store.View(ctx, fn)
	}})
	fails = true
	for _, path := range []string{"/", "/orders"} {
		if text := s.want(http.StatusInternalServerError, path); !strings.Contains(text, "the disk is full") {
			t.Errorf("%s:\n%s", path, text)
		}
	}
	fails = false
	s.want(http.StatusOK, "/orders")
}

// TestCheckListen checks that only addresses of this machine are accepted.
func TestCheckListen(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:9465": true, "[::1]:9465": true, "127.0.0.1:0": true,
		"0.0.0.0:9465": false, ":9465": false, "192.168.1.2:9465": false, "[::]:9465": false, "localhost:9465": false,
		"127.0.0.1": false, "": false, "8.8.8.8:80": false, "127.0.0.1:70000": false,
	} {
		if err := console.CheckListen(address); (err == nil) != ok {
			t.Errorf("CheckListen(%q): got error %v", address, err)
		}
	}
}

var colorLine = regexp.MustCompile(`(?m)^  --color-[a-z-]+: #[0-9a-f]+;$`)

// TestColors checks that the console has the colors of the web app.
func TestColors(t *testing.T) {
	style, err := os.ReadFile("style.css")
	testkit.Must(t, err)
	theme, err := os.ReadFile("../../../web/src/app/theme.css")
	testkit.Must(t, err)
	ours, theirs := colorLine.FindAllString(string(style), -1), colorLine.FindAllString(string(theme), -1)
	for _, line := range ours {
		if !slices.Contains(theirs, line) {
			t.Errorf("the web app has no %q", line)
		}
	}
	if len(ours) < 10 {
		t.Errorf("%d colors", len(ours))
	}
}
