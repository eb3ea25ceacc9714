package devnet

import (
	"errors"
	"sync"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
)

// held returns the sats and the base units of a rune at an address, including unconfirmed outputs.
func held(t *testing.T, n *Network, address string, of Etched) (sats int64, units uint128.Uint128) {
	t.Helper()
	script, err := n.parseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer n.leave()
	pool, err := n.readMempool(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range pool.coinsOf(script) {
		sats += c.Value
		for _, b := range c.runes {
			if b.ID == of.ID {
				units = units.Add(b.Amount)
			}
		}
	}
	return sats, units
}

func TestFaucetTogether(t *testing.T) {
	n := open(t, t.TempDir())
	const calls = 40
	txids := make([]chainhash.Hash, calls)
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			var err error
			var vouts []uint32
			txids[i], vouts, err = n.Faucet(t.Context(), testAddress(), 100_000, 1_000, "pups")
			if err != nil || len(vouts) != 2 {
				t.Errorf("call %d: %v, %v", i, vouts, err)
			}
		})
	}
	all.Wait()
	check := func(when string) {
		sats, units := held(t, n, testAddress(), n.Runes()[1])
		if sats != calls*(100_000+dustSats) || units != uint128.From64(calls*1_000) {
			t.Errorf("%s the address holds %d sats and %s base units", when, sats, units)
		}
	}
	check("in the mempool")
	mine(t, n, 1)
	check("in a block")
	for _, txid := range txids {
		if confirmations(t, n, txid) != 1 {
			t.Errorf("%s was not mined", txid)
		}
	}
}

// TestFaucetCombinesCoins requests more sats than any coin holds and the whole supply of a rune, and checks that
// invalid requests are rejected.
func TestFaucetCombinesCoins(t *testing.T) {
	n := open(t, t.TempDir())
	of := n.Runes()[0]
	if _, _, err := n.Faucet(t.Context(), testAddress(), faucetMost, amount.Runes(of.Supply), "lobo"); err != nil {
		t.Fatal(err)
	}
	sats, units := held(t, n, testAddress(), of)
	if sats != faucetMost+dustSats || units != uint128.From64(uint64(of.Supply)) {
		t.Errorf("the address holds %d sats and %s base units", sats, units)
	}
	for name, ask := range map[string]struct {
		address string
		sats    amount.Sats
		runes   amount.Runes
		prefix  string
	}{
		"runes that are gone": {testAddress(), 0, 1, "lobo"},
		"too many sats":       {testAddress(), faucetMost + 1, 0, ""},
		"dust":                {testAddress(), 545, 0, ""},
		"negative":            {testAddress(), -1, 0, ""},
		"foreign prefix":      {testAddress(), 1_000, 0, "nobody"},
		"mainnet":             {"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 1_000, 0, ""},
		"no address":          {"bcrt1qqqq", 1_000, 0, ""},
	} {
		if _, _, err := n.Faucet(t.Context(), ask.address, ask.sats, ask.runes, ask.prefix); err == nil {
			t.Errorf("%s: Faucet succeeded, want an error", name)
		} else if refused := (*Refused)(nil); !errors.As(err, &refused) {
			t.Errorf("%s: got %v, want a *Refused", name, err)
		}
	}
}

func TestFundTreasury(t *testing.T) {
	n := open(t, t.TempDir())
	txids, err := n.FundTreasury(t.Context(), Treasury{
		Prefix: "lobo", RunesAddress: testAddress(), Runes: 1_000_000_000_003, SatsAddress: testAddress(), Sats: 100_000_000,
		Outputs: 12,
	})
	if err != nil {
		t.Fatal(err)
	}
	sats, units := held(t, n, testAddress(), n.Runes()[0])
	if sats != 100_000_000+12*dustSats || units != uint128.From64(1_000_000_000_003) {
		t.Errorf("the treasury holds %d sats and %s base units", sats, units)
	}
	for _, txid := range txids {
		if confirmations(t, n, txid) != 1 {
			t.Errorf("%s was not mined", txid)
		}
	}
}
