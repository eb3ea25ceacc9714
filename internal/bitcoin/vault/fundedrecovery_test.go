package vault

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
)

// TestFundedRecovery checks that two wallets can sign the PSBT of a recovery with a fee input, and that the transaction
// pays the requested fee rate.
func TestFundedRecovery(t *testing.T) {
	network, err := chain.NetworkByName("regtest")
	if err != nil {
		t.Fatal(err)
	}
	key, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{1}, 32))
	feeKey, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{2}, 32))
	internal, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{3}, 32))
	stake, err := OpenStake(schnorr.SerializePubKey(internal.PubKey()),
		StakeKeys{Leaf: schnorr.SerializePubKey(key.PubKey()), Delay: 30}, network)
	if err != nil {
		t.Fatal(err)
	}
	to := append([]byte{txscript.OP_1, txscript.OP_DATA_32}, schnorr.SerializePubKey(key.PubKey())...)
	program := append([]byte{txscript.OP_0, txscript.OP_DATA_20},
		address.Hash160(feeKey.PubKey().SerializeCompressed())...)
	stakes := []StakeSpend{{stake, wire.OutPoint{Index: 1}, 546}, {stake, wire.OutPoint{Index: 2}, 546}}
	fees := []FeeInput{{wire.OutPoint{Index: 3}, wire.NewTxOut(50_000, program)}}
	r, err := NewFundedRecovery(stakes, fees, to, program, amount.SatPerVB(20))
	if err != nil || len(r.Tx.TxOut) != 2 || r.Tx.TxOut[0].Value != 1092 || r.Tx.TxOut[1].Value != 50_000-int64(r.Fee) {
		t.Fatalf("NewFundedRecovery: got %+v, %v, want the stakes and the change", r, err)
	}
	text, err := r.PSBT()
	if err != nil {
		t.Fatal(err)
	}
	packet, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
	if err != nil {
		t.Fatal(err)
	}
	fetcher := txscript.NewMultiPrevOutFetcher(r.Prevouts())
	hashes := txscript.NewTxSigHashes(packet.UnsignedTx, fetcher)
	leaf := txscript.NewBaseTapLeaf(stake.LeafScript)
	hash := leaf.TapHash()
	for i := range stakes {
		signature, err := txscript.RawTxInTapscriptSignature(packet.UnsignedTx, hashes, i, 546, stake.Script, leaf,
			txscript.SigHashDefault, key)
		if err != nil {
			t.Fatal(err)
		}
		packet.Inputs[i].TaprootScriptSpendSig = []*psbt.TaprootScriptSpendSig{{
			XOnlyPubKey: schnorr.SerializePubKey(key.PubKey()), LeafHash: hash[:], Signature: signature,
		}}
	}
	signature, err := txscript.RawTxInWitnessSignature(packet.UnsignedTx, hashes, 2, 50_000, program, txscript.SigHashAll,
		feeKey)
	if err != nil {
		t.Fatal(err)
	}
	packet.Inputs[2].PartialSigs = []*psbt.PartialSig{{PubKey: feeKey.PubKey().SerializeCompressed(),
		Signature: signature}}
	if text, err = packet.B64Encode(); err != nil {
		t.Fatal(err)
	}
	tx, err := FinishPSBT(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := chain.CheckSignatures(tx, func(out wire.OutPoint) (*wire.TxOut, bool) {
		output, known := r.Prevouts()[out]
		return output, known
	}); err != nil {
		t.Error(err)
	}
	if least := amount.SatPerVB(20).Fee(chain.VSize(tx)); r.Fee < least || r.Fee > least+40 {
		t.Errorf("the fee is %d sats for %d vB, want 20 sat/vB", r.Fee, chain.VSize(tx))
	}
	short := new(ErrSatsShort)
	if _, err = NewFundedRecovery(stakes, []FeeInput{{wire.OutPoint{Index: 3}, wire.NewTxOut(600, program)}}, to, program,
		amount.SatPerVB(20)); !errors.As(err, &short) {
		t.Errorf("a fee input of 600 sats: %v, want ErrSatsShort", err)
	}
}
