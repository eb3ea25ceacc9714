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
	var h runeFilter
	for _, n := range []int{100, minCapacity, 3 * minCapacity} {
		h.reset(h.count)
		for _, out := range outputs(0, n) {
			h.add(out)
		}
		for _, out := range outputs(0, n) {
			if !h.mayContain(&out) {
				t.Fatalf("filter of %d outputs: false negative %s", n, out)
			}
		}
		if n > h.capacity { // the next size has room
			continue
		}
		wrong := 0
		for _, out := range outputs(1_000_000, 10_000) {
			if h.mayContain(&out) {
				wrong++
			}
		}
		if wrong > 100 {
			t.Errorf("filter of %d outputs: got %d false positives of 10,000, want at most 100", n, wrong)
		}
	}
}
