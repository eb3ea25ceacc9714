package chain

import "encoding/binary"

// countsFit reports whether a serialized transaction is long enough for the counts in it. The decoder allocates memory
// for as many inputs, outputs and witness items as the counts say before it reads them, so a transaction of a hundred
// bytes could make it allocate a hundred megabytes.
func countsFit(raw []byte) bool {
	const version, outpoint, sequence, value, lockTime = 4, 36, 4, 8, 4
	w := walker{rest: raw}
	w.skip(version)
	witnesses := len(w.rest) > 1 && w.rest[0] == 0 && w.rest[1] == 1
	if witnesses {
		w.skip(2)
	}
	inputs := w.count(outpoint + 1 + sequence)
	for range inputs {
		w.skip(outpoint)
		w.skip(w.count(1))
		w.skip(sequence)
	}
	for range w.count(value + 1) {
		w.skip(value)
		w.skip(w.count(1))
	}
	if witnesses {
		for range inputs {
			for range w.count(1) {
				w.skip(w.count(1))
			}
		}
	}
	w.skip(lockTime)
	return !w.short
}

// walker skips over bytes. It sets short if too few bytes are left.
type walker struct {
	rest  []byte
	short bool
}

func (w *walker) skip(n int) {
	if w.short = w.short || n > len(w.rest); !w.short {
		w.rest = w.rest[n:]
	}
}

// count reads a compact size: the number of items of at least size bytes each. It returns 0 and sets short if the items
// do not fit in the remaining bytes.
func (w *walker) count(size int) int {
	if w.short || len(w.rest) == 0 {
		w.short = true
		return 0
	}
	first := w.rest[0]
	w.skip(1)
	n := uint64(first)
	if width := map[byte]int{0xfd: 2, 0xfe: 4, 0xff: 8}[first]; width > 0 {
		var number [8]byte
		copy(number[:width], w.rest)
		n = binary.LittleEndian.Uint64(number[:])
		w.skip(width)
	}
	if w.short = w.short || n > uint64(len(w.rest)/size); w.short {
		return 0
	}
	return int(n)
}
