package testkit

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/action"
	"moonfund/internal/staking/order"
	"moonfund/internal/staking/payout"
	"moonfund/internal/store"
)

// coinFinder finds the coins without runes of the world's wallets. It replaces package coins, whose own tests use an
// Esplora server.
type coinFinder struct{ w *World }

// Find returns the coins of the wallet with a payment address, the next coin of Wallet.Sats first.
func (f coinFinder) Find(ctx context.Context, address string, script []byte) (found []vault.Coin, err error) {
	for _, wallet := range []*Wallet{f.w.Anna, f.w.Bert, f.w.Cleo} {
		if wallet.Payment.Text != address {
			continue
		}
		for _, c := range wallet.sats {
			coin := vault.Coin{OutPoint: c.OutPoint, Output: *c.Out, Kind: vault.Own}
			if bytes.Equal(c.Out.PkScript, script) && f.Check(ctx, []vault.Coin{coin}, nil) == nil {
				found = append(found, coin)
			}
		}
	}
	return found, nil
}

// FindFor is Find.
func (f coinFinder) FindFor(ctx context.Context, _, address string, script []byte) ([]vault.Coin, error) {
	return f.Find(ctx, address, script)
}

// Check returns the result of coins.Finder.Check.
func (f coinFinder) Check(ctx context.Context, own []vault.Coin, spenders []chainhash.Hash) error {
	points := make([]wire.OutPoint, 0, len(own))
	for _, coin := range own {
		points = append(points, coin.OutPoint)
	}
	taken, err := f.w.Node.Spenders(ctx, points...)
	if err != nil {
		return vault.ErrCoinsUnavailable
	}
	for _, coin := range own {
		output, err := f.w.Node.UnspentOutput(ctx, coin.OutPoint)
		by, spent := taken[coin.OutPoint]
		switch {
		case err != nil:
			return &vault.UnfitCoin{OutPoint: coin.OutPoint, Reason: "gone"}
		case spent && !slices.Contains(spenders, by):
			return &vault.UnfitCoin{OutPoint: coin.OutPoint, Reason: "taken"}
		case output.Confirmations < payout.InputDepth:
			return &vault.UnfitCoin{OutPoint: coin.OutPoint, Reason: "young"}
		}
		var balances []runes.Balance
		if err := f.w.Store.View(ctx, func(tx *store.Tx) (err error) {
			balances, err = runes.BalancesOf(tx.Runes(ctx), coin.OutPoint)
			return err
		}); err != nil || len(balances) > 0 {
			return &vault.UnfitCoin{OutPoint: coin.OutPoint, Reason: "runes"}
		}
	}
	return nil
}

// BeginOneTx requests a withdrawal in one transaction for an order.
func (w *World) BeginOneTx(from *Wallet, o order.Order) action.OneTxDraft {
	w.Helper()
	key := from.paymentKey.PubKey().SerializeCompressed()
	draft, err := w.OneTx.BeginOneTx(w.Context(), Prefix, from.Pair(), o.ID, key)
	Must(w, err)
	return draft
}

// TrySendOneTx sends the signed form of the last transaction that was issued for an order.
func (w *World) TrySendOneTx(from *Wallet, o order.Order, signed string) error {
	w.Helper()
	_, err := w.OneTx.SendOneTx(w.Context(), Prefix, from.Pair(), o.ID, signed)
	return err
}

// PayOneTx pays an order with the wallet's own coins and returns the coins. The server signs in its next Step.
func (w *World) PayOneTx(from *Wallet, o order.Order) []Coin {
	w.Helper()
	signed, own := from.SignPSBT(w.BeginOneTx(from, o).PSBT)
	Must(w, w.TrySendOneTx(from, o, signed))
	return own
}

// SignPSBT signs the inputs of a PSBT that spend coins of the payment address, and those with a leaf for the ordinals
// key. It removes the coins from the wallet.
func (w *Wallet) SignPSBT(text string) (signed string, own []Coin) {
	w.t.Helper()
	packet, err := psbt.NewFromRawBytes(strings.NewReader(text), true)
	Must(w.t, err)
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i, in := range packet.UnsignedTx.TxIn {
		previous[in.PreviousOutPoint] = packet.Inputs[i].WitnessUtxo
	}
	hashes := txscript.NewTxSigHashes(packet.UnsignedTx, txscript.NewMultiPrevOutFetcher(previous))
	for i, in := range packet.UnsignedTx.TxIn {
		out := packet.Inputs[i].WitnessUtxo
		if leaves := packet.Inputs[i].TaprootLeafScript; len(leaves) > 0 {
			packet.Inputs[i].TaprootScriptSpendSig = []*psbt.TaprootScriptSpendSig{
				w.signLeaf(packet.UnsignedTx, hashes, i, out, leafSigning{leaves[0].Script, txscript.SigHashAll})}
			continue
		}
		if !bytes.Equal(out.PkScript, w.Payment.Script) {
			continue
		}
		signature, err := txscript.RawTxInWitnessSignature(packet.UnsignedTx, hashes, i, out.Value, out.PkScript,
			txscript.SigHashAll, w.paymentKey)
		Must(w.t, err)
		packet.Inputs[i].PartialSigs = []*psbt.PartialSig{{PubKey: w.paymentKey.PubKey().SerializeCompressed(),
			Signature: signature}}
		own = append(own, Coin{OutPoint: in.PreviousOutPoint, Out: out})
		w.sats = slices.DeleteFunc(w.sats, func(c Coin) bool { return c.OutPoint == in.PreviousOutPoint })
	}
	signed, err = packet.B64Encode()
	Must(w.t, err)
	return signed, own
}

// SignLeavesAs signs the inputs of a PSBT that have a leaf again, with a type of hash.
func (w *Wallet) SignLeavesAs(packet *psbt.Packet, sighash txscript.SigHashType) {
	w.t.Helper()
	previous := map[wire.OutPoint]*wire.TxOut{}
	for i, in := range packet.UnsignedTx.TxIn {
		previous[in.PreviousOutPoint] = packet.Inputs[i].WitnessUtxo
	}
	hashes := txscript.NewTxSigHashes(packet.UnsignedTx, txscript.NewMultiPrevOutFetcher(previous))
	for i := range packet.Inputs {
		if leaves := packet.Inputs[i].TaprootLeafScript; len(leaves) > 0 {
			packet.Inputs[i].TaprootScriptSpendSig = []*psbt.TaprootScriptSpendSig{w.signLeaf(packet.UnsignedTx, hashes, i,
				packet.Inputs[i].WitnessUtxo, leafSigning{leaves[0].Script, sighash})}
		}
	}
}

// leafSigning is the script leaf through which an input is signed, and the type of the hash.
type leafSigning struct {
	script  []byte
	sighash txscript.SigHashType
}

// signLeaf signs an input by a script leaf with the ordinals key.
func (w *Wallet) signLeaf(tx *wire.MsgTx, hashes *txscript.TxSigHashes, i int, out *wire.TxOut,
	by leafSigning) *psbt.TaprootScriptSpendSig {
	w.t.Helper()
	leaf := txscript.NewBaseTapLeaf(by.script)
	signature, err := txscript.RawTxInTapscriptSignature(tx, hashes, i, out.Value, out.PkScript, leaf, by.sighash,
		w.ordinalsKey)
	Must(w.t, err)
	hash := leaf.TapHash()
	return &psbt.TaprootScriptSpendSig{XOnlyPubKey: schnorr.SerializePubKey(w.ordinalsKey.PubKey()), LeafHash: hash[:],
		Signature: signature[:64], SigHash: by.sighash}
}
