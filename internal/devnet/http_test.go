package devnet

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
)

// recorder implements Product and records its calls.
type recorder struct {
	mu      sync.Mutex
	settled int
	epoch   int64
	ended   time.Time
	clock   time.Duration
	rate    *amount.FeeRate
}

func (p *recorder) Settle(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settled++
	return nil
}

func (p *recorder) AdvanceEpoch(_ context.Context, prefix string, at time.Time) (int64, error) {
	if prefix != "" && prefix != "lobo" {
		return 0, refuse("no community has the prefix %q", prefix)
	}
	p.epoch++
	p.ended = at
	return p.epoch, nil
}

func (p *recorder) AdvanceClock(_ context.Context, by time.Duration) (time.Time, error) {
	p.clock += by
	return time.Now().Add(p.clock), nil
}

func (p *recorder) SetFeeRate(rate *amount.FeeRate) { p.rate = rate }
func (p *recorder) Communities() []Community        { return []Community{{Prefix: "lobo", Symbol: "🐺"}} }
func (p *recorder) Epoch(string) int64              { return p.epoch }

// site serves a dev network's controls over HTTP.
type site struct {
	*testing.T
	*Network
	product *recorder
	url     string
}

func serve(t *testing.T) *site {
	n := open(t, t.TempDir())
	product := &recorder{}
	server := httptest.NewServer(n.Handler(product))
	t.Cleanup(server.Close)
	return &site{t, n, product, server.URL}
}

// call sends a POST request, or a GET request if body is "", and returns the status and the JSON response.
func (s *site) call(path, body string) (int, map[string]any) {
	s.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	return s.do(method, path, body)
}

func (s *site) do(method, path, body string) (int, map[string]any) {
	s.Helper()
	status, raw := s.raw(method, path, body)
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		s.Fatalf("%s %s: %q is no JSON object", method, path, raw)
	}
	return status, out
}

func (s *site) raw(method, path, body string) (int, []byte) {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Fatal(err)
	}
	defer response.Body.Close()
	var out bytes.Buffer
	out.ReadFrom(response.Body)
	return response.StatusCode, out.Bytes()
}

func (s *site) ok(path, body string) map[string]any {
	s.Helper()
	status, out := s.call(path, body)
	if status != http.StatusOK {
		s.Fatalf("%s %s: %d %v", path, body, status, out)
	}
	return out
}

func TestControls(t *testing.T) {
	s := serve(t)
	info := s.ok("/dev/info", "")
	if info["network"] != "regtest" || int64(info["height"].(float64)) != s.Height() ||
		len(info["communities"].([]any)) != 1 {
		t.Errorf("info: %v", info)
	}
	given := s.ok("/dev/faucet", `{"address":"`+testAddress()+`","sats":70000,"runes":"150000000000","prefix":"lobo"}`)
	s.checkUTXOs(given["txid"].(string), 0)
	waiting := s.ok("/dev/tx?txid="+given["txid"].(string), "")
	if waiting["confirmations"].(float64) != 0 {
		t.Errorf("an unconfirmed transaction: %v", waiting)
	}
	mined := s.ok("/dev/mine", `{"blocks":2}`)
	if int64(mined["height"].(float64)) != s.Height() || s.product.settled != 1 {
		t.Errorf("mine: %v, settled %d times", mined, s.product.settled)
	}
	s.checkUTXOs(given["txid"].(string), 2)
	if tx := s.ok("/dev/tx?txid="+given["txid"].(string), ""); tx["hex"] != waiting["hex"] ||
		tx["confirmations"].(float64) != 2 {
		t.Errorf("a mined transaction: %v", tx)
	}
	s.checkTransaction(given["txid"].(string))
	s.checkBlocks()
	if out := s.ok("/dev/feerate", `{"sat_per_vb":1.5}`); out["sat_per_vb"] != 1.5 || *s.product.rate != 1500 {
		t.Errorf("fee rate: %v", out)
	}
	if out := s.ok("/dev/feerate", `{"sat_per_vb":null}`); out["sat_per_vb"] != nil || s.product.rate != nil {
		t.Errorf("fee rate null: %v", out)
	}
	now, err := time.Parse(time.RFC3339, s.ok("/dev/clock/advance", `{"seconds":3600}`)["now"].(string))
	if err != nil || now.Before(time.Now().Add(59*time.Minute)) {
		t.Errorf("clock: %v, %v", now, err)
	}
	before := s.Height()
	if out := s.ok("/dev/reorg", `{"depth":2}`); int64(out["height"].(float64)) != before+1 {
		t.Errorf("reorg: %v", out)
	}
	s.checkUTXOs(given["txid"].(string), 0)
}

