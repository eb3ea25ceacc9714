package devnet

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"math/big"
	"time"

	"github.com/btcsuite/btcd/chaincfg/v2"
	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

const (
	maxBlockWeight  = 3_900_000 // weight units of the transactions after the coinbase
	firstSubsidy    = 50 * 100_000_000
	halvingInterval = 150 // blocks, regtest
)

// template describes the next block.
type template struct {
	params   *chaincfg.Params
	txs      []*wire.MsgTx // candidates, parents before children
	without  map[chainhash.Hash]bool
	payTo    []byte // script of the coinbase
	earliest time.Time
	now      time.Time
}

// assemble builds and mines the block after the index's tip, with the header time max(median time past + 1 s, earliest,
// now), a witness commitment (BIP-141), the height in the coinbase (BIP-34), and subsidy and fees paid to payTo. It
// omits candidates that are not valid in the block yet (locks, maturity, missing or withheld parents) or do not fit,
// and their descendants.
func (ix *index) assemble(t template) (*wire.MsgBlock, error) {
	height := ix.height() + 1
	chosen, fees := ix.choose(t, height)
	coinbase, err := newCoinbase(height, t.payTo, subsidy(height)+fees)
	if err != nil {
		return nil, err
	}
	block := wire.NewMsgBlock(&wire.BlockHeader{
		Version: 0x20000000, PrevBlock: ix.tipHash(), Bits: t.params.PowLimitBits,
		Timestamp: ix.nextTime(t.earliest, t.now),
	})
	block.Transactions = append([]*wire.MsgTx{coinbase}, chosen...)
	commitWitness(block)
	block.Header.MerkleRoot = merkleRoot(block.Transactions, (*wire.MsgTx).TxHash)
	return block, solve(&block.Header, t.params.PowLimit)
}

func (ix *index) nextTime(earliest, now time.Time) time.Time {
	at := ix.medianTime(ix.height()).Add(time.Second)
	for _, other := range []time.Time{earliest, now.Truncate(time.Second)} {
		if other.After(at) {
			at = other
		}
	}
	return at
}

// choose returns the candidates that the block at height can contain, and the sum of their fees in sats.
func (ix *index) choose(t template, height int64) (chosen []*wire.MsgTx, fees int64) {
	weight := 0
	inBlock := map[wire.OutPoint]*wire.TxOut{}
	used := map[wire.OutPoint]bool{}
	for _, tx := range t.txs {
		size := 3*tx.SerializeSizeStripped() + tx.SerializeSize()
		if t.without[tx.TxHash()] || weight+size > maxBlockWeight {
			continue
		}
		fee, ok := ix.fee(tx, height, inBlock, used)
		if !ok {
			continue
		}
		weight += size
		fees += fee
		for _, in := range tx.TxIn {
			used[in.PreviousOutPoint] = true
		}
		id := tx.TxHash()
		for vout, out := range tx.TxOut {
			inBlock[wire.OutPoint{Hash: id, Index: uint32(vout)}] = out
		}
		chosen = append(chosen, tx)
	}
	return chosen, fees
}

// fee returns a transaction's fee in sats, or false if the transaction is not valid in the block at height after the
// transactions whose outputs are inBlock and whose inputs are used.
func (ix *index) fee(tx *wire.MsgTx, height int64, inBlock map[wire.OutPoint]*wire.TxOut,
	used map[wire.OutPoint]bool) (int64, bool) {
	var fee int64
	for _, in := range tx.TxIn {
		from, parentHeight := coin{TxOut: inBlock[in.PreviousOutPoint]}, height
		if from.TxOut == nil {
			var mined bool
			if from, mined = ix.coins[in.PreviousOutPoint]; !mined {
				return 0, false
			}
			parentHeight = from.height
		}
		immature := from.coinbase && height-parentHeight < coinbaseMaturity
		if immature || used[in.PreviousOutPoint] || !ix.sequenceMet(tx, in.Sequence, parentHeight, height) {
			return 0, false
		}
		fee += from.Value
	}
	for _, out := range tx.TxOut {
		fee -= out.Value
	}
	return fee, ix.final(tx, height)
}

