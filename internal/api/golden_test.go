package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// wallets returns a body about the known wallet, with more fields.
func wallets(more string) string {
	return `{"w_wallet_code":"` + paymentAddr + `","w_wallet_code_ord":"` + ordinalsAddr + `"` + more + `}`
}

// golden are calls whose responses are stored as files. The tests of the web app use the same files, so a change of the
// format breaks both.
func golden() []struct{ name, call, body string } {
	query := "?w_wallet_code=" + paymentAddr + "&w_wallet_code_ord=" + ordinalsAddr
	key := strings.Repeat("02", 33)
	subscription := `,"action_id":"a-1","endpoint":"https://push.example.com/1","p256dh":"BKey","auth":"secret"`
	return []struct{ name, call, body string }{
		{"infoGlobals", "infoGlobals", ""},
		{"community", "community", ""},
		{"status", "status", ""},
		{"feeRates", "feeRates", ""},
		{"postInfoWallet", "postInfoWallet", wallets("")},
		{"postInfoWallet.unknown", "postInfoWallet", strings.Replace(wallets(""), ordinalsAddr, strangerAddr, 1)},
		{"postInfoWallet.wrongNetwork", "postInfoWallet", strings.Replace(wallets(""), paymentAddr, mainnetAddr, 1)},
		{"postInfoWallet.invalidAddress", "postInfoWallet", strings.Replace(wallets(""), paymentAddr, "bc1nonsense", 1)},
		{"fetchWalletUtxos", "fetchWalletUtxos", wallets(`,"include_spent":"false"`)},
		{"fetchWalletUtxos.spent", "fetchWalletUtxos", wallets(`,"include_spent":true`)},
		{"fetchWalletUtxos.none", "fetchWalletUtxos", strings.Replace(wallets(""), ordinalsAddr, strangerAddr, 1)},
		{"postDemoStake", "postDemoStake", wallets(`,"w_wallet_code_pk":"` + key + `","w_wallet_code_ord_pk":"` + key +
			`","wa_amount":"150000000000"`)},
		{"postAction", "postAction", wallets(`,"utxos":["a:0","b:1"],"wa_action_type":"UNSTAKE"`)},
		{"signWalletAction", "signWalletAction",
			wallets(`,"wa_action_id":"action-1","wa_action_type":"WITHDRAW","txid":"","signature":"c2ln","messageHash":""`)},
		{"signWalletAction.noOrder", "signWalletAction",
			wallets(`,"wa_action_id":"action-1","wa_action_type":"UNSTAKE","signature":"c2ln"`)},
		{"estimateAction", "estimateAction", wallets(`,"utxos":["a:0"],"wa_action_type":"WITHDRAW"`)},
		{"fetchClientPOs", "fetchClientPOs", wallets("")},
		{"fetchPOTxHistory", "fetchPOTxHistory", wallets(`,"order_id":"1"`)},
		{"fetchPOTxHistory.foreign", "fetchPOTxHistory", wallets(`,"order_id":"foreign"`)},
		{"rearatePO", "rearatePO", wallets(`,"order_id":"1"`)},
		{"waitPO", "waitPO", wallets(`,"order_id":"1"`)},
		{"payDifferencePO", "payDifferencePO", wallets(`,"order_id":"1"`)},
		{"estimateOneTx", "estimateOneTx", wallets(`,"utxos":["a:0"]`)},
		{"beginOneTx", "beginOneTx", wallets(`,"order_id":"1","w_wallet_code_pk":"` + key + `"`)},
		{"sendOneTx", "sendOneTx", wallets(`,"order_id":"1","psbt":"cHNidP8="`)},
		{"postAction.economy", "postAction",
			wallets(`,"utxos":["a:0"],"wa_action_type":"WITHDRAW","economy":{"feerate":2.5,"days":14}`)},
		{"cancelPO.message", "cancelPO", wallets(`,"order_id":"1"`)},
		{"cancelPO", "cancelPO", wallets(`,"order_id":"1","action_id":"cancel-1","signature":"c2ln"`)},
		{"cancelPO.again", "cancelPO", wallets(`,"order_id":"` + canceledID + `"`)},
		{"cancelPO.refused", "cancelPO", wallets(`,"order_id":"foreign"`)},
		{"recoveryKit", "recoveryKit", wallets("")},
		{"sendRecovery", "sendRecovery", wallets(`,"tx":"a1"`)},
		{"sendRecovery.foreign", "sendRecovery", strings.Replace(wallets(`,"tx":"a1"`), ordinalsAddr, strangerAddr, 1)},
		{"pushState", "pushState", wallets(`,"endpoint":"https://push.example.com/1"`)},
		{"pushState.new", "pushState", wallets("")},
		{"pushSubscribe", "pushSubscribe", wallets(subscription + `,"signature":"c2ln"`)},
		{"pushSubscribe.refused", "pushSubscribe", wallets(subscription + `,"signature":""`)},
		{"pushEnd", "pushEnd", `{"endpoint":"https://push.example.com/1"}`},
		{"activity", "activity" + query, ""},
		{"earnings", "earnings" + query, ""},
		{"earnings.older", "earnings" + query + "&before=47&limit=1", ""},
		{"autoCompound", "autoCompound" + query, ""},
		{"autoCompound.none", "autoCompound" + strings.Replace(query, ordinalsAddr, strangerAddr, 1), ""},
		{"earnings.none", "earnings" + strings.Replace(query, ordinalsAddr, strangerAddr, 1), ""},
		{"epochs", "epochs", ""},
		{"epochs.46", "epochs/46", ""},
		{"epochs.48", "epochs/48", ""},
		{"reserves", "reserves", ""},
	}
}

