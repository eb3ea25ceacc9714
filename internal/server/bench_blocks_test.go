package server

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"lukechampine.com/uint128"

	"moonfund/internal/bitcoin/chain"
	"moonfund/internal/bitcoin/runes"
	"moonfund/internal/staking/follower"
	"moonfund/internal/store"
	"moonfund/internal/testkit/engine"
)

const (
	blocksMade      = 140
	roundBlocks     = 20
	transactionsPer = 4000
	transfersPer    = 40 // transactions that transfer runes
	runesHeld       = 200_000
)

// measureBlocks compares indexing with decoding. It indexes synthetic blocks of 4,000 transactions with two inputs and
// two outputs, 40 of which transfer runes, with an index of 200,000 outputs.
func measureBlocks(b *testing.B) {
	l := opened(b, engine.New(b, nil))
	held := plantRunes(b, l)
	whole := madeChain(b, blocksMade, transfersPer, func(n int) [2]wire.OutPoint {
		return [2]wire.OutPoint{held[n], {Hash: held[n].Hash, Index: held[n].Index + 1}} // the second holds no runes
	})
	node := &growingChain{rawChain: whole}
	config := l.Follower.Config
	config.Node, config.Start, config.Lead, config.Audit, config.Inspect = node, 0, nil, nil, nil
	config.Transact = func(ctx context.Context, fn func(follower.Tx) error) error {
		return l.Store.Update(ctx, func(tx *store.Tx) error { return fn(tx.FollowerTx()) })
	}
	f := follower.New(config)
	var rounds []round
	var spent round
	for from := 0; from < blocksMade; from += roundBlocks {
		if from == roundBlocks { // the first round also reads the index
			rounds, spent = nil, round{}
		}
		node.grown = from + roundBlocks
		rounds = append(rounds, race(roundBlocks, &spent, func() {
			_, err := f.Step(b.Context())
			must(b, err)
		}, func() {
			for height := from; height < node.grown; height++ {
				_, err := whole.Block(b.Context(), chainhash.Hash{}, int64(height))
				must(b, err)
			}
		}))
		if tip := f.State().Tip.Height; int(tip) != node.grown-1 {
			b.Fatalf("the follower's tip is block %d", tip)
		}
	}
	spent.log(b, blocksMade-roundBlocks)
	reportRate(b, "blocks indexed, of 4,000 transactions", rounds)
}

// growingChain is a node whose chain has only the first grown blocks.
type growingChain struct {
	rawChain
	grown int
}

func (c *growingChain) Best(context.Context) (chainhash.Hash, int64, error) {
	return c.hash(int64(c.grown) - 1), int64(c.grown) - 1, nil
}

// plantRunes assigns a rune to many outputs and returns the outputs.
func plantRunes(b *testing.B, l ledgerFile) []wire.OutPoint {
	held := make([]wire.OutPoint, runesHeld)
	id := runes.ID{Block: 1, Tx: 1}
	must(b, l.Store.Update(b.Context(), func(tx *store.Tx) error {
		index := tx.Runes(b.Context())
		if err := index.PutRuneEntry(runes.Entry{ID: id, Premine: uint128.From64(1 << 60)}); err != nil {
			return err
		}
		for i := range held {
			held[i] = wire.OutPoint{Hash: numberHash(uint64(i)), Index: 0}
			if err := index.PutRuneBalances(runes.Held{
				OutPoint: held[i], Holding: runes.Holding{Own: []runes.Balance{{ID: id, Amount: uint128.From64(1000)}}},
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	return held
}

func numberHash(n uint64) chainhash.Hash {
	return chainhash.DoubleHashH(binary.BigEndian.AppendUint64(nil, n))
}

// rawChain is a node that serves only serialized blocks.
type rawChain [][]byte

// madeChain returns blocks of 4,000 transactions, some of which transfer runes: the nth spends the outputs spent(n).
func madeChain(b *testing.B, blocks, transfers int, spent func(n int) [2]wire.OutPoint) rawChain {
	random := rand.New(rand.NewPCG(3, 4))
	var chained rawChain
	var prev chainhash.Hash
	for height := range blocks {
		block := wire.MsgBlock{Header: wire.BlockHeader{PrevBlock: prev, Timestamp: time.Unix(1_700_000_000+int64(height)*600,
			0)}}
		for i := range transactionsPer {
			tx := wire.NewMsgTx(2)
			previous := wire.OutPoint{Hash: numberHash(random.Uint64()), Index: uint32(random.IntN(4))}
			if i == 0 {
				previous = wire.OutPoint{Index: wire.MaxPrevOutIndex}
			}
			inputs := [2]wire.OutPoint{previous, {Hash: previous.Hash, Index: previous.Index + 1}}
			transfer := i > 0 && i <= transfers
			if transfer {
				inputs = spent(height*transfers + i - 1)
			}
			for _, in := range inputs {
				tx.AddTxIn(&wire.TxIn{PreviousOutPoint: in, Witness: wire.TxWitness{make([]byte, 64)}})
				script := binary.BigEndian.AppendUint64([]byte{0x51, 0x20, 24: 0}, random.Uint64())
				tx.AddTxOut(wire.NewTxOut(1000, append(script, 0)))
			}
			if transfer {
				stone := runes.Runestone{Edicts: []runes.Edict{{ID: runes.ID{Block: 1, Tx: 1}, Amount: uint128.From64(400),
					Output: 1}}}
				script, err := stone.Script()
				must(b, err)
				tx.AddTxOut(wire.NewTxOut(0, script))
			}
			must(b, block.AddTransaction(tx))
		}
		prev = block.BlockHash()
		var raw bytes.Buffer
		must(b, block.Serialize(&raw))
		chained = append(chained, raw.Bytes())
	}
	return chained
}

// extended returns a chain with further blocks that contain only a coinbase transaction.
func extended(b *testing.B, c rawChain, blocks int) rawChain {
	for range blocks {
		height := int64(len(c))
		block := wire.MsgBlock{Header: wire.BlockHeader{
			PrevBlock: c.hash(height - 1), Timestamp: time.Unix(1_700_000_000+height*600, 0),
		}}
		tx := wire.NewMsgTx(2)
		tx.AddTxIn(&wire.TxIn{
			PreviousOutPoint: wire.OutPoint{Index: wire.MaxPrevOutIndex},
			SignatureScript:  binary.BigEndian.AppendUint64([]byte{8}, uint64(height)),
		})
		tx.AddTxOut(wire.NewTxOut(1000, []byte{0x51}))
		must(b, block.AddTransaction(tx))
		var raw bytes.Buffer
		must(b, block.Serialize(&raw))
		c = append(c, raw.Bytes())
	}
	return c
}

func (c rawChain) hash(height int64) chainhash.Hash {
	return chainhash.DoubleHashH(c[height][:wire.MaxBlockHeaderPayload])
}

func (c rawChain) BlockHash(_ context.Context, height int64) (chainhash.Hash, error) {
	if height < 0 || height >= int64(len(c)) {
		return chainhash.Hash{}, chain.ErrUnknown
	}
	return c.hash(height), nil
}

func (c rawChain) Block(_ context.Context, _ chainhash.Hash, height int64) (chain.Block, error) {
	return chain.DecodeBlock(c[height], height)
}

func (c rawChain) Mempool(context.Context) ([]chainhash.Hash, error) { return nil, nil }

func (c rawChain) Tx(context.Context, chainhash.Hash) (chain.Tx, chain.Status, error) {
	return chain.Tx{}, chain.Status{}, chain.ErrUnknown
}

func (c rawChain) Broadcast(context.Context, []byte) error { return nil }
