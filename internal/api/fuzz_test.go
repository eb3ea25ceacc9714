package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"moonfund/internal/fault"
	"moonfund/internal/staking/community"
)

// bodies are the Go types of all request bodies, by schema name.
var bodies = map[string]func() any{
	"ActionRequest":           func() any { return new(ActionRequest) },
	"CancelRequest":           func() any { return new(CancelRequest) },
	"OneTxEstimateRequest":    func() any { return new(OneTxEstimateRequest) },
	"OneTxRequest":            func() any { return new(OneTxRequest) },
	"OrderRequest":            func() any { return new(OrderRequest) },
	"PushEndRequest":          func() any { return new(PushEndRequest) },
	"PushStateRequest":        func() any { return new(PushStateRequest) },
	"PushSubscribeRequest":    func() any { return new(PushSubscribeRequest) },
	"RuneEtchEstimateRequest": func() any { return new(RuneEtchEstimateRequest) },
	"RuneEtchRequest":         func() any { return new(RuneEtchRequest) },
	"RuneExecuteRequest":      func() any { return new(RuneExecuteRequest) },
	"RuneMintEstimateRequest": func() any { return new(RuneMintEstimateRequest) },
	"RuneMintRequest":         func() any { return new(RuneMintRequest) },
	"RuneRbfRequest":          func() any { return new(RuneRbfRequest) },
	"SendOneTxRequest":        func() any { return new(SendOneTxRequest) },
	"SendRecoveryRequest":     func() any { return new(SendRecoveryRequest) },
	"SignRequest":             func() any { return new(SignRequest) },
	"StakeRequest":            func() any { return new(StakeRequest) },
	"UnitsRequest":            func() any { return new(UnitsRequest) },
	"WalletRequest":           func() any { return new(WalletRequest) },
}

// TestEveryBodyIsFuzzed fails if bodies lacks the body of a call.
func TestEveryBodyIsFuzzed(t *testing.T) {
	document, _, err := readDocument(documentJSON)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for path, methods := range document.Paths {
		for method, raw := range methods {
			var op struct{ RequestBody *content }
			if method == "servers" || json.Unmarshal(raw, &op) != nil || op.RequestBody == nil {
				continue
			}
			body := *op.RequestBody
			if body.Ref != "" {
				body = document.Components.RequestBodies[last(body.Ref)]
			}
			name := last(body.Content["application/json"].Schema.Ref)
			if found[name] = true; bodies[name] == nil {
				t.Errorf("%s %s has a body of %s", method, path, name)
			}
		}
	}
	if len(found) != len(bodies) {
		t.Errorf("the document has %d bodies, and %d are fuzzed", len(found), len(bodies))
	}
}

// sampleOf returns a valid value of a schema, with all its keys.
func (d document) sampleOf(s *schema) any {
	s = d.resolve(s)
	switch {
	case s.GoType == "Amount":
		return "150000000000"
	case s.GoType == "Flag":
		return "true"
	case s.Type == "object":
		all := map[string]any{}
		for key, property := range s.Properties {
			all[key] = d.sampleOf(property)
		}
		return all
	case s.Type == "array":
		return []any{d.sampleOf(s.Items)}
	case s.Type == "boolean":
		return true
	case s.Type == "string" && len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "string":
		return "abc"
	}
	return 2
}

