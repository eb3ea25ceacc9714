package publisher

import "testing"

// Requests for two statements in turn, or for many old ones, do not have the tree of the newest one read again.
func TestTreesAreKept(t *testing.T) {
	var cached trees
	read := map[int64]int{}
	for _, sequence := range []int64{3, 7, 3, 7, 1, 7, 2, 7, 3, 7} {
		if cached.of(sequence) == nil {
			read[sequence]++
			cached = cached.with(&tree{sequence: sequence})
		}
	}
	if read[7] != 1 || read[3] != 2 || read[1] != 1 || cached.of(8) != nil {
		t.Errorf("the trees were read %v times", read)
	}
}
