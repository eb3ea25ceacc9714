package chain

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// UnspentOutput is an output that no transaction of the best chain spends. Confirmations counts its block and is at
// least 1. Best is the hash of the tip to which Confirmations refers.
type UnspentOutput struct {
	Output        wire.TxOut
	Confirmations int64
	Coinbase      bool
	Best          chainhash.Hash
}

// UnspentOutput returns an unspent output of the best chain, or ErrUnknown if there is no such output. It does not
// consider the mempool: the output of an unconfirmed transaction is unknown, and a transaction in the mempool can spend
// the output (see Spenders). The nodes disagree here: with the mempool, Core returns nothing for an output that the
// mempool spends, and btcd returns the output.
func (c *Client) UnspentOutput(ctx context.Context, out wire.OutPoint) (UnspentOutput, error) {
	var answer *btcjson.GetTxOutResult
	err := c.call(ctx, &answer, "gettxout", out.Hash.String(), out.Index, false)
	if err != nil {
		return UnspentOutput{}, err
	}
	if answer == nil || answer.Confirmations < 1 {
		return UnspentOutput{}, ErrUnknown
	}
	unspent := UnspentOutput{Confirmations: answer.Confirmations, Coinbase: answer.Coinbase}
	if unspent.Output.PkScript, err = hex.DecodeString(answer.ScriptPubKey.Hex); err != nil {
		return UnspentOutput{}, fmt.Errorf("node: gettxout: the script: %w", err)
	}
	if unspent.Output.Value, err = sats(answer.Value); err != nil {
		return UnspentOutput{}, fmt.Errorf("node: gettxout: %w", err)
	}
	if err := chainhash.Decode(&unspent.Best, answer.BestBlock); err != nil {
		return UnspentOutput{}, fmt.Errorf("node: gettxout: the best block: %w", err)
	}
	return unspent, nil
}

// sats converts an amount in BTC. Every number of sats up to 21 million BTC has its own float64, so that rounding
// returns the amount that the node wrote.
func sats(btc float64) (int64, error) {
	value := math.Round(btc * 1e8)
	if !(value >= 0 && value <= maxMoney) { // also not for NaN
		return 0, fmt.Errorf("%g BTC is not the value of an output", btc)
	}
	return int64(value), nil
}

// maxIndex is the largest index of an output that gettxspendingprevout takes: Core's parameter has 32 bits with a sign.
// No transaction has as many outputs.
const maxIndex = math.MaxInt32

// Spenders returns the transactions in the mempool that spend these outputs, by output. Outputs that no transaction in
// the mempool spends are left out. Core has the call since 24.0, btcd since 0.24.
func (c *Client) Spenders(ctx context.Context, outs ...wire.OutPoint) (map[wire.OutPoint]chainhash.Hash, error) {
	spenders := map[wire.OutPoint]chainhash.Hash{}
	outs = slices.DeleteFunc(slices.Clone(outs), func(out wire.OutPoint) bool { return out.Index > maxIndex })
	if len(outs) == 0 {
		return spenders, nil
	}
	asked := make([]btcjson.GetTxSpendingPrevOutCmdOutput, len(outs))
	for i, out := range outs {
		asked[i] = btcjson.GetTxSpendingPrevOutCmdOutput{Txid: out.Hash.String(), Vout: out.Index}
	}
	var answer []btcjson.GetTxSpendingPrevOutResult
	if err := c.call(ctx, &answer, "gettxspendingprevout", asked); err != nil {
		return nil, err
	}
	if len(answer) != len(outs) {
		return nil, fmt.Errorf("node: gettxspendingprevout: the answer has %d outputs, want %d", len(answer), len(outs))
	}
	for i, found := range answer {
		if found.Txid != asked[i].Txid || found.Vout != asked[i].Vout {
			return nil, fmt.Errorf("node: gettxspendingprevout: the answer is not about output %s", outs[i])
		}
		if found.SpendingTxid == "" {
			continue
		}
		var id chainhash.Hash
		if err := chainhash.Decode(&id, found.SpendingTxid); err != nil || len(found.SpendingTxid) != 2*len(id) {
			return nil, fmt.Errorf("node: gettxspendingprevout: %q is not the id of a transaction", found.SpendingTxid)
		}
		spenders[outs[i]] = id
	}
	return spenders, nil
}