func (s *site) checkUTXOs(txid string, confirmations float64) {
	s.Helper()
	_, raw := s.raw(http.MethodGet, "/dev/utxos?address="+testAddress(), "")
	var utxos []struct {
		TxID          string
		Vout          int
		Value         int64
		Confirmations float64
		Runes         []struct {
			RuneID string `json:"rune_id"`
			Amount string
		}
	}
	if err := json.Unmarshal(raw, &utxos); err != nil || len(utxos) != 2 {
		s.Fatalf("utxos: %s, %v", raw, err)
	}
	sats, runes := utxos[0], utxos[1]
	if sats.TxID != txid || sats.Value != 70_000 || len(sats.Runes) != 0 || sats.Confirmations != confirmations {
		s.Errorf("the sats: %+v", sats)
	}
	if runes.Value != 546 || len(runes.Runes) != 1 || runes.Runes[0].Amount != "150000000000" ||
		runes.Runes[0].RuneID != s.Runes()[0].ID.String() || runes.Confirmations != confirmations {
		s.Errorf("the runes: %+v", runes)
	}
}

// checkTransaction checks GET /dev/transaction for a faucet payment of 70,000 sats and 1,500 runes.
func (s *site) checkTransaction(txid string) {
	s.Helper()
	_, raw := s.raw(http.MethodGet, "/dev/transaction?txid="+txid, "")
	var tx transaction
	if err := json.Unmarshal(raw, &tx); err != nil || tx.TxID != txid || tx.Confirmations != 2 || tx.Height == nil ||
		tx.Time == nil {
		s.Fatalf("transaction: %s, %v", raw, err)
	}
	in, out := int64(0), int64(0)
	for _, one := range tx.Inputs {
		in += one.Value
	}
	moved := ""
	for _, one := range tx.Outputs {
		out += one.Value
		if one.Address != nil && *one.Address == testAddress() && len(one.Runes) == 1 {
			moved = one.Runes[0].Name + " " + one.Runes[0].Amount
		}
	}
	if tx.Fee == nil || *tx.Fee <= 0 || in-out != *tx.Fee || tx.VBytes < 100 {
		s.Errorf("fee and size: %s", raw)
	}
	if moved != s.Runes()[0].Name+" 150000000000" || tx.Stone == nil || tx.Stone.Cenotaph || len(tx.Stone.Edicts) == 0 {
		s.Errorf("runes moved %q: %s", moved, raw)
	}
}

// checkBlocks reads every block over HTTP and checks that each follows the previous one.
func (s *site) checkBlocks() {
	s.Helper()
	previous := *s.chain.Params.GenesisHash
	for height := int64(1); height <= s.Height(); height += 1 {
		out := s.ok("/dev/block?height="+jsonInt(height), "")
		raw, err := hex.DecodeString(out["hex"].(string))
		if err != nil {
			s.Fatal(err)
		}
		var block wire.MsgBlock
		if err := block.Deserialize(bytes.NewReader(raw)); err != nil || block.Header.PrevBlock != previous {
			s.Fatalf("block %d: %v", height, err)
		}
		previous = block.BlockHash()
	}
}