// spoilt returns copies of a valid body with one invalid part each.
func spoilt(right map[string]any) (all [][]byte) {
	junk := []any{
		nil, "", "\u0000", strings.Repeat("é", 9000), 0, -1, 1.5, 1e300, json.Number("9223372036854775808"), true, []any{},
		[]any{nil, 1, "a"},
		map[string]any{"a": 1}, strings.Repeat("9", 40), "-1", "1e9", "яAA==",
	}
	write := func(body any) {
		raw, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		all = append(all, raw)
	}
	for key := range right {
		for _, value := range junk {
			changed := maps.Clone(right)
			changed[key] = value
			write(changed)
		}
		without := maps.Clone(right)
		delete(without, key)
		write(without)
		without[strings.ToUpper(key)] = right[key]
		write(without)
	}
	raw, _ := json.Marshal(right)
	twice := strings.Replace(string(raw), "{", `{"`+slices.Sorted(maps.Keys(right))[0]+`":"x",`, 1)
	deep := strings.Replace(string(raw), "{", `{"x":`+strings.Repeat("[", 20)+strings.Repeat("]", 20)+`,`, 1)
	for _, text := range []string{twice, deep, string(raw) + "{}", string(raw[:len(raw)-1]), "[" + string(raw) + "]",
		"null", "", "\ufeff" + string(raw), "{\"a\":\"\xff\"}"} {
		all = append(all, []byte(text))
	}
	return all
}

// FuzzBody checks arbitrary bodies of every call. An error must be a client error. An accepted body is JSON, has all
// required keys and no unknown ones, is stable under a second check, and decodes into the generated type.
func FuzzBody(f *testing.F) {
	document, _, err := readDocument(documentJSON)
	if err != nil {
		f.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(bodies))
	for i, name := range names {
		right := document.sampleOf(document.Components.Schemas[name]).(map[string]any)
		raw, err := json.Marshal(right)
		if err != nil {
			f.Fatal(err)
		}
		if object, err := parseObject(raw); err != nil {
			f.Fatal(err)
		} else if _, err := document.check(object, document.Components.Schemas[name], "The request"); err != nil {
			f.Fatalf("%s: %s: %v", name, raw, err)
		}
		f.Add(byte(i), raw)
		for _, body := range spoilt(right) {
			f.Add(byte(i), body)
		}
	}
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		name := names[int(which)%len(names)]
		schema := document.Components.Schemas[name]
		object, err := parseObject(body)
		var known any
		if err == nil {
			known, err = document.check(object, schema, "The request")
		}
		var refusal *fault.Error
		if err != nil {
			if !errors.As(err, &refusal) || refusal.Kind != fault.Invalid || refusal.Message == "" {
				t.Errorf("%s %q: %v", name, body, err)
			}
			return
		}
		if !json.Valid(body) {
			t.Errorf("a body that is not JSON was accepted: %q", body)
		}
		checkTaken(t, document, schema, known.(map[string]any), bodies[name]())
	})
}

func checkTaken(t *testing.T, d document, s *schema, known map[string]any, into any) {
	t.Helper()
	for _, key := range s.Required {
		if known[key] == nil {
			t.Errorf("accepted without %s: %v", key, known)
		}
	}
	clean, err := json.Marshal(known)
	if err != nil {
		t.Fatal(err)
	}
	object, err := parseObject(clean)
	if err != nil {
		t.Fatalf("the accepted value is refused: %s: %v", clean, err)
	}
	if again, err := d.check(object, s, "The request"); err != nil || !reflect.DeepEqual(again, any(known)) {
		t.Errorf("second check of %v: got %v, %v", known, again, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(clean))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Errorf("%s can't be decoded: %v", clean, err)
	}
}

