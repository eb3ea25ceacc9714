package zmq

import (
	"encoding/binary"
	"slices"

	"github.com/btcsuite/btcd/chainhash/v2"

	"moonfund/internal/bitcoin/chain"
)

// message is a notification of topic sequence.
type message struct {
	block   bool // a block was connected or disconnected; else change is set
	change  chain.MempoolChange
	counter uint32 // of the messages of this topic; the node starts it at 0
}

// parse decodes the frames of a message: the topic; the body, which is the hash in display order, a label and, for the
// mempool, the 64-bit sequence number; and the counter. ok is false if the message has another form.
func parse(frames [][]byte) (m message, ok bool) {
	const label, blockSize, mempoolSize, counterSize = chainhash.HashSize, 33, 41, 4
	if len(frames) != 3 || string(frames[0]) != topic || len(frames[1]) < blockSize || len(frames[2]) != counterSize {
		return message{}, false
	}
	body := frames[1]
	m.counter = binary.LittleEndian.Uint32(frames[2])
	switch body[label] {
	case 'C', 'D':
		m.block = true
		return m, len(body) == blockSize
	case 'A', 'R':
		m.change.Added = body[label] == 'A'
		copy(m.change.ID[:], body)
		slices.Reverse(m.change.ID[:])
		return m, len(body) == mempoolSize
	}
	return message{}, false
}