// final reports whether the lock time allows the transaction at height (BIP-113).
func (ix *index) final(tx *wire.MsgTx, height int64) bool {
	lock := int64(tx.LockTime)
	if lock == 0 || (lock < txscript.LockTimeThreshold && lock < height) ||
		(lock >= txscript.LockTimeThreshold && lock < ix.medianTime(height-1).Unix()) {
		return true
	}
	for _, in := range tx.TxIn {
		if in.Sequence != wire.MaxTxInSequenceNum {
			return false
		}
	}
	return true
}

// sequenceMet reports whether an input's relative lock (BIP-68) has passed at height.
func (ix *index) sequenceMet(tx *wire.MsgTx, sequence uint32, parentHeight, height int64) bool {
	if uint32(tx.Version) < 2 || sequence&wire.SequenceLockTimeDisabled != 0 {
		return true
	}
	units := int64(sequence & wire.SequenceLockTimeMask)
	if sequence&wire.SequenceLockTimeIsSeconds == 0 {
		return height >= parentHeight+units
	}
	lock := time.Duration(units<<wire.SequenceLockTimeGranularity) * time.Second
	since := ix.medianTime(max(parentHeight-1, 0))
	return !ix.medianTime(height - 1).Before(since.Add(lock))
}

// newCoinbase returns a coinbase that pays value sats. A random nonce makes two blocks of the same second and height
// different, which a reorg requires.
func newCoinbase(height int64, payTo []byte, value int64) (*wire.MsgTx, error) {
	nonce := make([]byte, 8)
	rand.Read(nonce)
	script, err := txscript.NewScriptBuilder().AddInt64(height).AddData(nonce).Script()
	if err != nil {
		return nil, fmt.Errorf("coinbase script: %w", err)
	}
	tx := wire.NewMsgTx(2)
	in := wire.NewTxIn(&wire.OutPoint{Index: wire.MaxPrevOutIndex}, script, nil)
	in.Witness = wire.TxWitness{make([]byte, chainhash.HashSize)}
	tx.AddTxIn(in)
	tx.AddTxOut(wire.NewTxOut(value, payTo))
	return tx, nil
}

// commitWitness adds the BIP-141 commitment output to the block's coinbase.
func commitWitness(block *wire.MsgBlock) {
	coinbase := block.Transactions[0]
	root := merkleRoot(block.Transactions, func(tx *wire.MsgTx) chainhash.Hash {
		if tx == coinbase {
			return chainhash.Hash{}
		}
		return tx.WitnessHash()
	})
	commitment := chainhash.DoubleHashB(append(root[:], coinbase.TxIn[0].Witness[0]...))
	script := append([]byte{txscript.OP_RETURN, 36, 0xaa, 0x21, 0xa9, 0xed}, commitment...)
	coinbase.AddTxOut(wire.NewTxOut(0, script))
}

func merkleRoot(txs []*wire.MsgTx, leaf func(*wire.MsgTx) chainhash.Hash) chainhash.Hash {
	level := make([]chainhash.Hash, len(txs))
	for i, tx := range txs {
		level[i] = leaf(tx)
	}
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		for i := range len(level) / 2 {
			pair := append(bytes.Clone(level[2*i][:]), level[2*i+1][:]...)
			level[i] = chainhash.DoubleHashH(pair)
		}
		level = level[:len(level)/2]
	}
	return level[0]
}

// solve sets a nonce with which the header meets the target. On regtest about every second nonce does.
func solve(header *wire.BlockHeader, limit *big.Int) error {
	for ; header.Nonce < 1<<20; header.Nonce++ {
		hash := header.BlockHash()
		reversed := make([]byte, len(hash))
		for i, b := range hash {
			reversed[len(hash)-1-i] = b
		}
		if new(big.Int).SetBytes(reversed).Cmp(limit) <= 0 {
			return nil
		}
	}
	return fmt.Errorf("no nonce solves the block at %v", header.Timestamp)
}

// subsidy returns the block subsidy at height, in sats.
func subsidy(height int64) int64 {
	halvings := height / halvingInterval
	if halvings >= 64 {
		return 0
	}
	return firstSubsidy >> halvings
}