func jsonInt(n int64) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func TestAdvanceEpoch(t *testing.T) {
	s := serve(t)
	for epoch := range 3 {
		cut := s.Height()
		latest := s.ix.latestTime()
		if out := s.ok("/dev/epoch/advance", `{"prefix":"lobo"}`); int(out["epoch"].(float64)) != epoch+1 {
			t.Errorf("epoch: %v", out)
		}
		if !s.product.ended.After(latest) {
			t.Errorf("the boundary %v is not after every header so far, %v", s.product.ended, latest)
		}
		if next := s.ix.blocks[cut+1].Header.Timestamp; next.Before(s.product.ended) {
			t.Errorf("the next block's time %v is before the boundary %v", next, s.product.ended)
		}
		if confirmations := s.Height() - cut + 1; confirmations < 6 {
			t.Errorf("the cut has %d confirmations", confirmations)
		}
	}
	if status, out := s.do(http.MethodPost, "/dev/epoch/advance", ""); status != http.StatusOK {
		t.Errorf("without a body: %d %v", status, out)
	}
}

func TestBroadcastPolicy(t *testing.T) {
	s := serve(t)
	if err := s.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	pool, err := s.readMempool(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := &payment{purse: s.spendable(pool), key: s.key, tx: wire.NewMsgTx(2)}
	s.leave()
	p.tx.AddTxOut(wire.NewTxOut(1_000, s.key.script))
	if err := p.fund(); err != nil {
		t.Fatal(err)
	}
	send := func() (int, map[string]any) {
		if err := p.sign(); err != nil {
			t.Fatal(err)
		}
		return s.call("/dev/broadcast", `{"tx":"`+hex.EncodeToString(encodeTx(p.tx))+`"}`)
	}
	p.tx.TxOut[0].Value = 100
	if status, out := send(); status != http.StatusBadRequest || !strings.Contains(out["message"].(string), "dust") {
		t.Errorf("dust: %d %v", status, out)
	}
	p.tx.TxOut[0].Value = 1_000
	p.tx.Version = 9
	if status, out := send(); status != http.StatusBadRequest || !strings.Contains(out["message"].(string), "version") {
		t.Errorf("version: %d %v", status, out)
	}
	p.tx.Version = 2
	for range 2 { // broadcasting again is no error
		if status, out := send(); status != http.StatusOK || out["txid"] != p.tx.TxHash().String() {
			t.Errorf("a standard transaction: %d %v", status, out)
		}
	}
	p.tx.TxOut[0].Value = 2_000
	if status, out := send(); status != http.StatusBadRequest {
		t.Errorf("a conflicting transaction: %d %v", status, out)
	}
}

func TestBadRequests(t *testing.T) {
	s := serve(t)
	height := s.Height()
	for _, bad := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/dev/mine", `{"blocks":0}`, 400},
		{"POST", "/dev/mine", `{"blocks":-1}`, 400},
		{"POST", "/dev/mine", `{"blocks":1.5}`, 400},
		{"POST", "/dev/mine", `{"blocks":"1"}`, 400},
		{"POST", "/dev/mine", `{"blocks":1,"more":1}`, 400},
		{"POST", "/dev/mine", `{"blocks":1}{}`, 400},
		{"POST", "/dev/mine", `{"blocks":1`, 400},
		{"POST", "/dev/mine", `{"blocks":1,"without":["xyz"]}`, 400},
		{"POST", "/dev/mine", `{"blocks":1,"without":["` + strings.Repeat("0", maxBody) + `"]}`, 413},
		{"POST", "/dev/mine", ``, 400},
		{"GET", "/dev/mine", ``, 405},
		{"POST", "/dev/info", `{}`, 405},
		{"GET", "/dev/nothing", ``, 404},
		{"GET", "/dev/tx?txid=" + strings.Repeat("0", 64), ``, 404},
		{"GET", "/dev/tx", ``, 400},
		{"GET", "/dev/transaction?txid=" + strings.Repeat("0", 64), ``, 404},
		{"GET", "/dev/transaction?txid=zz", ``, 400},
		{"GET", "/dev/block?height=100000", ``, 404},
		{"GET", "/dev/block?height=-1", ``, 400},
		{"GET", "/dev/utxos?address=nobody", ``, 400},
		{"POST", "/dev/reorg", `{"depth":0}`, 400},
		{"POST", "/dev/clock/advance", `{"seconds":-1}`, 400},
		{"POST", "/dev/feerate", `{"sat_per_vb":-1}`, 400},
		{"POST", "/dev/feerate", `{}`, 400},
		{"POST", "/dev/epoch/advance", `{"prefix":"nobody"}`, 400},
		{"POST", "/dev/broadcast", `{"tx":"zz"}`, 400},
		{"POST", "/dev/broadcast", `{"tx":"00"}`, 400},
		{"POST", "/dev/faucet", `{"address":"` + testAddress() + `","runes":"1.5"}`, 400},
		{"POST", "/dev/faucet", `{"address":"` + testAddress() + `","runes":1e9}`, 400},
		{"POST", "/dev/faucet", `{}`, 400},
	} {
		status, out := s.do(bad.method, bad.path, bad.body)
		if text, _ := out["message"].(string); status != bad.status || text == "" {
			t.Errorf("%s %s %.60s: %d %v, want %d", bad.method, bad.path, bad.body, status, out, bad.status)
		}
	}
	if s.Height() != height {
		t.Error("a bad request mined a block")
	}
}

