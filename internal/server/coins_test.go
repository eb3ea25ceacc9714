package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/coins"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/testkit"
)

// esploraOf serves the unspent outputs of the world's node like an Esplora server.
func esploraOf(w *testkit.World) string {
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		address, err := chain.ParseAddress(path.Base(path.Dir(r.URL.Path)), w.Network)
		testkit.Must(w, err)
		list := []map[string]any{}
		for _, coin := range w.Node.Coins(address.Script) {
			list = append(list, map[string]any{
				"txid": coin.OutPoint.Hash.String(), "vout": coin.OutPoint.Index, "value": coin.Out.Value,
			})
		}
		testkit.Must(w, json.NewEncoder(answer).Encode(list))
	}))
	w.Cleanup(server.Close)
	return server.URL
}

// TestCoinsOfStaker checks with the server's own rune index that outputs with runes are not found, and that nothing is
// accepted before the index is at the node's tip.
func TestCoinsOfStaker(t *testing.T) {
	w := testkit.NewWorld(t)
	w.Settle(coins.Confirmations)
	s := &Server{Config: Config{Store: w.Store}}
	finder, err := coins.New(esploraOf(w), w.Node, s.holding)
	testkit.Must(t, err)
	find := func(address chain.Address) []vault.Coin {
		t.Helper()
		found, err := finder.Find(t.Context(), address.Text, address.Script)
		testkit.Must(t, err)
		return found
	}
	found := find(w.Anna.Payment)
	if len(found) == 0 {
		t.Fatal("no output of the payment address is found")
	}
	if err := finder.Check(t.Context(), found, nil); err != nil {
		t.Errorf("check of found outputs: %v", err)
	}
	held := w.Anna.Runes()
	if held.Out.Value < coins.Least {
		held.Out.Value = coins.Least // as on the node, so that only the runes are a reason
	}
	for _, coin := range find(w.Anna.Ordinals) {
		if coin.OutPoint == held.OutPoint {
			t.Errorf("found output %s, which holds runes", coin.OutPoint)
		}
	}
	with := vault.Coin{OutPoint: held.OutPoint, Output: *held.Out}
	if unfit, ok := errors.AsType[*vault.UnfitCoin](finder.Check(t.Context(), []vault.Coin{with}, nil)); !ok ||
		unfit.Reason != string(coins.Runes) {
		t.Errorf("check of an output with runes: %v", unfit)
	}
	w.Node.Mine()
	if err := finder.Check(t.Context(), found, nil); !errors.Is(err, vault.ErrCoinsUnavailable) {
		t.Errorf("the index is a block behind: %v, want ErrUnavailable", err)
	}
	w.Step()
	if err := finder.Check(t.Context(), found, nil); err != nil {
		t.Errorf("the index is at the tip: %v", err)
	}
}

// TestCoinsOff checks that the server logs why withdrawals in one transaction are off with an index of some runes.
func TestCoinsOff(t *testing.T) {
	network, err := chain.NetworkByName("regtest")
	testkit.Must(t, err)
	full := runes.RulesFor(network)
	for what, c := range map[string]struct {
		esplora string
		rules   runes.Rules
		on      bool
		logged  string
	}{
		"no server":       {"", full, false, ""},
		"full index":      {"https://esplora.example.org/api", full, true, ""},
		"index of a rune": {"https://esplora.example.org/api", full.Only(testkit.Rune), false, "they need --index full"},
	} {
		var log bytes.Buffer
		s := &Server{Config: Config{Esplora: c.esplora, Rules: c.rules, Log: slog.New(slog.NewTextHandler(&log, nil))}}
		if err := s.findCoins(); err != nil || (s.Coins != nil) != c.on || !strings.Contains(log.String(), c.logged) ||
			c.logged == "" && log.Len() > 0 {
			t.Errorf("%s: %v, on: %v, log: %s", what, err, s.Coins != nil, &log)
		}
	}
	s := &Server{Config: Config{Esplora: "http://esplora.example.org", Rules: full}}
	if err := s.findCoins(); err == nil {
		t.Error("http to another machine is accepted")
	}
}
