package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/btcutil/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
)

// privateKey reads a staker's key as wallets export it: WIF, or 64 hex digits.
// What was typed is never repeated in an error.
func privateKey(text string, network chain.Network) (*btcec.PrivateKey, error) {
	text = strings.TrimSpace(text)
	if raw, err := hex.DecodeString(text); err == nil && len(raw) == btcec.PrivKeyBytesLen {
		key, _ := btcec.PrivKeyFromBytes(raw)
		return key, nil
	}
	wif, err := btcutil.DecodeWIF(text)
	if err != nil {
		return nil, errors.New("the key is neither WIF nor 64 hex digits")
	}
	if !wif.IsForNet(network.Params) {
		return nil, fmt.Errorf("the key is of another network than %s", network.Name)
	}
	return wif.PrivKey, nil
}

func hexOf(name, text string) ([]byte, error) {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not hex", name)
	}
	return raw, nil
}

// sign builds and signs the recovery of one output, which pays its own fee, and
// runs the script check that nodes run.
func (o recoverable) sign(key *btcec.PrivateKey, rate amount.FeeRate) (*wire.MsgTx, amount.Sats, error) {
	if string(schnorr.SerializePubKey(key.PubKey())) != string(o.stake.Leaf) {
		return nil, 0, errors.New("the key is not the one that can recover it: give the key of the ordinals address that staked")
	}
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: o.point, Sequence: o.stake.Delay})
	tx.AddTxOut(wire.NewTxOut(int64(o.value), o.to.Script))
	tx.TxIn[0].Witness = wire.TxWitness{make([]byte, 64), o.stake.LeafScript, o.stake.ControlBlock}
	fee := rate.Fee(chain.VSize(tx))
	if o.value-fee < chain.Dust(o.to.Script) {
		return nil, 0, fmt.Errorf("its %d sats do not pay %s sat/vB (%d sats): give an output of yours that pays it with --fee-input TXID:VOUT, or choose a lower --rate",
			o.value, rate, fee)
	}
	tx.TxOut[0].Value = int64(o.value - fee)
	spent := wire.NewTxOut(int64(o.value), o.stake.Script)
	fetcher := txscript.NewCannedPrevOutputFetcher(spent.PkScript, spent.Value)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	signature, err := txscript.RawTxInTapscriptSignature(tx, hashes, 0, spent.Value, spent.PkScript,
		txscript.NewBaseTapLeaf(o.stake.LeafScript), txscript.SigHashDefault, key)
	if err != nil {
		return nil, 0, err
	}
	tx.TxIn[0].Witness = wire.TxWitness{signature, o.stake.LeafScript, o.stake.ControlBlock}
	engine, err := txscript.NewEngine(spent.PkScript, tx, 0, txscript.StandardVerifyFlags, nil, hashes, spent.Value, fetcher)
	if err == nil {
		err = engine.Execute()
	}
	return tx, fee, err
}
