package vault

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// The alphabets and generator of the descriptor checksum (BIP-380).
const (
	descriptorInput  = "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ "
	descriptorOutput = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
)

var descriptorGenerator = [5]uint64{0xf5dee51989, 0xa9fdca3312, 0x1bab10e32d, 0x3706b1677a, 0x644d626ffd}

// descriptorChecksum returns the eight characters that follow the # of an output descriptor.
// Descriptors of this package contain only characters of the descriptor alphabet.
func descriptorChecksum(text string) string {
	state, class, count := uint64(1), uint64(0), 0
	for i := range len(text) {
		position := uint64(strings.IndexByte(descriptorInput, text[i]))
		state = descriptorStep(state, position&31)
		class = class*3 + position>>5
		if count++; count == 3 {
			state = descriptorStep(state, class)
			class, count = 0, 0
		}
	}
	if count > 0 {
		state = descriptorStep(state, class)
	}
	for range 8 {
		state = descriptorStep(state, 0)
	}
	state ^= 1
	var out [8]byte
	for i := range out {
		out[i] = descriptorOutput[state>>(5*(7-i))&31]
	}
	return string(out[:])
}

// TreasuryDescriptors returns the output descriptors (BIP-380, BIP-386) of the treasury's two addresses, with
// checksums. They hold the account's public key, from which every address of the community can be derived, and no
// private key.
func (a Account) TreasuryDescriptors(origin Origin) (runes, sats string) {
	var fingerprint [4]byte
	binary.LittleEndian.PutUint32(fingerprint[:], origin.Fingerprint)
	key := fmt.Sprintf("[%x/86h/%dh/%dh]%s", fingerprint, a.network.Params.HDCoinType, origin.Account, a.key)
	descriptor := func(path KeyPath) string {
		text := fmt.Sprintf("tr(%s/%s)", key, path)
		return text + "#" + descriptorChecksum(text)
	}
	return descriptor(treasuryRunesPath), descriptor(treasurySatsPath)
}

func descriptorStep(state, value uint64) uint64 {
	top := state >> 35
	state = (state&0x7ffffffff)<<5 ^ value
	for i, generator := range descriptorGenerator {
		if top>>i&1 == 1 {
			state ^= generator
		}
	}
	return state
}
