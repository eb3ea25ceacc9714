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

// siegeVariable is how many hostile requests are generated; 5,000 when not set.
const siegeVariable = "MOONFUND_SIEGE"

// toCome is in the one answer of 503 that the OpenAPI document promises: an etching
// or mint is executed by a transaction that may still arrive.
const toCome = "The transaction is not known here yet."

// blow is one hostile request.
type blow struct {
	method, path string
	header       map[string]string
	body         []byte
}

// inside is what no answer may show: an error of the database or the language, a path, a query.
var inside = regexp.MustCompile(
	`(?i)sql|goroutine|runtime error|panic|\.go:\d|/home/|/root/|/tmp/|` +
		`constraint failed|no such table|nil pointer|context deadline`)

// TestSiege sends thousands of requests made from the OpenAPI document and broken in every way that a seed finds. None
// is answered with a 5xx or with anything from inside, and none changes anything.
func TestSiege(t *testing.T) {
	blows := 5_000
	if text := os.Getenv(siegeVariable); text != "" {
		var err error
		blows, err = strconv.Atoi(text)
		must(t, err)
	}
	h := newHouse(t, "")
	v, stranger := newVictims(h)
	s := besieger(v)
	everything := func() map[string]any {
		all := v.everything(stranger)
		all["etching"] = h.runeOrder(s.runeOrder)
		return all
	}
	before := everything()
	statuses := map[int]int{}
	for n := range blows {
		b := s.blow(n)
		status := b.strike(t, h.site)
		for status == http.StatusTooManyRequests { // it is the call's answer that is wanted
			<-time.After(100 * time.Millisecond)
			status = b.strike(t, h.site)
		}
		statuses[status]++
		if t.Failed() {
			t.Fatalf("after %d requests", n)
		}
	}
	t.Logf("%d requests, answers by status: %v", blows, statuses)
	for _, status := range []int{200, 400, 404, 405, 413, 415} {
		if statuses[status] == 0 {
			t.Errorf("no request was answered with %d: they are too alike", status)
		}
	}
	if after := everything(); !reflect.DeepEqual(before, after) {
		t.Errorf("something changed:\n%+v\nbefore:\n%+v", after, before)
	}
	h.audit()
}

