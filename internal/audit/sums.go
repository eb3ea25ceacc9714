package audit

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// unitSum identifies a set of units by the sum of their digests, so that two large sets are compared without a join.
// Sums of different sets are equal with negligible probability, because the digests have a key of this process.
type unitSum struct{ high, low, count uint64 }

var unitSumKey = func() (key [16]byte) {
	_, _ = rand.Read(key[:]) // never fails
	return key
}()

// add adds a unit in a state, which is its stage, or "" in a set of units without stages.
func (s *unitSum) add(community, id, owner, state string, amount int64) {
	text := append(make([]byte, 0, 256), unitSumKey[:]...)
	for _, field := range [...]string{community, id, owner, state} {
		text = append(binary.AppendUvarint(text, uint64(len(field))), field...)
	}
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(text, uint64(amount)))
	s.high += binary.BigEndian.Uint64(sum[:8])
	s.low += binary.BigEndian.Uint64(sum[8:16])
	s.count++
}
