package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// runeOrder is a mint or etch order in wire format.
type runeOrder struct {
	State        string
	Reason       string
	RuneID       string
	Transactions []struct{ Txid, Role string }
}

const ordersBase = "/orders/regtest/v1/"

// orders makes a call to the mint and etch service, which must succeed, and decodes the response.
func (s site) orders(method, path string, body, into any) {
	s.t.Helper()
	text, err := json.Marshal(body)
	must(s.t, err)
	a := s.send(method, ordersBase+path, "application/json", text)
	if a.status != http.StatusOK {
		s.t.Fatalf("%s %s: %d %s", method, path, a.status, a.body)
	}
	must(s.t, json.Unmarshal(a.body, into))
}

// runeOrdered creates an order and pays it from the faucet. It returns the order's id.
func (s site) runeOrdered(kind string, fields map[string]any) string {
	s.t.Helper()
	var created struct {
		OrderID     string
		FundAddress string
		FundAmount  int64
	}
	s.orders(http.MethodPost, "runes/"+kind+"/orders", fields, &created)
	s.dev("faucet", map[string]any{"address": created.FundAddress, "sats": created.FundAmount}, &struct{}{})
	return created.OrderID
}

func (s site) runeOrder(id string) (o runeOrder) {
	s.t.Helper()
	s.orders(http.MethodGet, "orders/"+id, nil, &o)
	return o
}

// txids returns the ids of the transactions that the service sent.
func (o runeOrder) txids() (all []string) {
	for _, t := range o.Transactions {
		if t.Role != "funding" {
			all = append(all, t.Txid)
		}
	}
	return all
}

// TestEtchAndMintKilled etches and mints a rune on btcd. The server is killed after every block, and three blocks are
// replaced. No transaction may be built twice.
func TestEtchAndMintKilled(t *testing.T) {
	h := newDevServer(t, "")
	const to = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
	fields := map[string]any{
		"runeName": "KILLED•AND•ETCHED•AGAIN", "premine": "1000", "isMintable": true,
		"terms":              map[string]any{"amount": "7", "cap": "50"},
		"destinationAddress": to, "refundAddress": to, "feeRate": 2,
	}
	etching := h.runeOrdered("etch", fields)
	var before []string
	for block := range 9 {
		h.kill()
		h.start()
		h.mine(1)
		if block == 4 {
			h.reorg(3)
		}
		o := h.runeOrder(etching)
		if len(before) > 0 && fmt.Sprint(o.txids()) != fmt.Sprint(before) {
			t.Errorf("after block %d the order's transactions are %v, want %v", block, o.txids(), before)
		}
		before = o.txids()
	}
	h.mine(2)
	o := h.runeOrder(etching)
	if o.State != "complete" || o.RuneID == "" {
		t.Fatalf("the etching: %+v\n%s", o, h.tail())
	}
	minting := h.runeOrdered("mint", map[string]any{
		"runeName": "KILLEDANDETCHEDAGAIN", "repeats": 3, "destinationAddress": to, "refundAddress": to, "feeRate": 2,
	})
	h.mine(1)
	h.kill()
	h.start()
	h.mine(1)
	if m := h.runeOrder(minting); m.State != "complete" || m.RuneID != o.RuneID {
		t.Errorf("the mints: %+v", m)
	}
	var held []struct {
		Runes []struct {
			RuneID string `json:"rune_id"`
			Amount string
		}
	}
	h.dev("utxos?address="+to, nil, &held)
	amounts := map[string]int{}
	for _, output := range held {
		for _, r := range output.Runes {
			amounts[r.RuneID+" "+r.Amount]++
		}
	}
	if amounts[o.RuneID+" 1000"] != 1 || amounts[o.RuneID+" 21"] != 1 {
		t.Errorf("the destination holds %v", amounts)
	}
	h.operate(etching, "rune-order", "list", "--state", "complete")
	h.operate("commit", "rune-order", "show", etching)
	h.audit()
}