// strike sends the request and checks what comes back.
func (b blow) strike(t *testing.T, s site) int {
	t.Helper()
	target := fmt.Sprintf("http://127.0.0.1:%d%s", s.port, b.path)
	request, err := http.NewRequest(b.method, target, bytes.NewReader(b.body))
	if err != nil {
		return 0 // not even a client's URL
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
		if strings.Contains(err.Error(), "invalid") { // the client itself refuses to send it
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
		bytes.Contains(body, []byte(toCome))) {
		t.Error(reply)
	}
	if response.Header.Get("X-Content-Type-Options") != "nosniff" &&
		response.StatusCode != http.StatusMisdirectedRequest && response.StatusCode != http.StatusBadRequest {
		t.Errorf("no security headers: %s", reply)
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") && b.method != http.MethodHead {
		var envelope struct{ Message string }
		if err := json.Unmarshal(body, &envelope); err != nil {
			t.Errorf("not JSON: %s", reply)
		}
		if inside.MatchString(envelope.Message) {
			t.Errorf("something from inside: %s", reply)
		}
	}
	return response.StatusCode
}

func short(body []byte) []byte { return body[:min(len(body), 300)] }

// siege makes hostile requests out of honest ones.
type siege struct {
	chance    *rand.Rand
	honest    []blow
	junk      []any
	runeOrder string // an etching that is not paid for
}

func besieger(v *victim) *siege {
	v.t.Helper()
	s := &siege{chance: rand.New(rand.NewPCG(7, 7))}
	runeWish := fields{
		"runeName": "NOBODY•TAKES•THIS•CASTLE", "premine": "1000", "isMintable": true,
		"terms":              fields{"amount": "7", "cap": "50"},
		"destinationAddress": v.ordinals.text, "refundAddress": v.payment.text, "feeRate": 2,
	}
	var made struct{ OrderID string }
	v.site.orders(http.MethodPost, "runes/etch/orders", runeWish, &made)
	s.runeOrder = made.OrderID
	maps.Copy(runeWish, fields{"repeats": 1, "newFeeRate": 3, "fundTransactionId": strings.Repeat("0", 64),
		"network": "Regtest"})
	whole := v.stakeRequest(100 * lobo)
	maps.Copy(whole, fields{
		"utxos": []string{v.unlocked}, "wa_action_type": "RESTAKE", "wa_action_id": v.restake.ActionID,
		"order_id":  v.order.ID,
		"signature": "AA==", "include_spent": "false", "txid": strings.Repeat("0", 64), "messageHash": "",
	})
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(v.t, json.Unmarshal(v.send(http.MethodGet, "/openapi.json", "", nil).body, &document))
	fill := strings.NewReplacer("{epoch}", "1", "{network}", "regtest", "{orderId}", s.runeOrder)
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		base := "/" + prefix
		if servers, elsewhere := document.Paths[path]["servers"]; elsewhere {
			var list []struct{ URL string }
			must(v.t, json.Unmarshal(servers, &list))
			base = strings.TrimSuffix(list[0].URL, "/")
			delete(document.Paths[path], "servers")
		}
		body := whole
		if strings.HasPrefix(base, "/orders/") {
			body = runeWish
		}
		for _, method := range slices.Sorted(maps.Keys(document.Paths[path])) {
			if path == "/events" {
				continue // a stream that is accepted never ends
			}
			b := blow{method: strings.ToUpper(method), path: fill.Replace(base + path), header: map[string]string{}}
			if b.method == http.MethodPost {
				b.body, b.header["Content-Type"] = must1(v.t, body), "application/json"
			} else {
				b.path += "?" + url.Values{"w_wallet_code": {v.payment.text}, "w_wallet_code_ord": {v.ordinals.text},
					"limit": {"10"}, "before": {"5"}}.Encode()
			}
			s.honest = append(s.honest, b)
		}
	}
	if len(s.honest) < 30 {
		v.t.Fatalf("the document lists %d calls", len(s.honest))
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

// junk are values that no honest client sends in most places.
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

// blow breaks an honest request in one to three ways.
func (s *siege) blow(n int) blow {
	b := s.honest[n%len(s.honest)]
	b.header = maps.Clone(b.header)
	b.body = slices.Clone(b.body)
	for range 1 + s.chance.IntN(3) {
		if b.method == http.MethodPost && s.chance.IntN(10) < 7 {
			s.breakBody(&b)
		} else {
			s.breakFrame(&b)
		}
	}
	return b
}

func (s *siege) any() any { return s.junk[s.chance.IntN(len(s.junk))] }

func (s *siege) breakBody(b *blow) {
	var object map[string]any
	if json.Unmarshal(b.body, &object) != nil || len(object) == 0 {
		s.breakBytes(b)
		return
	}
	keys := slices.Sorted(maps.Keys(object))
	key := keys[s.chance.IntN(len(keys))]
	switch s.chance.IntN(8) {
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

// breakBytes breaks the JSON itself.
func (s *siege) breakBytes(b *blow) {
	if len(b.body) == 0 {
		b.body = []byte(fmt.Sprint(s.any()))
		return
	}
	at := s.chance.IntN(len(b.body))
	switch s.chance.IntN(7) {
	case 0:
		b.body = b.body[:at]
	case 1:
		b.body[at] = byte(s.chance.IntN(256))
	case 2:
		b.body = slices.Insert(b.body, at, byte(s.chance.IntN(256)))
	case 3:
		b.body = append(b.body, b.body...)
	case 4:
		b.body = []byte(strings.Repeat("[", 1+s.chance.IntN(20_000)))
	case 5:
		b.body = append([]byte(`{"utxos":[],`), b.body[min(1, len(b.body)):]...)
	default:
		b.body = append(b.body, bytes.Repeat([]byte(" "), 70_000)...)
	}
}

// breakFrame breaks everything around the body.
func (s *siege) breakFrame(b *blow) {
	path, query, _ := strings.Cut(b.path, "?")
	switch s.chance.IntN(9) {
	case 0:
		b.method = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"}[s.chance.IntN(9)]
	case 1:
		b.header["Content-Type"] = []string{"", "text/plain", "application/x-www-form-urlencoded",
			"application/json; charset=utf-16", "application/json;;", "multipart/form-data"}[s.chance.IntN(6)]
	case 2:
		b.path = path + url.PathEscape(fmt.Sprint(s.any()))
	case 3:
		b.path = "/" + url.PathEscape(clip(fmt.Sprint(s.any()))) + strings.TrimPrefix(path, "/"+prefix)
	case 4:
		b.path = path + []string{"/", "//", "/..", "/%2e%2e/", "%00", ";x=1", "/../../openapi.json", "%2f", "/1e9", "/-1",
			"/99999999999999999999"}[s.chance.IntN(11)]
	case 5:
		values, _ := url.ParseQuery(query)
		values.Set([]string{"limit", "before", "w_wallet_code_ord", "w_wallet_code", "x"}[s.chance.IntN(5)],
			fmt.Sprint(s.any()))
		b.path = path + "?" + values.Encode()
	case 6:
		b.path = path + "?" + strings.Repeat("a=1&", s.chance.IntN(800)) + "%zz&;&=&limit=1&limit=2"
	case 7:
		b.header[[]string{"Origin", "X-Forwarded-For", "If-None-Match", "Last-Event-ID", "Range", "Accept",
			"Cookie"}[s.chance.IntN(7)]] = clip(fmt.Sprint(s.any()))
	default:
		b.header["Host"] = []string{"evil.example", "lobo.localhost.evil.example", "localhost", "127.0.0.1",
			"dummy.localhost", "x@lobo.localhost"}[s.chance.IntN(6)]
	}
}

// clip keeps what a client can send in a header or a path.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	return text[:min(len(text), 200)]
}
