package devnet

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/coins"
)

// TestEsplora checks the answers for an address whose outputs are unconfirmed, confirmed, and spent.
func TestEsplora(t *testing.T) {
	s, address := serve(t), testAddress()
	outputs := func(want ...esploraOutput) []esploraOutput {
		t.Helper()
		status, raw := s.raw(http.MethodGet, EsploraPath+"/address/"+address+"/utxo", "")
		var got []esploraOutput
		if err := json.Unmarshal(raw, &got); err != nil || status != http.StatusOK || got == nil {
			t.Fatalf("status %d, %v: %s", status, err, raw)
		}
		if len(got) != len(want) {
			t.Fatalf("%d outputs, want %d: %s", len(got), len(want), raw)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("output %d is %+v, want %+v", i, got[i], want[i])
			}
		}
		return got
	}
	outputs()
	paid := s.ok("/dev/faucet", `{"address":"`+address+`","sats":12345}`)
	id, vout := paid["txid"].(string), uint32(paid["vouts"].([]any)[0].(float64))
	waiting := esploraOutput{TxID: id, Vout: vout, Value: 12_345}
	outputs(waiting)
	if _, raw := s.raw(http.MethodGet, EsploraPath+"/address/"+address+"/utxo", ""); strings.Contains(string(raw),
		"block_") {
		t.Errorf("an unconfirmed output has a block: %s", raw)
	}
	stats := func(what string, chain, mempool esploraStats) {
		t.Helper()
		got := s.ok(EsploraPath+"/address/"+address, "")
		for name, want := range map[string]esploraStats{"chain_stats": chain, "mempool_stats": mempool} {
			text, err := json.Marshal(got[name])
			var read esploraStats
			if err != nil || json.Unmarshal(text, &read) != nil || read != want {
				t.Errorf("%s: %s are %s, want %+v", what, name, text, want)
			}
		}
	}
	funded := esploraStats{TxCount: 1, FundedTxoCount: 1, FundedTxoSum: 12_345}
	stats("unconfirmed", esploraStats{}, funded)
	s.ok("/dev/mine", `{"blocks":2}`)
	mined := waiting
	at := s.Height() - 1
	header := s.ix.blocks[at]
	mined.Status = esploraStatus{true, at, header.BlockHash().String(), header.Header.Timestamp.Unix()}
	outputs(mined)
	stats("confirmed", funded, esploraStats{})
	for path, want := range map[string]string{
		"/blocks/tip/height": strconv.FormatInt(s.Height(), 10), "/blocks/tip/hash": s.ix.tipHash().String(),
	} {
		if status, got := s.raw(http.MethodGet, EsploraPath+path, ""); status != http.StatusOK || string(got) != want {
			t.Errorf("%s: %d %q, want %q", path, status, got, want)
		}
	}
	for path, want := range map[string]int{
		"/address/bc1qnothing/utxo": http.StatusBadRequest, "/address/x": http.StatusBadRequest,
		"/address/x/utxo": http.StatusBadRequest, "/blocks/tip/work": http.StatusNotFound, "/": http.StatusNotFound,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+EsploraPath+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, response.StatusCode, want)
		}
	}
}

// TestFinderOnEsplora makes the server's finder use these answers and a real btcd.
func TestFinderOnEsplora(t *testing.T) {
	s := serve(t)
	index := func(_ context.Context, outs []wire.OutPoint) (chainhash.Hash, map[wire.OutPoint]bool, error) {
		held := map[wire.OutPoint]bool{}
		for _, out := range outs {
			balances, err := s.ix.runes.RuneBalances(out)
			if err != nil {
				return chainhash.Hash{}, nil, err
			}
			held[out] = len(balances) > 0
		}
		return s.ix.tipHash(), held, nil
	}
	finder, err := coins.New(s.url+EsploraPath, s.node.client, index)
	if err != nil {
		t.Fatal(err)
	}
	address, script := addressOf(s.key.script), s.key.script
	s.ok("/dev/faucet", `{"address":"`+testAddress()+`","sats":10000,"runes":"5","prefix":"lobo"}`)
	s.ok("/dev/mine", `{"blocks":3}`)
	found, err := finder.Find(t.Context(), address, script)
	if err != nil || len(found) != coins.Most {
		t.Fatalf("found %d outputs of the miner, %v; want %d", len(found), err, coins.Most)
	}
	for _, coin := range found {
		output, at := s.ix.coins[coin.OutPoint], s.ix.coins[coin.OutPoint].height
		if balances, _ := s.ix.runes.RuneBalances(coin.OutPoint); len(balances) > 0 || output.coinbase &&
			s.Height()-at+1 < coinbaseMaturity || s.Height()-at+1 < coins.Confirmations {
			t.Errorf("found %+v at height %d of %d", coin, at, s.Height())
		}
	}
	if err := finder.Check(t.Context(), found, nil); err != nil {
		t.Errorf("check: %v", err)
	}
	outputs, err := finder.Find(t.Context(), testAddress(), script)
	if err != nil || len(outputs) != 0 {
		t.Errorf("outputs of another script: %v, %v", outputs, err)
	}
}
