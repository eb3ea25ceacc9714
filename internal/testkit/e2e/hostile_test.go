package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// hostileVariable is the environment variable with the number of hostile requests. The default is 5,000.
const hostileVariable = "MOONFUND_HOSTILE"

// notKnownYet is part of the only 503 response that the OpenAPI document allows: the server has not seen the payment of
// an etching or a mint yet.
const notKnownYet = "We haven't seen this transaction yet."

// hostileRequest is one HTTP request, possibly malformed.
type hostileRequest struct {
	method, path string
	header       map[string]string
	body         []byte
}

// internals matches texts that no response may contain: errors of the database or of Go, paths, queries.
var internals = regexp.MustCompile(
	`(?i)sql|goroutine|runtime error|panic|\.go:\d|/home/|/root/|/tmp/|` +
		`constraint failed|no such table|nil pointer|context deadline`)

// TestHostileRequests sends thousands of requests that are built from the OpenAPI document and randomly corrupted. No
// response may have a 5xx status or contain internals, and no request may change the state.
func TestHostileRequests(t *testing.T) {
	count := 5_000
	if text := os.Getenv(hostileVariable); text != "" {
		var err error
		count, err = strconv.Atoi(text)
		must(t, err)
	}
	h := newDevServer(t, "")
	v, stranger := newVictims(h)
	s := newHostileRequests(v)
	state := func() map[string]any {
		all := v.everything(stranger)
		all["etching"] = h.runeOrder(s.runeOrder)
		return all
	}
	before := state()
	statuses := map[int]int{}
	for n := range count {
		b := s.next(n)
		status := b.send(t, h.site)
		for status == http.StatusTooManyRequests { // retry until the call itself responds
			<-time.After(100 * time.Millisecond)
			status = b.send(t, h.site)
		}
		statuses[status]++
		if t.Failed() {
			t.Fatalf("after %d requests", n)
		}
	}
	t.Logf("%d requests, responses by status: %v", count, statuses)
	for _, status := range []int{200, 400, 404, 405, 413, 415} {
		if statuses[status] == 0 {
			t.Errorf("no response had status %d: the requests are not diverse enough", status)
		}
	}
	if after := state(); !reflect.DeepEqual(before, after) {
		t.Errorf("the state changed:\n%+v\nbefore:\n%+v", after, before)
	}
	h.audit()
}

// send sends the request, checks the response and returns its status, or 0 if the client cannot send the request.
func (b hostileRequest) send(t *testing.T, s site) int {
	t.Helper()
	target := fmt.Sprintf("http://127.0.0.1:%d%s", s.port, b.path)
	request, err := http.NewRequest(b.method, target, bytes.NewReader(b.body))
	if err != nil {
		return 0 // not a valid URL
	}
	request.Host = fmt.Sprintf("lobo.localhost:%d", s.port)
	for key, value := range b.header {
		if key == "Host" {
			request.Host = value
			continue
		}
		request.Header.Set(key, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		if strings.Contains(err.Error(), "invalid") { // the client rejects the request
			return 0
		}
		t.Errorf("%s %s: %v", b.method, b.path, err)
		return 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 4<<20))
	must(t, err)
	reply := fmt.Sprintf("%s %s %v %q: HTTP %d %.400q", b.method, b.path, b.header, short(b.body), response.StatusCode,
		body)
	if response.StatusCode >= 500 && !(response.StatusCode == http.StatusServiceUnavailable &&
		bytes.Contains(body, []byte(notKnownYet))) {
		t.Error(reply)
	}
	if response.Header.Get("X-Content-Type-Options") != "nosniff" &&
		response.StatusCode != http.StatusMisdirectedRequest && response.StatusCode != http.StatusBadRequest {
		t.Errorf("no security headers: %s", reply)
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") && b.method != http.MethodHead {
		var envelope struct{ Message string }
		var list []json.RawMessage // receipts are a list without an envelope
		if json.Unmarshal(body, &envelope) != nil && json.Unmarshal(body, &list) != nil {
			t.Errorf("not JSON: %s", reply)
		}
		if internals.MatchString(envelope.Message) {
			t.Errorf("internals in the message: %s", reply)
		}
	}
	return response.StatusCode
}

func short(body []byte) []byte { return body[:min(len(body), 300)] }

// hostileRequests generates requests by randomly corrupting valid ones.
type hostileRequests struct {
	random    *rand.Rand
	valid     []hostileRequest
	junk      []any
	runeOrder string // id of an unpaid etch order
}

