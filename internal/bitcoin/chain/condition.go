package chain

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcjson"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"moonfund/internal/amount"
)

// Condition is the state that a node reports.
type Condition struct {
	Downloading bool      // in initial block download
	Height      int64     // of the best block
	TipTime     time.Time // header time of the best block
	Uptime      time.Duration
}

// Condition returns the node's state.
func (c *Client) Condition(ctx context.Context) (Condition, error) {
	var info struct {
		Blocks               int64  `json:"blocks"`
		BestBlockHash        string `json:"bestblockhash"`
		InitialBlockDownload *bool  `json:"initialblockdownload"`
	}
	if err := c.call(ctx, &info, "getblockchaininfo"); err != nil {
		return Condition{}, err
	}
	var header btcjson.GetBlockHeaderVerboseResult
	if err := c.call(ctx, &header, "getblockheader", info.BestBlockHash, true); err != nil {
		return Condition{}, err
	}
	var seconds int64
	if err := c.call(ctx, &seconds, "uptime"); err != nil {
		return Condition{}, err
	}
	tip := time.Unix(header.Time, 0).UTC()
	return Condition{
		Downloading: downloading(info.InitialBlockDownload, tip), Height: info.Blocks, TipTime: tip,
		Uptime: time.Duration(seconds) * time.Second,
	}, nil
}

// PolicyAnswer says whether the node's policy accepts transactions of a shape.
type PolicyAnswer struct {
	Known  bool   // false: the node did not check the shape
	Reason string // why the policy rejects it, or ""
}

// Policy asks whether the node's policy accepts transactions of this shape. The transaction need not be valid, but the
// node must have the outputs that it spends: the policy accepts the shape if an invalid signature is the only fault.
// The answer is not known if the node stopped at another fault, such as a spent input, or has no testmempoolaccept.
func (c *Client) Policy(ctx context.Context, tx *wire.MsgTx) (PolicyAnswer, error) {
	var answers []struct {
		Allowed bool   `json:"allowed"`
		Reason  string `json:"reject-reason"`
	}
	const maxFeeRate = 0.1 // BTC per 1,000 vB, Core's default; btcd requires the parameter
	err := c.call(ctx, &answers, "testmempoolaccept", []string{hex.EncodeToString(NewTx(tx).Bytes())}, maxFeeRate)
	if rpcCode(err) == codeNoSuchMethod {
		return PolicyAnswer{}, nil
	}
	if err != nil || len(answers) != 1 {
		return PolicyAnswer{}, err
	}
	if answers[0].Allowed {
		return PolicyAnswer{Known: true}, nil
	}
	return policyAnswer(answers[0].Reason), nil
}

// RefusesBranches returns why the node refuses every Tapscript with OP_IF, as inscriptions have it, or "". Policy can't
// tell, because a node refuses such a script only when it executes it. Nodes that refuse it also refuse a descriptor
// with it. A node without descriptors refuses none.
func (c *Client) RefusesBranches(ctx context.Context) (reason string, err error) {
	const key = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798" // the generator point
	const other = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
	err = c.call(ctx, nil, "getdescriptorinfo", "tr("+key+",or_i(pk("+key+"),pk("+other+")))")
	if answer, ok := errors.AsType[*btcjson.RPCError](err); ok {
		if strings.Contains(answer.Message, "OP_IF") {
			reason = answer.Message
		}
		return reason, nil
	}
	return "", err
}

// sampleBlocks is the number of blocks that SampleOutput searches. It exceeds the 100 blocks after which coinbase
// outputs can be spent.
const sampleBlocks = 120

// SampleOutput returns an unspent Taproot output in the last blocks with at least minimum sats, or ErrUnknown if there
// is none. A transaction for Policy spends it, because nodes check the witness of a transaction only if they have the
// output that the transaction spends.
func (c *Client) SampleOutput(ctx context.Context, minimum amount.Sats) (wire.OutPoint, *wire.TxOut, error) {
	_, tip, err := c.Best(ctx)
	if err != nil {
		return wire.OutPoint{}, nil, err
	}
	for height := tip; height > max(0, tip-sampleBlocks); height-- {
		hash, err := c.BlockHash(ctx, height)
		if err != nil {
			return wire.OutPoint{}, nil, err
		}
		block, err := c.Block(ctx, hash, height)
		if err != nil {
			return wire.OutPoint{}, nil, err
		}
		for i, tx := range block.Txs {
			if i == 0 && height > tip-100 {
				continue
			}
			point, out, err := c.unspentTaproot(ctx, tx, minimum)
			if err != nil || out != nil {
				return point, out, err
			}
		}
	}
	return wire.OutPoint{}, nil, ErrUnknown
}

// unspentTaproot returns an unspent Taproot output of tx with at least minimum sats. The output is nil if there is
// none.
func (c *Client) unspentTaproot(ctx context.Context, tx Tx, minimum amount.Sats) (wire.OutPoint, *wire.TxOut, error) {
	for vout, out := range tx.Msg.TxOut {
		if out.Value < int64(minimum) || !txscript.IsPayToTaproot(out.PkScript) {
			continue
		}
		unspent, err := c.Unspent(ctx, wire.OutPoint{Hash: tx.ID, Index: uint32(vout)})
		if err != nil || unspent {
			return wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}, out, err
		}
	}
	return wire.OutPoint{}, nil, nil
}

// Unspent reports whether an output is in the node's set of unspent outputs. Core excludes outputs that a mempool
// transaction spends.
func (c *Client) Unspent(ctx context.Context, out wire.OutPoint) (bool, error) {
	var unspent *btcjson.GetTxOutResult
	err := c.call(ctx, &unspent, "gettxout", out.Hash.String(), out.Index, true)
	return unspent != nil, err
}
