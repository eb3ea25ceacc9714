package api

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"moonfund/internal/fault"
)

// refusal returns the message of an envelope, and fails the test unless the envelope is a refusal.
func refusal(t *testing.T, body []byte) string {
	t.Helper()
	var e map[string]any
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatalf("not the envelope: %s", body)
	}
	data, hasData := e["data"]
	message, isText := e["message"].(string)
	code, hasCode := e["code"].(string)
	delete(e, "values") // present if the message has parameters
	if e["success"] != false || !hasData || data != nil || !isText || message == "" || !hasCode || code == "" ||
		e["request_id"] != requestIDOfTests || len(e) != 5 {
		t.Fatalf("not a refusal: %s", body)
	}
	return message
}

func TestBadBodies(t *testing.T) {
	key := strings.Repeat("02", 33)
	stake := func(amount string) string {
		return wallets(`,"w_wallet_code_pk":"` + key + `","w_wallet_code_ord_pk":"` + key + `","wa_amount":` + amount)
	}
	rows := []struct {
		name, call, body string
		status           int
		message          string
	}{
		{"no JSON", "postAction", `hello`, 400, "The request is not valid JSON."},
		{"cut off", "postAction", `{"w_wallet_code":`, 400, "The request is not valid JSON."},
		{"not closed", "postAction", `{"a":1`, 400, "The request is not valid JSON."},
		{"comma", "postAction", `{"a":1,}`, 400, "The request is not valid JSON."},
		{"not UTF-8", "postAction", "{\"a\":\"\xff\"}", 400, "The request is not valid JSON."},
		{"a list", "postAction", `[]`, 400, "The request must be a JSON object."},
		{"null", "postAction", `null`, 400, "The request must be a JSON object."},
		{"trailing", "postInfoWallet", wallets("") + `{}`, 400, "There is unexpected data after the JSON object."},
		{"duplicate", "postInfoWallet", wallets(`,"w_wallet_code":"x"`), 400,
			`The key "w_wallet_code" appears more than once.`},
		{"nested duplicate", "postInfoWallet", wallets(`,"x":{"y":1,"y":2}`), 400, `The key "y" appears more than once.`},
		{"deep", "postInfoWallet", wallets(`,"x":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000)), 400,
			"The request is nested too deeply."},
		{"missing", "postInfoWallet", `{"w_wallet_code":"x"}`, 400, "w_wallet_code_ord is missing."},
		{"null is missing", "postInfoWallet", `{"w_wallet_code":"x","w_wallet_code_ord":null}`, 400,
			"w_wallet_code_ord is missing."},
		{"other case is missing", "postInfoWallet", strings.Replace(wallets(""), "w_wallet_code_ord", "W_WALLET_CODE_ORD", 1),
			400, "w_wallet_code_ord is missing."},
		{"number for text", "postInfoWallet", `{"w_wallet_code":1,"w_wallet_code_ord":"x"}`, 400,
			"w_wallet_code must be a text."},
		{"object for text", "postInfoWallet", `{"w_wallet_code":{},"w_wallet_code_ord":"x"}`, 400,
			"w_wallet_code must be a text."},
		{"long text", "postInfoWallet", `{"w_wallet_code":"` + strings.Repeat("b", 129) + `","w_wallet_code_ord":"x"}`, 400,
			"w_wallet_code is too long. The maximum is 128."},
		{"text for list", "postAction", wallets(`,"utxos":"a","wa_action_type":"CLAIM"`), 400, "utxos must be a list."},
		{"number in list", "postAction", wallets(`,"utxos":["a",7],"wa_action_type":"CLAIM"`), 400,
			"utxos[1] must be a text."},
		{"long list", "postAction", wallets(`,"utxos":[` + strings.Repeat(`"a",`, 1000) + `"a"],"wa_action_type":"CLAIM"`),
			400, "utxos is too long. The maximum is 1000."},
		{"unknown action", "postAction", wallets(`,"utxos":[],"wa_action_type":"STEAL"`), 400,
			"wa_action_type must be one of STAKE, UNSTAKE, RESTAKE, CLAIM, COMPOUND, WITHDRAW, AUTO_COMPOUND, " +
				"END_AUTO_COMPOUND."},
		{"flag", "fetchWalletUtxos", wallets(`,"include_spent":"yes"`), 400, "include_spent must be true or false."},
		{"flag number", "fetchWalletUtxos", wallets(`,"include_spent":0`), 400, "include_spent must be true or false."},
		{"negative amount", "postDemoStake", stake(`-1`), 400, "wa_amount must be a whole number of base units: digits " +
			"only, without sign, fraction or exponent."},
		{"negative text", "postDemoStake", stake(`"-1"`), 400, "wa_amount must be a whole number of base units: digits " +
			"only, without sign, fraction or exponent."},
		{"fraction", "postDemoStake", stake(`1.5`), 400, "wa_amount must be a whole number of base units: digits only, " +
			"without sign, fraction or exponent."},
		{"whole fraction", "postDemoStake", stake(`1.0`), 400, "wa_amount must be a whole number of base units: digits " +
			"only, without sign, fraction or exponent."},
		{"exponent", "postDemoStake", stake(`1e9`), 400, "wa_amount must be a whole number of base units: digits only, " +
			"without sign, fraction or exponent."},
		{"exponent text", "postDemoStake", stake(`"1e9"`), 400, "wa_amount must be a whole number of base units: digits " +
			"only, without sign, fraction or exponent."},
		{"huge", "postDemoStake", stake(`9223372036854775808`), 400,
			"wa_amount is larger than any rune's supply."},
		{"huge text", "postDemoStake", stake(`"` + strings.Repeat("9", 100) + `"`), 400,
			"wa_amount is larger than any rune's supply."},
		{"empty amount", "postDemoStake", stake(`""`), 400, "wa_amount must be a whole number of base units: digits only, " +
			"without sign, fraction or exponent."},
		{"amount list", "postDemoStake", stake(`[1]`), 400,
			"wa_amount must be a whole number of base units, as a text of digits or a JSON integer."},
		{"no hex", "sendRecovery", wallets(`,"tx":"0g"`), 200, fault.TransactionUnreadable.Text},
		{"no transaction", "sendRecovery", wallets(""), 400, "tx is missing."},
		{"long transaction", "sendRecovery", wallets(`,"tx":"` + strings.Repeat("a", 800_001) + `"`), 400,
			"tx is too long. The maximum is 800000."},
		{"half a proof", "cancelPO", wallets(`,"order_id":"1","action_id":"a"`), 400, "signature is missing."},
		{"other half", "cancelPO", wallets(`,"order_id":"1","signature":"a"`), 400, "action_id is missing."},
		{"invalid address", "postAction", strings.Replace(wallets(`,"utxos":[],"wa_action_type":"CLAIM"`), paymentAddr,
			"bcrt1q", 1), 200, "Invalid address"},
		{"bad checksum", "postInfoWallet", strings.Replace(wallets(""), ordinalsAddr, ordinalsAddr[:len(ordinalsAddr)-1]+"q",
			1), 200, "Invalid address"},
		{"wrong network", "signWalletAction", strings.Replace(wallets(`,"wa_action_id":"a","wa_action_type":"CLAIM"`),
			ordinalsAddr, mainnetAddr, 1), 200, mainnetAddr + " belongs to another Bitcoin network. This server uses regtest."},
		{"not a key", "postDemoStake", strings.Replace(stake("1"), key, "zz", 1), 200,
			"w_wallet_code_pk isn't a public key in hex."},
		{"short key", "postDemoStake", strings.Replace(stake("1"), `"w_wallet_code_ord_pk":"`+key,
			`"w_wallet_code_ord_pk":"0202`, 1), 200, "w_wallet_code_ord_pk isn't a public key in hex."},
		{"key of one transaction", "beginOneTx", wallets(`,"order_id":"1","w_wallet_code_pk":"02"`), 200,
			"w_wallet_code_pk isn't a public key in hex."},
		{"no PSBT", "sendOneTx", wallets(`,"order_id":"1"`), 400, "psbt is missing."},
		{"long PSBT", "sendOneTx", wallets(`,"order_id":"1","psbt":"` + strings.Repeat("a", 60_001) + `"`), 400,
			"psbt is too long. The maximum is 60000."},
		{"foreign order", "fetchPOTxHistory", wallets(`,"order_id":"foreign"`), 200,
			"This order doesn't belong to this wallet."},
	}
	b := build(t, nil)
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			status, body := b.call(t, row.call, row.body)
			if message := refusal(t, body); status != row.status || message != row.message {
				t.Errorf("HTTP %d %q, want %d %q", status, message, row.status, row.message)
			}
		})
	}
	if n := b.fake.changes.Load(); n != 0 {
		t.Errorf("invalid input reached the services %d times", n)
	}
}

