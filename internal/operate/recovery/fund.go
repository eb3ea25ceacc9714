package recovery

import (
	"context"
	"errors"
	"fmt"

	"github.com/btcsuite/btcd/address/v2"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/vault"
	"moonfund/internal/staking/ledger"
)

// Fees names outputs of the staker that pay the fee of a recovery.
type Fees struct {
	Inputs []string // txid:vout
	Change string   // address for the change; "": the address of the first input
	Rate   amount.FeeRate
}

// Fund builds one unsigned transaction that recovers all outputs and pays its fee from the fee inputs. There must be at
// least one output and one fee input. Fund returns an error if a fee input is spent or if they are not worth the fee.
func Fund(
	ctx context.Context, node Node, network chain.Network, outputs []Output, f Fees,
) (funded vault.FundedRecovery, err error) {
	var inputs []vault.FeeInput
	for _, text := range f.Inputs {
		point, err := ledger.ParseOutPoint(text)
		if err != nil {
			return funded, fmt.Errorf("--fee-input is %q; it must be an output such as txid:0", text)
		}
		output, err := unspentOutput(ctx, node, point)
		if err != nil {
			return funded, fmt.Errorf("--fee-input %s: %w", text, err)
		}
		inputs = append(inputs, vault.FeeInput{OutPoint: point, Output: output})
	}
	change := inputs[0].Output.PkScript
	if f.Change != "" {
		parsed, err := chain.ParseAddress(f.Change, network)
		if err != nil {
			return funded, fmt.Errorf("--fee-change is %q: %w", f.Change, err)
		}
		change = parsed.Script
	}
	var stakes []vault.StakeSpend
	for _, o := range outputs {
		stakes = append(stakes, vault.StakeSpend{Stake: o.Stake, OutPoint: o.Point, Value: o.Value})
	}
	funded, err = vault.NewFundedRecovery(stakes, inputs, outputs[0].To.Script, change, f.Rate)
	if short := new(vault.ErrSatsShort); errors.As(err, &short) {
		return funded, fmt.Errorf("the fee inputs hold %d sats too little for %s sat/vB: "+
			"add another --fee-input, or choose a lower --rate", short.Missing, f.Rate)
	}
	return funded, err
}

func unspentOutput(ctx context.Context, node Node, point wire.OutPoint) (*wire.TxOut, error) {
	tx, _, err := node.Tx(ctx, point.Hash)
	if errors.Is(err, chain.ErrUnknown) {
		return nil, errors.New("the node does not have this transaction")
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

// SignFunded signs the stakes with key and the fee inputs with feeKey, and runs the script checks that nodes run. It
// returns an error if key is not in the leaf of every stake.
func SignFunded(f vault.FundedRecovery, key, feeKey *btcec.PrivateKey) (*wire.MsgTx, error) {
	tx, spent := f.Tx.Copy(), f.Prevouts()
	fetcher := txscript.NewMultiPrevOutFetcher(spent)
	hashes := txscript.NewTxSigHashes(tx, fetcher)
	for i, s := range f.Stakes {
		if !(Output{Stake: s.Stake}).opens(key) {
			return nil, errOtherKey
		}
		if err := signStake(tx, i, s, hashes, key); err != nil {
			return nil, err
		}
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

// signFeeInput signs input i, which spends an output at the Taproot (BIP-86), SegWit or nested SegWit address of a key.
func signFeeInput(
	tx *wire.MsgTx, i int, spent *wire.TxOut, hashes *txscript.TxSigHashes, key *btcec.PrivateKey,
) (err error) {
	if txscript.IsPayToTaproot(spent.PkScript) {
		tx.TxIn[i].Witness, err = txscript.TaprootWitnessSignature(tx, hashes, i, spent.Value, spent.PkScript,
			txscript.SigHashDefault, key)
		return err
	}
	program := append([]byte{txscript.OP_0, txscript.OP_DATA_20}, address.Hash160(key.PubKey().SerializeCompressed())...)
	if txscript.IsPayToScriptHash(spent.PkScript) {
		tx.TxIn[i].SignatureScript = append([]byte{byte(len(program))}, program...)
	}
	tx.TxIn[i].Witness, err = txscript.WitnessSignature(tx, hashes, i, spent.Value, program,
		txscript.SigHashAll, key, true)
	return err
}
