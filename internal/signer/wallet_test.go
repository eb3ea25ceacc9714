package signer

import (
	"bytes"
	"encoding/base64"
	"testing"
	"time"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/signed/message"
)

// wallet is a staker's wallet: a taproot or p2pkh ordinals address and a p2wpkh payment address.
type wallet struct {
	ordinalsKey, paymentKey *btcec.PrivateKey
	ordinals, payment       chain.Address
	leaf                    []byte
}

func newWallet(t testing.TB, n byte, kind chain.AddressType, network chain.Network) wallet {
	t.Helper()
	w := wallet{}
	w.ordinalsKey, _ = btcec.PrivKeyFromBytes(bytes.Repeat([]byte{2*n + 1}, 32))
	w.paymentKey, _ = btcec.PrivKeyFromBytes(bytes.Repeat([]byte{2*n + 2}, 32))
	w.leaf = schnorr.SerializePubKey(w.ordinalsKey.PubKey())
	hash := address.Hash160(w.ordinalsKey.PubKey().SerializeCompressed())
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(w.ordinalsKey.PubKey()))
	must(t, err)
	if kind == chain.P2PKH {
		script = append([]byte{txscript.OP_DUP, txscript.OP_HASH160, 20}, hash...)
		script = append(script, txscript.OP_EQUALVERIFY, txscript.OP_CHECKSIG)
	}
	w.ordinals, _ = chain.AddressFromScript(script, network)
	hash = address.Hash160(w.paymentKey.PubKey().SerializeCompressed())
	w.payment, _ = chain.AddressFromScript(append([]byte{txscript.OP_0, 20}, hash...), network)
	return w
}

// sign signs a text with the key of the wallet's ordinals address: BIP-322 simple for taproot, a compact signature for
// p2pkh.
func (w wallet) sign(t testing.TB, text string) string {
	t.Helper()
	if w.ordinals.Type == chain.P2PKH {
		return compact(w.ordinalsKey, text, 0)
	}
	spend := wire.NewMsgTx(0)
	hash := message.Hash(text)
	spend.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Index: 0xffffffff},
		SignatureScript: append([]byte{txscript.OP_0, 32}, hash[:]...)})
	spend.AddTxOut(wire.NewTxOut(0, w.ordinals.Script))
	tx := wire.NewMsgTx(0)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: spend.TxHash()}})
	tx.AddTxOut(wire.NewTxOut(0, []byte{txscript.OP_RETURN}))
	hashes := txscript.NewTxSigHashes(tx, txscript.NewCannedPrevOutputFetcher(w.ordinals.Script, 0))
	signature, err := txscript.RawTxInTaprootSignature(tx, hashes, 0, 0, w.ordinals.Script, nil, txscript.SigHashDefault,
		w.ordinalsKey)
	must(t, err)
	return base64.StdEncoding.EncodeToString(append([]byte{1, byte(len(signature))}, signature...))
}

// signPayment signs with the key of the payment address (BIP-137 header for p2wpkh).
func (w wallet) signPayment(text string) string { return compact(w.paymentKey, text, 8) }

func compact(key *btcec.PrivateKey, text string, headerOffset byte) string {
	var buffer bytes.Buffer
	_ = wire.WriteVarString(&buffer, 0, "Bitcoin Signed Message:\n")
	_ = wire.WriteVarString(&buffer, 0, text)
	signature := ecdsa.SignCompact(key, chainhash.DoubleHashB(buffer.Bytes()), true)
	signature[0] += headerOffset
	return base64.StdEncoding.EncodeToString(signature)
}

func (w wallet) intent(action, sum string, unitIDs []string) message.Intent {
	units, _ := amount.ParseRunes(sum)
	return message.Intent{
		Community: "LOBO", Domain: "lobo.localhost:8080", Network: "regtest", Action: action,
		Payment: w.payment.Text, Ordinals: w.ordinals.Text,
		Count: len(unitIDs), Sum: sum, SumText: units.Whole() + " LOBO", Digest: message.Digest(unitIDs),
		Follows: []string{"The runes go to the ordinals address."}, Nonce: "n0nce-n0nce",
		Expires: time.Date(2026, 11, 4, 0, 0, 0, 0, time.UTC),
	}
}

// proof signs an intent with the ordinals key.
func (w wallet) proof(t testing.TB, x message.Intent) Proof {
	t.Helper()
	text := x.Text()
	if text == "" {
		t.Fatal(x.Check())
	}
	return Proof{Text: text, Signature: w.sign(t, text), Signer: w.ordinals.Text}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