func TestGoodBodiesOfManyShapes(t *testing.T) {
	key := strings.Repeat("02", 33)
	for name, row := range map[string]struct{ call, body string }{
		"unknown fields": {"postInfoWallet", wallets(`,"later":{"a":[1.5e3]}`)},
		"integer amount": {"postDemoStake",
			wallets(`,"w_wallet_code_pk":"` + key + `","w_wallet_code_ord_pk":"` + key + `","wa_amount":9223372036854775807`)},
		"optional null": {"signWalletAction",
			wallets(`,"wa_action_id":"a","wa_action_type":"CLAIM","txid":null,"messageHash":null`)},
		"include_spent text": {"fetchWalletUtxos", wallets(`,"include_spent":"true"`)},
		"globals by POST":    {"infoGlobals", `{"w_wallet_code":"","w_wallet_code":""}`},
	} {
		t.Run(name, func(t *testing.T) {
			if status, body := build(t, nil).call(t, row.call, row.body); status != 200 ||
				!strings.Contains(string(body), `"success":true`) {
				t.Errorf("got HTTP %d %s, want success", status, body)
			}
		})
	}
}

// The largest transaction that nodes relay can be sent.
func TestLargestRecovery(t *testing.T) {
	b := build(t, nil)
	body := wallets(`,"tx":"` + strings.Repeat("a1", 400_000) + `"`)
	if status, answer := b.call(t, "sendRecovery", body); status != 200 || !strings.Contains(string(answer), `"txid"`) {
		t.Errorf("HTTP %d %s", status, answer)
	}
}

