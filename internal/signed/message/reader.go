package message

import (
	"encoding/binary"
	"fmt"

	"github.com/btcsuite/btcd/wire/v2"
)

// reader parses Bitcoin's consensus encoding of a signature. The input is untrusted: counts are limited by the
// remaining bytes, and numbers must use their shortest form, so that every signature has exactly one encoding. After a
// failure every read returns zero values.
type reader struct {
	rest   []byte
	failed bool
}

// end returns ErrFormat if a read failed or bytes are left over.
func (r *reader) end() error {
	if r.failed || len(r.rest) != 0 {
		return fmt.Errorf("%w: the signature is not in the encoding of BIP-322", ErrFormat)
	}
	return nil
}

// bytes reads the next n bytes.
func (r *reader) bytes(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.failed = true
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// fixed reads n bytes (at most 8) as a little-endian number.
func (r *reader) fixed(n uint64) uint64 {
	var wide [8]byte
	copy(wide[:], r.bytes(n))
	return binary.LittleEndian.Uint64(wide[:])
}

// count reads a compact size.
func (r *reader) count() uint64 {
	first := r.fixed(1)
	if first < 0xfd {
		return first
	}
	width := uint64(2) << (first - 0xfd)
	n := r.fixed(width)
	least := map[uint64]uint64{2: 0xfd, 4: 1 << 16, 8: 1 << 32}[width]
	if n < least {
		r.failed = true
	}
	return n
}

// witness reads a witness stack. An empty stack contains no signature and is a failure.
func (r *reader) witness() wire.TxWitness {
	items := r.count()
	if items == 0 || items > uint64(len(r.rest)) {
		r.failed = true
		return nil
	}
	stack := make(wire.TxWitness, 0, items)
	for range items {
		stack = append(stack, r.bytes(r.count()))
	}
	return stack
}

// readToSign reads a transaction with exactly one input and one output, with or without a witness. It returns
// ErrFormat.
func readToSign(raw []byte) (*wire.MsgTx, error) {
	r := reader{rest: raw}
	tx := wire.NewMsgTx(int32(r.fixed(4)))
	inputs := r.count()
	segwit := inputs == 0
	if segwit { // BIP-144: marker 0, flag 1
		r.failed = r.failed || r.fixed(1) != 1
		inputs = r.count()
	}
	r.failed = r.failed || inputs != 1
	in := &wire.TxIn{}
	copy(in.PreviousOutPoint.Hash[:], r.bytes(32))
	in.PreviousOutPoint.Index = uint32(r.fixed(4))
	in.SignatureScript = r.bytes(r.count())
	in.Sequence = uint32(r.fixed(4))
	r.failed = r.failed || r.count() != 1
	out := &wire.TxOut{Value: int64(r.fixed(8)), PkScript: r.bytes(r.count())}
	if segwit {
		in.Witness = r.witness()
	}
	tx.LockTime = uint32(r.fixed(4))
	if err := r.end(); err != nil {
		return nil, err
	}
	tx.AddTxIn(in)
	tx.AddTxOut(out)
	return tx, nil
}
