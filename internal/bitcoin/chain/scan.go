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

// Paid is an output found by a scan for scripts.
type Paid struct {
	OutPoint wire.OutPoint
	Script   []byte
	Height   int64
}

// BlockSource is the part of Client that ScanBlocks uses.
type BlockSource interface {
	Best(ctx context.Context) (chainhash.Hash, int64, error)
	BlockHash(ctx context.Context, height int64) (chainhash.Hash, error)
	Block(ctx context.Context, hash chainhash.Hash, height int64) (Block, error)
}

// ScanBlocks reads the blocks from a height to the tip and returns the outputs, including spent ones, for whose script
// wanted returns true. Nodes have no index of addresses. It calls progress after each block. After an error it returns
// the outputs that were found before.
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

// ErrNoScan is returned if the node can't search its unspent outputs: btcd has no scantxoutset.
var ErrNoScan = errors.New("the node has no scantxoutset")

const (
	scanTime    = time.Hour // timeout; the node reads all its unspent outputs
	scanScripts = 20_000    // maximum number of scripts per call
)

// ScanUnspent returns the confirmed unspent outputs with any of the scripts. The node searches its set of unspent
// outputs, which takes minutes on mainnet. It returns ErrNoScan if the node does not have the call.
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
			all = append(all, Paid{OutPoint: wire.OutPoint{Hash: *hash, Index: unspent.Vout}, Script: script,
				Height: unspent.Height})
		}
	}
	return all, nil
}