func TestBadRequests(t *testing.T) {
	b := build(t, nil)
	big := `{"x":"` + strings.Repeat("x", maxBody) + `"}`
	rows := []struct {
		name, method, path, kind, body string
		status                         int
		message                        string
	}{
		{"too large", "POST", "/lobo/postInfoWallet", "application/json", big, 413, "The request is larger than 64 KiB."},
		{"recovery too large", "POST", "/lobo/sendRecovery", "application/json",
			wallets(`,"tx":"` + strings.Repeat("a", int(largeBodies["sendRecovery"])) + `"`), 413,
			"The request is larger than 832 KiB."},
		{"too large, no schema", "POST", "/lobo/infoGlobals", "application/json", big, 413,
			"The request is larger than 64 KiB."},
		{"form", "POST", "/lobo/postInfoWallet", "application/x-www-form-urlencoded", "a=1", 415,
			"The request's Content-Type must be application/json."},
		{"text", "POST", "/lobo/postInfoWallet", "text/plain", wallets(""), 415,
			"The request's Content-Type must be application/json."},
		{"no type", "POST", "/lobo/postInfoWallet", "", wallets(""), 415,
			"The request's Content-Type must be application/json."},
		{"method", "GET", "/lobo/postInfoWallet", "", "", 405, "This call requires the method POST."},
		{"method 2", "DELETE", "/lobo/infoGlobals", "", "", 405, "This call requires the method GET or POST."},
		{"preflight", "OPTIONS", "/lobo/postInfoWallet", "", "", 405, "This call requires the method POST."},
		{"call", "POST", "/lobo/mintMoney", "application/json", "{}", 404, "This call doesn't exist."},
		{"call with slash", "POST", "/lobo/postInfoWallet/", "application/json", wallets(""), 404,
			"This call doesn't exist."},
		{"dots", "POST", "/lobo/../lobo/postInfoWallet", "application/json", wallets(""), 404, "This call doesn't exist."},
		{"community", "POST", "/wolf/postInfoWallet", "application/json", wallets(""), 404,
			"This community doesn't exist here."},
		{"community, GET", "GET", "/wolf/infoGlobals", "", "", 404, "This community doesn't exist here."},
		{"page by POST", "POST", "/terms", "application/json", "{}", 405, "This call requires the method GET."},
		{"epoch", "GET", "/lobo/epochs/one", "", "", 400, "epoch must be a whole number."},
		{"epoch ahead", "GET", "/lobo/epochs/99", "", "", 200, "This epoch hasn't started yet."},
		{"limit", "GET", "/lobo/epochs?limit=0", "", "", 400, "limit must be between 1 and 500."},
		{"limit text", "GET", "/lobo/epochs?limit=many", "", "", 400, "limit must be a whole number."},
		{"activity of nobody", "GET", "/lobo/activity", "", "", 400, "w_wallet_code is missing."},
		{"csv of nobody", "GET", "/lobo/activity.csv", "", "", 400, "w_wallet_code is missing."},
		{"events of nonsense", "GET", "/lobo/events?w_wallet_code=a&w_wallet_code_ord=b", "", "", 200, "Invalid address"},
		{"document", "DELETE", "/openapi.json", "", "", 405, "This call requires the method GET."},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			request, err := http.NewRequest(row.method, b.URL+row.path, strings.NewReader(row.body))
			if err != nil {
				t.Fatal(err)
			}
			if row.kind != "" {
				request.Header.Set("Content-Type", row.kind)
			}
			response, err := b.Client().Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if message := refusal(t, body); response.StatusCode != row.status || message != row.message {
				t.Errorf("HTTP %d %q, want %d %q", response.StatusCode, message, row.status, row.message)
			}
			if response.StatusCode == 405 && response.Header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
			if response.Header.Get("Content-Type") != "application/json" ||
				response.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("got the headers %v, want the headers of a JSON response", response.Header)
			}
			open := row.status < 405 && strings.HasPrefix(row.path, "/lobo/epochs")
			if allowed := response.Header.Get("Access-Control-Allow-Origin"); (allowed == "*") != open {
				t.Errorf("Access-Control-Allow-Origin: got %q", allowed)
			}
		})
	}
	if n := b.fake.changes.Load(); n != 0 {
		t.Errorf("invalid requests reached the services %d times", n)
	}
}

