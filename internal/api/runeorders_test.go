package api_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/api"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/testkit"
)

// orders is a server with the real mint and etch service.
type orders struct {
	*testkit.World
	url string
}

func newOrders(t *testing.T) *orders {
	t.Helper()
	w := testkit.NewWorld(t)
	w.Etch()
	handler, err := api.New(api.Config{Network: "regtest", Services: api.Services{RuneOrders: w.Etching},
		Hub: api.NewHub(w.Clock.Now())})
	testkit.Must(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &orders{w, server.URL + "/orders/regtest/v1/"}
}

// call returns the status and the response, which must be one JSON object.
func (o *orders) call(method, path, body string) (int, map[string]any) {
	o.Helper()
	request, err := http.NewRequestWithContext(o.Context(), method, o.url+path, strings.NewReader(body))
	testkit.Must(o, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	testkit.Must(o, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	testkit.Must(o, err)
	var answer map[string]any
	if err := json.Unmarshal(text, &answer); err != nil {
		o.Errorf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	return response.StatusCode, answer
}

func (o *orders) post(path string, body any) (int, map[string]any) {
	o.Helper()
	text, err := json.Marshal(body)
	testkit.Must(o, err)
	return o.call(http.MethodPost, path, string(text))
}

type fields = map[string]any

func (o *orders) etchFields() fields {
	return fields{
		"runeName": "WOLVES•AT•NIGHT", "divisibility": 2, "symbol": "🐺", "premine": "1000", "isMintable": true,
		"terms":              fields{"amount": "50", "cap": "100"},
		"inscriptionDetails": fields{"contentType": "text/plain", "contentBase64": "aGk="},
		"destinationAddress": o.Anna.Ordinals.Text, "refundAddress": o.Anna.Payment.Text, "feeRate": 2.5,
		"appServiceFee": 700, "appServiceFeeAddress": o.Bert.Payment.Text, "network": "Regtest",
	}
}

func with(f fields, key string, value any) fields {
	changed := maps.Clone(f)
	if changed[key] = value; value == nil {
		delete(changed, key)
	}
	return changed
}

func TestRuneOrderOverHTTP(t *testing.T) {
	o := newOrders(t)
	status, estimate := o.post("runes/etch/estimate", with(o.etchFields(), "refundAddress", nil))
	costs, _ := estimate["costBreakdown"].(map[string]any)
	if status != 200 || costs["postage"] != 546.0 || costs["appServiceFee"] != 700.0 ||
		estimate["totalCost"].(float64) < 3000 {
		t.Fatalf("estimate: got HTTP %d %v", status, estimate)
	}
	status, created := o.post("runes/etch/orders", o.etchFields())
	if status != 200 || created["fundAmount"] != estimate["totalCost"] {
		t.Fatalf("new order: got HTTP %d %v", status, created)
	}
	id := created["orderId"].(string)
	coin := o.Anna.Sats()
	paid := o.Anna.Spend([]testkit.Coin{coin},
		wire.NewTxOut(int64(created["fundAmount"].(float64)), script(o, created["fundAddress"].(string))),
		wire.NewTxOut(100_000, o.Anna.Payment.Script))
	testkit.Must(t, o.Node.Broadcast(t.Context(), paid.Bytes()))
	status, executed := o.post("runes/etch/orders/"+id+"/execute", fields{"fundTransactionId": paid.ID.String()})
	if status != 200 || executed["orderId"] != id || executed["fundTransactionId"] != paid.ID.String() ||
		executed["fundingAddress"] != created["fundAddress"] {
		t.Errorf("execute: got HTTP %d %v", status, executed)
	}
	if status, again := o.post("runes/etch/orders/"+id+"/execute",
		fields{"fundTransactionId": paid.ID.String()}); status != 400 {
		t.Errorf("second execute: got HTTP %d %v, want an error", status, again)
	}
	if status, bump := o.post("orders/"+id+"/rbf-estimate", fields{"newFeeRate": 9}); status != 400 {
		t.Errorf("quote with nothing to replace: got HTTP %d %v, want an error", status, bump)
	}
	o.Settle(1)
	status, bump := o.post("orders/"+id+"/rbf-estimate", fields{"newFeeRate": 9})
	if status != 200 || bump["fundingAddress"] != created["fundAddress"] || bump["rbfCost"].(float64) < 500 {
		t.Errorf("quote: got HTTP %d %v", status, bump)
	}
	o.Settle(7)
	status, order := o.call(http.MethodGet, "orders/"+id, "")
	if status != 200 || order["state"] != "complete" || order["orderType"] != "rune_etch" || order["runeId"] == "" ||
		len(order["transactions"].([]any)) != 3 {
		t.Errorf("completed order: got HTTP %d %v", status, order)
	}
}

func script(o *orders, text string) []byte {
	o.Helper()
	address, err := chain.ParseAddress(text, o.Network)
	testkit.Must(o, err)
	return address.Script
}

// TestRuneOrderFields removes each field and changes its type. The response is 400 with a message that names the field.
// Package etching tests invalid values of the right type.
func TestRuneOrderFields(t *testing.T) {
	o := newOrders(t)
	etch := o.etchFields()
	mint := fields{
		"runeName": "WOLVES•AT•NIGHT", "repeats": 2, "destinationAddress": o.Anna.Ordinals.Text,
		"refundAddress": o.Anna.Payment.Text, "feeRate": 3,
	}
	refuse := func(path string, body fields, name string) {
		t.Helper()
		status, answer := o.post(path, body)
		message, _ := answer["message"].(string)
		if status != 400 || !strings.Contains(message, name) || answer["code"] == nil || len(answer) != 4 {
			t.Errorf("%s with %s = %v: %d %v", path, name, body[name], status, answer)
		}
	}
	for path, row := range map[string]struct {
		good     fields
		required []string
	}{
		"runes/etch/orders":   {etch, []string{"runeName", "isMintable", "destinationAddress", "refundAddress", "feeRate"}},
		"runes/etch/estimate": {etch, []string{"runeName", "isMintable", "destinationAddress", "feeRate"}},
		"runes/mint/orders":   {mint, []string{"runeName", "repeats", "destinationAddress", "refundAddress", "feeRate"}},
		"runes/mint/estimate": {mint, []string{"runeName", "repeats", "destinationAddress", "feeRate"}},
	} {
		for _, name := range row.required {
			refuse(path, with(row.good, name, nil), name)
		}
		for name, value := range row.good {
			if strings.Contains(path, "estimate") && name == "refundAddress" {
				continue // not a field of an estimate, so it is ignored
			}
			for _, wrong := range []any{[]int{1}, fields{"a": 1}, json.Number("1e999")} {
				if _, isObject := value.(fields); isObject && wrong != nil {
					if _, also := wrong.(fields); also {
						wrong = "text"
					}
				}
				text, err := json.Marshal(wrong)
				if err != nil {
					text = []byte("1e999")
				}
				refuse(path, with(row.good, name, json.RawMessage(text)), name)
			}
		}
		refuse(path, with(row.good, "feeRate", "2"), "feeRate")
		refuse(path, with(row.good, "runeName", strings.Repeat("A", 5000)), "runeName")
		refuse(path, with(row.good, "destinationAddress", strings.Repeat("b", 91)), "destinationAddress")
	}
	refuse("runes/mint/orders", with(mint, "repeats", 1.5), "repeats")
	refuse("runes/etch/orders", with(etch, "divisibility", "8"), "divisibility")
	refuse("runes/etch/orders", with(etch, "isMintable", "yes"), "isMintable")
	refuse("runes/etch/orders", with(etch, "terms", fields{"amount": 5, "cap": "1"}), "amount")
	refuse("runes/etch/orders", with(etch, "inscriptionDetails", fields{"contentType": "text/plain"}), "contentBase64")
	refuse("runes/etch/orders/x/execute", fields{}, "fundTransactionId")
	refuse("runes/etch/orders/x/execute", fields{"fundTransactionId": 5}, "fundTransactionId")
	refuse("orders/x/rbf-estimate", fields{}, "newFeeRate")
	refuse("orders/x/rbf-estimate", fields{"newFeeRate": "9"}, "newFeeRate")
}

func TestRuneOrderRequests(t *testing.T) {
	o := newOrders(t)
	for name, row := range map[string]struct {
		method, path, body string
		status             int
	}{
		"another network":    {http.MethodGet, "../../mainnet/v1/orders/x", "", 404},
		"no network":         {http.MethodGet, "../../moon/v1/orders/x", "", 404},
		"an unknown order":   {http.MethodGet, "orders/x", "", 404},
		"a long id":          {http.MethodGet, "orders/" + strings.Repeat("x", 4000), "", 404},
		"a zero byte":        {http.MethodGet, "orders/%00", "", 404},
		"nothing there":      {http.MethodGet, "runes/burn/orders", "", 404},
		"another method":     {http.MethodDelete, "orders/x", "", 405},
		"GET instead":        {http.MethodGet, "runes/mint/orders", "", 405},
		"no JSON":            {http.MethodPost, "runes/mint/orders", "mint!", 400},
		"no object":          {http.MethodPost, "runes/mint/orders", "[]", 400},
		"twice the same key": {http.MethodPost, "runes/mint/orders", `{"runeName":"A","runeName":"B"}`, 400},
		"too deep": {http.MethodPost, "runes/mint/orders", strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}",
			50), 400},
		"too large": {http.MethodPost, "runes/mint/orders", `{"runeName":"` + strings.Repeat("A", 70_000) + `"}`, 413},
		"executed unknown": {http.MethodPost, "runes/mint/orders/x/execute", `{"fundTransactionId":"` + strings.Repeat("ab",
			32) + `"}`, 404},
		"bumped unknown": {http.MethodPost, "orders/x/rbf-estimate", `{"newFeeRate":5}`, 404},
	} {
		status, answer := o.call(row.method, row.path, row.body)
		if message, _ := answer["message"].(string); status != row.status || message == "" {
			t.Errorf("%s: %d %v, want %d", name, status, answer, row.status)
		}
	}
}

// TestOrdersNameTheirMethod checks that 405 has an Allow header (RFC 9110).
func TestOrdersNameTheirMethod(t *testing.T) {
	o := newOrders(t)
	for path, want := range map[string]string{"runes/mint/orders": "POST", "runes/etch/estimate": "POST",
		"orders/x": "GET", "orders/x/rbf-estimate": "POST"} {
		request, err := http.NewRequest(http.MethodDelete, o.url+path, nil)
		testkit.Must(t, err)
		response, err := http.DefaultClient.Do(request)
		testkit.Must(t, err)
		response.Body.Close()
		if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != want {
			t.Errorf("DELETE %s: %d, Allow %q, want %q", path, response.StatusCode, response.Header.Get("Allow"), want)
		}
	}
}

// TestOrdersRefuseInTheirOwnFormat checks that a refusal of the mint and etch service, including a 405, is an object
// with message, code, values and request_id, without the envelope. It sends invalid values of every key of every call.
func TestOrdersRefuseInTheirOwnFormat(t *testing.T) {
	o := newOrders(t)
	refused := func(method, path, body string) {
		t.Helper()
		status, answer := o.call(method, path, body)
		message, _ := answer["message"].(string)
		if status >= 500 || status >= 400 && (message == "" || !isOrderRefusal(answer)) ||
			status == http.StatusTooManyRequests {
			t.Errorf("%s %s %.200s: HTTP %d %v", method, path, body, status, answer)
		}
	}
	all := api.OrderBodies(t)
	if len(all) < 6 {
		t.Fatalf("the document has %d calls with a body", len(all))
	}
	for path, bodies := range all {
		for _, body := range bodies {
			refused(http.MethodPost, path, string(body))
		}
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodDelete} {
			if status, answer := o.call(method, path, ""); status != http.StatusMethodNotAllowed || !isOrderRefusal(answer) {
				t.Errorf("%s %s: HTTP %d %v, want 405 with a message and a code", method, path, status, answer)
			}
		}
	}
}

// isOrderRefusal reports whether a response has a message, a code and the request's id, and otherwise only values.
func isOrderRefusal(answer fields) bool {
	for name := range answer {
		if name != "message" && name != "code" && name != "values" && name != "request_id" {
			return false
		}
	}
	id, _ := answer["request_id"].(string)
	return answer["message"] != nil && answer["code"] != nil && answer["code"] != "" && id != ""
}
