package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/amount"
	"moonfund/chain"
	"moonfund/console"
	"moonfund/ledger"
	"moonfund/vault"
)

// feeFlags let outputs of the staker's pay the fee of a recovery.
type feeFlags struct {
	FeeInput  []string `placeholder:"TXID:VOUT" help:"An output of yours that pays the fee; the change goes back to its address. One transaction then recovers everything. It must hold no runes that you want elsewhere: they go to your ordinals address."`
	FeeKey    string   `env:"MOONFUND_FEE_KEY" help:"Private key of the fee inputs, as WIF or hex; best from the environment. The recovery key when not given."`
	FeeChange string   `help:"Address for the change, instead of the fee input's." placeholder:"ADDRESS"`
}

// funded builds the transaction that takes all outputs back and pays its fee out of the fee inputs.
func (r recoverCommand) funded(ctx context.Context, node *chain.Client, network chain.Network, open []recoverable, rate amount.FeeRate) (vault.FundedRecovery, error) {
	var fees []vault.FeeInput
	for _, text := range r.FeeInput {
		point, err := ledger.ParseOutPoint(text)
		if err != nil {
			return vault.FundedRecovery{}, fmt.Errorf("--fee-input is %q; it must be an output such as txid:0", text)
		}
		output, err := feeOutput(ctx, node, point)
		if err != nil {
			return vault.FundedRecovery{}, fmt.Errorf("--fee-input %s: %w", text, err)
		}
		fees = append(fees, vault.FeeInput{OutPoint: point, Output: output})
	}
	change := fees[0].Output.PkScript
	if r.FeeChange != "" {
		parsed, err := chain.ParseAddress(r.FeeChange, network)
		if err != nil {
			return vault.FundedRecovery{}, fmt.Errorf("--fee-change is %q: %w", r.FeeChange, err)
		}
		change = parsed.Script
	}
	var stakes []vault.StakeSpend
	for _, o := range open {
		stakes = append(stakes, vault.StakeSpend{Stake: o.stake, OutPoint: o.point, Value: o.value})
	}
	funded, err := vault.NewFundedRecovery(stakes, fees, open[0].to.Script, change, rate)
	if short := new(vault.ErrSatsShort); errors.As(err, &short) {
		return funded, fmt.Errorf("the fee inputs hold %d sats too little for %s sat/vB: add another --fee-input, or choose a lower --rate", short.Missing, rate)
	}
	return funded, err
}

func feeOutput(ctx context.Context, node *chain.Client, point wire.OutPoint) (*wire.TxOut, error) {
	tx, _, err := node.Tx(ctx, point.Hash)
	if errors.Is(err, chain.ErrNotFound) {
		return nil, errors.New("the node does not know this transaction")
	}
	if err != nil {
		return nil, err
	}
	if int(point.Index) >= len(tx.Msg.TxOut) {
		return nil, errors.New("its transaction has no such output")
	}
	unspent, err := node.Unspent(ctx, point)
	if err == nil && !unspent {
		err = errors.New("it is spent already")
	}
	return tx.Msg.TxOut[point.Index], err
}

// takeFunded shows the funded recovery, signs it or prints it for wallets, and sends it.
func (r recoverCommand) takeFunded(ctx context.Context, node *chain.Client, network chain.Network, open []recoverable, rate amount.FeeRate) error {
	funded, err := r.funded(ctx, node, network, open, rate)
	if err != nil {
		return err
	}
	for _, o := range open {
		fmt.Printf("%s  %d sats%s to %s\n", o.point, o.value, describe(o.runes), o.to.Text)
	}
	fmt.Printf("fee %d sats at %s sat/vB, out of %d fee inputs\n", funded.Fee, rate, len(funded.Fees))
	if r.Key == "" {
		text, err := funded.PSBT()
		if err != nil {
			return err
		}
		fmt.Printf("Sign this with the wallet of your ordinals address and with that of the fee inputs, one after the other, and run again with --signed FILE:\n%s\n", text)
		return nil
	}
	signed, err := r.signFunded(funded, network)
	if err != nil {
		return err
	}
	if !r.Yes && !console.Agreed("Send?") {
		return errors.New("nothing was sent")
	}
	recovery := chain.NewTx(signed)
	if err := node.Broadcast(ctx, recovery.Bytes()); err != nil {
		return err
	}
	for _, o := range open {
		fmt.Printf("%s  recovered by %s\n", o.point, recovery.ID)
	}
	return nil
}

// signFunded signs the stakes with the recovery key and the fee inputs with theirs,
// and runs the script checks that nodes run.
func (r recoverCommand) signFunded(f vault.FundedRecovery, network chain.Network) (*wire.MsgTx, error) {
	key, err := privateKey(r.Key, network)
	if err != nil {
		return nil, err
	}
	defer key.Zero()
	feeKey := key
	if r.FeeKey != "" {
		if feeKey, err = privateKey(r.FeeKey, network); err != nil {
			return nil, fmt.Errorf("the fee inputs: %w", err)
		}
		defer feeKey.Zero()
	}
	tx, spent := f.Tx.Copy(), f.Prevouts()
	fetcher := txscript.NewMultiPrevOutFetcher(spent)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, s := range f.Stakes {
		if string(schnorr.SerializePubKey(key.PubKey())) != string(s.Stake.Leaf) {
			return nil, errors.New("the key is not the one that can recover it: give the key of the ordinals address that staked")
		}
		signature, err := txscript.RawTxInTapscriptSignature(tx, hashes, i, int64(s.Value), s.Stake.Script,
			txscript.NewBaseTapLeaf(s.Stake.LeafScript), txscript.SigHashDefault, key)
		if err != nil {
			return nil, err
		}
		tx.TxIn[i].Witness = wire.TxWitness{signature, s.Stake.LeafScript, s.Stake.ControlBlock}
	}
	for i, fee := range f.Fees {
		if err := signFeeInput(tx, len(f.Stakes)+i, fee.Output, hashes, feeKey); err != nil {
			return nil, fmt.Errorf("fee input %s: %w", fee.OutPoint, err)
		}
	}
	return tx, chain.CheckSignatures(tx, func(out wire.OutPoint) (*wire.TxOut, bool) {
		output, known := spent[out]
		return output, known
	})
}

// signFeeInput signs an output at the Taproot (BIP-86), SegWit or nested SegWit address of a key.
func signFeeInput(tx *wire.MsgTx, i int, spent *wire.TxOut, hashes *txscript.TxSigHashes, key *btcec.PrivateKey) (err error) {
	if txscript.IsPayToTaproot(spent.PkScript) {
		tx.TxIn[i].Witness, err = txscript.TaprootWitnessSignature(tx, hashes, i, spent.Value, spent.PkScript, txscript.SigHashDefault, key)
		return err
	}
	program := append([]byte{txscript.OP_0, txscript.OP_DATA_20}, address.Hash160(key.PubKey().SerializeCompressed())...)
	if txscript.IsPayToScriptHash(spent.PkScript) {
		tx.TxIn[i].SignatureScript = append([]byte{byte(len(program))}, program...)
	}
	tx.TxIn[i].Witness, err = txscript.WitnessSignature(tx, hashes, i, spent.Value, program, txscript.SigHashAll, key, true)
	return err
}
