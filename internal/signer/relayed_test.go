package signer

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/testkit/corenode"
)

// A node of the Core family with the settings that the documentation recommends relays the transactions of an etching
// without an inscription, signed by the product's signer. Knots since 29.4 refuses the envelope of an inscription for
// its OP_IF, which no setting allows, and which no unsigned probe shows.
func TestEtchingIsRelayed(t *testing.T) {
	for name, inscription := range map[string]*vault.Inscription{
		"without an inscription": nil, "with an inscription": {ContentType: "text/plain", Body: []byte("howl")},
	} {
		t.Run(name, func(t *testing.T) {
			flags := []string{"-acceptnonstdtxn=0", "-disablewallet"}
			knots := corenode.IsKnots(t)
			if knots {
				flags = append(flags, "-rejecttokens=0", "-acceptnonstddatacarrier=1")
			}
			node := corenode.New(t, flags...)
			node.Start()
			m := newMinting(t, true)
			o := m.plan.Order
			o.Etch = &vault.RuneEtch{Etching: runes.Etching{Name: o.Etch.Etching.Name}, Inscription: inscription}
			m.plan = m.planned(o)
			reveal := m.relayed(node)
			err := node.Try(nil, "sendrawtransaction", hex.EncodeToString(serialized(t, reveal)))
			switch {
			case inscription == nil && err != nil:
				t.Errorf("the node refuses the reveal: %v", err)
			case inscription != nil && err != nil && (!knots || !strings.Contains(err.Error(), "OP_IF")):
				t.Errorf("the node refuses the reveal with an inscription: %v", err)
			}
		})
	}
}

// relayed has a node mine a payment of the order and its signed commitment, and returns the signed reveal.
func (m *minting) relayed(node *corenode.Node) *wire.MsgTx {
	m.Helper()
	var hashes []string
	node.Call(&hashes, "generatetoaddress", 101, m.plan.Fund.Text)
	var block struct {
		Tx []struct{ TxID, Hex string }
	}
	node.Call(&block, "getblock", hashes[0], 2)
	var paid wire.MsgTx
	must(m, paid.Deserialize(hex.NewDecoder(strings.NewReader(block.Tx[0].Hex))))
	id, err := chainhash.NewHashFromStr(block.Tx[0].TxID)
	must(m, err)
	coin, err := m.plan.Coin(vault.OrderFund, wire.OutPoint{Hash: *id}, amount.Sats(paid.TxOut[0].Value))
	must(m, err)
	m.config.Balances = nil // the index of this test does not follow the node
	txs, err := m.plan.CommitAndReveal([]vault.Coin{coin}, vault.FeeTarget{Rate: amount.SatPerVB(3)})
	must(m, err)
	commit, err := m.signer().Sign(m.Context(), m.request(txs[0]))
	must(m, err)
	node.Call(nil, "sendrawtransaction", hex.EncodeToString(serialized(m, commit)))
	node.Call(nil, "generatetoaddress", runes.CommitConfirmations, m.plan.Fund.Text)
	reveal, err := m.signer().Sign(m.Context(), m.request(txs[1]))
	must(m, err)
	return reveal
}
