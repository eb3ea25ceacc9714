package signer

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"
)

// payer is an account on regtest with its keys and a claim that it pays.
type payer struct {
	vault.Account
	keys    *Keys
	network chain.Network
	stake   vault.StakeOutput
	to      chain.Address // address of the key in the stake's leaf
	request Request
}

func newPayer(f *testing.F) (p payer) {
	f.Helper()
	var err error
	p.network, err = chain.NetworkByName("regtest")
	must(f, err)
	p.keys, err = newKeys(bytes.Repeat([]byte{7}, 32))
	must(f, err)
	xpub, err := p.keys.AccountXpub(0, p.network)
	must(f, err)
	p.Account, err = vault.NewAccount(xpub, p.network)
	must(f, err)
	leaf, err := hex.DecodeString("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	must(f, err)
	key, err := schnorr.ParsePubKey(leaf)
	must(f, err)
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(key))
	must(f, err)
	p.to, _ = chain.AddressFromScript(script, p.network)
	p.stake, err = p.StakeOutput(vault.StakeKeys{Position: 3, Leaf: leaf, Delay: 26_280})
	must(f, err)
	lobo := runes.ID{Block: 878_389, Tx: 2822}
	payment, err := p.Coin(vault.Payment, wire.OutPoint{Hash: chainhash.Hash{1}}, 9_000, nil, "a")
	must(f, err)
	treasury, err := p.Coin(vault.TreasuryRunes, wire.OutPoint{Hash: chainhash.Hash{2}}, 546,
		[]runes.Balance{{ID: lobo, Amount: uint128.From64(5_000)}}, "")
	must(f, err)
	runeChange, _ := p.TreasuryRunes()
	satsChange, _ := p.TreasurySats()
	delivery := vault.Delivery{OrderID: "a", Rune: lobo, Amount: 900, To: p.to.Script, Value: 546}
	p.request = Request{Inputs: []vault.Coin{payment, treasury}, Orders: []Order{{Delivery: delivery}}}
	p.request.Tx, _, err = vault.BuildPayout(vault.PayoutPlan{
		Inputs: p.request.Inputs, Deliveries: []vault.Delivery{delivery}, Rune: lobo,
		RuneChange: runeChange.Script, SatsChange: satsChange.Script, FeeRate: amount.SatPerVB(2),
	})
	must(f, err)
	return p
}

// FuzzSigned reads arbitrary text as an exported payout and as a signed payout: a PSBT in base64 or a transaction in
// hex. An accepted export matches its own transaction and can be described. An accepted signed payout is a complete
// transaction with every input signed.
func FuzzSigned(f *testing.F) {
	p := newPayer(f)
	reasons, err := json.Marshal(p.request)
	must(f, err)
	export := func(reasons string) string {
		text, err := p.PayoutPSBT(p.request.Tx, p.request.Inputs, vault.Origin{Fingerprint: p.keys.Fingerprint()},
			[]byte(reasons))
		must(f, err)
		return text
	}
	signed := p.request.Tx.Copy()
	for _, in := range signed.TxIn {
		in.Witness = wire.TxWitness{make([]byte, 64)}
	}
	handed, err := vault.SignPayoutPSBT(export(string(reasons)), signed)
	must(f, err)
	if _, err := ReadExport(handed); err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		export(string(reasons)), " " + handed + "\n", handed[:len(handed)-8], strings.ToLower(handed),
		strings.Replace(handed, "A", "A\n", 1),
		export(""), export("{}"), export(`{"Tx":null}`), export(`{"Tx":{"TxIn":[null]},"Orders":[{}]}`),
		export(string(reasons) + "{}"),
		export(strings.Replace(string(reasons), `"Value":546`, `"Value":547`, 1)),
		export(strings.Replace(string(reasons), `"Orders":[`, `"Orders":[{},`, 1)),
		hex.EncodeToString(chain.NewTx(signed).Bytes()), hex.EncodeToString(chain.NewTx(p.request.Tx).Bytes()),
		hex.EncodeToString([]byte("psbt\xff")), "", "00",
	} {
		f.Add(text)
	}
	own, anyFee, err := vault.RecoveryPSBTs(p.stake, wire.OutPoint{Hash: chainhash.Hash{3}}, 546, p.to.Script,
		amount.SatPerVB(1))
	must(f, err)
	f.Add(anyFee)
	f.Add(*own)
	f.Fuzz(func(t *testing.T, text string) {
		if request, err := ReadExport(text); err == nil {
			if tx, _, err := vault.ReadPayoutPSBT(text); err != nil || tx.TxHash() != request.Tx.TxHash() ||
				len(request.Orders) == 0 {
				t.Fatalf("%q is accepted as an export of another transaction: %v", text, err)
			}
			if shown := request.Describe(p.network); !strings.Contains(shown, request.Tx.TxHash().String()) {
				t.Fatalf("Describe does not contain the transaction's id: %q", shown)
			}
		}
		tx, err := vault.ReadSigned(text)
		if err != nil {
			return
		}
		if again, err := chain.DecodeTx(tx.Bytes()); err != nil || again.ID != tx.ID {
			t.Fatalf("%q is accepted and is not a complete transaction: %v", text, err)
		}
		if _, err := hex.DecodeString(strings.TrimSpace(text)); err == nil {
			return // the inputs of a hex transaction are checked elsewhere
		}
		for i, in := range tx.Msg.TxIn {
			if len(in.Witness)+len(in.SignatureScript) == 0 {
				t.Fatalf("input %d has no signature in the transaction from %q", i, text)
			}
		}
	})
}
