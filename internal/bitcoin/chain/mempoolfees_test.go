package chain

import (
	"net/http"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/amount"
)

func TestMempoolMin(t *testing.T) {
	for answer, want := range map[string]amount.FeeRate{
		`{"mempoolminfee":0.00012,"minrelaytxfee":0.00001}`:   amount.SatPerVB(12),
		`{"mempoolminfee":0.000001,"minrelaytxfee":0.000001}`: 100,
		`{"size":3,"bytes":700}`:                              0, // btcd
	} {
		c := badNode(t, func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, `{"result":`+answer+`,"error":null}`) })
		if rate, err := c.MempoolMin(t.Context()); err != nil || rate != want {
			t.Errorf("%s: %s, %v; want %s", answer, rate, err, want)
		}
	}
}

// TestDescendantFees counts the fees of a child and a grandchild, on Core only.
func TestDescendantFees(t *testing.T) {
	eachNode(t, func(t *testing.T, start func(key byte) *node) {
		n := start(1)
		coinbase := n.mine(101)[0].Txs[0]
		parent := n.spend(coinbase, 1000)
		child := n.spend(parent, 2500)
		grandchild := n.spend(child, 700)
		for _, tx := range []Tx{parent, child, grandchild} {
			n.broadcast(tx)
		}
		want := amount.Sats(0)
		if n.core {
			want = 3200
		}
		fees, err := n.DescendantFees(t.Context(), parent.ID)
		if err != nil || fees != want {
			t.Errorf("fees of descendants: %d, %v; want %d", fees, err, want)
		}
		if fees, err = n.DescendantFees(t.Context(), chainhash.Hash{1}); err != nil || fees != 0 {
			t.Errorf("of an unknown transaction: %d, %v", fees, err)
		}
	})
}