func newHostileRequests(v *victim) *hostileRequests {
	v.t.Helper()
	s := &hostileRequests{random: rand.New(rand.NewPCG(7, 7))}
	runeRequest := fields{
		"runeName": "NOBODY•TAKES•THIS•CASTLE", "premine": "1000", "isMintable": true,
		"terms":              fields{"amount": "7", "cap": "50"},
		"destinationAddress": v.ordinals.text, "refundAddress": v.payment.text, "feeRate": 2,
	}
	var made struct{ OrderID string }
	v.site.orders(http.MethodPost, "runes/etch/orders", runeRequest, &made)
	s.runeOrder = made.OrderID
	maps.Copy(runeRequest, fields{"repeats": 1, "newFeeRate": 3, "fundTransactionId": strings.Repeat("0", 64),
		"network": "Regtest"})
	body := v.stakeRequest(100 * lobo)
	maps.Copy(body, fields{
		"utxos": []string{v.unlocked}, "wa_action_type": "RESTAKE", "wa_action_id": v.restake.ActionID,
		"order_id":  v.order.ID,
		"signature": "AA==", "include_spent": "false", "txid": strings.Repeat("0", 64), "messageHash": "",
	})
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(v.t, json.Unmarshal(v.send(http.MethodGet, "/openapi.json", "", nil).body, &document))
	fill := strings.NewReplacer("{epoch}", "1", "{network}", "regtest", "{orderId}", s.runeOrder,
		"{owner}", v.ordinals.text, "{sequence}", "0")
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		base := "/" + prefix
		if servers, own := document.Paths[path]["servers"]; own {
			var list []struct{ URL string }
			must(v.t, json.Unmarshal(servers, &list))
			base = strings.TrimSuffix(list[0].URL, "/")
			delete(document.Paths[path], "servers")
		}
		body := body
		if strings.HasPrefix(base, "/orders/") {
			body = runeRequest
		}
		for _, method := range slices.Sorted(maps.Keys(document.Paths[path])) {
			if path == "/events" {
				continue // an accepted event stream never ends
			}
			b := hostileRequest{method: strings.ToUpper(method), path: fill.Replace(base + path), header: map[string]string{}}
			if b.method == http.MethodPost {
				b.body, b.header["Content-Type"] = must1(v.t, body), "application/json"
			} else {
				b.path += "?" + url.Values{"w_wallet_code": {v.payment.text}, "w_wallet_code_ord": {v.ordinals.text},
					"limit": {"10"}, "before": {"5"}}.Encode()
			}
			s.valid = append(s.valid, b)
		}
	}
	if len(s.valid) < 30 {
		v.t.Fatalf("the document lists %d calls, want at least 30", len(s.valid))
	}
	s.junk = junk(v)
	return s
}

func must1(t testing.TB, value any) []byte {
	t.Helper()
	raw, err := json.Marshal(value)
	must(t, err)
	return raw
}

// junk returns values that are invalid in most fields.
func junk(v *victim) []any {
	return []any{
		nil, true, false, 0, -1, 1, 1.5, 1e308, json.Number("1e999"), json.Number("-0"),
		json.Number("99999999999999999999999999"),
		"", " ", "\x00", "null", "NaN", "Infinity", "-1", "0x10", "1e9", "١٢", "９", "1,000", "10 000", "+1", "1.0",
		strings.Repeat("9", 400),
		"9223372036854775807", "9223372036854775808", "18446744073709551616", "' OR 1=1 --", "\"; DROP TABLE unit; --",
		"<script>alert(1)</script>",
		"${jndi:ldap://127.0.0.1/x}", "{{7*7}}", "%s%n%x", "../../etc/passwd", "\u202egnp.exe", "\ufeff", "😀",
		strings.Repeat("A", 5_000), "a\nb\r\nc",
		v.payment.text, v.ordinals.text, strings.ToUpper(v.ordinals.text), v.ordinals.text + " ",
		"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
		v.staked, v.unlocked, v.order.ID, v.restake.ActionID, v.used.ActionID, strings.ToUpper(v.order.ID), v.restake.Message,
		strings.Repeat("0", 64) + ":0", strings.Repeat("f", 64) + ":4294967296", ":", "STAKE", "UNSTAKE", "WITHDRAW", "CLAIM",
		"CANCEL", "restake", "STEAL",
		[]any{}, []any{nil}, []any{[]any{}}, []any{v.staked, v.staked}, slices.Repeat([]any{"x"}, 1_001), map[string]any{},
		map[string]any{"$gt": ""},
		map[string]any{"__proto__": map[string]any{"admin": true}}, v.ordinals.publicKey(), v.payment.publicKey(),
		strings.Repeat("ff", 32), "02",
	}
}

