package recovery

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

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
)

// errOtherKey is returned for a key that is not in the output's leaf.
var errOtherKey = errors.New("the key is not the one that can recover it: " +
	"give the key of the ordinals address that staked")

// PrivateKey reads a private key as wallets export it: WIF, or 64 hex digits. No error contains the input.
func PrivateKey(text string, network chain.Network) (*btcec.PrivateKey, error) {
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

// PSBT returns the unsigned recovery of the output for another signer, as a base64 PSBT. paid reports whether the
// output's sats pay the fee. Otherwise there is no fee, and the signer must add an input that pays one.
func (o Output) PSBT(rate amount.FeeRate) (text string, paid bool, err error) {
	own, anyFee, err := vault.RecoveryPSBTs(o.Stake, o.Point, o.Value, o.To.Script, rate)
	if err != nil || own == nil {
		return anyFee, false, err
	}
	return *own, true, nil
}

// Sign builds and signs the recovery of the output, which pays its fee from the output's sats, and runs the script
// checks that nodes run. It returns the transaction and the fee, or an error if the output's sats can't pay the fee.
func (o Output) Sign(key *btcec.PrivateKey, rate amount.FeeRate) (*wire.MsgTx, amount.Sats, error) {
	if !o.opens(key) {
		return nil, 0, errOtherKey
	}
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(&wire.TxIn{PreviousOutPoint: o.Point, Sequence: o.Stake.Delay})
	tx.AddTxOut(wire.NewTxOut(int64(o.Value), o.To.Script))
	tx.TxIn[0].Witness = wire.TxWitness{make([]byte, 64), o.Stake.LeafScript, o.Stake.ControlBlock}
	fee := rate.Fee(chain.VSize(tx))
	if o.Value-fee < chain.Dust(o.To.Script) {
		return nil, 0, fmt.Errorf("its %d sats do not pay %s sat/vB (%d sats): "+
			"give an output of yours that pays it with --fee-input TXID:VOUT, or choose a lower --rate", o.Value, rate, fee)
	}
	tx.TxOut[0].Value = int64(o.Value - fee)
	spent := wire.NewTxOut(int64(o.Value), o.Stake.Script)
	fetcher := txscript.NewCannedPrevOutputFetcher(spent.PkScript, spent.Value)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	if err := signStake(tx, 0, vault.StakeSpend{Stake: o.Stake, Value: o.Value}, hashes, key); err != nil {
		return nil, 0, err
	}
	const flags = txscript.StandardVerifyFlags
	engine, err := txscript.NewEngine(spent.PkScript, tx, 0, flags, nil, hashes, spent.Value, fetcher)
	if err == nil {
		err = engine.Execute()
	}
	return tx, fee, err
}

// opens reports whether the key is in the output's leaf.
func (o Output) opens(key *btcec.PrivateKey) bool {
	return string(schnorr.SerializePubKey(key.PubKey())) == string(o.Stake.Leaf)
}

// signStake signs input i, which spends a stake output through its leaf.
func signStake(
	tx *wire.MsgTx, i int, s vault.StakeSpend, hashes *txscript.TxSigHashes, key *btcec.PrivateKey,
) error {
	signature, err := txscript.RawTxInTapscriptSignature(tx, hashes, i, int64(s.Value), s.Stake.Script,
		txscript.NewBaseTapLeaf(s.Stake.LeafScript), txscript.SigHashDefault, key)
	tx.TxIn[i].Witness = wire.TxWitness{signature, s.Stake.LeafScript, s.Stake.ControlBlock}
	return err
}