func TestGolden(t *testing.T) {
	b := build(t, nil)
	for _, row := range golden() {
		t.Run(row.name, func(t *testing.T) {
			status, body := b.call(t, row.call, row.body)
			if status != http.StatusOK {
				t.Fatalf("HTTP %d: %s", status, body)
			}
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, body, "", "  "); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "golden", row.name+".json")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, pretty.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(pretty.Bytes(), want) {
				t.Errorf("response differs from %s (go test ./internal/api -update writes it):\n%s", path, pretty.Bytes())
			}
		})
	}
}

// TestGoldenCoversEveryCall fails if a JSON call of the document has no golden response.
func TestGoldenCoversEveryCall(t *testing.T) {
	_, calls, err := readDocument(documentJSON)
	if err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{"/events": true, "/activity.csv": true, statementHead: true, statementAt: true,
		statementDetails: true, statementProof: true, receiptsPath: true} // tested separately
	for _, row := range golden() {
		call, _, _ := strings.Cut(row.call, "?")
		if strings.HasPrefix(call, "epochs/") {
			call = "epochs/{epoch}"
		}
		covered["/"+call] = true
	}
	for path := range calls {
		if !covered[path] {
			t.Errorf("%s has no golden response", path)
		}
	}
}

// call sends a POST with a JSON body, or a GET if body is empty, and returns status and body.
func (b *built) call(t *testing.T, call, body string) (int, []byte) {
	t.Helper()
	method, reader := http.MethodGet, io.Reader(nil)
	if body != "" {
		method, reader = http.MethodPost, strings.NewReader(body)
	}
	response := b.do(t, method, "/lobo/"+call, "application/json", reader)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode == http.StatusTooManyRequests && response.Header.Get("Retry-After") == "" {
		t.Errorf("%s: HTTP 429 without Retry-After", call)
	}
	return response.StatusCode, answer
}

func (b *built) do(t *testing.T, method, path, kind string, body io.Reader) *http.Response {
	t.Helper()
	request, err := http.NewRequest(method, b.URL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if body != nil {
		request.Header.Set("Content-Type", kind)
	}
	response, err := b.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	return response
}
