package follower

import (
	"encoding/binary"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

func outputs(from, n int) []wire.OutPoint {
	all := make([]wire.OutPoint, n)
	for i := range all {
		all[i] = wire.OutPoint{Hash: chainhash.HashH(binary.AppendVarint(nil, int64(from+i/3))), Index: uint32(i % 3)}
	}
	return all
}

// The filter has no false negatives and few false positives.
func TestFilterHasNoFalseNegatives(t *testing.T) {
	var h held
	for _, n := range []int{100, leastRoom, 3 * leastRoom} {
		h.begin()
		for _, out := range outputs(0, n) {
			h.add(out)
		}
		for _, out := range outputs(0, n) {
			if !h.may(&out) {
				t.Fatalf("of %d outputs the filter lacks %s", n, out)
			}
		}
		if n > h.room { // the next size has room
			continue
		}
		wrong := 0
		for _, out := range outputs(1_000_000, 10_000) {
			if h.may(&out) {
				wrong++
			}
		}
		if wrong > 100 {
			t.Errorf("with %d outputs the filter has %d false positives of 10,000", n, wrong)
		}
	}
}
