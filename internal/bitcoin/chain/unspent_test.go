package chain

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// TestUnspentOutput follows an output through its life on a node: it exists, a transaction in the mempool spends it,
// and a block spends it.
func TestUnspentOutput(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(byte) *node) {
		n := start(1)
		ctx := t.Context()
		blocks := n.mine(101)
		coinbase := blocks[0].Txs[0]
		coin := wire.OutPoint{Hash: coinbase.ID}
		want := func(what string, out wire.OutPoint, confirmations int64, isCoinbase bool, tx Tx) {
			t.Helper()
			got, err := n.UnspentOutput(ctx, out)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			output := tx.Msg.TxOut[out.Index]
			best, _ := n.tip()
			if got.Confirmations != confirmations || got.Coinbase != isCoinbase || got.Best != best ||
				got.Output.Value != output.Value || string(got.Output.PkScript) != string(output.PkScript) {
				t.Errorf("%s: %+v, want %+v with %d confirmations at %s", what, got, output, confirmations, best)
			}
		}
		unknown := func(what string, out wire.OutPoint) {
			t.Helper()
			if got, err := n.UnspentOutput(ctx, out); !errors.Is(err, ErrUnknown) {
				t.Errorf("%s: %+v, %v; want ErrUnknown", what, got, err)
			}
		}
		spent := func(what string, by chainhash.Hash, outs ...wire.OutPoint) {
			t.Helper()
			got, err := n.Spenders(ctx, outs...)
			if err != nil || len(got) != 1 || got[coin] != by {
				t.Errorf("%s: %v, %v; want only %s", what, got, err, by)
			}
		}
		want("coinbase", coin, 101, true, coinbase)
		other := wire.OutPoint{Hash: blocks[1].Txs[0].ID}
		missing := wire.OutPoint{Hash: chainhash.HashH([]byte("none")), Index: 1<<32 - 1}
		unknown("no such output", missing)
		unknown("no such index", wire.OutPoint{Hash: coinbase.ID, Index: 7})
		if got, err := n.Spenders(ctx, coin, other, missing); err != nil || len(got) != 0 {
			t.Errorf("spenders in an empty mempool: %v, %v", got, err)
		}
		if got, err := n.Spenders(ctx); err != nil || len(got) != 0 {
			t.Errorf("spenders of nothing: %v, %v", got, err)
		}

		tx := n.spend(coinbase, 1_234)
		n.broadcast(tx)
		made := wire.OutPoint{Hash: tx.ID}
		want("spent in the mempool", coin, 101, true, coinbase)
		spent("in the mempool", tx.ID, other, coin, missing, made)
		unknown("unconfirmed", made)
		replacement := n.spend(coinbase, 50_000)
		n.broadcast(replacement)
		spent("replaced", replacement.ID, coin)

		n.mine(1)
		unknown("spent in a block", coin)
		want("confirmed", wire.OutPoint{Hash: replacement.ID}, 1, false, replacement)
		if got, err := n.Spenders(ctx, coin); err != nil || len(got) != 0 {
			t.Errorf("spenders of an output that a block spends: %v, %v", got, err)
		}
		n.mine(2)
		want("deeper", wire.OutPoint{Hash: replacement.ID}, 3, false, replacement)
	})
}

// TestSats checks that every amount is read exactly from the nodes' notation in BTC.
func TestSats(t *testing.T) {
	for _, want := range []int64{
		0, 1, 7, 330, 545, 546, 9_999, 1e8 - 1, 1e8, 123_456_789_012_345, maxMoney - 1, maxMoney,
	} {
		text, err := json.Marshal(float64(want) / 1e8) // as both nodes write it
		if err != nil {
			t.Fatal(err)
		}
		var btc float64
		if err := json.Unmarshal(text, &btc); err != nil {
			t.Fatal(err)
		}
		if got, err := sats(btc); err != nil || got != want {
			t.Errorf("%s BTC is %d sats, %v; want %d", text, got, err, want)
		}
	}
	for _, btc := range []float64{-1e-8, 21e6 + 1e-8, math.Inf(1), math.Inf(-1), math.NaN()} {
		if got, err := sats(btc); err == nil {
			t.Errorf("%g BTC is %d sats, want an error", btc, got)
		}
	}
}

// TestUnspentAnswers checks answers that no node should give.
func TestUnspentAnswers(t *testing.T) {
	coin := wire.OutPoint{Hash: chainhash.HashH([]byte("coin")), Index: 1}
	entry := func(txid string) string { return `{"txid":"` + txid + `","vout":1` }
	best := strings.Repeat("ab", 32)
	for what, result := range map[string]string{
		"bad script":         `{"bestblock":"` + best + `","confirmations":3,"value":1,"scriptPubKey":{"hex":"5x"}}`,
		"negative":           `{"bestblock":"` + best + `","confirmations":3,"value":-1,"scriptPubKey":{"hex":"51"}}`,
		"too much":           `{"bestblock":"` + best + `","confirmations":3,"value":21000001,"scriptPubKey":{"hex":"51"}}`,
		"bad block":          `{"bestblock":"xy","confirmations":3,"value":1,"scriptPubKey":{"hex":"51"}}`,
		"not an object":      `[1]`,
		"text":               `"nothing"`,
		"nobody":             `[]`,
		"one too many":       `[` + entry(coin.Hash.String()) + `},` + entry(coin.Hash.String()) + `}]`,
		"another output":     `[` + entry(best) + `}]`,
		"bad spender":        `[` + entry(coin.Hash.String()) + `,"spendingtxid":"abc"}]`,
		"spender not in hex": `[` + entry(coin.Hash.String()) + `,"spendingtxid":"` + strings.Repeat("zz", 32) + `"}]`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"result":` + result + `,"error":null,"id":1}`))
		}))
		client := NewClient(ClientConfig{URL: server.URL})
		if got, err := client.UnspentOutput(t.Context(), coin); err == nil || errors.Is(err, ErrUnknown) {
			t.Errorf("%s: UnspentOutput returns %+v, %v; want an error", what, got, err)
		}
		if got, err := client.Spenders(t.Context(), coin); err == nil {
			t.Errorf("%s: Spenders returns %v, want an error", what, got)
		}
		server.Close()
	}
}