// FuzzRequest sends arbitrary requests, including the request line. The response is never a 5xx and contains no
// internals, a JSON response is one valid value, and only calls that report success change anything.
func FuzzRequest(f *testing.F) {
	line := func(method, target, header, body string) {
		f.Add(fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", method, target, header,
			len(body), body))
	}
	const kind = "Content-Type: application/json\r\n"
	for _, row := range golden() {
		method := map[bool]string{true: http.MethodGet, false: http.MethodPost}[row.body == ""]
		line(method, "/lobo/"+row.call, kind, row.body)
		line(method, "/lobo/"+row.call, kind+"Origin: https://evil.example\r\n", row.body)
	}
	for _, target := range []string{
		"/", "/lobo", "/lobo/", "/wolf/infoGlobals", "//lobo/infoGlobals", "/lobo/../lobo/infoGlobals",
		"/lobo/%2e%2e/infoGlobals", "/lobo/epochs/%zz",
		"/lobo/epochs/9223372036854775808", "/lobo/epochs/-1", "/lobo/epochs?limit=-1&before=x",
		"/lobo/epochs?limit=1;limit=2", "/lobo/epochs?limit=1&limit=2",
		"/lobo/earnings?before=%00", "/lobo/activity.csv?w_wallet_code=a&w_wallet_code_ord=%ff",
		"/lobo/events?w_wallet_code_ord=x", "/lobo/events",
		"/openapi", "/openapi.json", "/healthz", "/readyz", "http://localhost/lobo/status", "*",
		"/orders/regtest/v1/orders/x",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "BREW"} {
			line(method, target, "", "")
		}
	}
	for _, header := range []string{
		"X-Forwarded-For: 1.2.3.4, , [::1]:x\r\n", "X-Forwarded-For: " + strings.Repeat("9.", 99) + "\r\n",
		"Last-Event-ID: -1\r\n", "If-None-Match: W/\"x\", *\r\n",
		"Accept-Encoding: gzip;q=x\r\n", "Content-Type: application/json; charset\r\n", "Origin: ://\r\n", "Origin: null\r\n",
		"Transfer-Encoding: chunked\r\n",
	} {
		line("GET", "/lobo/epochs", header, "")
		line("GET", "/lobo/events", header, "")
		line("POST", "/lobo/postInfoWallet", header, wallets(""))
	}
	f.Add([]byte("GET /lobo/status HTTP/1.1\r\nHost: [::1\r\n\r\n"))
	f.Add([]byte("GET /lobo/status HTTP/1.0\r\n\r\n"))
	h := &fakeServices{}
	handler := fakeHandler(f, h)
	f.Fuzz(func(t *testing.T, raw []byte) {
		request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		if err != nil {
			return
		}
		request.RemoteAddr = "127.0.0.1:9"
		gone, leave := context.WithCancel(t.Context())
		leave() // so that a stream ends
		h.changes.Store(0)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(deadlined{answer}, request.WithContext(gone))
		checkAnswer(t, request, answer, h)
	})
}

// deadlined is a recorder that accepts deadlines and ignores them.
type deadlined struct{ *httptest.ResponseRecorder }

func (deadlined) SetReadDeadline(time.Time) error  { return nil }
func (deadlined) SetWriteDeadline(time.Time) error { return nil }

func fakeHandler(t testing.TB, h *fakeServices) http.Handler {
	t.Helper()
	text, err := community.Examples.ReadFile("manifests/dev/lobo.toml")
	if err != nil {
		t.Fatal(err)
	}
	handler, err := New(Config{
		Sites: []Site{must(community.Read("lobo.toml", text, "regtest"))}, Services: h.services(), Hub: NewHub(still),
		Domains: []string{"localhost"},
		Log:     slog.New(slog.DiscardHandler), Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func checkAnswer(t *testing.T, r *http.Request, answer *httptest.ResponseRecorder, h *fakeServices) {
	t.Helper()
	body := answer.Body.Bytes()
	if answer.Code >= 500 {
		t.Errorf("%s %s: HTTP %d %s", r.Method, r.URL, answer.Code, body)
	}
	if answer.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%s %s: no security headers", r.Method, r.URL)
	}
	if bytes.Contains(body, []byte("goroutine")) || bytes.Contains(body, []byte("secret")) {
		t.Errorf("%s %s: internals in the message: %s", r.Method, r.URL, body)
	}
	var envelope struct{ Success *bool }
	if strings.HasPrefix(answer.Header().Get("Content-Type"), "application/json") && len(body) > 0 &&
		json.Unmarshal(body, &envelope) != nil {
		t.Errorf("%s %s: not JSON: %s", r.Method, r.URL, body)
	}
	if h.changes.Load() > 0 && (r.Method != http.MethodPost || answer.Code != http.StatusOK || envelope.Success == nil ||
		!*envelope.Success) {
		t.Errorf("%s %s made a change without reporting success: HTTP %d %s", r.Method, r.URL, answer.Code, body)
	}
}
