package chain

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

// MaxBlockBytes is the maximum size of a serialized block or transaction that is decoded. A block cannot be larger,
// because its weight is limited to 4,000,000.
const MaxBlockBytes = 4_000_000

// Tx is a transaction with its id (the hash without witnesses), which is computed once.
type Tx struct {
	ID  chainhash.Hash
	Msg *wire.MsgTx
}

// NewTx returns the transaction with its id. The caller must not modify msg afterwards.
func NewTx(msg *wire.MsgTx) Tx { return Tx{ID: msg.TxHash(), Msg: msg} }

// Spends returns the outputs that the transaction spends for which filter returns true.
func (t Tx) Spends(filter func(wire.OutPoint) bool) (outs []wire.OutPoint) {
	for _, in := range t.Msg.TxIn {
		if filter(in.PreviousOutPoint) {
			outs = append(outs, in.PreviousOutPoint)
		}
	}
	return outs
}

// DecodeTx decodes one serialized transaction, with or without witnesses. It returns an error for trailing or missing
// bytes, a transaction without inputs, more than MaxBlockBytes, and an encoding that is not canonical.
func DecodeTx(raw []byte) (Tx, error) {
	if len(raw) > MaxBlockBytes {
		return Tx{}, fmt.Errorf("decode transaction: %d bytes are too many", len(raw))
	}
	if !countsFit(raw) {
		return Tx{}, errors.New("decode transaction: the bytes end too early")
	}
	msg := new(wire.MsgTx)
	if err := msg.Deserialize(bytes.NewReader(raw)); err != nil {
		return Tx{}, fmt.Errorf("decode transaction: %w", err)
	}
	if len(msg.TxIn) == 0 || msg.SerializeSize() != len(raw) {
		return Tx{}, errors.New("decode transaction: not one canonical transaction")
	}
	return NewTx(msg), nil
}

// Bytes returns the transaction serialized for the network, including witnesses.
func (t Tx) Bytes() []byte {
	var b bytes.Buffer
	b.Grow(t.Msg.SerializeSize())
	_ = t.Msg.Serialize(&b) // a bytes.Buffer never fails
	return b.Bytes()
}

// VSize returns the virtual size in vB (BIP-141), which is a quarter of the weight, rounded up.
func VSize(tx *wire.MsgTx) int64 { return (Weight(tx) + 3) / 4 }

// Weight returns the weight (BIP-141), which counts witness bytes once and all others four times.
func Weight(tx *wire.MsgTx) int64 {
	return int64(tx.SerializeSizeStripped())*3 + int64(tx.SerializeSize())
}

// Block is a decoded block with the ids of its transactions. The caller of the decoder supplies Height; the other
// fields are read from the block.
type Block struct {
	Height     int64
	Hash, Prev chainhash.Hash
	Time       time.Time
	Txs        []Tx
	Size       int // serialized, in bytes; 0 if the block was not decoded
}

// DecodeBlock decodes one serialized block; the caller supplies its height. It returns an error for trailing or missing
// bytes and for a block without transactions. It does not check consensus rules, which the node does.
func DecodeBlock(raw []byte, height int64) (Block, error) {
	block, _, err := decodeBlock(raw, height)
	return block, err
}

func decodeBlock(raw []byte, height int64) (Block, wire.BlockHeader, error) {
	if len(raw) > MaxBlockBytes {
		return Block{}, wire.BlockHeader{}, fmt.Errorf("decode block: %d bytes are too many", len(raw))
	}
	var msg wire.MsgBlock
	reader := bytes.NewReader(raw)
	if err := msg.Deserialize(reader); err != nil {
		return Block{}, wire.BlockHeader{}, fmt.Errorf("decode block: %w", err)
	}
	if reader.Len() != 0 || len(msg.Transactions) == 0 {
		return Block{}, wire.BlockHeader{}, errors.New("decode block: not one whole block")
	}
	txs, err := identify(raw, msg.Transactions)
	if err != nil {
		return Block{}, wire.BlockHeader{}, err
	}
	return Block{
		Height: height,
		Hash:   msg.BlockHash(),
		Prev:   msg.Header.PrevBlock,
		Time:   msg.Header.Timestamp.UTC(),
		Txs:    txs,
		Size:   len(raw),
	}, msg.Header, nil
}

// identify returns the transactions of a serialized block with their ids. It hashes the serialized bytes, which takes
// half the time of serializing each transaction again. It returns an error for an encoding that is not canonical.
func identify(raw []byte, messages []*wire.MsgTx) ([]Tx, error) {
	start := wire.MaxBlockHeaderPayload + wire.VarIntSerializeSize(uint64(len(messages)))
	size := start
	for _, msg := range messages {
		size += msg.SerializeSize()
	}
	if size != len(raw) {
		return nil, errors.New("decode block: not one canonical block")
	}
	const (
		version  = 4 // bytes at the start; with witnesses, two bytes follow that the id leaves out (BIP-144)
		lockTime = 4 // bytes at the end, after the witnesses
	)
	txs := make([]Tx, len(messages))
	var stripped []byte
	for i, msg := range messages {
		tx := raw[start : start+msg.SerializeSize()]
		start += len(tx)
		if msg.HasWitness() {
			body := msg.SerializeSizeStripped() - version - lockTime
			stripped = append(stripped[:0], tx[:version]...)
			stripped = append(stripped, tx[version+2:version+2+body]...)
			tx = append(stripped, tx[len(tx)-lockTime:]...)
			stripped = tx
		}
		txs[i] = Tx{ID: chainhash.DoubleHashH(tx), Msg: msg}
	}
	return txs, nil
}

// repeatsLast reports whether the last transaction is in the block twice. A block with its last transactions twice has
// the merkle root of the block itself (CVE-2012-2459).
func (b Block) repeatsLast() bool {
	last := len(b.Txs) - 1
	return slices.ContainsFunc(b.Txs[:last], func(tx Tx) bool { return tx.ID == b.Txs[last].ID })
}

// merkleRoot returns the merkle root of the transaction ids.
func (b Block) merkleRoot() chainhash.Hash {
	row := make([]chainhash.Hash, len(b.Txs))
	for i, tx := range b.Txs {
		row[i] = tx.ID
	}
	var pair [2 * chainhash.HashSize]byte
	for len(row) > 1 {
		if len(row)%2 == 1 {
			row = append(row, row[len(row)-1])
		}
		for i := 0; i < len(row); i += 2 {
			copy(pair[:], row[i][:])
			copy(pair[chainhash.HashSize:], row[i+1][:])
			row[i/2] = chainhash.DoubleHashH(pair[:])
		}
		row = row[:len(row)/2]
	}
	return row[0]
}
