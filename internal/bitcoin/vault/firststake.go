package vault

import (
	"crypto/sha256"
	"encoding/binary"
)

// firstStakes is the lowest index of first stake addresses. A counter assigns the lower indexes.
const firstStakes = 1 << 30

// FirstStake returns the index of the first stake address of an owner, which is derived from the community's prefix and
// the owner's ordinals address. Owners may share an index: their addresses differ by the key in the leaf.
func FirstStake(community, owner string) uint32 {
	sum := sha256.Sum256([]byte("moonfund first stake\n" + community + "\n" + owner))
	return firstStakes | binary.BigEndian.Uint32(sum[:4])&(firstStakes-1)
}

// IsFirstStake reports whether an index is in the range of FirstStake.
func IsFirstStake(index int64) bool { return index >= firstStakes }