func TestChangesAreRefusedWhilePaused(t *testing.T) {
	b := build(t, nil)
	b.fake.refuse = fault.Refuse(fault.CatchingUp)
	key := strings.Repeat("02", 33)
	for call, more := range map[string]string{
		"postDemoStake":    `,"w_wallet_code_pk":"` + key + `","w_wallet_code_ord_pk":"` + key + `","wa_amount":"1"`,
		"postAction":       `,"utxos":[],"wa_action_type":"CLAIM"`,
		"signWalletAction": `,"wa_action_id":"a","wa_action_type":"CLAIM"`,
		"rearatePO":        `,"order_id":"1"`,
		"waitPO":           `,"order_id":"1"`,
		"payDifferencePO":  `,"order_id":"1"`,
		"cancelPO":         `,"order_id":"1"`,
		"sendRecovery":     `,"tx":"a1"`,
	} {
		status, body := b.call(t, call, wallets(more))
		if message := refusal(t, body); status != 200 || message != fault.CatchingUp.Text {
			t.Errorf("%s: HTTP %d %q", call, status, message)
		}
	}
	if status, body := b.call(t, "postInfoWallet", wallets("")); status != 200 ||
		!strings.Contains(string(body), `"success":true`) {
		t.Errorf("a read while paused: got HTTP %d %s, want success", status, body)
	}
	if b.fake.changes.Load() != 0 {
		t.Error("a service made a change while paused")
	}
	// The service itself decides whether automatic compounding can end.
	status, body := b.call(t, "postAction", wallets(`,"utxos":[],"wa_action_type":"END_AUTO_COMPOUND"`))
	if b.fake.changes.Load() != 1 {
		t.Errorf("END_AUTO_COMPOUND did not reach the service: HTTP %d %s", status, body)
	}
}

