package chain

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// Paid is an output of the chain at a script that was searched for.
type Paid struct {
	OutPoint wire.OutPoint
	Script   []byte
	Height   int64
}

// BlockSource is a node as a scan of its blocks needs it.
type BlockSource interface {
	Best(ctx context.Context) (chainhash.Hash, int64, error)
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error)
	Block(ctx context.Context, hash chainhash.Hash, height int64) (Block, error)
}

// ScanBlocks reads the blocks from a height to the tip and returns the outputs, spent ones too, whose script is
// wanted. Nodes have no index of addresses. It calls progress after each block.
func ScanBlocks(
	ctx context.Context, node BlockSource, from int64, wanted func(script []byte) bool, progress func(height, best int64),
) (all []Paid, err error) {
	for height := max(from, 0); ; height++ {
		_, best, err := node.Best(ctx)
		if err != nil || height > best {
			return all, err
		}
		hash, err := node.BlockHash(ctx, height)
		if err != nil {
			return all, err
		}
		block, err := node.Block(ctx, hash, height)
		if err != nil {
			return all, err
		}
		for _, tx := range block.Txs {
			for vout, out := range tx.Msg.TxOut {
				if wanted(out.PkScript) {
					point := wire.OutPoint{Hash: tx.ID, Index: uint32(vout)}
					all = append(all, Paid{OutPoint: point, Script: out.PkScript, Height: height})
				}
			}
		}
		progress(height, best)
	}
}

// ErrNoScan means that the node can't search its unspent outputs: btcd has no scantxoutset.
var ErrNoScan = errors.New("the node has no scantxoutset")

const (
	scanTime    = time.Hour // the call reads all of the node's unspent outputs
	scanScripts = 20_000    // of one call
)

// ScanUnspent returns the confirmed unspent outputs at any of the scripts, from the node's own set of them. It takes
// minutes on mainnet. It returns ErrNoScan on a node without that call.
func (c *Client) ScanUnspent(ctx context.Context, scripts [][]byte) (all []Paid, err error) {
	patient := c.config
	patient.Timeout = scanTime
	node := NewClient(patient)
	defer node.Close()
	for len(scripts) > 0 {
		part := scripts[:min(len(scripts), scanScripts)]
		scripts = scripts[len(part):]
		var descriptors []any
		for _, script := range part {
			descriptors = append(descriptors, "raw("+hex.EncodeToString(script)+")")
		}
		var found struct {
			Success  bool
			Unspents []struct {
				Txid         string
				Vout         uint32
				ScriptPubKey string
				Height       int64
			}
		}
		err := node.call(ctx, &found, "scantxoutset", "start", descriptors)
		if rpcCode(err) == codeNoSuchMethod {
			return nil, ErrNoScan
		}
		if err != nil {
			return nil, err
		}
		if !found.Success {
			return nil, errors.New("node: scantxoutset: the scan was cut off")
		}
		for _, unspent := range found.Unspents {
			hash, err := chainhash.NewHashFromStr(unspent.Txid)
			if err != nil {
				return nil, fmt.Errorf("node: scantxoutset: %w", err)
			}
			script, err := hex.DecodeString(unspent.ScriptPubKey)
			if err != nil {
				return nil, fmt.Errorf("node: scantxoutset: %w", err)
			}
			all = append(all, Paid{OutPoint: wire.OutPoint{Hash: *hash, Index: unspent.Vout}, Script: script, Height: unspent.Height})
		}
	}
	return all, nil
}
