package testkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/signed/message"
	"moonfund/internal/staking/action"
)

// Coin is an output that a wallet can spend.
type Coin struct {
	OutPoint wire.OutPoint
	Out      *wire.TxOut
	Runes    amount.Runes // amount of Rune
	Rune     runes.ID     // zero: the world's rune
}

// Wallet is the wallet of a staker: a P2TR ordinals address (BIP-86) and a P2WPKH payment address.
type Wallet struct {
	t                       testing.TB
	ordinalsKey, paymentKey *btcec.PrivateKey
	Ordinals, Payment       chain.Address
	Self                    bool // stakes are in self-custody

	sats, runes []Coin // spent from the front
}

// NewWallet derives a wallet from a name, without coins.
func NewWallet(t testing.TB, name string, network chain.Network) *Wallet {
	t.Helper()
	key := func(role string) *btcec.PrivateKey {
		seed := sha256.Sum256([]byte(name + " " + role))
		private, _ := btcec.PrivKeyFromBytes(seed[:])
		return private
	}
	w := &Wallet{t: t, ordinalsKey: key("ordinals"), paymentKey: key("payment")}
	script, err := txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(w.ordinalsKey.PubKey()))
	Must(t, err)
	w.Ordinals, _ = chain.AddressFromScript(script, network)
	hash := address.Hash160(w.paymentKey.PubKey().SerializeCompressed())
	w.Payment, _ = chain.AddressFromScript(append([]byte{txscript.OP_0, 20}, hash...), network)
	return w
}

// Pair returns both addresses in the form of package action.
func (w *Wallet) Pair() action.Wallet {
	return action.Wallet{Payment: w.Payment.Text, Ordinals: w.Ordinals.Text}
}

// Request returns a request for a stake address with the wallet's keys.
func (w *Wallet) Request(n amount.Runes) action.StakeRequest {
	return action.StakeRequest{
		Wallet: w.Pair(), PaymentKey: w.paymentKey.PubKey().SerializeCompressed(),
		OrdinalsKey: schnorr.SerializePubKey(w.ordinalsKey.PubKey()), Amount: n, Self: w.Self,
	}
}

// Sign signs a text with the ordinals key (BIP-322, simple).
func (w *Wallet) Sign(text string) string {
	w.t.Helper()
	spend := wire.NewMsgTx(0)
	hash := message.Hash(text)
	spend.AddTxIn(&wire.TxIn{
		PreviousOutPoint: wire.OutPoint{Index: wire.MaxPrevOutIndex}, SignatureScript: append([]byte{txscript.OP_0, 32},
			hash[:]...),
	})
	spend.AddTxOut(wire.NewTxOut(0, w.Ordinals.Script))
	tx := wire.NewMsgTx(0)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: wire.OutPoint{Hash: spend.TxHash()}})
	tx.AddTxOut(wire.NewTxOut(0, []byte{txscript.OP_RETURN}))
	hashes := txscript.NewTxSigHashes(tx, txscript.NewCannedPrevOutputFetcher(w.Ordinals.Script, 0))
	signature, err := txscript.RawTxInTaprootSignature(tx, hashes, 0, 0, w.Ordinals.Script, nil, txscript.SigHashDefault,
		w.ordinalsKey)
	Must(w.t, err)
	return base64.StdEncoding.EncodeToString(append([]byte{1, byte(len(signature))}, signature...))
}

// SignPayment signs a text with the payment key (a signed message with a BIP-137 header).
func (w *Wallet) SignPayment(text string) string {
	var buffer bytes.Buffer
	_ = wire.WriteVarString(&buffer, 0, "Bitcoin Signed Message:\n")
	_ = wire.WriteVarString(&buffer, 0, text)
	signature := ecdsa.SignCompact(w.paymentKey, chainhash.DoubleHashB(buffer.Bytes()), true)
	signature[0] += 8
	return base64.StdEncoding.EncodeToString(signature)
}

// Sats removes and returns the wallet's next coin without runes.
func (w *Wallet) Sats() Coin { return w.take(&w.sats) }

// Runes removes and returns the wallet's next coin with runes.
func (w *Wallet) Runes() Coin { return w.take(&w.runes) }

// Hold replaces the wallet's coins without runes.
func (w *Wallet) Hold(coins ...Coin) { w.sats = coins }

// HoldRunes replaces the wallet's coins with runes.
func (w *Wallet) HoldRunes(coins ...Coin) { w.runes = coins }

func (w *Wallet) take(from *[]Coin) Coin {
	w.t.Helper()
	if len(*from) == 0 {
		w.t.Fatal("the wallet has no coin left")
	}
	coin := (*from)[0]
	*from = (*from)[1:]
	return coin
}

// Spend builds and signs a transaction that spends the wallet's coins.
func (w *Wallet) Spend(coins []Coin, outs ...*wire.TxOut) chain.Tx {
	w.t.Helper()
	tx := wire.NewMsgTx(2)
	previous := map[wire.OutPoint]*wire.TxOut{}
	for _, coin := range coins {
		tx.AddTxIn(&wire.TxIn{PreviousOutPoint: coin.OutPoint, Sequence: 0xfffffffd})
		previous[coin.OutPoint] = coin.Out
	}
	for _, out := range outs {
		tx.AddTxOut(out)
	}
	fetcher := txscript.NewMultiPrevOutFetcher(previous)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, coin := range coins {
		switch {
		case bytes.Equal(coin.Out.PkScript, w.Payment.Script):
			witness, err := txscript.WitnessSignature(tx, hashes, i, coin.Out.Value, coin.Out.PkScript, txscript.SigHashAll,
				w.paymentKey, true)
			Must(w.t, err)
			tx.TxIn[i].Witness = witness
		case bytes.Equal(coin.Out.PkScript, w.Ordinals.Script):
			signature, err := txscript.RawTxInTaprootSignature(
				tx, hashes, i, coin.Out.Value, coin.Out.PkScript, nil, txscript.SigHashDefault, w.ordinalsKey)
			Must(w.t, err)
			tx.TxIn[i].Witness = wire.TxWitness{signature}
		}
	}
	return chain.NewTx(tx)
}

// Must fails the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