// TestInternalErrorsAreHidden makes the services fail and panic. The response has an id, and the log has the cause.
func TestInternalErrorsAreHidden(t *testing.T) {
	b := build(t, nil)
	b.fake.broken = true
	for call, body := range map[string]string{"postInfoWallet": wallets(""), "infoGlobals": ""} {
		status, answer := b.call(t, call, body)
		message := refusal(t, answer)
		if status != 500 || strings.Contains(message, "secret") || strings.Contains(message, "sql") {
			t.Errorf("%s: HTTP %d %q", call, status, message)
		}
		id := message[strings.LastIndex(message, " ")+1 : len(message)-1]
		if len(id) != 12 || !strings.Contains(b.log.String(), id) {
			t.Errorf("the log does not contain the error id %q", id)
		}
	}
	if log := b.log.String(); !strings.Contains(log, "secret") || strings.Contains(log, ordinalsAddr) {
		t.Errorf("the log lacks the cause or contains an address:\n%s", log)
	}
	response := b.do(t, "GET", "/readyz", "", nil)
	defer response.Body.Close()
	if response.StatusCode != 503 {
		t.Errorf("readyz: HTTP %d", response.StatusCode)
	}
}

// TestUnreachableDatabase checks that an unreachable database is 503 with Retry-After, not an internal error.
func TestUnreachableDatabase(t *testing.T) {
	b := build(t, nil)
	b.fake.away = true
	r := b.do(t, "POST", "/lobo/postInfoWallet", "application/json", strings.NewReader(wallets("")))
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 503 || r.Header.Get("Retry-After") != "5" ||
		strings.Contains(string(body), "10.0.0.7") {
		t.Errorf("HTTP %d, Retry-After %q, %s, %v", r.StatusCode, r.Header.Get("Retry-After"), body, err)
	}
}

// TestCellsAreNoFormulas checks that a spreadsheet does not evaluate a cell.
func TestCellsAreNoFormulas(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "1.5 LOBO: deposited": "1.5 LOBO: deposited", "=HYPERLINK(1)": "'=HYPERLINK(1)", "+1": "'+1", "-1": "'-1",
		"@x": "'@x", "\t=1": "'\t=1",
	} {
		if got := plain(cell); got != want {
			t.Errorf("plain(%q): got %q, want %q", cell, got, want)
		}
	}
}

// TestProxiesPassTheLargestBody checks that the examples of proxies leave it to the server to refuse a body: a recovery
// of many stakes is larger than every other request.
func TestProxiesPassTheLargestBody(t *testing.T) {
	limit := regexp.MustCompile(`(?:client_max_body_size|max_size) (\d+)(?:m;|MB)\n`)
	for _, path := range []string{"packaging/nginx.conf", "packaging/Caddyfile", "internal/operate/setup/Caddyfile.tmpl"} {
		text, err := os.ReadFile("../../" + path)
		found := limit.FindStringSubmatch(string(text))
		if err != nil || found == nil {
			t.Fatalf("%s has no limit in MB: %v", path, err)
		}
		megabytes, _ := strconv.ParseInt(found[1], 10, 64) // digits, as matched
		for call, largest := range largeBodies {
			if megabytes*1_000_000 < largest {
				t.Errorf("%s refuses bodies above %s MB; %s takes %d bytes", path, found[1], call, largest)
			}
		}
	}
}
