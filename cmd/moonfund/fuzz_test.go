package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/ledger"
	"moonfund/runes"
	"moonfund/signer"
	"moonfund/vault"
)

// golden is an answer of the server as its own tests keep it.
func golden(f *testing.F, name string) []byte {
	f.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "api", "testdata", "golden", name+".json"))
	if err != nil {
		f.Fatal(err)
	}
	return text
}

func orFatal(f *testing.F, err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// payer is an account on regtest with its keys, and a claim that it pays.
type payer struct {
	vault.Account
	keys    *signer.Keys
	network chain.Network
	stake   vault.StakeOutput
	to      chain.Address // of the key in the stake's leaf
	request signer.Request
}

func newPayer(f *testing.F) (p payer) {
	f.Helper()
	var err error
	p.network, err = chain.NetworkByName("regtest")
	orFatal(f, err)
	p.keys, err = signer.KeysOf(bytes.Repeat([]byte{7}, 32))
	orFatal(f, err)
	xpub, err := p.keys.AccountXpub(0, p.network)
	orFatal(f, err)
	p.Account, err = vault.NewAccount(xpub, p.network)
	orFatal(f, err)
	leaf, err := hex.DecodeString("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	orFatal(f, err)
	key, err := schnorr.ParsePubKey(leaf)
	orFatal(f, err)
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(key))
	orFatal(f, err)
	p.to, _ = chain.AddressFromScript(script, p.network)
	p.stake, err = p.StakeOutput(3, leaf, 26_280)
	orFatal(f, err)
	lobo := runes.ID{Block: 878_389, Tx: 2822}
	payment, err := p.Coin(vault.Payment, wire.OutPoint{Hash: chainhash.Hash{1}}, 9_000, nil, "a")
	orFatal(f, err)
	treasury, err := p.Coin(vault.TreasuryRunes, wire.OutPoint{Hash: chainhash.Hash{2}}, 546, []runes.Balance{{ID: lobo, Amount: uint128.From64(5_000)}}, "")
	orFatal(f, err)
	runeChange, _ := p.TreasuryRunes()
	satsChange, _ := p.TreasurySats()
	delivery := vault.Delivery{OrderID: "a", Rune: lobo, Amount: 900, To: p.to.Script, Value: 546}
	p.request = signer.Request{Inputs: []vault.Coin{payment, treasury}, Orders: []signer.Order{{Delivery: delivery}}}
	p.request.Tx, _, err = vault.BuildPayout(vault.PayoutPlan{
		Inputs: p.request.Inputs, Deliveries: []vault.Delivery{delivery}, Rune: lobo,
		RuneChange: runeChange.Script, SatsChange: satsChange.Script, FeeRate: amount.SatPerVB(2),
	})
	orFatal(f, err)
	return p
}

// FuzzSigned reads anything as an exported payout, and as a signed one that is handed in: a PSBT in base64, or a transaction in
// hex. An export is of its own transaction and can be shown; what is handed in is a whole transaction with every input signed.
func FuzzSigned(f *testing.F) {
	p := newPayer(f)
	reasons, err := json.Marshal(p.request)
	orFatal(f, err)
	export := func(reasons string) string {
		text, err := p.PayoutPSBT(p.request.Tx, p.request.Inputs, vault.Origin{Fingerprint: p.keys.Fingerprint()}, []byte(reasons))
		orFatal(f, err)
		return text
	}
	signed := p.request.Tx.Copy()
	for _, in := range signed.TxIn {
		in.Witness = wire.TxWitness{make([]byte, 64)}
	}
	handed, err := vault.SignPayoutPSBT(export(string(reasons)), signed)
	orFatal(f, err)
	if _, err := readExported(handed); err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		export(string(reasons)), " " + handed + "\n", handed[:len(handed)-8], strings.ToLower(handed), strings.Replace(handed, "A", "A\n", 1),
		export(""), export("{}"), export(`{"Tx":null}`), export(`{"Tx":{"TxIn":[null]},"Orders":[{}]}`), export(string(reasons) + "{}"),
		export(strings.Replace(string(reasons), `"Value":546`, `"Value":547`, 1)), export(strings.Replace(string(reasons), `"Orders":[`, `"Orders":[{},`, 1)),
		hex.EncodeToString(chain.NewTx(signed).Bytes()), hex.EncodeToString(chain.NewTx(p.request.Tx).Bytes()), hex.EncodeToString([]byte("psbt\xff")), "", "00",
	} {
		f.Add(text)
	}
	own, anyFee, err := vault.RecoveryPSBTs(p.stake, wire.OutPoint{Hash: chainhash.Hash{3}}, 546, p.to.Script, amount.SatPerVB(1))
	orFatal(f, err)
	f.Add(anyFee)
	f.Add(*own)
	f.Fuzz(func(t *testing.T, text string) {
		if request, err := readExported(text); err == nil {
			if tx, _, err := vault.ReadPayoutPSBT(text); err != nil || tx.TxHash() != request.Tx.TxHash() || len(request.Orders) == 0 {
				t.Fatalf("%q is an export of another transaction: %v", text, err)
			}
			if shown := describeRequest(request, p.network); !strings.Contains(shown, request.Tx.TxHash().String()) {
				t.Fatalf("shown as %q", shown)
			}
		}
		tx, err := readSigned(text)
		if err != nil {
			return
		}
		if again, err := chain.DecodeTx(tx.Bytes()); err != nil || again.ID != tx.ID {
			t.Fatalf("%q is no whole transaction: %v", text, err)
		}
		if _, err := hex.DecodeString(strings.TrimSpace(text)); err == nil {
			return // a transaction in hex is judged by what it spends
		}
		for i, in := range tx.Msg.TxIn {
			if len(in.Witness)+len(in.SignatureScript) == 0 {
				t.Fatalf("input %d is not signed in what was taken out of %q", i, text)
			}
		}
	})
}

// FuzzPublished reads anything as what a server publishes of an epoch. What is taken has a cut, and amounts that can be counted.
func FuzzPublished(f *testing.F) {
	for _, name := range []string{"epochs.46", "epochs.48", "epochs", "postInfoWallet.unknown"} {
		f.Add(golden(f, name))
	}
	right := string(golden(f, "epochs.46"))
	for from, to := range map[string]string{
		`"amount": "100000000000"`: `"amount": "-1"`, `"budget": "`: `"budget": "9223372036854775808`, `"cut_height": `: `"cut_height": -`, `"settled": true`: `"settled": false`,
		`"inputs": [`: `"inputs": [null,`, `"cut_hash": "`: `"cut_hash": null, "x": "`, `"stake": "`: `"stake": "1e`, `"start": "`: `"start": "x`,
	} {
		changed := strings.Replace(right, from, to, 1)
		if changed == right {
			f.Fatalf("the record has no %s", from)
		}
		f.Add([]byte(changed))
	}
	if p, err := readPublished(strings.NewReader(right)); err != nil || len(p.Inputs) == 0 || len(p.Rewards) == 0 {
		f.Fatalf("%+v, %v", p, err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := readPublished(bytes.NewReader(text))
		if err != nil {
			return
		}
		least := p.Budget
		for _, unit := range p.Inputs {
			least = min(least, unit.Amount)
		}
		for _, r := range p.Rewards {
			least = min(least, r.Stake, r.Reward)
		}
		if least < 0 || p.StartCut != ledger.None {
			t.Fatalf("%q is taken for %+v", text, p)
		}
	})
}