// next returns the n-th valid request with one to three random defects.
func (s *hostileRequests) next(n int) hostileRequest {
	b := s.valid[n%len(s.valid)]
	b.header = maps.Clone(b.header)
	b.body = slices.Clone(b.body)
	for range 1 + s.random.IntN(3) {
		if b.method == http.MethodPost && s.random.IntN(10) < 7 {
			s.breakBody(&b)
		} else {
			s.breakFrame(&b)
		}
	}
	return b
}

func (s *hostileRequests) any() any { return s.junk[s.random.IntN(len(s.junk))] }

func (s *hostileRequests) breakBody(b *hostileRequest) {
	var object map[string]any
	if json.Unmarshal(b.body, &object) != nil || len(object) == 0 {
		s.breakBytes(b)
		return
	}
	keys := slices.Sorted(maps.Keys(object))
	key := keys[s.random.IntN(len(keys))]
	switch s.random.IntN(8) {
	case 0:
		delete(object, key)
	case 1, 2, 3:
		object[key] = s.any()
	case 4:
		object[fmt.Sprint(s.any())] = s.any()
	case 5:
		object[strings.ToUpper(key)] = object[key]
		delete(object, key)
	case 6:
		object[key] = []any{object[key], s.any()}
	default:
		s.breakBytes(b)
		return
	}
	if raw, err := json.Marshal(object); err == nil {
		b.body = raw
	}
}

// breakBytes corrupts the bytes of the body, usually so that it is no longer valid JSON.
func (s *hostileRequests) breakBytes(b *hostileRequest) {
	if len(b.body) == 0 {
		b.body = []byte(fmt.Sprint(s.any()))
		return
	}
	at := s.random.IntN(len(b.body))
	switch s.random.IntN(7) {
	case 0:
		b.body = b.body[:at]
	case 1:
		b.body[at] = byte(s.random.IntN(256))
	case 2:
		b.body = slices.Insert(b.body, at, byte(s.random.IntN(256)))
	case 3:
		b.body = append(b.body, b.body...)
	case 4:
		b.body = []byte(strings.Repeat("[", 1+s.random.IntN(20_000)))
	case 5:
		b.body = append([]byte(`{"utxos":[],`), b.body[min(1, len(b.body)):]...)
	default:
		b.body = append(b.body, bytes.Repeat([]byte(" "), 70_000)...)
	}
}

// breakFrame corrupts the method, the headers or the URL.
func (s *hostileRequests) breakFrame(b *hostileRequest) {
	path, query, _ := strings.Cut(b.path, "?")
	switch s.random.IntN(9) {
	case 0:
		b.method = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"}[s.random.IntN(9)]
	case 1:
		b.header["Content-Type"] = []string{"", "text/plain", "application/x-www-form-urlencoded",
			"application/json; charset=utf-16", "application/json;;", "multipart/form-data"}[s.random.IntN(6)]
	case 2:
		b.path = path + url.PathEscape(fmt.Sprint(s.any()))
	case 3:
		b.path = "/" + url.PathEscape(clip(fmt.Sprint(s.any()))) + strings.TrimPrefix(path, "/"+prefix)
	case 4:
		b.path = path + []string{"/", "//", "/..", "/%2e%2e/", "%00", ";x=1", "/../../openapi.json", "%2f", "/1e9", "/-1",
			"/99999999999999999999"}[s.random.IntN(11)]
	case 5:
		values, _ := url.ParseQuery(query)
		values.Set([]string{"limit", "before", "w_wallet_code_ord", "w_wallet_code", "x"}[s.random.IntN(5)],
			fmt.Sprint(s.any()))
		b.path = path + "?" + values.Encode()
	case 6:
		b.path = path + "?" + strings.Repeat("a=1&", s.random.IntN(800)) + "%zz&;&=&limit=1&limit=2"
	case 7:
		b.header[[]string{"Origin", "X-Forwarded-For", "If-None-Match", "Last-Event-ID", "Range", "Accept",
			"Cookie"}[s.random.IntN(7)]] = clip(fmt.Sprint(s.any()))
	default:
		b.header["Host"] = []string{"evil.example", "lobo.localhost.evil.example", "localhost", "127.0.0.1",
			"dummy.localhost", "x@lobo.localhost"}[s.random.IntN(6)]
	}
}

// clip removes characters that a client cannot send in a header or a path, and returns at most 200 bytes.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	return text[:min(len(text), 200)]
}