func TestLoopbackOnly(t *testing.T) {
	handler := loopbackOnly(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
	}))
	for from, want := range map[string]int{
		"127.0.0.1:5000": 200, "[::1]:5000": 200, "127.9.9.9:1": 200,
		"192.168.1.7:5000": 403, "[2001:db8::1]:5000": 403, "": 403, "@": 403,
	} {
		request := httptest.NewRequest(http.MethodGet, "/dev/info", nil)
		request.RemoteAddr = from
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if answer.Code != want {
			t.Errorf("from %q: %d, want %d", from, answer.Code, want)
		}
	}
}

// TestForeignPagesDriveNothing checks that a page of another site cannot use the controls, whether it sends its origin,
// hides it, or resolves its own name to this machine. Pages of the dev network and programs can.
func TestForeignPagesDriveNothing(t *testing.T) {
	s := serve(t)
	before := s.Height()
	host := strings.TrimPrefix(s.url, "http://")
	port := host[strings.LastIndex(host, ":"):]
	for _, row := range []struct {
		name, host, origin, site string
		status                   int
	}{
		{"a program", host, "", "", http.StatusOK},
		{"the network's own page", host, "http://" + host, "same-origin", http.StatusOK},
		{"a community's page", "lobo.localhost" + port, "http://lobo.localhost" + port, "same-origin", http.StatusOK},
		{"another site", host, "https://evil.example", "cross-site", http.StatusForbidden},
		{"another port of this machine", host, "http://localhost:1", "same-site", http.StatusForbidden},
		{"no origin to name", host, "null", "cross-site", http.StatusForbidden},
		{"an origin that is none", host, "http://%zz", "", http.StatusForbidden},
		{"cross-site without an origin", host, "", "cross-site", http.StatusForbidden},
		{"a name that points here", "evil.example" + port, "http://evil.example" + port, "same-origin",
			http.StatusMisdirectedRequest},
		{"localhost as a part of a name", "localhost.evil.example" + port, "", "", http.StatusMisdirectedRequest},
	} {
		request, err := http.NewRequest(http.MethodPost, s.url+"/dev/mine", strings.NewReader(`{"blocks":1}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Host = row.host
		for name, value := range map[string]string{"Origin": row.origin, "Sec-Fetch-Site": row.site} {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != row.status {
			t.Errorf("%s: status %d, want %d", row.name, answer.StatusCode, row.status)
		}
		if row.status == http.StatusOK {
			before++
		}
		if height := s.Height(); height != before {
			t.Errorf("%s: height %d, want %d", row.name, height, before)
		}
	}
}
