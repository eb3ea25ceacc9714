package vault

import (
	"bytes"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcutil/v2/hdkeychain"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
)

// lobo is the rune with which the sizes in the design were measured.
var lobo = runes.ID{Block: 878389, Tx: 2822}

// custody is an account with its private key, to check that the transactions of the vault can be spent.
type custody struct {
	Account
	private *hdkeychain.ExtendedKey
}

func newCustody(t testing.TB) custody {
	t.Helper()
	network, err := chain.NetworkByName("regtest")
	must(t, err)
	key, err := hdkeychain.NewMaster(bytes.Repeat([]byte{7}, 32), network.Params)
	must(t, err)
	for _, step := range []uint32{86, network.Params.HDCoinType, 0} {
		key, err = key.Derive(hdkeychain.HardenedKeyStart + step)
		must(t, err)
	}
	public, err := key.Neuter()
	must(t, err)
	account, err := NewAccount(public.String(), network)
	must(t, err)
	return custody{account, key}
}

// stakerKey returns the n-th staker's private key and its x-only public key.
func stakerKey(n byte) (*btcec.PrivateKey, []byte) {
	private, public := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{n + 1}, 32))
	return private, schnorr.SerializePubKey(public)
}

// balance returns the balance of n base units of lobo, or nil for 0.
func balance(n amount.Runes) []runes.Balance {
	if n == 0 {
		return nil
	}
	return []runes.Balance{{ID: lobo, Amount: uint128.From64(uint64(n))}}
}

func outpoint(n int) wire.OutPoint {
	return wire.OutPoint{Hash: chainhash.HashH([]byte{byte(n), byte(n >> 8)}), Index: uint32(n % 5)}
}

func (c custody) stake(t testing.TB, n int, value amount.Sats, units amount.Runes, orderID string) Coin {
	t.Helper()
	_, leaf := stakerKey(byte(n % 40))
	out, err := c.StakeOutput(StakeKeys{Position: uint32(n), Leaf: leaf, Delay: 26280})
	must(t, err)
	return out.Coin(outpoint(n), value, balance(units), orderID)
}

func (c custody) coin(t testing.TB, kind CoinKind, n int, value amount.Sats, units amount.Runes, orderID string) Coin {
	t.Helper()
	coin, err := c.Coin(kind, outpoint(n), value, balance(units), orderID)
	must(t, err)
	return coin
}

func (c custody) change(t testing.TB) (runeChange, satsChange []byte) {
	t.Helper()
	r, _ := c.TreasuryRunes()
	s, _ := c.TreasurySats()
	return r.Script, s.Script
}

// sign signs every input through the key path and executes its script.
func (c custody) sign(t testing.TB, unsigned *wire.MsgTx, inputs []Coin) *wire.MsgTx {
	t.Helper()
	tx := unsigned.Copy()
	fetcher := fetcherOf(inputs)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, in := range inputs {
		key := c.private
		for _, step := range in.Path {
			var err error
			key, err = key.Derive(step)
			must(t, err)
		}
		private, err := key.ECPrivKey()
		must(t, err)
		signature, err := txscript.RawTxInTaprootSignature(tx, hashes, i, in.Output.Value, in.Output.PkScript, in.MerkleRoot,
			txscript.SigHashDefault, private)
		must(t, err)
		tx.TxIn[i].Witness = wire.TxWitness{signature}
	}
	for i, in := range inputs {
		must(t, execute(tx, i, &in.Output, fetcher))
	}
	return tx
}

func fetcherOf(inputs []Coin) *txscript.MultiPrevOutFetcher {
	previous := map[wire.OutPoint]*wire.TxOut{}
	for _, in := range inputs {
		previous[in.OutPoint] = &in.Output
	}
	return txscript.NewMultiPrevOutFetcher(previous)
}

func execute(tx *wire.MsgTx, i int, previous *wire.TxOut, fetcher txscript.PrevOutputFetcher) error {
	engine, err := txscript.NewEngine(previous.PkScript, tx, i, txscript.StandardVerifyFlags, nil,
		txscript.NewTxSigHashes(tx, fetcher), previous.Value, fetcher)
	if err != nil {
		return err
	}
	return engine.Execute()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// addressOf returns the single-key address of a type for a compressed key.
func addressOf(t testing.TB, kind chain.AddressType, public []byte, n chain.Network) chain.Address {
	t.Helper()
	hash := address.Hash160(public)
	var script []byte
	var err error
	switch kind {
	case chain.P2TR:
		key, parseErr := btcec.ParsePubKey(public)
		must(t, parseErr)
		script, err = txscript.PayToTaprootScript(txscript.ComputeTaprootKeyNoScript(key))
	case chain.P2WPKH:
		script = append([]byte{txscript.OP_0, 20}, hash...)
	case chain.P2SH:
		nested := address.Hash160(append([]byte{txscript.OP_0, 20}, hash...))
		script = append(append([]byte{txscript.OP_HASH160, 20}, nested...), txscript.OP_EQUAL)
	case chain.P2PKH:
		script = append([]byte{txscript.OP_DUP, txscript.OP_HASH160, 20}, hash...)
		script = append(script, txscript.OP_EQUALVERIFY, txscript.OP_CHECKSIG)
	}
	must(t, err)
	result, ok := chain.AddressFromScript(script, n)
	if !ok {
		t.Fatalf("no %s address", kind)
	}
	return result
}
