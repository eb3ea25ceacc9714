package api

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// values are invalid as a number, an address, an id or a flag in at least one call.
var values = []string{"", "null", "-1", "0", "1e9", "1.5", "99999999999999999999", "9223372036854775808", "\x00", "é",
	strings.Repeat("9", 5000)}

// parametersOf returns the query parameters of an operation, and the parameters of every wallet call.
func parametersOf(t *testing.T, path, method string) (names []string) {
	t.Helper()
	var document struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Parameters map[string]struct{ Name, In string }
		}
	}
	if err := json.Unmarshal(documentJSON, &document); err != nil {
		t.Fatal(err)
	}
	var op struct {
		Parameters []struct {
			Ref      string `json:"$ref"`
			Name, In string
		}
	}
	if err := json.Unmarshal(document.Paths[path][strings.ToLower(method)], &op); err != nil {
		t.Fatal(err)
	}
	for _, p := range op.Parameters {
		if p.Ref != "" {
			shared := document.Components.Parameters[last(p.Ref)]
			p.Name, p.In = shared.Name, shared.In
		}
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	return names
}

// TestEveryCallRefusesInOneEnvelope sends invalid values in the body and in the query of every call. The response must
// be the normal one or a client error in the envelope. It must be JSON, also for calls that return a file.
func TestEveryCallRefusesInOneEnvelope(t *testing.T) {
	document, calls, err := readDocument(documentJSON)
	if err != nil {
		t.Fatal(err)
	}
	b, asked := build(t, nil), 0
	want := func(method, path, body string) {
		t.Helper()
		asked++
		b.wantEnvelope(t, method, path, body)
	}
	for _, path := range slices.Sorted(maps.Keys(calls)) {
		for method, op := range calls[path] {
			if path == "/events" || path == receiptsPath { // TestEvents, TestReceipts
				continue
			}
			at := "/lobo" + strings.NewReplacer("{epoch}", "48", "{sequence}", "3", "{owner}", ordinalsAddr).Replace(path)
			for _, name := range parametersOf(t, path, method) {
				for _, value := range values {
					query := url.Values{"w_wallet_code": {paymentAddr}, "w_wallet_code_ord": {ordinalsAddr}}
					query.Set(name, value)
					want(strings.ToUpper(method), at+"?"+query.Encode(), "")
				}
			}
			if strings.Contains(path, "{epoch}") {
				for _, value := range values[1:] {
					want(http.MethodGet, "/lobo/epochs/"+url.PathEscape(value), "")
				}
			}
			if op.body == nil {
				continue
			}
			right, _ := document.sampleOf(op.body).(map[string]any)
			for key := range right {
				if strings.HasPrefix(key, "w_wallet_code") && !strings.HasSuffix(key, "pk") {
					right[key] = map[bool]string{true: ordinalsAddr, false: paymentAddr}[strings.HasSuffix(key, "_ord")]
				}
			}
			for _, body := range spoilt(right) {
				want(strings.ToUpper(method), at, string(body))
			}
		}
	}
	if asked < 1000 {
		t.Errorf("only %d requests were made", asked)
	}
}

func (b *built) wantEnvelope(t *testing.T, method, path, body string) {
	t.Helper()
	var reader io.Reader
	if method == http.MethodPost {
		reader = strings.NewReader(body)
	}
	response := b.do(t, method, path, "application/json", reader)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	kind := response.Header.Get("Content-Type")
	if response.StatusCode == http.StatusOK && strings.HasPrefix(kind, "text/csv") {
		return
	}
	var e map[string]any
	if err := json.Unmarshal(answer, &e); err != nil || kind != "application/json" || !isEnvelope(e) ||
		response.StatusCode >= 500 ||
		response.StatusCode == http.StatusTooManyRequests {
		t.Errorf("%.200s %.200s: HTTP %d, %s, %.200s", path, body, response.StatusCode, kind, answer)
		return
	}
	if e["success"] != true {
		refusal(t, answer)
		if response.Header.Get("Content-Disposition") != "" {
			t.Errorf("%.200s: a refusal has a Content-Disposition", path)
		}
	}
}

// orderBodies returns, by path, bodies with one invalid value for each call of the mint and etch service.
func orderBodies(t *testing.T) map[string][][]byte {
	t.Helper()
	document, _, err := readDocument(documentJSON)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][][]byte{}
	for path, methods := range document.Paths {
		var op operation
		var at struct{ Servers []struct{ URL string } }
		if json.Unmarshal(methods["servers"], &at.Servers) != nil || len(at.Servers) == 0 ||
			!strings.HasPrefix(at.Servers[0].URL, "/orders/") ||
			json.Unmarshal(methods["post"], &op) != nil || op.RequestBody == nil {
			continue
		}
		right, _ := document.sampleOf(document.bodyOf(op)).(map[string]any)
		all[strings.TrimPrefix(strings.ReplaceAll(path, "{orderId}", "x"), "/")] = spoilt(right)
	}
	return all
}

// OrderBodies exports orderBodies to the external test of the service.
var OrderBodies = orderBodies

// isEnvelope reports whether a response has the three fields of the envelope, and a code if and only if it is a
// refusal.
func isEnvelope(e map[string]any) bool {
	_, hasMessage := e["message"]
	_, hasData := e["data"]
	success, isBool := e["success"].(bool)
	code, hasCode := e["code"].(string)
	extra := len(e) - 3
	if hasCode {
		extra--
	}
	if _, hasValues := e["values"]; hasValues && hasCode {
		extra--
	}
	if _, hasID := e["request_id"]; hasID && hasCode {
		extra--
	}
	return hasMessage && hasData && isBool && hasCode == !success && (success || code != "") && extra == 0
}
